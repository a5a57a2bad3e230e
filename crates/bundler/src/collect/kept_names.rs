//! Variables whose names functions and classes may have, for `--keep-names`. In: a syntax tree.
//! Out: symbols of the outermost scope that are declared functions and classes, or hold some: a
//! function without a name has that of the variable it is assigned to.

use oxc::ast::ast::{BindingPattern, Declaration, Expression, Program, Statement, VariableDeclaration};
use oxc::semantic::Scoping;
use rustc_hash::FxHashSet;

use crate::symbols::SymbolIndex;

pub(crate) fn kept_names(program: &Program<'_>, scoping: &Scoping) -> FxHashSet<SymbolIndex> {
    let root = scoping.get_bindings(scoping.root_scope_id()).values();
    let is_named = |symbol| {
        let flags = scoping.symbol_flags(symbol);
        flags.is_function() || flags.is_class() || scoping.symbol_is_mutated(symbol)
    };
    let named = root.filter(|&&symbol| is_named(symbol)).map(|symbol| symbol.index() as SymbolIndex);
    let mut found: FxHashSet<SymbolIndex> = named.collect();
    for statement in &program.body {
        let variables = match statement {
            Statement::VariableDeclaration(variables) => Some(&**variables),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(variables) => Some(&**variables),
                _ => None,
            },
            _ => None,
        };
        found.extend(variables.into_iter().flat_map(holders_of_functions));
    }
    found
}

/// Variables whose initial values may take their names.
fn holders_of_functions(variables: &VariableDeclaration<'_>) -> Vec<SymbolIndex> {
    let declarations = variables.declarations.iter().filter(|one| match (&one.id, &one.init) {
        (BindingPattern::BindingIdentifier(_), Some(value)) => is_function(value),
        // Defaults of a pattern may be functions.
        _ => one.init.is_some(),
    });
    let names = declarations.flat_map(|one| one.id.get_binding_identifiers());
    names.filter_map(|name| Some(name.symbol_id.get()?.index() as SymbolIndex)).collect()
}

fn is_function(value: &Expression<'_>) -> bool {
    matches!(
        value.get_inner_expression(),
        Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
    )
}

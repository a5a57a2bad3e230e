//! Feature flags: `feature('NAME')` of `bun:bundle` is `true` or `false` in the bundle, as in bun.
//! In: a syntax tree, names of features. Out: the same tree; the import goes when nothing else of
//! it is used.

use oxc::ast::ast::{
    Argument, CallExpression, Expression, IdentifierReference, ImportDeclarationSpecifier, Program, Statement,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{Scoping, SymbolId};
use rustc_hash::FxHashSet;

/// The module that programs import `feature` from.
pub(super) const MODULE: &str = "bun:bundle";

/// Returns whether the tree was changed.
pub(super) fn apply<'a>(
    ast: AstBuilder<'a>,
    program: &mut Program<'a>,
    scoping: &Scoping,
    features: &[String],
) -> bool {
    let functions: FxHashSet<SymbolId> = program.body.iter().flat_map(imported).collect();
    if functions.is_empty() {
        return false;
    }
    let mut replacer = FeatureCalls { ast, scoping, features, functions, others: 0, count: 0 };
    replacer.visit_program(program);
    if replacer.others == 0 {
        let functions = &replacer.functions;
        program.body.retain(|statement| !imported(statement).iter().any(|one| functions.contains(one)));
    }
    replacer.count > 0 || replacer.others == 0
}

/// Local symbols of `feature`.
fn imported(statement: &Statement<'_>) -> Vec<SymbolId> {
    let Statement::ImportDeclaration(import) = statement else { return Vec::new() };
    if import.source.value != MODULE {
        return Vec::new();
    }
    let specifiers = import.specifiers.iter().flatten();
    let symbol = |specifier: &ImportDeclarationSpecifier<'_>| match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(one) if one.imported.name() == "feature" => {
            one.local.symbol_id.get()
        }
        _ => None,
    };
    specifiers.filter_map(symbol).collect()
}

struct FeatureCalls<'r, 'a> {
    ast: AstBuilder<'a>,
    scoping: &'r Scoping,
    features: &'r [String],
    functions: FxHashSet<SymbolId>,
    /// Calls that were replaced, and uses that cannot be.
    count: usize,
    others: usize,
}

impl<'a> FeatureCalls<'_, 'a> {
    fn is_feature(&self, name: &IdentifierReference<'a>) -> bool {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        symbol.is_some_and(|symbol| self.functions.contains(&symbol))
    }

    /// `None`: it is another call.
    fn value_of(&self, call: &CallExpression<'a>) -> Option<bool> {
        let Expression::Identifier(name) = &call.callee else { return None };
        let [Argument::StringLiteral(text)] = call.arguments.as_slice() else { return None };
        let is_on = || self.features.iter().any(|known| *known == text.value.as_str());
        self.is_feature(name).then(is_on)
    }
}

impl<'a> VisitMut<'a> for FeatureCalls<'_, 'a> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if let Expression::CallExpression(call) = expression
            && let Some(value) = self.value_of(call)
        {
            *expression = Expression::new_boolean_literal(call.span, value, &self.ast);
            self.count += 1;
            return;
        }
        walk_mut::walk_expression(self, expression);
    }

    fn visit_identifier_reference(&mut self, name: &mut IdentifierReference<'a>) {
        self.others += usize::from(self.is_feature(name));
    }
}

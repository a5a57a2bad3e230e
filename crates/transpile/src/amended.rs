//! What the transformer makes otherwise than TypeScript does. In: what it made, and where enums were exported. Out: the same, put right:
//!
//! ```text
//! export let E = function (E) { … }({})        export var E = …    an enum may be asked for before it is there
//! decorate(…, A, 's'); decorate(…, A.prototype, 'm')               what instances have is decorated before what the class has
//! ```
//!
//! Absent: transforming.

use std::collections::HashSet;

use oxc::allocator::ArenaVec;
use oxc::ast::ast::{
    Argument, CallExpression, Declaration, Expression, Program, Statement, VariableDeclarationKind,
};
use oxc::ast_visit::{VisitMut, walk_mut};

use crate::transform::HELPERS;

/// `enums`: where exports of enums began, of those outside of namespaces.
pub(crate) fn declare_early(enums: &HashSet<u32>, program: &mut Program<'_>) {
    if enums.is_empty() {
        return;
    }
    for statement in &mut program.body {
        if let Statement::ExportDeclaration(export) = statement
            && enums.contains(&export.span.start)
            && let Declaration::VariableDeclaration(variables) = &mut export.declaration
        {
            variables.kind = VariableDeclarationKind::Var;
        }
    }
}

/// Decorators of `experimentalDecorators`: those of instances first.
pub(crate) fn order_decorations(program: &mut Program<'_>) {
    Decorations.visit_program(program);
}

struct Decorations;

/// Whose member is decorated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Instance,
    Class,
}

impl<'a> VisitMut<'a> for Decorations {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        walk_mut::walk_statements(self, statements);
        let owners: Vec<Option<Owner>> = statements.iter().map(owner).collect();
        let mut rest = statements.as_mut_slice();
        for run in owners.chunk_by(|left, right| left.is_some() == right.is_some()) {
            let (these, others) = rest.split_at_mut(run.len());
            if !run.is_sorted() {
                these.sort_by_key(owner);
            }
            rest = others;
        }
    }
}

/// Whose member a statement decorates: `babelHelpers.decorate([…], A.prototype, …)`.
fn owner(statement: &Statement<'_>) -> Option<Owner> {
    let Statement::ExpressionStatement(statement) = statement else { return None };
    let Expression::CallExpression(call) = &statement.expression else { return None };
    match (is_decoration(call), call.arguments.get(1)?) {
        (true, Argument::StaticMemberExpression(_)) => Some(Owner::Instance),
        (true, Argument::Identifier(_)) => Some(Owner::Class),
        _ => None,
    }
}

fn is_decoration(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(callee) = &call.callee else { return false };
    let of_helpers = matches!(&callee.object, Expression::Identifier(object) if object.name == HELPERS);
    of_helpers && callee.property.name == "decorate"
}

//! Fix-ups of the oxc transformer's output where it differs from TypeScript's. In: the transformed
//! tree, and the syntax features of the original. Out: the same tree, corrected:
//!
//! ```text
//! E[E['a'] = -0] = 'a'                             E[E['a'] = 0] = 'a'
//! this.a = a; try { super() }                      try { super(); this.a = a }
//! decorate(…, A.prototype, '_key')                 decorate(…, A.prototype, _key)
//! export let E = function (E) { … }({})        export var E = …    an enum may be used before its declaration
//! decorate(…, A, 's'); decorate(…, A.prototype, 'm')               instance members are decorated before static ones
//! ```
//!
//! Absent: the transformation itself.

use std::collections::HashSet;

use oxc::allocator::{Allocator, ArenaVec};
use oxc::ast::ast::{
    Argument, CallExpression, Declaration, Expression, MemberExpression, MethodDefinition, NumericLiteral,
    Program, Statement, VariableDeclarationKind,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};

use crate::syntax_features::{SyntaxFeatures, is_super};
use crate::transform::HELPERS;

/// `enums`: start offsets of exported enums outside of namespaces.
pub(crate) fn hoist_exported_enums(enums: &HashSet<u32>, program: &mut Program<'_>) {
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

/// Enum folding never yields `-0`.
pub(crate) fn normalize_negative_zero(features: &SyntaxFeatures<'_>, program: &mut Program<'_>) {
    if features.has_enums {
        ZeroNormalizer.visit_program(program);
    }
}

struct ZeroNormalizer;

impl<'a> VisitMut<'a> for ZeroNormalizer {
    // In source text the sign is not part of the number.
    fn visit_numeric_literal(&mut self, number: &mut NumericLiteral<'a>) {
        if number.value == 0.0 {
            number.value = 0.0;
        }
    }
}

/// Fields are assigned after `super()`, also if that is in a `try`.
pub(crate) fn assign_after_super(features: &SyntaxFeatures<'_>, program: &mut Program<'_>) {
    if features.has_super_in_try {
        ConstructorFixups.visit_program(program);
    }
}

struct ConstructorFixups;

impl<'a> VisitMut<'a> for ConstructorFixups {
    fn visit_method_definition(&mut self, method: &mut MethodDefinition<'a>) {
        if let (true, Some(body)) = (method.kind.is_constructor(), &mut method.value.body) {
            let generated =
                body.statements.iter().take_while(|statement| is_generated_assignment(statement)).count();
            let assignments: Vec<Statement<'a>> = body.statements.drain(..generated).collect();
            match after_super(&mut body.statements) {
                Some((list, at)) => drop(list.splice(at..at, assignments)),
                None => drop(body.statements.splice(0..0, assignments)),
            }
        }
        walk_mut::walk_method_definition(self, method);
    }
}

/// `this.a = …` that the transformer generated.
fn is_generated_assignment(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(statement) = statement else { return false };
    let Expression::AssignmentExpression(assignment) = &statement.expression else { return false };
    let object = assignment.left.as_member_expression().map(MemberExpression::object);
    statement.span.is_unspanned() && matches!(object, Some(Expression::ThisExpression(_)))
}

/// The statement list with the first `super()`, and the index after it. Like TypeScript, this looks
/// into `try` blocks only.
fn after_super<'b, 'a>(
    statements: &'b mut [Statement<'a>],
) -> Option<(&'b mut ArenaVec<'a, Statement<'a>>, usize)> {
    for statement in statements {
        if is_super(statement) {
            return None;
        }
        if let Statement::TryStatement(try_statement) = statement {
            let list = &mut try_statement.block.body;
            match list.iter().position(is_super) {
                Some(at) => return Some((list, at + 1)),
                None if list.iter().any(has_super_in_try) => return after_super(list),
                None => {}
            }
        }
    }
    None
}

/// Whether the statement is a `try` with `super()` in it, at any depth.
fn has_super_in_try(statement: &Statement<'_>) -> bool {
    let Statement::TryStatement(try_statement) = statement else { return false };
    try_statement.block.body.iter().any(|one| is_super(one) || has_super_in_try(one))
}

/// Sorts `experimentalDecorators` calls: those of instance members first. `keys`: strings that
/// stand for variables.
pub(crate) fn order_decorations<'a>(allocator: &'a Allocator, keys: &[&'a str], program: &mut Program<'a>) {
    DecorateCalls { ast: AstBuilder::new(allocator), keys }.visit_program(program);
}

struct DecorateCalls<'a, 'k> {
    ast: AstBuilder<'a>,
    keys: &'k [&'a str],
}

/// Whether the decorated member is on the instance or the class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Instance,
    Class,
}

impl<'a> VisitMut<'a> for DecorateCalls<'a, '_> {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        let is_decoration = !self.keys.is_empty() && is_decoration(call);
        if let Some(key) = call.arguments.get_mut(2).filter(|_| is_decoration)
            && let Argument::StringLiteral(text) = &*key
            && let Some(name) = self.keys.iter().find(|name| text.value == **name)
        {
            *key = Expression::new_identifier(text.span, *name, &self.ast).into();
        }
        walk_mut::walk_call_expression(self, call);
    }

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

/// The owner in `babelHelpers.decorate([…], A.prototype, …)`.
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

#[cfg(test)]
mod tests;

//! Enums of TypeScript, whose members are constants. In: the function that an enum is lowered to.
//! Out: the values of its members.
//!
//! ```js
//! var Level = function(Level) { Level[Level["Low"] = 1] = "Low"; return Level; }({});
//! ```

use oxc::ast::ast::{
    Argument, AssignmentTarget, BindingPattern, Expression, FunctionBody, Statement, VariableDeclarator,
};
use oxc::syntax::operator::UnaryOperator;

use super::Collector;
use super::values::declared_variables;
use crate::loader::Loader;
use crate::symbols::SymbolIndex;
use rustc_hash::FxHashMap;

/// Longer strings are in the bundle once.
const STRING_BYTES_MAX: usize = 64;

impl<'a> Collector<'_, 'a> {
    /// The enum that a statement declares, unless another declaration adds to it.
    pub(super) fn add_enums(&mut self, statement: &Statement<'a>) {
        if !matches!(self.module.loader, Some(Loader::Ts | Loader::Tsx)) {
            return;
        }
        let Some(variables) = declared_variables(statement) else { return };
        let [declarator] = variables.declarations.as_slice() else { return };
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return };
        let Some(symbol) = id.symbol_id.get() else { return };
        if !self.scoping.symbol_redeclarations(symbol).is_empty() || self.scoping.symbol_is_mutated(symbol) {
            return;
        }
        if let Some(members) = members(declarator) {
            self.module.enums.insert(symbol.index() as SymbolIndex, members);
        }
    }
}

/// The members whose values are known.
fn members(declarator: &VariableDeclarator<'_>) -> Option<FxHashMap<String, String>> {
    let Some(Expression::CallExpression(call)) = &declarator.init else { return None };
    let callee = call.callee.get_inner_expression();
    let Expression::FunctionExpression(function) = callee else { return None };
    let [parameter] = function.params.items.as_slice() else { return None };
    let is_enum = call.pure
        && matches!(
            call.arguments.as_slice(),
            [Argument::ObjectExpression(_) | Argument::LogicalExpression(_)]
        );
    let name = parameter.pattern.get_identifier_name().filter(|_| is_enum)?;
    let members = members_of(function.body.as_ref()?, &name);
    (!members.is_empty()).then_some(members)
}

fn members_of(body: &FunctionBody<'_>, name: &str) -> FxHashMap<String, String> {
    let mut members = FxHashMap::default();
    for statement in &body.statements {
        let Statement::ExpressionStatement(statement) = statement else { continue };
        let Some((key, value)) = assignment(&statement.expression, name) else { continue };
        // A number has its name too: `Level[Level["Low"] = 1] = "Low"`.
        let (key, value) = assignment(key, name).unwrap_or((key, value));
        let Expression::StringLiteral(key) = key else { continue };
        match text(value) {
            Some(text) => members.insert(key.value.to_string(), text),
            None => members.remove(key.value.as_str()),
        };
    }
    members
}

/// The parts of `name[key] = value`.
fn assignment<'e, 'a>(
    expression: &'e Expression<'a>,
    name: &str,
) -> Option<(&'e Expression<'a>, &'e Expression<'a>)> {
    let Expression::AssignmentExpression(assignment) = expression else { return None };
    let AssignmentTarget::ComputedMemberExpression(member) = &assignment.left else { return None };
    let is_own = matches!(&member.object, Expression::Identifier(object) if object.name == name);
    is_own.then_some((&member.expression, &assignment.right))
}

fn text(value: &Expression<'_>) -> Option<String> {
    match value {
        Expression::NumericLiteral(number) if number.value.is_finite() => Some(number.value.to_string()),
        Expression::StringLiteral(text) if text.value.len() <= STRING_BYTES_MAX && !text.lone_surrogates => {
            let mut quoted = String::new();
            rusk_npm::json::quote_into(&mut quoted, &text.value);
            Some(quoted)
        }
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
            let Expression::NumericLiteral(number) = &unary.argument else { return None };
            Some((-number.value).to_string())
        }
        _ => None,
    }
}

//! Names of functions and classes whose variables have other names in the bundle, for
//! `--keep-names`. In: the statements of a module, before their identifiers are renamed. Out: the
//! same, and calls that set names. Absent: functions within functions.

use oxc::allocator::{Allocator, TakeIn};
use oxc::ast::ast::{
    BindingIdentifier, BindingPattern, Class, Expression, ObjectPropertyKind, Program, Statement,
    VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use rusk_npm::json;

use crate::link::{Linked, member};
use crate::piece;
use crate::print::property_key;

/// Declared functions have their names before other statements run, as they have their values.
pub(super) fn keep<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    linked: &Linked,
) {
    let keeper = NameKeeper { allocator, scoping, linked };
    let (mut functions, mut statements) = (Vec::new(), Vec::with_capacity(program.body.len()));
    for mut statement in program.body.take_in(&allocator) {
        let call = keeper.keep(&mut statement);
        let is_function = matches!(statement, Statement::FunctionDeclaration(_));
        statements.push(statement);
        if is_function { functions.extend(call) } else { statements.extend(call) }
    }
    program.body.extend(functions);
    program.body.extend(statements);
}

struct NameKeeper<'k, 'a> {
    allocator: &'a Allocator,
    scoping: &'k Scoping,
    linked: &'k Linked,
}

impl<'a> NameKeeper<'_, 'a> {
    /// Changes the values of variables. Out: a call for a function or class.
    fn keep(&self, statement: &mut Statement<'a>) -> Option<Statement<'a>> {
        match statement {
            Statement::FunctionDeclaration(function) => self.call(function.id.as_ref()?),
            Statement::ClassDeclaration(class) if !has_own_name(class) => self.call(class.id.as_ref()?),
            Statement::VariableDeclaration(variables) => {
                variables.declarations.iter_mut().for_each(|declarator| self.name(declarator));
                None
            }
            _ => None,
        }
    }

    /// The name of a variable in the source and in the bundle, if they differ.
    fn names<'n>(&'n self, id: &'n BindingIdentifier<'a>) -> Option<(&'n str, &'n str)> {
        let name = self.scoping.symbol_name(id.symbol_id.get()?);
        (name != id.name.as_str()).then_some((id.name.as_str(), name))
    }

    fn call(&self, id: &BindingIdentifier<'a>) -> Option<Statement<'a>> {
        let (original, name) = self.names(id)?;
        let mut quoted = String::new();
        json::quote_into(&mut quoted, original);
        let text =
            format!("Object.defineProperty({name}, \"name\", {{ value: {quoted}, configurable: true }})");
        let call = piece::expression(self.allocator, &text, id.span, self.linked)?;
        Some(Statement::new_expression_statement(id.span, call, &AstBuilder::new(self.allocator)))
    }

    /// A function without a name has that of its variable.
    fn name(&self, declarator: &mut VariableDeclarator<'a>) {
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return };
        let Some((original, _)) = self.names(id) else { return };
        let Some(value) = declarator.init.as_mut().filter(|value| is_anonymous(value)) else { return };
        let span = value.span();
        let take = || value.take_in(&self.allocator);
        if let Some(named) = named(self.allocator, original, span, self.linked, take) {
            *value = named;
        }
    }
}

/// A class that decides itself what its name is.
fn has_own_name(class: &Class<'_>) -> bool {
    let mut members = class.body.body.iter().filter(|member| member.r#static());
    members.any(|member| member.property_key().is_some_and(|key| key.is_specific_static_name("name")))
}

pub(super) fn is_anonymous(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::FunctionExpression(function) => function.id.is_none(),
        Expression::ClassExpression(class) => class.id.is_none(),
        value => matches!(value, Expression::ArrowFunctionExpression(_)),
    }
}

/// `({ name: value }).name`, which gives the value its name. `take`: the value.
pub(super) fn named<'a>(
    allocator: &'a Allocator,
    name: &str,
    span: Span,
    linked: &Linked,
    take: impl FnOnce() -> Expression<'a>,
) -> Option<Expression<'a>> {
    let text = member(&format!("({{ {}: 0 }})", property_key(name)), name);
    let mut named = piece::expression(allocator, &text, span, linked)?;
    let Expression::StaticMemberExpression(found) = &mut named else { return None };
    let Expression::ObjectExpression(object) = found.object.get_inner_expression_mut() else { return None };
    let Some(ObjectPropertyKind::ObjectProperty(property)) = object.properties.first_mut() else {
        return None;
    };
    property.value = take();
    Some(named)
}

//! `export default` as a declaration. In: what is exported. Out: a statement that declares it.

use oxc::allocator::{Allocator, TakeIn};
use oxc::ast::ast::{
    BindingIdentifier, BindingPattern, ClassType, Declaration, ExportDefaultDeclarationKind, Expression,
    FunctionType, Statement, VariableDeclarationKind, VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::span::{GetSpan, SPAN, Span};

use super::kept_names::{is_anonymous, named};
use crate::link::Linked;
use crate::piece;

/// Functions and classes that are exported as `default` and have no name are called so. Returns a
/// call that sets the name of a declared function.
pub(super) fn keep_name<'a>(
    allocator: &'a Allocator,
    declaration: &mut ExportDefaultDeclarationKind<'a>,
    name: &str,
    linked: &Linked,
) -> Option<Expression<'a>> {
    match &mut *declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.id.is_none() => {
            let text = format!(
                "Object.defineProperty({name}, \"name\", {{ value: \"default\", configurable: true }})"
            );
            return piece::expression(allocator, &text, function.span, linked);
        }
        ExportDefaultDeclarationKind::ClassDeclaration(class) if class.id.is_none() => {
            class.r#type = ClassType::ClassExpression;
        }
        value if value.as_expression().is_some_and(is_anonymous) => {}
        _ => return None,
    }
    let span = declaration.span();
    let take = || match declaration.take_in(&allocator) {
        ExportDefaultDeclarationKind::ClassDeclaration(class) => Expression::ClassExpression(class),
        other => other.into_expression(),
    };
    let named = named(allocator, "default", span, linked, take)?;
    *declaration = ExportDefaultDeclarationKind::from(named);
    None
}

/// The declaration of what `export default` exports. `name`: for those without one.
pub(super) fn default_statement<'a>(
    declaration: ExportDefaultDeclarationKind<'a>,
    span: Span,
    name: &'a str,
    ast: &AstBuilder<'a>,
) -> Statement<'a> {
    match declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(mut function) => {
            function.r#type = FunctionType::FunctionDeclaration;
            function.id.get_or_insert_with(|| BindingIdentifier::new(SPAN, name, ast));
            Statement::FunctionDeclaration(function)
        }
        ExportDefaultDeclarationKind::ClassDeclaration(mut class) => {
            class.r#type = ClassType::ClassDeclaration;
            class.id.get_or_insert_with(|| BindingIdentifier::new(SPAN, name, ast));
            Statement::ClassDeclaration(class)
        }
        other => {
            let value = other.into_expression();
            let id = BindingPattern::new_binding_identifier(SPAN, name, ast);
            let declarator = VariableDeclarator::new(span, id, None, Some(value), false, ast);
            let kind = VariableDeclarationKind::Var;
            Declaration::new_variable_declaration(span, kind, [declarator], false, ast).into()
        }
    }
}

//! What the transformer would lose is lowered ahead of it. In: a syntax tree. Out: the same, in which it loses nothing:
//!
//! ```text
//! a: for (using b = c(); d; e) f()                         { using b = c(); a: for (; d; e) f() }
//! try {} finally { using a = b() }                         try {} finally { { using a = b() } }
//! class A { @b static c = d }                              class A { @b static c; static { this.c = d } }
//! abstract class A { @b abstract c: d }                    class A { @b declare c: d }
//! class A { @b c(@d e, @f ...g) {} }                       class A { @b @param(0, d) @param(1, f) c(e, ...g) {} }
//! ```
//!
//! All but the first two with `experimentalDecorators`; fields where they are assigned. Absent: decorated fields under computed keys, which then go undecorated.

use oxc::allocator::{Allocator, ArenaBox, ArenaVec, TakeIn};
use oxc::ast::ast::{
    Argument, AssignmentOperator, AssignmentTarget, BlockStatement, Class, ClassBody, ClassElement,
    Decorator, Expression, ForStatementInit, FormalParameters, IdentifierName, MemberExpression,
    MethodDefinitionKind, Program, PropertyDefinition, PropertyDefinitionType, PropertyKey,
    SimpleAssignmentTarget, Statement, TryStatement, VariableDeclaration,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::span::{GetSpan, Span};
use oxc::syntax::number::NumberBase;

use crate::options::{Decorators, Fields, Options};
use crate::transform::HELPERS;

/// Whether there was something to do: then scopes are to be built anew.
pub(crate) fn lower<'a>(allocator: &'a Allocator, program: &mut Program<'a>, options: &Options) -> bool {
    let fields = (options.decorators != Decorators::Standard).then_some(options.fields);
    let mut ahead = Ahead { allocator, make: AstBuilder::new(allocator), fields, is_changed: false };
    ahead.visit_program(program);
    ahead.is_changed
}

struct Ahead<'a> {
    allocator: &'a Allocator,
    make: AstBuilder<'a>,
    /// What becomes of fields, with `experimentalDecorators`.
    fields: Option<Fields>,
    is_changed: bool,
}

impl<'a> VisitMut<'a> for Ahead<'a> {
    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        if let Some(declaration) = used_by_loop(statement) {
            let span = statement.span();
            let declaration = Statement::VariableDeclaration(declaration);
            let statements = [declaration, statement.take_in(&self.allocator)];
            *statement = Statement::new_block_statement(span, statements, &self.make);
            self.is_changed = true;
        }
        walk_mut::walk_statement(self, statement);
    }

    fn visit_try_statement(&mut self, attempt: &mut TryStatement<'a>) {
        if let Some(handler) = &mut attempt.handler {
            self.within_block(&mut handler.body);
        }
        if let Some(finalizer) = &mut attempt.finalizer {
            self.within_block(finalizer);
        }
        walk_mut::walk_try_statement(self, attempt);
    }

    fn visit_property_definition(&mut self, field: &mut PropertyDefinition<'a>) {
        let is_abstract = field.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition;
        if is_abstract && self.fields.is_some() && !field.decorators.is_empty() {
            field.r#type = PropertyDefinitionType::PropertyDefinition;
            field.declare = true;
        }
        walk_mut::walk_property_definition(self, field);
    }

    fn visit_class(&mut self, class: &mut Class<'a>) {
        if self.fields.is_some() {
            for element in &mut class.body.body {
                let ClassElement::MethodDefinition(method) = element else { continue };
                let of_rest = self.of_parameters(&mut method.value.params);
                let owner = match method.kind {
                    MethodDefinitionKind::Constructor => &mut class.decorators,
                    _ => &mut method.decorators,
                };
                owner.extend(of_rest);
            }
        }
        walk_mut::walk_class(self, class);
    }

    fn visit_class_body(&mut self, body: &mut ClassBody<'a>) {
        if self.fields == Some(Fields::Assign) && body.body.iter().any(is_lost) {
            let mut elements = ArenaVec::with_capacity_in(body.body.len() + 1, &self.allocator);
            for mut element in body.body.take_in(&self.allocator) {
                let assignment = self.assignment(&mut element);
                elements.push(element);
                elements.extend(assignment);
            }
            body.body = elements;
            self.is_changed = true;
        }
        walk_mut::walk_class_body(self, body);
    }
}

/// What a loop declares with `using` before it begins.
fn used_by_loop<'a>(statement: &mut Statement<'a>) -> Option<ArenaBox<'a, VariableDeclaration<'a>>> {
    match statement {
        Statement::LabeledStatement(labeled) => used_by_loop(&mut labeled.body),
        Statement::ForStatement(counted) => match counted.init.take() {
            Some(ForStatementInit::VariableDeclaration(declared)) if declared.kind.is_using() => {
                Some(declared)
            }
            other => {
                counted.init = other;
                None
            }
        },
        _ => None,
    }
}

fn is_lost(element: &ClassElement<'_>) -> bool {
    matches!(element, ClassElement::PropertyDefinition(field) if is_lost_field(field))
}

fn is_lost_field(field: &PropertyDefinition<'_>) -> bool {
    let is_plain = !field.computed && !field.key.is_private_identifier();
    field.r#static && is_plain && field.value.is_some() && !field.decorators.is_empty()
}

impl<'a> Ahead<'a> {
    /// Decorators of all parameters, where the last arguments are decorated: `babelHelpers.decorateParam(index, decorator)`.
    fn of_parameters(&mut self, parameters: &mut FormalParameters<'a>) -> Vec<Decorator<'a>> {
        let Some(rest) = parameters.rest.as_mut().filter(|rest| !rest.decorators.is_empty()) else {
            return Vec::new();
        };
        self.is_changed = true;
        let lists = parameters.items.iter_mut().map(|item| &mut item.decorators);
        let lists = lists.chain([&mut rest.decorators]).enumerate();
        let taken = lists.flat_map(|(index, list)| {
            list.take_in(&self.allocator).into_iter().map(move |decorator| (index, decorator))
        });
        taken.map(|(index, decorator)| self.of_parameter(index, decorator)).collect()
    }

    fn of_parameter(&self, index: usize, Decorator { span, expression, .. }: Decorator<'a>) -> Decorator<'a> {
        let make = &self.make;
        let helpers = Expression::new_identifier(span, HELPERS, make);
        let name = IdentifierName::new(span, "decorateParam", make);
        let callee = MemberExpression::new_static_member_expression(span, helpers, name, false, make);
        let index = Expression::new_numeric_literal(span, index as f64, None, NumberBase::Decimal, make);
        let arguments = [Argument::from(index), Argument::from(expression)];
        Decorator::new(
            span,
            Expression::new_call_expression(span, callee.into(), None, arguments, false, make),
            make,
        )
    }

    fn within_block(&mut self, block: &mut BlockStatement<'a>) {
        let uses = |one: &Statement<'_>| matches!(one, Statement::VariableDeclaration(declared) if declared.kind.is_using());
        if block.body.iter().any(uses) {
            let statements = block.body.take_in(&self.allocator);
            block.body.push(Statement::new_block_statement(block.span, statements, &self.make));
            self.is_changed = true;
        }
    }

    /// `static { this.key = value }`, where the field alone would be lost.
    fn assignment(&self, element: &mut ClassElement<'a>) -> Option<ClassElement<'a>> {
        let ClassElement::PropertyDefinition(field) = element else { return None };
        if !is_lost_field(field) {
            return None;
        }
        let (span, make) = (field.span, &self.make);
        let target = self.member(span, &field.key)?;
        let value = field.value.take()?;
        let operator = AssignmentOperator::Assign;
        let assignment = Expression::new_assignment_expression(span, operator, target, value, make);
        let statement = Statement::new_expression_statement(span, assignment, make);
        Some(ClassElement::new_static_block(span, [statement], make))
    }

    fn member(&self, span: Span, key: &PropertyKey<'a>) -> Option<AssignmentTarget<'a>> {
        let make = &self.make;
        let this = Expression::new_this_expression(span, make);
        let member = match key {
            PropertyKey::StaticIdentifier(name) => {
                let name = IdentifierName::new(name.span, name.name, make);
                MemberExpression::new_static_member_expression(span, this, name, false, make)
            }
            _ => {
                let name = self.allocator.alloc_str(&key.static_name()?);
                let name = Expression::new_string_literal(key.span(), name, None, make);
                MemberExpression::new_computed_member_expression(span, this, name, false, make)
            }
        };
        Some(SimpleAssignmentTarget::from(member).into())
    }
}

#[cfg(test)]
mod tests;

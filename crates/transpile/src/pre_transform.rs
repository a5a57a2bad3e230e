//! Lowering before the oxc transformer, of syntax that it handles wrongly. In: a syntax tree. Out:
//! the same tree, in which it handles everything:
//!
//! ```text
//! a: for (using b = c(); d; e) f()                         { using b = c(); a: for (; d; e) f() }
//! try {} finally { using a = b() }                         try {} finally { { using a = b() } }
//! class A { @b static c = d }                              class A { @b static c; static c = d }
//! class A { @b 'c' = d }                                   class A { @b 'c'; 'c' = d }
//! class A { @b [c] = d }                                   let _key; class A { @b '_key'; [_key = c] = d }
//! abstract class A { @b abstract c: d }                    class A { @b declare c: d }
//! class A { @b c(@d e, @f ...g) {} }                       class A { @b @param(0, d) @param(1, f) c(e, ...g) {} }
//! ```
//!
//! All but the first two with `experimentalDecorators`; fields where they are assigned. Absent:
//! replacing a key's string by the variable of that name, which `fixups` does.

use std::mem::{replace, take};

use oxc::allocator::{Allocator, ArenaBox, ArenaVec, TakeIn};
use oxc::ast::ast::{
    Argument, AssignmentOperator, AssignmentTarget, BindingPattern, BlockStatement, Class, ClassElement,
    Declaration, Decorator, Expression, ForStatementInit, FormalParameters, IdentifierName, MemberExpression,
    MethodDefinitionKind, Program, PropertyDefinition, PropertyDefinitionType, PropertyKey,
    SimpleAssignmentTarget, Statement, TryStatement, VariableDeclaration, VariableDeclarationKind,
    VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::span::{GetSpan, SPAN};
use oxc::syntax::number::NumberBase;

use crate::options::{ClassFields, Decorators, Options};
use crate::transform::HELPERS;

/// The result.
#[derive(Default)]
pub(crate) struct PreTransformResult<'a> {
    /// The tree was changed: then the scopes must be rebuilt.
    pub(crate) is_changed: bool,
    /// Variables that hold keys of decorated fields; strings of these names stand for them.
    pub(crate) keys: Vec<&'a str>,
}

pub(crate) fn lower<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    source: &'a str,
    options: &Options,
) -> PreTransformResult<'a> {
    let fields = (options.decorators != Decorators::Standard).then_some(options.fields);
    let ast = AstBuilder::new(allocator);
    let result = PreTransformResult::default();
    let mut pre_transform = PreTransform { allocator, ast, source, fields, undeclared: Vec::new(), result };
    pre_transform.visit_program(program);
    pre_transform.result
}

struct PreTransform<'a> {
    allocator: &'a Allocator,
    ast: AstBuilder<'a>,
    source: &'a str,
    /// How fields are lowered, with `experimentalDecorators`.
    fields: Option<ClassFields>,
    /// Variables to declare in the enclosing statement list.
    undeclared: Vec<&'a str>,
    result: PreTransformResult<'a>,
}

impl<'a> VisitMut<'a> for PreTransform<'a> {
    fn visit_statements(&mut self, statements: &mut ArenaVec<'a, Statement<'a>>) {
        let outer = take(&mut self.undeclared);
        walk_mut::walk_statements(self, statements);
        for name in replace(&mut self.undeclared, outer) {
            statements.insert(0, self.variable(name));
        }
    }

    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        if let Some(declaration) = take_loop_using(statement) {
            let span = statement.span();
            let declaration = Statement::VariableDeclaration(declaration);
            let statements = [declaration, statement.take_in(&self.allocator)];
            *statement = Statement::new_block_statement(span, statements, &self.ast);
            self.result.is_changed = true;
        }
        walk_mut::walk_statement(self, statement);
    }

    fn visit_try_statement(&mut self, try_statement: &mut TryStatement<'a>) {
        if let Some(handler) = &mut try_statement.handler {
            self.wrap_using_block(&mut handler.body);
        }
        if let Some(finalizer) = &mut try_statement.finalizer {
            self.wrap_using_block(finalizer);
        }
        walk_mut::walk_try_statement(self, try_statement);
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
                let rest_decorators = self.parameter_decorators(&mut method.value.params);
                let owner = match method.kind {
                    MethodDefinitionKind::Constructor => &mut class.decorators,
                    _ => &mut method.decorators,
                };
                owner.extend(rest_decorators);
            }
        }
        if self.fields == Some(ClassFields::Assign)
            && class.is_declaration()
            && class.body.body.iter().any(would_be_lost)
        {
            self.split_fields(class);
        }
        walk_mut::walk_class(self, class);
    }
}

/// Takes the `using` declaration of a loop head.
fn take_loop_using<'a>(statement: &mut Statement<'a>) -> Option<ArenaBox<'a, VariableDeclaration<'a>>> {
    match statement {
        Statement::LabeledStatement(labeled) => take_loop_using(&mut labeled.body),
        Statement::ForStatement(for_statement) => match for_statement.init.take() {
            Some(ForStatementInit::VariableDeclaration(declared)) if declared.kind.is_using() => {
                Some(declared)
            }
            other => {
                for_statement.init = other;
                None
            }
        },
        _ => None,
    }
}

/// A decorated field whose decorators or key the transformer would drop.
fn would_be_lost(element: &ClassElement<'_>) -> bool {
    let ClassElement::PropertyDefinition(field) = element else { return false };
    let is_named = matches!(field.key, PropertyKey::StaticIdentifier(_));
    let is_decorated = !field.decorators.is_empty() && !field.key.is_private_identifier();
    is_decorated && (!is_named && !field.declare || field.r#static && field.value.is_some())
}

impl<'a> PreTransform<'a> {
    /// Decorators of all parameters, if the rest parameter is decorated:
    /// `babelHelpers.decorateParam(index, decorator)`.
    fn parameter_decorators(&mut self, parameters: &mut FormalParameters<'a>) -> Vec<Decorator<'a>> {
        let Some(rest) = parameters.rest.as_mut().filter(|rest| !rest.decorators.is_empty()) else {
            return Vec::new();
        };
        self.result.is_changed = true;
        let lists = parameters.items.iter_mut().map(|item| &mut item.decorators);
        let lists = lists.chain([&mut rest.decorators]).enumerate();
        let taken = lists.flat_map(|(index, list)| {
            list.take_in(&self.allocator).into_iter().map(move |decorator| (index, decorator))
        });
        taken.map(|(index, decorator)| self.parameter_decorator(index, decorator)).collect()
    }

    fn parameter_decorator(
        &self,
        index: usize,
        Decorator { span, expression, .. }: Decorator<'a>,
    ) -> Decorator<'a> {
        let ast = &self.ast;
        let helpers = Expression::new_identifier(span, HELPERS, ast);
        let name = IdentifierName::new(span, "decorateParam", ast);
        let callee = MemberExpression::new_static_member_expression(span, helpers, name, false, ast);
        let index = Expression::new_numeric_literal(span, index as f64, None, NumberBase::Decimal, ast);
        let arguments = [Argument::from(index), Argument::from(expression)];
        Decorator::new(
            span,
            Expression::new_call_expression(span, callee.into(), None, arguments, false, ast),
            ast,
        )
    }

    fn wrap_using_block(&mut self, block: &mut BlockStatement<'a>) {
        let uses = |one: &Statement<'_>| matches!(one, Statement::VariableDeclaration(declared) if declared.kind.is_using());
        if block.body.iter().any(uses) {
            let statements = block.body.take_in(&self.allocator);
            block.body.push(Statement::new_block_statement(block.span, statements, &self.ast));
            self.result.is_changed = true;
        }
    }

    /// Splits each such field in two: one is decorated, the other assigned.
    fn split_fields(&mut self, class: &mut Class<'a>) {
        let mut elements = ArenaVec::with_capacity_in(class.body.body.len() + 1, &self.allocator);
        for mut element in class.body.body.take_in(&self.allocator) {
            let would_be_lost = would_be_lost(&element);
            let assigned = match &mut element {
                ClassElement::PropertyDefinition(field) if would_be_lost => Some(self.assigned_field(field)),
                _ => None,
            };
            elements.push(element);
            elements.extend(assigned);
        }
        class.body.body = elements;
        self.result.is_changed = true;
    }

    /// The same field without decorators. The decorated one keeps a key and has no value.
    fn assigned_field(&mut self, field: &mut PropertyDefinition<'a>) -> ClassElement<'a> {
        let span = field.span;
        let name = field.key.static_name().map(|name| self.allocator.alloc_str(&name));
        let key = match (name, &field.key) {
            (_, PropertyKey::StaticIdentifier(name)) => {
                PropertyKey::new_static_identifier(name.span, name.name, &self.ast)
            }
            (Some(name), _) => Expression::new_string_literal(span, name, None, &self.ast).into(),
            (None, _) => self.hoist_key(&mut field.key),
        };
        let ast = &self.ast;
        let kind = PropertyDefinitionType::PropertyDefinition;
        let is_computed = !matches!(key, PropertyKey::StaticIdentifier(_));
        ClassElement::new_property_definition(
            span,
            kind,
            [],
            key,
            None,
            field.value.take(),
            is_computed,
            field.r#static,
            false,
            false,
            false,
            false,
            false,
            None,
            ast,
        )
    }

    /// `_key = key`, and the name of that variable as the decorated field's key.
    fn hoist_key(&mut self, key: &mut PropertyKey<'a>) -> PropertyKey<'a> {
        let (span, ast) = (key.span(), &self.ast);
        let name = self.unused_name();
        let text = PropertyKey::from(Expression::new_string_literal(span, name, None, ast));
        let value = replace(key, text).into_expression();
        let target = SimpleAssignmentTarget::new_assignment_target_identifier(span, name, ast);
        let target = AssignmentTarget::from(target);
        self.undeclared.push(name);
        self.result.keys.push(name);
        Expression::new_assignment_expression(span, AssignmentOperator::Assign, target, value, &self.ast)
            .into()
    }

    fn unused_name(&self) -> &'a str {
        let mut name = format!("_key{}", self.result.keys.len());
        while self.source.contains(&name) {
            name.insert(0, '_');
        }
        self.allocator.alloc_str(&name)
    }

    /// `let name;`
    fn variable(&self, name: &'a str) -> Statement<'a> {
        let ast = &self.ast;
        let id = BindingPattern::new_binding_identifier(SPAN, name, ast);
        let declarator = VariableDeclarator::new(SPAN, id, None, None, false, ast);
        let kind = VariableDeclarationKind::Let;
        Declaration::new_variable_declaration(SPAN, kind, [declarator], false, ast).into()
    }
}

#[cfg(test)]
mod tests;

//! Rewrites references to a namespace's exports to properties of its object. In: the statements of
//! a block. Out: the same, changed in place. Absent: declarations.

use oxc::ast::ast::{
    AssignmentTargetMaybeDefault, AssignmentTargetProperty, Expression, IdentifierReference, JSXElementName,
    JSXMemberExpressionObject, ObjectProperty, SimpleAssignmentTarget,
};
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{Scoping, SymbolId};
use oxc::span::Span;

use super::blocks::{Block, ParameterNames};
use super::enums::Enumeration;
use super::node_builder::NodeBuilder;

pub(super) struct Uses<'a, 's> {
    pub(super) ast: NodeBuilder<'a>,
    pub(super) scoping: &'s Scoping,
    pub(super) names: ParameterNames<'s>,
    /// The enclosing blocks, the outermost first.
    pub(super) open: Vec<Block<'a>>,
    pub(super) merged: super::MergedNamespaces<'a>,
    /// The enclosing exported enum.
    pub(super) enumeration: Option<Enumeration<'a>>,
}

/// A reference, and the object whose property it becomes.
#[derive(Clone, Copy)]
struct NamespaceMember<'a> {
    span: Span,
    object: &'a str,
    name: &'a str,
}

impl<'a> Uses<'a, '_> {
    /// The enclosing block that exports a name. `symbol` is what the scopes resolve the name to;
    /// they do not know merged blocks.
    pub(super) fn block_of(&self, name: &str, symbol: Option<SymbolId>) -> Option<&Block<'a>> {
        let declared = symbol.map(|symbol| self.scoping.symbol_scope_id(symbol));
        for block in self.open.iter().rev() {
            if declared.is_some_and(|scope| scope > block.scope) {
                return None;
            }
            if declared == Some(block.scope) {
                return block.variables.contains(name).then_some(block);
            }
            if self.merged.has_value(block.namespace, name) {
                return Some(block);
            }
        }
        None
    }

    fn member(&self, reference: &IdentifierReference<'a>) -> Option<NamespaceMember<'a>> {
        // A generated node has no reference, and stays.
        let id = reference.reference_id.get()?;
        let name = reference.name.as_str();
        let block = self.block_of(name, self.scoping.get_reference(id).symbol_id())?;
        Some(NamespaceMember { span: reference.span, object: block.parameter, name })
    }
}

impl<'a> VisitMut<'a> for Uses<'a, '_> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if let Some(member) = self.member_of_enum(expression) {
            *expression = member;
            return;
        }
        let Expression::Identifier(reference) = expression else {
            return walk_mut::walk_expression(self, expression);
        };
        if let Some(NamespaceMember { span, object, name }) = self.member(reference) {
            *expression = self.ast.member(span, object, name).into();
        }
    }

    fn visit_simple_assignment_target(&mut self, target: &mut SimpleAssignmentTarget<'a>) {
        let SimpleAssignmentTarget::AssignmentTargetIdentifier(reference) = target else {
            return walk_mut::walk_simple_assignment_target(self, target);
        };
        if let Some(NamespaceMember { span, object, name }) = self.member(reference) {
            *target = self.ast.member(span, object, name).into();
        }
    }

    /// `({ a = 1 } = …)` becomes `({ a: A.a = 1 } = …)`.
    fn visit_assignment_target_property(&mut self, property: &mut AssignmentTargetProperty<'a>) {
        walk_mut::walk_assignment_target_property(self, property);
        let AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) = property else { return };
        let Some(NamespaceMember { span, object, name }) = self.member(&short.binding) else { return };
        let target = SimpleAssignmentTarget::from(self.ast.member(span, object, name)).into();
        let target = match short.init.take() {
            Some(value) => self.ast.with_default(short.span, target, value),
            None => AssignmentTargetMaybeDefault::from(target),
        };
        *property = self.ast.target_property(short.span, self.ast.key(span, name), target, false);
    }

    fn visit_object_property(&mut self, property: &mut ObjectProperty<'a>) {
        walk_mut::walk_object_property(self, property);
        property.shorthand &= matches!(property.value, Expression::Identifier(_));
    }

    fn visit_jsx_element_name(&mut self, element: &mut JSXElementName<'a>) {
        walk_mut::walk_jsx_element_name(self, element);
        let JSXElementName::IdentifierReference(reference) = element else { return };
        if let Some(NamespaceMember { span, object, name }) = self.member(reference) {
            *element = JSXElementName::MemberExpression(self.ast.jsx_member(span, object, name));
        }
    }

    fn visit_jsx_member_expression_object(&mut self, element: &mut JSXMemberExpressionObject<'a>) {
        walk_mut::walk_jsx_member_expression_object(self, element);
        let JSXMemberExpressionObject::IdentifierReference(reference) = element else { return };
        if let Some(NamespaceMember { span, object, name }) = self.member(reference) {
            *element = JSXMemberExpressionObject::MemberExpression(self.ast.jsx_member(span, object, name));
        }
    }
}

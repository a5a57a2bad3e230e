//! Enums that several blocks of a namespace export: each block sees the members of the others by
//! their plain names. In: declarations, and references within one. Out: the replacement of a
//! reference to another block's member. Absent: enums of one block, and enums that are not
//! exported.

use std::collections::HashMap;

use oxc::ast::ast::{Expression, IdentifierReference, TSEnumDeclaration};
use oxc::semantic::{ScopeId, Scoping};
use oxc::span::{GetSpan, Span};
use oxc::syntax::constant_value::ConstantValue;

use super::uses::Uses;

/// The members of exported enums by namespace and name, with the value of string members.
#[derive(Default)]
pub(super) struct Enums<'a>(HashMap<(usize, &'a str), HashMap<&'a str, Option<String>>>);

impl<'a> Enums<'a> {
    pub(super) fn note(&mut self, namespace: usize, declared: &TSEnumDeclaration<'a>, scoping: &Scoping) {
        let scope = declared.body.scope_id();
        let members = self.0.entry((namespace, declared.id.name.as_str())).or_default();
        for member in &declared.body.members {
            let name = member.id.static_name().as_str();
            let symbol = scoping.get_binding(scope, name.into());
            let text = match symbol.and_then(|symbol| scoping.get_enum_member_value(symbol)) {
                Some(ConstantValue::String(text)) => Some(text.to_string()),
                _ => None,
            };
            members.insert(name, text);
        }
    }
}

/// The enum whose members are being lowered.
#[derive(Clone, Copy)]
pub(super) struct Enumeration<'a> {
    pub(super) namespace: usize,
    pub(super) name: &'a str,
    pub(super) scope: ScopeId,
}

impl<'a> Uses<'a, '_> {
    /// The replacement of a reference to another block's member: the value of a string member,
    /// which has no reverse mapping; else a property of the enum.
    pub(super) fn member_of_enum(&self, expression: &Expression<'a>) -> Option<Expression<'a>> {
        let within = self.enumeration?;
        let (span, name) = self.name_of_member(expression, within)?;
        let known = self.merged.enums.0.get(&(within.namespace, within.name))?.get(name)?;
        Some(match known {
            Some(text) => self.ast.string(span, text),
            None => self.ast.member(span, within.name, name).into(),
        })
    }

    /// `b`, `E.b`
    fn name_of_member(
        &self,
        expression: &Expression<'a>,
        within: Enumeration<'a>,
    ) -> Option<(Span, &'a str)> {
        match expression {
            Expression::Identifier(name) => {
                self.is_from_outside(name, within).then(|| (name.span, name.name.as_str()))
            }
            Expression::StaticMemberExpression(member) => {
                let Expression::Identifier(object) = &member.object else { return None };
                let is_own = object.name == within.name && self.is_from_outside(object, within);
                is_own.then(|| (member.span(), member.property.name.as_str()))
            }
            _ => None,
        }
    }

    fn is_from_outside(&self, name: &IdentifierReference<'a>, within: Enumeration<'a>) -> bool {
        let Some(id) = name.reference_id.get() else { return false };
        let symbol = self.scoping.get_reference(id).symbol_id();
        symbol.is_none_or(|symbol| self.scoping.symbol_scope_id(symbol) < within.scope)
    }
}

//! Errors of writing, adding, deleting and redefining properties. In: a program, the error's
//! offset. Out: V8's message, with the object as it is written; a computed key is in brackets.

use oxc::ast::ast::{
    Argument, AssignmentExpression, CallExpression, Expression, Program, SimpleAssignmentTarget,
    UnaryExpression, UnaryOperator, UpdateExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};

use super::{EngineErrorKind, print};

pub(super) fn find(program: &Program<'_>, source: &str, at: u32, kind: EngineErrorKind) -> Option<String> {
    let mut finder = PropertyFinder { source, at, kind, found: None };
    finder.visit_program(program);
    finder.found
}

const CLASSES: &[(&str, &str)] =
    &[("globalThis", "#<Object>"), ("process", "#<process>"), ("Math", "#<Object>"), ("JSON", "#<Object>")];

struct PropertyFinder<'s> {
    source: &'s str,
    at: u32,
    kind: EngineErrorKind,
    found: Option<String>,
}

/// A property access: its object and key.
struct PropertyAccess<'m, 'a> {
    object: &'m Expression<'a>,
    key: String,
}

impl PropertyFinder<'_> {
    /// The engine's offset is the end of the object.
    fn written(&mut self, target: &SimpleAssignmentTarget<'_>) {
        let Some(PropertyAccess { object, key }) = self.member_of_target(target) else { return };
        if object.span().end != self.at {
            return;
        }
        self.found = match self.kind {
            EngineErrorKind::ReadOnly => {
                let shown = self.shown(object);
                shown.map(|shown| format!("Cannot assign to read only property '{key}' of object '{shown}'"))
            }
            EngineErrorKind::NotExtensible => {
                Some(format!("Cannot add property {key}, object is not extensible"))
            }
            _ => None,
        };
    }

    fn member_of_target<'m, 'a>(
        &self,
        target: &'m SimpleAssignmentTarget<'a>,
    ) -> Option<PropertyAccess<'m, 'a>> {
        match target {
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                Some(PropertyAccess { object: &member.object, key: member.property.name.to_string() })
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                Some(PropertyAccess { object: &member.object, key: self.key(&member.expression) })
            }
            _ => None,
        }
    }

    /// Well-known global objects are printed by their class.
    fn shown(&self, object: &Expression<'_>) -> Option<String> {
        let shown = print(object, self.source)?;
        let class = CLASSES.iter().find(|(name, _)| *name == shown);
        Some(class.map_or(shown, |(_, class)| (*class).to_owned()))
    }

    fn key(&self, key: &Expression<'_>) -> String {
        match key {
            Expression::StringLiteral(text) => text.value.to_string(),
            Expression::NumericLiteral(number) => number.value.to_string(),
            key => {
                let Span { start, end, .. } = key.span();
                format!("[{}]", &self.source[start as usize..end as usize])
            }
        }
    }
}

impl<'a> Visit<'a> for PropertyFinder<'_> {
    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let Some(target) = assignment.left.as_simple_assignment_target() {
            self.written(target);
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        self.written(&update.argument);
        walk::walk_update_expression(self, update);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if unary.operator == UnaryOperator::Delete
            && self.kind == EngineErrorKind::NotDeletable
            && unary.span.end == self.at
        {
            let (object, key) = match unary.argument.without_parentheses() {
                Expression::StaticMemberExpression(member) => {
                    (Some(&member.object), member.property.name.to_string())
                }
                Expression::ComputedMemberExpression(member) => {
                    (Some(&member.object), self.key(&member.expression))
                }
                _ => (None, String::new()),
            };
            let shown = object.and_then(|object| self.shown(object));
            self.found = shown.map(|shown| format!("Cannot delete property '{key}' of {shown}"));
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if call.callee.span().end == self.at
            && let Some(key) = call.arguments.get(1).and_then(Argument::as_expression)
        {
            let key = self.key(key);
            self.found = match self.kind {
                EngineErrorKind::NotRedefinable => Some(format!("Cannot redefine property: {key}")),
                EngineErrorKind::NotExtensible => {
                    Some(format!("Cannot define property {key}, object is not extensible"))
                }
                _ => None,
            };
        }
        walk::walk_call_expression(self, call);
    }
}

//! Errors of writing, adding, deleting and redefining properties. In: a program, the error's
//! offset. Out: V8's message; a computed key is in brackets. V8 shows the object's class, which is
//! `Object` here unless the source text says more.

use oxc::ast::ast::{
    Argument, AssignmentExpression, CallExpression, Class, Expression, MethodDefinition,
    MethodDefinitionKind, ObjectProperty, Program, PropertyKind, SimpleAssignmentTarget, UnaryExpression,
    UnaryOperator, UpdateExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};

use super::{EngineErrorKind, print};

pub(super) fn find(program: &Program<'_>, source: &str, at: u32, kind: EngineErrorKind) -> Option<String> {
    let mut finder = PropertyFinder {
        source,
        at,
        kind,
        found: None,
        written: None,
        classes: Vec::new(),
        getters: Vec::new(),
        setters: Vec::new(),
    };
    finder.visit_program(program);
    let getter = finder.written.as_ref().and_then(|key| finder.getter_without_setter(key));
    getter.or(finder.found)
}

const OBJECT: &str = "#<Object>";
const ARRAY: &str = "[object Array]";
const CLASSES: &[(&str, &str)] = &[("process", "#<process>")];

struct PropertyFinder<'s> {
    source: &'s str,
    at: u32,
    kind: EngineErrorKind,
    found: Option<String>,
    /// The key of the property that could not be written.
    written: Option<String>,
    /// Names of the enclosing classes, the innermost last.
    classes: Vec<String>,
    /// Keys of getters and setters; a getter with its class as V8 shows it.
    getters: Vec<(String, String)>,
    setters: Vec<String>,
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
                self.written = Some(key.clone());
                let shown = self.shown(object, &key);
                Some(format!("Cannot assign to read only property '{key}' of object '{shown}'"))
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

    /// The object as V8 shows it: by its class.
    fn shown(&self, object: &Expression<'_>, key: &str) -> String {
        let is_index = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
        match object.without_parentheses() {
            Expression::ThisExpression(_) => self.class(),
            Expression::ArrayExpression(_) => ARRAY.to_owned(),
            _ if is_index => ARRAY.to_owned(),
            object => {
                let written = print(object, self.source).unwrap_or_default();
                let class = CLASSES.iter().find(|(name, _)| *name == written);
                class.map_or(OBJECT, |(_, class)| class).to_owned()
            }
        }
    }

    /// The enclosing class.
    fn class(&self) -> String {
        let name = self.classes.last().filter(|name| !name.is_empty());
        name.map_or_else(|| OBJECT.to_owned(), |name| format!("#<{name}>"))
    }

    /// The engine has one message for properties that are read-only and for those with a getter
    /// alone.
    fn getter_without_setter(&self, key: &str) -> Option<String> {
        let (_, class) = self.getters.iter().find(|(getter, _)| getter == key)?;
        let has_setter = self.setters.iter().any(|setter| setter == key);
        (!has_setter).then(|| format!("Cannot set property {key} of {class} which has only a getter"))
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
            let shown = object.map(|object| self.shown(object, &key));
            self.found = shown.map(|shown| format!("Cannot delete property '{key}' of {shown}"));
        }
        walk::walk_unary_expression(self, unary);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        self.classes.push(class.id.as_ref().map_or_else(String::new, |id| id.name.to_string()));
        walk::walk_class(self, class);
        self.classes.pop();
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        if let Some(key) = method.key.static_name().filter(|_| !method.r#static) {
            match method.kind {
                MethodDefinitionKind::Get => self.getters.push((key.into_owned(), self.class())),
                MethodDefinitionKind::Set => self.setters.push(key.into_owned()),
                MethodDefinitionKind::Constructor | MethodDefinitionKind::Method => {}
            }
        }
        walk::walk_method_definition(self, method);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if let Some(key) = property.key.static_name() {
            match property.kind {
                PropertyKind::Get => self.getters.push((key.into_owned(), OBJECT.to_owned())),
                PropertyKind::Set => self.setters.push(key.into_owned()),
                PropertyKind::Init => {}
            }
        }
        walk::walk_object_property(self, property);
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

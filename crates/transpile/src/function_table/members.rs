//! Members of classes and of object literals. In: their syntax. Out: functions with their names and
//! the type they are called on. Absent: expressions.

use oxc::ast::ast::{
    Class, ClassElement, Expression, MethodDefinition, MethodDefinitionKind, ObjectProperty,
    PropertyDefinition, PropertyKey, PropertyKind, StaticBlock,
};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::inference::{NameInference, UnnamedEntry};
use super::visitor::{FunctionHint, TableVisitor};
use super::{ClassRecord, FunctionKind, ReceiverType};

impl<'a> TableVisitor<'a> {
    pub(super) fn class(&mut self, class: &Class<'a>) {
        let hint = self.take_hint(class.span);
        self.visit_decorators(&class.decorators);
        let index = self.table.classes.len();
        let name = class.id.as_ref().map(|name| name.name.to_string()).or(hint.name);
        self.table.classes.push(ClassRecord { name: name.map(String::into_boxed_str), inferred: None });
        if let Some(heritage) = &class.heritage {
            self.visit_class_heritage(heritage);
        }
        self.classes.push(index);
        let is_constructor = |element: &ClassElement<'_>| {
            element.method_definition_kind().is_some_and(|kind| kind.is_constructor())
        };
        if !class.body.body.iter().any(is_constructor) {
            let (name, receiver) = (self.class_name(), self.class_receiver(false));
            let hint =
                FunctionHint { name, receiver, token: Some(class.span.start), ..FunctionHint::default() };
            self.add_function(class.body.span, FunctionKind::DefaultConstructor, hint);
        }
        self.visit_class_body(&class.body);
        self.classes.pop();
        if class.id.is_none() {
            self.inference.add(UnnamedEntry::Class(index));
        }
    }

    fn class_receiver(&self, is_static: bool) -> Option<ReceiverType> {
        let index = *self.classes.last()?;
        Some(if is_static { ReceiverType::Class(index) } else { ReceiverType::InstanceOf(index) })
    }

    fn class_name(&self) -> Option<String> {
        let index = *self.classes.last()?;
        self.table.classes[index].name.as_deref().map(str::to_owned)
    }

    pub(super) fn class_method(&mut self, method: &MethodDefinition<'a>) {
        self.visit_decorators(&method.decorators);
        self.visit_property_key(&method.key);
        let name = key_name(&method.key, method.computed);
        let (kind, name) = match method.kind {
            MethodDefinitionKind::Constructor => (FunctionKind::Constructor, self.class_name()),
            MethodDefinitionKind::Method => (FunctionKind::Method, name),
            MethodDefinitionKind::Get => (FunctionKind::Getter, name.map(|name| format!("get {name}"))),
            MethodDefinitionKind::Set => (FunctionKind::Setter, name.map(|name| format!("set {name}"))),
        };
        let receiver = self.class_receiver(method.r#static);
        let is_accessor = matches!(kind, FunctionKind::Getter | FunctionKind::Setter);
        let has_modifiers =
            method.r#static || method.accessibility.is_some() || !method.decorators.is_empty();
        let key = method.key.span().start - u32::from(method.computed);
        let token = Some(if is_accessor && !has_modifiers { method.span.start } else { key });
        let hint = FunctionHint { name, receiver, kind: Some(kind), token };
        self.hints.insert(method.value.span.start, hint);
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    pub(super) fn class_field(&mut self, field: &PropertyDefinition<'a>) {
        self.visit_property_key(&field.key);
        let Some(value) = &field.value else { return };
        let name = key_name(&field.key, field.computed);
        let receiver = self.class_receiver(field.r#static);
        self.hint(value, name.as_deref(), receiver.as_ref());
        let index = self.add_initializer(value.span(), field.r#static);
        self.in_expression(|visitor| {
            if let Some(name) = &name {
                visitor.inference.property(name.clone());
            }
            visitor.open.push(index);
            visitor.visit_expression(value);
            visitor.open.pop();
            visitor.infer();
        });
    }

    pub(super) fn static_block(&mut self, block: &StaticBlock<'a>) {
        let index = self.add_initializer(block.span, true);
        let outer = std::mem::replace(&mut self.inference, NameInference::in_function(None));
        self.open.push(index);
        self.visit_statements(&block.body);
        self.open.pop();
        self.inference = outer;
    }

    /// The function that V8 makes of fields.
    fn add_initializer(&mut self, span: Span, is_static: bool) -> usize {
        let (kind, name) = if is_static {
            (FunctionKind::StaticInitializer, "<static_initializer>")
        } else {
            (FunctionKind::InstanceInitializer, "<instance_members_initializer>")
        };
        let receiver = self.class_receiver(is_static);
        let hint = FunctionHint { name: Some(name.to_owned()), receiver, ..FunctionHint::default() };
        self.add_function(span, kind, hint)
    }

    pub(super) fn literal_member(&mut self, property: &ObjectProperty<'a>) {
        self.visit_property_key(&property.key);
        let name = key_name(&property.key, property.computed);
        if let Some(name) = name.as_ref().filter(|_| !property.computed) {
            self.inference.property(name.clone());
        }
        let receiver = self.literals.last().cloned();
        let kind = match property.kind {
            PropertyKind::Get => Some((FunctionKind::Getter, "get ")),
            PropertyKind::Set => Some((FunctionKind::Setter, "set ")),
            PropertyKind::Init => property.method.then_some((FunctionKind::Method, "")),
        };
        match (kind, &property.value) {
            (Some((kind, prefix)), Expression::FunctionExpression(function)) => {
                let name = name.map(|name| format!("{prefix}{name}"));
                let token = Some(property.span.start);
                self.hints
                    .insert(function.span.start, FunctionHint { name, receiver, kind: Some(kind), token });
            }
            (_, value) => self.hint(value, name.as_deref(), receiver.as_ref()),
        }
        self.visit_expression(&property.value);
        self.infer();
    }
}

/// The name that a member has in the source.
fn key_name(key: &PropertyKey<'_>, is_computed: bool) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        // `[Symbol.iterator]`
        PropertyKey::StaticMemberExpression(member) if member.object.is_specific_id("Symbol") => {
            Some(format!("[Symbol.{}]", member.property.name))
        }
        _ if is_computed => None,
        _ => key.static_name().map(|name| name.into_owned()),
    }
}

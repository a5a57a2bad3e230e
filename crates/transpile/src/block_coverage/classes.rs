//! Counters of classes: V8 has a function for the initializers of fields, and one for static fields
//! and blocks. In: classes. Out: these functions, and the name of the constructor. Absent: methods
//! ([`super::functions`]); instances of a class none of whose fields can count.

use oxc::ast::ast::{Class, ClassBody, ClassElement, PropertyDefinition};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};

use super::BlockCounter;
use super::functions::is_named;

impl<'a> BlockCounter<'_> {
    pub(super) fn class(&mut self, class: &Class<'a>) {
        let own = class.id.as_ref().map(|name| name.name.to_string());
        let name = own.or(self.name.take());
        let outer = std::mem::replace(&mut self.class_name, name);
        walk::walk_class(self, class);
        self.class_name = outer;
    }

    pub(super) fn class_body(&mut self, body: &ClassBody<'a>) {
        let of_instances = self.initializer(body, false);
        let of_class = self.initializer(body, true);
        let counting = body.body.iter().position(|element| is_field(element, false) && can_count(element));
        for (index, element) in body.body.iter().enumerate() {
            let initializer = if is_static(element) { of_class } else { of_instances };
            match (element, initializer) {
                (ClassElement::PropertyDefinition(field), Some(initializer)) if !field.declare => {
                    let is_counting = Some(index) == counting;
                    self.field(field, initializer, is_counting.then(|| self.functions[initializer].counter));
                }
                (ClassElement::StaticBlock(block), Some(initializer)) => {
                    self.open.push(initializer);
                    self.statements(&block.body);
                    self.open.pop();
                }
                _ => self.visit_class_element(element),
            }
        }
    }

    /// The function of the initializers; its index.
    fn initializer(&mut self, body: &ClassBody<'a>, of_class: bool) -> Option<usize> {
        let mut fields = body.body.iter().filter(|element| is_field(element, of_class));
        let first = fields.next()?;
        let last = fields.next_back().unwrap_or(first);
        let name = if of_class { "<static_initializer>" } else { "<instance_members_initializer>" };
        self.name = Some(name.to_owned());
        let start = self.after_modifiers(first.span().start, false);
        let count = self.open_function(Span::new(start, end_of(last)));
        self.close_function();
        let index = self.functions.len() - 1;
        self.functions[index].is_initializer = true;
        if of_class {
            self.insert(first.span().start, format!("static{{{count}}}"));
        }
        Some(index)
    }

    fn field(&mut self, field: &PropertyDefinition<'a>, initializer: usize, counter: Option<u32>) {
        for decorator in &field.decorators {
            self.visit_decorator(decorator);
        }
        self.visit_property_key(&field.key);
        let Some(value) = &field.value else { return };
        let name = self.key_name(&field.key, field.computed, "");
        let is_named = is_named(value);
        if let Some(counter) = counter {
            let count = self.increment(counter);
            // A function gets its name from the property that it is assigned to.
            let name = name.as_deref().filter(|_| is_named);
            let property = name.map_or_else(String::new, |name| format!("{{\"{name}\":"));
            self.insert(value.span().start, format!("({count},{property}"));
        }
        if is_named {
            self.name.clone_from(&name);
        }
        self.open.push(initializer);
        self.visit_expression(value);
        self.open.pop();
        self.name = None;
        if counter.is_some() {
            let name = name.filter(|_| is_named);
            let property = name.map_or_else(String::new, |name| format!("}}[\"{name}\"]"));
            self.insert(value.span().end, format!("{property})"));
        }
    }
}

fn is_static(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::StaticBlock(_) => true,
        ClassElement::PropertyDefinition(field) => field.r#static,
        _ => false,
    }
}

/// Whether an element is a part of the function of instances, or of the class.
fn is_field(element: &ClassElement<'_>, of_class: bool) -> bool {
    match element {
        ClassElement::StaticBlock(_) => of_class,
        ClassElement::PropertyDefinition(field) => !field.declare && field.r#static == of_class,
        _ => false,
    }
}

/// Whether the initializer of a field can count without changing a name.
fn can_count(element: &ClassElement<'_>) -> bool {
    let ClassElement::PropertyDefinition(field) = element else { return false };
    let has_plain_name = !field.computed
        && field
            .key
            .name()
            .is_some_and(|name| !name.contains(['"', '\\', '\n', '\r']) && name != "__proto__");
    field.value.as_ref().is_some_and(|value| !is_named(value) || has_plain_name)
}

/// Where V8 ends the function: at the last value, name or brace.
fn end_of(element: &ClassElement<'_>) -> u32 {
    match element {
        ClassElement::PropertyDefinition(field) => {
            field.value.as_ref().map_or(field.key.span().end, |value| value.span().end)
        }
        other => other.span().end,
    }
}

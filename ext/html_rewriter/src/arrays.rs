//! Events and operations as flat arrays, so that a chunk costs two calls. In: events. Out: for each
//! its kind, the count and numbers of its handlers, its fields. In: five elements an operation:
//! index of the event, code, two strings, whether the content is HTML. Out: the operations of each
//! event.

use std::collections::VecDeque;

use rusk_html_rewriter::{EventKind, Operation, Position, TokenEvent};
use rusk_jsc::{Exception, Object, Outcome, Scope, Value};

use crate::{event, operation};

const OPERATION_ELEMENTS: u32 = 5;

pub fn events<'s>(scope: &'s Scope, events: &[TokenEvent]) -> Outcome<'s> {
    let number = |number: usize| scope.number(number as f64);
    let mut flat = Vec::new();
    for TokenEvent { kind, handlers } in events {
        flat.push(scope.number(kind_number(kind).into()));
        flat.push(number(handlers.len()));
        flat.extend(handlers.iter().map(|handler| scope.number((*handler).into())));
        match kind {
            EventKind::Element(element) => {
                flat.push(scope.string(&element.name));
                flat.push(scope.string(element.namespace));
                flat.push(scope.boolean(element.is_self_closing));
                flat.push(scope.boolean(element.can_have_content));
                flat.push(number(element.attributes.len()));
                for (name, value) in &element.attributes {
                    flat.extend([scope.string(name), scope.string(value)]);
                }
            }
            EventKind::EndTag { element, name } => {
                flat.extend([scope.number(*element as f64), scope.string(name)]);
            }
            EventKind::Text { text, is_last } => {
                flat.extend([scope.string(text), scope.boolean(*is_last)]);
            }
            EventKind::Comment { text } => flat.push(scope.string(text)),
            EventKind::Doctype { name, public_id, system_id } => {
                let text =
                    |text: &Option<String>| text.as_deref().map_or(scope.null(), |text| scope.string(text));
                flat.extend([text(name), text(public_id), text(system_id)]);
            }
            EventKind::DocumentEnd => {}
        }
    }
    scope.array(&flat).map(Object::value)
}

fn kind_number(kind: &EventKind) -> u32 {
    match kind {
        EventKind::Element(_) => event::ELEMENT,
        EventKind::EndTag { .. } => event::END_TAG,
        EventKind::Text { .. } => event::TEXT,
        EventKind::Comment { .. } => event::COMMENT,
        EventKind::Doctype { .. } => event::DOCTYPE,
        EventKind::DocumentEnd => event::DOCUMENT_END,
    }
}

/// `count`: of events.
pub fn operations<'s>(
    scope: &'s Scope,
    count: usize,
    flat: Value<'s>,
) -> Result<VecDeque<Vec<Operation>>, Exception<'s>> {
    let mut operations = VecDeque::from(vec![Vec::new(); count]);
    let Some(flat) = flat.as_object(scope) else { return Ok(operations) };
    let length = flat.property(scope, "length")?.to_number(scope)? as u32;
    for base in (0..length).step_by(OPERATION_ELEMENTS as usize) {
        let element = |offset: u32| flat.element(scope, base + offset);
        let string = |offset: u32| element(offset).and_then(|value| value.to_rust_string(scope));
        let index = element(0)?.to_number(scope)? as usize;
        let made = match element(1)?.to_number(scope)? as u32 {
            operation::SET_NAME => Operation::SetName(string(2)?),
            operation::SET_ATTRIBUTE => Operation::SetAttribute { name: string(2)?, value: string(3)? },
            operation::REMOVE_ATTRIBUTE => Operation::RemoveAttribute(string(2)?),
            operation::SET_TEXT => Operation::SetText(string(2)?),
            operation::REMOVE => Operation::Remove,
            operation::REMOVE_AND_KEEP_CONTENT => Operation::RemoveAndKeepContent,
            code => Operation::Insert {
                position: position(code),
                content: string(2)?,
                is_html: element(4)?.is_truthy(scope),
            },
        };
        if let Some(of_event) = operations.get_mut(index) {
            of_event.push(made);
        }
    }
    Ok(operations)
}

fn position(code: u32) -> Position {
    match code {
        operation::BEFORE => Position::Before,
        operation::PREPEND => Position::Prepend,
        operation::APPEND => Position::Append,
        operation::REPLACE => Position::Replace,
        operation::INNER_CONTENT => Position::InnerContent,
        _ => Position::After,
    }
}

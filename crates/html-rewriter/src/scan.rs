//! First pass: tokens as events. In: tokens and the numbers of their handlers. Out: events, one for
//! each token. Absent: changes.

use std::cell::{Cell, RefCell};
use std::mem;

use lol_html::html_content::{Comment, Doctype, Element, EndTag, TextChunk, UserData};

use crate::event::{ElementEvent, EventKind, TokenEvent};
use crate::pass::HasEvent;

#[derive(Default)]
pub struct Scanner {
    events: RefCell<Vec<TokenEvent>>,
    /// Events of the chunks before.
    first: Cell<u64>,
}

impl Scanner {
    pub fn take(&self) -> Vec<TokenEvent> {
        let events = mem::take(&mut *self.events.borrow_mut());
        self.first.set(self.first.get() + events.len() as u64);
        events
    }

    /// The number of the element's event, if this is its first handler.
    pub fn element(&self, handler: u32, element: &mut Element<'_, '_>) -> Option<u64> {
        if self.is_known(handler, element) {
            return None;
        }
        let attributes =
            element.attributes().iter().map(|attribute| (attribute.name(), attribute.value())).collect();
        let kind = EventKind::Element(ElementEvent {
            name: element.tag_name(),
            namespace: element.namespace_uri(),
            is_self_closing: element.is_self_closing(),
            can_have_content: element.can_have_content(),
            attributes,
        });
        let index = self.push(handler, kind);
        element.set_user_data(HasEvent(index));
        Some(self.first.get() + index as u64)
    }

    pub fn end_tag(&self, element: u64, tag: &EndTag<'_>) {
        let kind = EventKind::EndTag { element, name: tag.name() };
        self.events.borrow_mut().push(TokenEvent { kind, handlers: Vec::new() });
    }

    pub fn comment(&self, handler: u32, comment: &mut Comment<'_>) {
        if !self.is_known(handler, comment) {
            let index = self.push(handler, EventKind::Comment { text: comment.text() });
            comment.set_user_data(HasEvent(index));
        }
    }

    pub fn text(&self, handler: u32, text: &mut TextChunk<'_>) {
        if !self.is_known(handler, text) {
            let kind = EventKind::Text { text: text.as_str().to_owned(), is_last: text.last_in_text_node() };
            let index = self.push(handler, kind);
            text.set_user_data(HasEvent(index));
        }
    }

    pub fn doctype(&self, handler: u32, doctype: &mut Doctype<'_>) {
        if !self.is_known(handler, doctype) {
            let kind = EventKind::Doctype {
                name: doctype.name(),
                public_id: doctype.public_id(),
                system_id: doctype.system_id(),
            };
            let index = self.push(handler, kind);
            doctype.set_user_data(HasEvent(index));
        }
    }

    pub fn end(&self, handler: u32) {
        self.push(handler, EventKind::DocumentEnd);
    }

    /// Adds a handler to the event that the token has already.
    fn is_known(&self, handler: u32, token: &impl UserData) -> bool {
        let Some(HasEvent(index)) = token.user_data().downcast_ref() else { return false };
        self.events.borrow_mut()[*index].handlers.push(handler);
        true
    }

    fn push(&self, handler: u32, kind: EventKind) -> usize {
        let mut events = self.events.borrow_mut();
        events.push(TokenEvent { kind, handlers: vec![handler] });
        events.len() - 1
    }
}

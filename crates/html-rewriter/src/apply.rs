//! Second pass: operations on tokens. In: for each event of the first pass its operations. Out: the
//! tokens as the parser writes them. Absent: decisions.

use std::cell::RefCell;
use std::collections::VecDeque;

use lol_html::HandlerResult;
use lol_html::html_content::{
    Comment, ContentType, Doctype, DocumentEnd, Element, EndTag, TextChunk, UserData,
};

use crate::operation::{Operation, Position};
use crate::pass::HasEvent;

#[derive(Default)]
pub struct Applier {
    /// Of the events of this chunk, in their order.
    operations: RefCell<VecDeque<Vec<Operation>>>,
}

/// `before`, `after`, `replace` and `remove`, which elements, comments, text and end tags have.
macro_rules! change {
    ($token:expr, $operation:expr) => {
        match $operation {
            Operation::Insert { position, content, is_html } => {
                let kind = content_type(is_html);
                match position {
                    Position::Before => $token.before(&content, kind),
                    Position::After => $token.after(&content, kind),
                    Position::Replace => $token.replace(&content, kind),
                    Position::Prepend | Position::Append | Position::InnerContent => {}
                }
            }
            Operation::Remove => $token.remove(),
            _ => {}
        }
    };
}

impl Applier {
    pub fn load(&self, operations: VecDeque<Vec<Operation>>) {
        *self.operations.borrow_mut() = operations;
    }

    /// Whether all operations were applied.
    pub fn is_empty(&self) -> bool {
        self.operations.borrow().is_empty()
    }

    /// A number for the element, if this is its first handler.
    pub fn element(&self, element: &mut Element<'_, '_>) -> Result<Option<u64>, BoxedError> {
        let Some(operations) = self.next(element) else { return Ok(None) };
        for operation in operations {
            match operation {
                Operation::SetName(name) => element.set_tag_name(&name)?,
                Operation::SetAttribute { name, value } => element.set_attribute(&name, &value)?,
                Operation::RemoveAttribute(name) => element.remove_attribute(&name),
                Operation::RemoveAndKeepContent => element.remove_and_keep_content(),
                Operation::Insert { position: Position::Prepend, content, is_html } => {
                    element.prepend(&content, content_type(is_html));
                }
                Operation::Insert { position: Position::Append, content, is_html } => {
                    element.append(&content, content_type(is_html));
                }
                Operation::Insert { position: Position::InnerContent, content, is_html } => {
                    element.set_inner_content(&content, content_type(is_html));
                }
                other => change!(element, other),
            }
        }
        Ok(Some(0))
    }

    pub fn end_tag(&self, tag: &mut EndTag<'_>) -> HandlerResult {
        for operation in self.pop() {
            match operation {
                Operation::SetName(name) => tag.set_name_str(name),
                other => change!(tag, other),
            }
        }
        Ok(())
    }

    pub fn comment(&self, comment: &mut Comment<'_>) -> HandlerResult {
        for operation in self.next(comment).unwrap_or_default() {
            match operation {
                Operation::SetText(text) => comment.set_text(&text)?,
                other => change!(comment, other),
            }
        }
        Ok(())
    }

    pub fn text(&self, text: &mut TextChunk<'_>) -> HandlerResult {
        for operation in self.next(text).unwrap_or_default() {
            change!(text, operation);
        }
        Ok(())
    }

    pub fn doctype(&self, doctype: &mut Doctype<'_>) -> HandlerResult {
        if self.next(doctype).unwrap_or_default().contains(&Operation::Remove) {
            doctype.remove();
        }
        Ok(())
    }

    pub fn end(&self, end: &mut DocumentEnd<'_>) -> HandlerResult {
        for operation in self.pop() {
            if let Operation::Insert { position: Position::Append, content, is_html } = operation {
                end.append(&content, content_type(is_html));
            }
        }
        Ok(())
    }

    /// Operations of the token's event; `None`: another handler has applied them.
    fn next(&self, token: &mut impl UserData) -> Option<Vec<Operation>> {
        if token.user_data().is::<HasEvent>() {
            return None;
        }
        token.set_user_data(HasEvent(0));
        Some(self.pop())
    }

    fn pop(&self) -> Vec<Operation> {
        self.operations.borrow_mut().pop_front().unwrap_or_default()
    }
}

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

fn content_type(is_html: bool) -> ContentType {
    if is_html { ContentType::Html } else { ContentType::Text }
}

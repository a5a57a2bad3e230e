//! HTML rewriter with handlers that may take their time: each chunk is scanned for tokens, the
//! caller decides what happens to them, then the chunk is rewritten. In: selectors, chunks of a
//! document, operations. Out: events, rewritten bytes. Absent: an engine; parsing and selectors,
//! which are `lol_html`'s.
//!
//! `lol_html` calls its handlers while it writes, so that a handler cannot wait. A chunk is
//! therefore parsed twice, by two parsers in the same state: what is done to a token does not
//! change how the rest of the document is parsed or matched.

mod apply;
mod event;
mod operation;
mod pass;
mod rewriting;
mod scan;
#[cfg(test)]
mod tests;

pub use event::{ElementEvent, EventKind, TokenEvent};
pub use lol_html::Selector;
pub use operation::{Operation, Position};
pub use rewriting::{DocumentHandlers, Handlers, RewriteError, Rewriting, SelectorHandlers};

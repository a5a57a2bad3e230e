//! A document that is rewritten chunk by chunk.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::mem;
use std::rc::Rc;

use lol_html::Selector;
use lol_html::errors::RewritingError;

use crate::apply::Applier;
use crate::event::TokenEvent;
use crate::operation::Operation;
use crate::pass::{Parser, Pass};
use crate::scan::Scanner;

/// Which tokens are asked for, and the number of the handler of each.
#[derive(Default)]
pub struct Handlers {
    pub selectors: Vec<SelectorHandlers>,
    pub documents: Vec<DocumentHandlers>,
}

pub struct SelectorHandlers {
    pub selector: Selector,
    pub element: Option<u32>,
    pub comments: Option<u32>,
    pub text: Option<u32>,
}

#[derive(Default)]
pub struct DocumentHandlers {
    pub doctype: Option<u32>,
    pub comments: Option<u32>,
    pub text: Option<u32>,
    pub end: Option<u32>,
}

/// `scan`, then `apply`, for each chunk and for the end.
pub struct Rewriting {
    scanning: Half,
    applying: Half,
    scanner: Rc<Scanner>,
    applier: Rc<Applier>,
    output: Rc<RefCell<Vec<u8>>>,
    /// What was scanned and not applied.
    chunk: Option<Chunk>,
}

enum Chunk {
    Bytes(Vec<u8>),
    End,
}

/// A parser, until the document has ended.
struct Half(Option<Parser>);

/// Why a document cannot be rewritten, in words.
#[derive(Debug)]
pub struct RewriteError(String);

impl Rewriting {
    pub fn new(handlers: &Handlers) -> Rewriting {
        let (scanner, applier) = (Rc::<Scanner>::default(), Rc::<Applier>::default());
        let output = Rc::<RefCell<Vec<u8>>>::default();
        let written = Rc::clone(&output);
        Rewriting {
            scanning: Half(Some(Pass::Scan(Rc::clone(&scanner)).parser(handlers, Box::new(|_| {})))),
            applying: Half(Some(
                Pass::Apply(Rc::clone(&applier))
                    .parser(handlers, Box::new(move |bytes| written.borrow_mut().extend_from_slice(bytes))),
            )),
            scanner,
            applier,
            output,
            chunk: None,
        }
    }

    /// Events of a chunk. `None`: the end of the document.
    pub fn scan(&mut self, bytes: Option<Vec<u8>>) -> Result<Vec<TokenEvent>, RewriteError> {
        let chunk = bytes.map_or(Chunk::End, Chunk::Bytes);
        self.scanning.feed(&chunk)?;
        self.chunk = Some(chunk);
        Ok(self.scanner.take())
    }

    /// The rewritten chunk. `operations`: those of each event of the chunk, in their order.
    pub fn apply(&mut self, operations: VecDeque<Vec<Operation>>) -> Result<Vec<u8>, RewriteError> {
        if let Some(chunk) = self.chunk.take() {
            self.applier.load(operations);
            self.applying.feed(&chunk)?;
            debug_assert!(self.applier.is_empty(), "both passes have the same events");
        }
        Ok(mem::take(&mut *self.output.borrow_mut()))
    }
}

impl Half {
    fn feed(&mut self, chunk: &Chunk) -> Result<(), RewriteError> {
        let fed = match (chunk, &mut self.0) {
            (_, None) => Ok(()),
            (Chunk::Bytes(bytes), Some(parser)) => parser.write(bytes),
            (Chunk::End, parser) => parser.take().map_or(Ok(()), Parser::end),
        };
        fed.map_err(|error| {
            // A parser that has failed takes nothing more.
            self.0 = None;
            RewriteError(match error {
                RewritingError::ContentHandlerError(cause) => cause.to_string(),
                other => other.to_string(),
            })
        })
    }
}

impl fmt::Display for RewriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

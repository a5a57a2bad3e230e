//! One of the two passes over a document. In: the handlers. Out: a parser that calls the pass for
//! each token that a handler asks for.

use std::borrow::Cow;
use std::rc::Rc;

use lol_html::html_content::{Comment, Doctype, DocumentEnd, Element, EndTag, TextChunk};
use lol_html::{
    DocumentContentHandlers, ElementContentHandlers, HandlerResult, HtmlRewriter, MemorySettings, Settings,
};

use crate::apply::Applier;
use crate::rewriting::{DocumentHandlers, Handlers, SelectorHandlers};
use crate::scan::Scanner;

/// Memory of one parser. A token that is not complete is kept, and a page has no token of this
/// size.
const PARSER_BYTES_MAX: usize = 64 << 20;

pub type Sink = Box<dyn FnMut(&[u8])>;
pub type Parser = HtmlRewriter<'static, Sink>;

#[derive(Clone)]
pub enum Pass {
    Scan(Rc<Scanner>),
    Apply(Rc<Applier>),
}

/// User data of a token that has an event.
pub struct HasEvent(pub usize);

impl Pass {
    pub fn parser(&self, handlers: &Handlers, sink: Sink) -> Parser {
        let settings = Settings {
            element_content_handlers: handlers
                .selectors
                .iter()
                .map(|entry| (Cow::Borrowed(&entry.selector), self.element_handlers(entry)))
                .collect(),
            document_content_handlers: handlers
                .documents
                .iter()
                .map(|entry| self.document_handlers(entry))
                .collect(),
            memory_settings: MemorySettings {
                max_allowed_memory_usage: PARSER_BYTES_MAX,
                ..MemorySettings::new()
            },
            strict: false,
            ..Settings::new()
        };
        HtmlRewriter::new(settings, sink)
    }

    fn element_handlers(&self, entry: &SelectorHandlers) -> ElementContentHandlers<'static> {
        let mut handlers = ElementContentHandlers::default();
        if let Some(number) = entry.element {
            let pass = self.clone();
            handlers = handlers.element(move |element: &mut Element<'_, '_>| pass.element(number, element));
        }
        if let Some(number) = entry.comments {
            handlers = handlers.comments(self.comment_handler(number));
        }
        if let Some(number) = entry.text {
            handlers = handlers.text(self.text_handler(number));
        }
        handlers
    }

    fn document_handlers(&self, entry: &DocumentHandlers) -> DocumentContentHandlers<'static> {
        let mut handlers = DocumentContentHandlers::default();
        if let Some(number) = entry.doctype {
            let pass = self.clone();
            handlers = handlers.doctype(move |doctype: &mut Doctype<'_>| pass.doctype(number, doctype));
        }
        if let Some(number) = entry.comments {
            handlers = handlers.comments(self.comment_handler(number));
        }
        if let Some(number) = entry.text {
            handlers = handlers.text(self.text_handler(number));
        }
        if let Some(number) = entry.end {
            let pass = self.clone();
            handlers = handlers.end(move |end: &mut DocumentEnd<'_>| pass.end(number, end));
        }
        handlers
    }

    fn comment_handler(
        &self,
        number: u32,
    ) -> impl FnMut(&mut Comment<'_>) -> HandlerResult + 'static + use<> {
        let pass = self.clone();
        move |comment: &mut Comment<'_>| pass.comment(number, comment)
    }

    fn text_handler(&self, number: u32) -> impl FnMut(&mut TextChunk<'_>) -> HandlerResult + 'static + use<> {
        let pass = self.clone();
        move |text: &mut TextChunk<'_>| pass.text(number, text)
    }

    fn element(&self, handler: u32, element: &mut Element<'_, '_>) -> HandlerResult {
        let number = match self {
            Pass::Scan(scanner) => scanner.element(handler, element),
            Pass::Apply(applier) => applier.element(element)?,
        };
        // Both passes do so for each element, so that they count the same events.
        if let (Some(number), Some(end_tags)) = (number, element.end_tag_handlers()) {
            let pass = self.clone();
            end_tags.push(Box::new(move |tag: &mut EndTag<'_>| match &pass {
                Pass::Scan(scanner) => {
                    scanner.end_tag(number, tag);
                    Ok(())
                }
                Pass::Apply(applier) => applier.end_tag(tag),
            }));
        }
        Ok(())
    }

    fn comment(&self, handler: u32, comment: &mut Comment<'_>) -> HandlerResult {
        match self {
            Pass::Scan(scanner) => scanner.comment(handler, comment),
            Pass::Apply(applier) => applier.comment(comment)?,
        }
        Ok(())
    }

    fn text(&self, handler: u32, text: &mut TextChunk<'_>) -> HandlerResult {
        match self {
            Pass::Scan(scanner) => scanner.text(handler, text),
            Pass::Apply(applier) => applier.text(text)?,
        }
        Ok(())
    }

    fn doctype(&self, handler: u32, doctype: &mut Doctype<'_>) -> HandlerResult {
        match self {
            Pass::Scan(scanner) => scanner.doctype(handler, doctype),
            Pass::Apply(applier) => applier.doctype(doctype)?,
        }
        Ok(())
    }

    fn end(&self, handler: u32, end: &mut DocumentEnd<'_>) -> HandlerResult {
        match self {
            Pass::Scan(scanner) => scanner.end(handler),
            Pass::Apply(applier) => applier.end(end)?,
        }
        Ok(())
    }
}

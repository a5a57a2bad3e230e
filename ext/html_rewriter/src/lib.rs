//! HTMLRewriter: `internalBinding('html_rewriter')`, over `rusk-html-rewriter`. In: selectors with
//! the numbers of their handlers, chunks, operations. Out: events as one array, rewritten bytes; an
//! error as a string. Absent: the class and what handlers get (`js/internal/html_rewriter`).

mod arrays;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use rusk_html_rewriter::{DocumentHandlers, Handlers, Operation, Rewriting, Selector, SelectorHandlers};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, number_list, string_argument, string_list};

rusk_runtime::shared_constants! {
    /// Kinds of events.
    mod event: u32 {
        ELEMENT = 0,
        END_TAG = 1,
        TEXT = 2,
        COMMENT = 3,
        DOCTYPE = 4,
        DOCUMENT_END = 5,
    }
}

rusk_runtime::shared_constants! {
    /// Operations.
    mod operation: u32 {
        BEFORE = 0,
        AFTER = 1,
        PREPEND = 2,
        APPEND = 3,
        REPLACE = 4,
        INNER_CONTENT = 5,
        SET_NAME = 6,
        SET_ATTRIBUTE = 7,
        REMOVE_ATTRIBUTE = 8,
        SET_TEXT = 9,
        REMOVE = 10,
        REMOVE_AND_KEEP_CONTENT = 11,
    }
}

/// A document that is rewritten.
struct Document(RefCell<Rewriting>);

rusk_runtime::extension!("html_rewriter", [("html_rewriter", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "operation", operation::ALL)?;
    // What is wrong with a selector, or undefined.
    add(scope, binding, "checkSelector", |scope, call| {
        Ok(match string_argument(scope, call, 0)?.parse::<Selector>() {
            Ok(_) => scope.undefined(),
            Err(error) => scope.string(&error.to_string()),
        })
    })?;
    // selectors; for each the numbers of the handlers of elements, comments and text; for each
    // group of document handlers those of doctypes, comments, text and the end. -1: none.
    add(scope, binding, "create", |scope, call| {
        let selectors = string_list(scope, call.argument(scope, 0))?;
        let of_selectors = number_list(scope, call.argument(scope, 1))?;
        let of_documents = number_list(scope, call.argument(scope, 2))?;
        let rewriting = Rewriting::new(&handlers(&selectors, &of_selectors, &of_documents));
        Ok(scope.native(Document(RefCell::new(rewriting))).value())
    })?;
    // document, bytes; or undefined for the end. Out: events.
    add(scope, binding, "scan", |scope, call| {
        let Some(document) = document(scope, call) else { return Ok(scope.undefined()) };
        let chunk = call.argument(scope, 1);
        let bytes = if chunk.is_undefined(scope) { None } else { Some(bytes_or_utf8(scope, chunk)?) };
        let scanned = document.0.borrow_mut().scan(bytes);
        match scanned {
            Ok(events) => arrays::events(scope, &events),
            Err(error) => Ok(scope.string(&error.to_string())),
        }
    })?;
    // document, how many events the chunk has, operations. Out: bytes.
    add(scope, binding, "apply", |scope, call| {
        let Some(document) = document(scope, call) else { return Ok(scope.undefined()) };
        let count = call.argument(scope, 1).to_number(scope)? as usize;
        let operations = arrays::operations(scope, count, call.argument(scope, 2))?;
        apply(scope, &document, operations)
    })?;
    add_fast(scope, binding, "runMicrotasks", |scope, _| Ok(scope.boolean(scope.run_microtasks())))?;
    Ok(binding)
}

fn apply<'s>(scope: &'s Scope, document: &Document, operations: VecDeque<Vec<Operation>>) -> Outcome<'s> {
    let applied = document.0.borrow_mut().apply(operations);
    match applied {
        Ok(bytes) => Bytes::from_vec(scope, bytes).map(Object::value),
        Err(error) => Ok(scope.string(&error.to_string())),
    }
}

fn document<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Document>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn handlers(selectors: &[String], of_selectors: &[f64], of_documents: &[f64]) -> Handlers {
    let number = |value: &f64| (*value >= 0.0).then_some(*value as u32);
    let mut handlers = Handlers::default();
    for (selector, numbers) in selectors.iter().zip(of_selectors.chunks_exact(3)) {
        // Selectors were checked when they were given.
        if let Ok(selector) = selector.parse() {
            let (element, comments, text) = (number(&numbers[0]), number(&numbers[1]), number(&numbers[2]));
            handlers.selectors.push(SelectorHandlers { selector, element, comments, text });
        }
    }
    for numbers in of_documents.chunks_exact(4) {
        handlers.documents.push(DocumentHandlers {
            doctype: number(&numbers[0]),
            comments: number(&numbers[1]),
            text: number(&numbers[2]),
            end: number(&numbers[3]),
        });
    }
    handlers
}

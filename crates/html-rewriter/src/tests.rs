//! Events and operations, in whole documents and byte by byte.

use std::collections::VecDeque;

use crate::{
    DocumentHandlers, EventKind, Handlers, Operation, Position, Rewriting, Selector, SelectorHandlers,
    TokenEvent,
};

/// Handler 0 gets elements, 1 comments, 2 text of `selector`.
fn handlers(selector: &str) -> Handlers {
    let selector: Selector = selector.parse().unwrap();
    let (element, comments, text) = (Some(0), Some(1), Some(2));
    Handlers {
        selectors: vec![SelectorHandlers { selector, element, comments, text }],
        documents: Vec::new(),
    }
}

fn rewrite(
    handlers: &Handlers,
    chunks: &[&[u8]],
    mut decide: impl FnMut(&TokenEvent) -> Vec<Operation>,
) -> String {
    let mut rewriting = Rewriting::new(handlers);
    let mut output = Vec::new();
    for chunk in chunks.iter().map(|chunk| Some(chunk.to_vec())).chain([None]) {
        let operations: VecDeque<_> = rewriting.scan(chunk).unwrap().iter().map(&mut decide).collect();
        output.extend(rewriting.apply(operations).unwrap());
    }
    String::from_utf8(output).unwrap()
}

fn insert(position: Position, content: &str) -> Operation {
    Operation::Insert { position, content: content.to_owned(), is_html: false }
}

/// `document` as a whole and byte by byte.
#[track_caller]
fn check(selector: &str, document: &str, decide: impl Fn(&TokenEvent) -> Vec<Operation>, expected: &str) {
    let handlers = handlers(selector);
    assert_eq!(rewrite(&handlers, &[document.as_bytes()], &decide), expected);
    let bytes: Vec<&[u8]> = document.as_bytes().chunks(1).collect();
    assert_eq!(rewrite(&handlers, &bytes, &decide), expected, "byte by byte");
}

#[test]
fn elements_are_changed_where_they_stand() {
    let on_element = |operations: Vec<Operation>| {
        move |event: &TokenEvent| match event.kind {
            EventKind::Element(_) => operations.clone(),
            _ => Vec::new(),
        }
    };
    let document = "<i>x</i><p a=1>t</p><b>";
    let name = |name: &str| name.to_owned();
    for (operations, expected) in [
        (vec![insert(Position::Before, "<")], "<i>x</i>&lt;<p a=1>t</p><b>"),
        (vec![insert(Position::After, "<")], "<i>x</i><p a=1>t</p>&lt;<b>"),
        (vec![insert(Position::Prepend, "<")], "<i>x</i><p a=1>&lt;t</p><b>"),
        (vec![insert(Position::Append, "<")], "<i>x</i><p a=1>t&lt;</p><b>"),
        (vec![insert(Position::Replace, "<")], "<i>x</i>&lt;<b>"),
        (vec![insert(Position::InnerContent, "<")], "<i>x</i><p a=1>&lt;</p><b>"),
        (vec![Operation::Remove], "<i>x</i><b>"),
        (vec![Operation::RemoveAndKeepContent], "<i>x</i>t<b>"),
        (vec![Operation::SetName(name("div"))], "<i>x</i><div a=1>t</div><b>"),
        (vec![Operation::RemoveAttribute(name("a"))], "<i>x</i><p>t</p><b>"),
        (
            vec![Operation::SetAttribute { name: name("b"), value: name("\"") }],
            "<i>x</i><p a=1 b=\"&quot;\">t</p><b>",
        ),
    ] {
        check("p", document, on_element(operations), expected);
    }
}

#[test]
fn end_tags_comments_and_text_are_changed_too() {
    check(
        "p",
        "<p>a<!--c--></p>",
        |event| match &event.kind {
            EventKind::EndTag { name, .. } => vec![insert(Position::Before, name)],
            EventKind::Comment { text } => vec![Operation::SetText(text.repeat(2))],
            EventKind::Text { is_last: true, .. } => vec![insert(Position::After, "!")],
            _ => Vec::new(),
        },
        "<p>a!<!--cc-->p</p>",
    );
}

#[test]
fn a_document_begins_with_its_type_and_ends() {
    let documents =
        vec![DocumentHandlers { doctype: Some(0), comments: Some(1), text: Some(2), end: Some(3) }];
    let mut seen = Vec::new();
    let output = rewrite(
        &Handlers { documents, selectors: Vec::new() },
        &[b"<!doctype html PUBLIC 'a' 'b'>x"],
        |event| {
            seen.push((event.kind.clone(), event.handlers.clone()));
            match event.kind {
                EventKind::Doctype { .. } => vec![Operation::Remove],
                EventKind::DocumentEnd => vec![insert(Position::Append, "end")],
                _ => Vec::new(),
            }
        },
    );
    assert_eq!(output, "xend");
    let text = |text: &str, is_last| (EventKind::Text { text: text.to_owned(), is_last }, vec![2]);
    let some = |text: &str| Some(text.to_owned());
    let doctype = EventKind::Doctype { name: some("html"), public_id: some("a"), system_id: some("b") };
    assert_eq!(
        seen,
        [(doctype, vec![0]), text("x", false), text("", true), (EventKind::DocumentEnd, vec![3])]
    );
}

#[test]
fn a_token_has_one_event_for_all_its_handlers() {
    let entry = |selector: &str, element| SelectorHandlers {
        selector: selector.parse().unwrap(),
        element: Some(element),
        comments: None,
        text: None,
    };
    let handlers = Handlers { selectors: vec![entry("p", 0), entry("*", 1)], documents: Vec::new() };
    let mut numbers = Vec::new();
    rewrite(&handlers, &[b"<p><br>", b"</p>"], |event| {
        numbers.push(match event.kind {
            EventKind::EndTag { element, .. } => vec![100 + element as u32],
            _ => event.handlers.clone(),
        });
        Vec::new()
    });
    assert_eq!(numbers, [vec![0, 1], vec![1], vec![100]]);
}

#[test]
fn an_invalid_name_is_an_error() {
    let mut rewriting = Rewriting::new(&handlers("p"));
    rewriting.scan(Some(b"<p>".to_vec())).unwrap();
    let error = rewriting.apply(VecDeque::from([vec![Operation::SetName(String::new())]])).unwrap_err();
    assert_eq!(error.to_string(), "Tag name can't be empty.");
}

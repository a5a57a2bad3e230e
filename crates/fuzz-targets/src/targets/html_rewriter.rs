//! The target of `rusk-html-rewriter`: both passes over a document.

use std::collections::VecDeque;

use rusk_html_rewriter::{
    DocumentHandlers, EventKind, Handlers, Operation, Position, Rewriting, SelectorHandlers, TokenEvent,
};

/// Divides no buffer size.
const PIECE_BYTES: usize = 7;

pub const PAGES: &[&str] = &[
    "<!doctype html PUBLIC \"a\" 'b'><html><head><title>t</title></head><body a=1 B='2'>x<br/><!--c--><p>y<p>z</body></html>",
    "<svg><path d=\"\"/><![CDATA[ <a> ]]></svg><math><mi></mi></math><template><td></template><select><option>",
    "<script>if (a < b) '<!--<script>' </script><style>a > b {}</style><textarea></div></textarea><plaintext></p>",
    "<p <a =b c='d\" e></p/ f><!-- --!><!></></ ><?x?>&amp;\u{0}",
];

/// An unchanged document stays as it is; the passes agree about events when everything is changed.
pub fn pages(input: &[u8]) {
    let unchanged = rewrite(input, |_| Vec::new());
    if let (Ok(text), Some(output)) = (str::from_utf8(input), unchanged) {
        assert_eq!(text, String::from_utf8_lossy(&output));
    }
    rewrite(input, |event| {
        let insert = |position| Operation::Insert { position, content: "<&".to_owned(), is_html: false };
        match event.kind {
            EventKind::Element(_) => vec![
                insert(Position::Prepend),
                Operation::SetName("b".to_owned()),
                Operation::SetAttribute { name: "c".to_owned(), value: "\"".to_owned() },
                insert(Position::InnerContent),
            ],
            EventKind::Text { .. } => vec![insert(Position::Replace)],
            EventKind::DocumentEnd => vec![insert(Position::Append)],
            _ => vec![insert(Position::Before), Operation::Remove],
        }
    });
}

/// `None`: the parser has refused the document.
fn rewrite(input: &[u8], decide: impl Fn(&TokenEvent) -> Vec<Operation>) -> Option<Vec<u8>> {
    let selector = |selector: &str| SelectorHandlers {
        selector: selector.parse().expect("a valid selector"),
        element: Some(0),
        comments: Some(1),
        text: Some(2),
    };
    let documents =
        vec![DocumentHandlers { doctype: Some(3), comments: Some(1), text: Some(2), end: Some(4) }];
    let mut rewriting = Rewriting::new(&Handlers {
        selectors: vec![selector("*"), selector("p > :nth-child(2)")],
        documents,
    });
    let mut output = Vec::new();
    for piece in input.chunks(PIECE_BYTES).map(|piece| Some(piece.to_vec())).chain([None]) {
        let operations: VecDeque<_> = rewriting.scan(piece).ok()?.iter().map(&decide).collect();
        output.extend(rewriting.apply(operations).ok()?);
    }
    Some(output)
}

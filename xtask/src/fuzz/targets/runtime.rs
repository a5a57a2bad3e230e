//! The targets of `rusk-runtime`: formats of data that programs import, of which JSON comes; messages between programs.

use rusk_npm::json::{self, Dialect};
use rusk_runtime::ipc::{BUN_GREETING, Form, Frames};
use rusk_runtime::text_formats;

/// Blanks for comments: nothing moves.
pub fn jsonc(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(found) = text_formats::jsonc(&text) {
        let given = text.strip_prefix('\u{feff}').unwrap_or(&text);
        assert_eq!(found.encode_utf16().count(), given.encode_utf16().count());
        assert_eq!(found.matches('\n').count(), given.matches('\n').count());
    }
}

pub fn toml(input: &[u8]) {
    check(text_formats::toml(&String::from_utf8_lossy(input)));
}

pub fn yaml(input: &[u8]) {
    check(text_formats::yaml(&String::from_utf8_lossy(input)));
}

/// A byte for the form and one for the size of pieces, then what the other end sends: the same messages, however they come.
pub fn frames(input: &[u8]) {
    let [form, size, bytes @ ..] = input else { return };
    let form = [Form::Lines, Form::Lengths, Form::Kinds][usize::from(form % 3)];
    let cut = |size: usize| {
        let (mut frames, mut found) = (Frames::new(form), Vec::new());
        let mut pieces = bytes.chunks(size);
        let outcome =
            pieces.try_for_each(|piece| frames.cut(piece, |message, _| found.push(message.to_vec())));
        (outcome, found)
    };
    let (outcome, found) = cut(bytes.len().max(1));
    assert_eq!((outcome, found.clone()), cut(usize::from(*size).max(1)));
    let framed: Vec<u8> =
        found.iter().flat_map(|message| form.framed(message).expect("it is short")).collect();
    let mut again = Vec::new();
    Frames::new(form).cut(&framed, |message, _| again.push(message.to_vec())).expect("what is sent is read");
    assert_eq!(again, found);
}

/// Streams of each form, whole and cut.
pub fn streams() -> Vec<Vec<u8>> {
    let kinds = [&[2, 3], BUN_GREETING.as_slice(), &[2, 1, 0, 0, 0, 9, 3, 0, 0, 0, 0]].concat();
    let foreign = [&[1, 2], BUN_GREETING.as_slice()].concat();
    vec![
        b"\x00\x01{}\n[1,2]\n\"x\"\nhalf".to_vec(),
        vec![1, 3, 0, 0, 0, 2, 0xff, 15, 0, 0, 0, 0, 0, 0, 1],
        vec![1, 7, 0xff, 0xff, 0xff, 0xff],
        kinds,
        foreign,
    ]
}

fn check(found: Result<String, text_formats::Fault>) {
    match found {
        // Our parser of JSON bounds depth and refuses keys that come twice sooner than the engine.
        Ok(json) => assert!(json.len() > 100 || json::parse(&json, Dialect::Strict).is_ok(), "{json}"),
        Err(fault) => assert!(!fault.message.is_empty() && fault.line > 0 && fault.column > 0),
    }
}

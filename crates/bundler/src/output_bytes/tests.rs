//! Strings in pieces are the strings one behind the other.

use super::{COPIED_BYTES_MAX, OutputBytes};

fn of(texts: &[&str]) -> OutputBytes {
    let mut bytes = OutputBytes::default();
    texts.iter().for_each(|text| bytes.push_piece((*text).to_owned()));
    bytes
}

#[test]
fn pieces_are_in_order() {
    let long = "long ".repeat(COPIED_BYTES_MAX);
    let mut bytes = of(&["a", "", &long, "b", "c", &long]);
    bytes.push("d");
    bytes.push_front("front".to_owned());
    let whole = format!("fronta{long}bc{long}d");
    assert_eq!(bytes.len(), whole.len());
    assert_eq!(bytes.slices().count(), 6);
    assert!(bytes.slices().all(|slice| !slice.is_empty()));
    assert_eq!(bytes.contiguous(), whole.as_bytes());
    assert_eq!(bytes.into_text(), whole);
}

#[test]
fn an_end_is_replaced() {
    let long = "x".repeat(COPIED_BYTES_MAX);
    for start in ["x", &long] {
        let mut bytes = of(&[&format!("{start};\n")]);
        bytes.replace_end(";\n", "\n");
        bytes.replace_end("absent", "");
        bytes.push("y");
        assert_eq!(bytes.len(), start.len() + 2);
        assert_eq!(bytes.into_text(), format!("{start}\ny"));
    }
}

#[test]
fn nothing_is_empty() {
    let mut bytes = OutputBytes::from(Vec::new());
    bytes.push_front(String::new());
    bytes.replace_end("x", "");
    assert!(bytes.is_empty());
    assert_eq!(bytes.slices().count(), 0);
    assert_eq!(bytes.into_vec(), b"");
}

//! Lexer for comments and literals. In: Rust or JavaScript source text. Out: where its comments and
//! its string literals are. Absent: tokens; what is neither is code.

use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Rust,
    JavaScript,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Comment,
    /// Strings, characters, templates and regular expressions.
    Literal,
}

/// One comment or literal, its delimiters included.
pub struct Span {
    pub kind: Kind,
    pub bytes: Range<usize>,
}

pub fn spans(text: &str, language: Language) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (rest, before) = (&bytes[at..], &bytes[..at]);
        let (kind, length) = match (comment_length(rest), language) {
            (0, Language::Rust) => (Kind::Literal, rust_literal_length(rest, before.last().copied())),
            (0, Language::JavaScript) => (Kind::Literal, javascript_literal_length(rest, before)),
            (length, _) => (Kind::Comment, length),
        };
        if length > 0 {
            spans.push(Span { kind, bytes: at..at + length });
        }
        at += length.max(1);
    }
    spans
}

/// The text with the spans turned to blanks, byte for byte; lines stay lines.
pub fn without(text: &str, spans: &[Span]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        blank(&mut bytes[span.bytes.clone()]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text with everything but the spans turned to blanks.
pub fn only(text: &str, spans: &[Span]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    blank(&mut bytes);
    for span in spans {
        bytes[span.bytes.clone()].copy_from_slice(&text.as_bytes()[span.bytes.clone()]);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// The bytes up to and including `end`, which is looked for from `from` on; all if there is none.
fn length_to(rest: &[u8], end: &[u8], from: usize) -> usize {
    let found = rest[from.min(rest.len())..].windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |index| from + index + end.len())
}

/// The bytes of the comment that begins here; 0 if none does.
fn comment_length(rest: &[u8]) -> usize {
    match rest {
        [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => length_to(rest, b"*/", 2),
        _ => 0,
    }
}

/// The bytes of the string or character that begins here; 0 for code.
fn rust_literal_length(rest: &[u8], before: Option<u8>) -> usize {
    match rest {
        [b'"', ..] => string_length(rest),
        [b'r', b'"' | b'#', ..]
            if !before.is_some_and(|byte| byte.is_ascii_alphanumeric() && byte != b'b') =>
        {
            let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
            let end = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
            if rest.get(1 + hashes) == Some(&b'"') { length_to(rest, &end, 2 + hashes) } else { 0 }
        }
        [b'\'', b'\\', _, ..] => length_to(rest, b"'", 3),
        [b'\'', first, ..] => {
            let width = match first {
                0..0x80 => 1,
                0xc0..0xe0 => 2,
                0xe0..0xf0 => 3,
                _ => 4,
            };
            if rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
        }
        _ => 0,
    }
}

/// The bytes of the string, template or regular expression that begins here; 0 for code.
fn javascript_literal_length(rest: &[u8], before: &[u8]) -> usize {
    match rest {
        [b'"' | b'\'', ..] => string_length(rest),
        [b'`', ..] => template_length(rest),
        [b'/', ..] if may_begin_regex(before) => regex_length(rest),
        _ => 0,
    }
}

fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// A template with the code between its `${` and `}`, in which templates may nest.
fn template_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'`' {
        at += match rest[at..] {
            [b'\\', ..] => 2,
            [b'$', b'{', ..] => 2 + substitution_length(&rest[at + 2..]),
            _ => 1,
        };
    }
    (at + 1).min(rest.len())
}

fn substitution_length(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 1_usize);
    while at < rest.len() && depth > 0 {
        match rest[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        let comment = comment_length(&rest[at..]);
        at += comment.max(javascript_literal_length(&rest[at..], &rest[..at])).max(1);
    }
    at.min(rest.len())
}

/// Whether a `/` after `before` begins a regular expression rather than dividing.
fn may_begin_regex(before: &[u8]) -> bool {
    const KEYWORDS: &[&[u8]] = &[b"return", b"typeof", b"case", b"in", b"of", b"throw", b"void", b"await"];
    let before = before.trim_ascii_end();
    let word = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    match before.last() {
        None => true,
        Some(_) if word > 0 => KEYWORDS.contains(&&before[before.len() - word..]),
        Some(byte) => !matches!(byte, b')' | b']' | b'$' | b'"' | b'\'' | b'`' | 0x80..),
    }
}

fn regex_length(rest: &[u8]) -> usize {
    let (mut at, mut in_class) = (1, false);
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return at + 1,
            b'\n' => return 0,
            _ => {}
        }
        at += 1;
    }
    0
}

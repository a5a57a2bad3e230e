//! Streaming JSON parser: reads the source text once, without building a tree. A packument may have
//! 100,000 versions, and its tree would be ten times as large as its source text. Values that the
//! caller skips are only checked for balanced brackets. A value of another type than requested is
//! skipped, as npm ignores invalid fields.

use std::borrow::Cow;

use crate::json::{self, Dialect, SyntaxError};

type Walk = Result<(), SyntaxError>;

pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut cursor = Cursor { text, at };
        cursor.skip_blank();
        cursor
    }

    /// The first byte of the value ahead.
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Nothing but blanks may follow.
    pub fn end(&mut self) -> Walk {
        self.skip_blank();
        match self.at == self.text.len() {
            true => Ok(()),
            false => Err(self.error("the end of the text")),
        }
    }

    /// Calls `member` with each key, the cursor before its value; `member` must read or skip that
    /// value.
    pub fn object(&mut self, mut member: impl FnMut(Cow<'a, str>, &mut Cursor<'a>) -> Walk) -> Walk {
        if self.peek() != Some(b'{') {
            return self.skip();
        }
        self.list(b'}', |cursor| {
            if cursor.peek() != Some(b'"') {
                return Err(cursor.error("a key in double quotes"));
            }
            let key = cursor.quoted()?;
            cursor.skip_blank();
            if cursor.peek() != Some(b':') {
                return Err(cursor.error("`:`"));
            }
            cursor.at += 1;
            cursor.skip_blank();
            member(key, cursor)
        })
    }

    /// Calls `element` with the cursor before each element; it must read or skip it.
    pub fn array(&mut self, element: impl FnMut(&mut Cursor<'a>) -> Walk) -> Walk {
        if self.peek() != Some(b'[') {
            return self.skip();
        }
        self.list(b']', element)
    }

    pub fn string(&mut self) -> Result<Option<Cow<'a, str>>, SyntaxError> {
        match self.peek() {
            Some(b'"') => self.quoted().map(Some),
            _ => self.skip().map(|()| None),
        }
    }

    /// True for `true` alone.
    pub fn truth(&mut self) -> Result<bool, SyntaxError> {
        self.text().map(|text| text == "true")
    }

    /// The source text of a value of any kind.
    pub fn text(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// A number that is a count, such as a size.
    pub fn count(&mut self) -> Result<Option<u64>, SyntaxError> {
        self.text().map(|text| text.parse().ok())
    }

    /// Passes one value of any kind and depth.
    pub fn skip(&mut self) -> Walk {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.pass_string()?;
                }
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.pass_word(),
                _ => return Err(self.error("a value")),
            }
            if depth == 0 {
                return Ok(());
            }
            while let Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
                self.at += 1;
            }
        }
    }

    fn list(&mut self, bracket: u8, mut item: impl FnMut(&mut Cursor<'a>) -> Walk) -> Walk {
        self.at += 1;
        self.skip_blank();
        if self.peek() == Some(bracket) {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            self.skip_blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == bracket => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.error("`,` or a closing bracket")),
            }
            self.skip_blank();
        }
    }

    /// A string with escapes is rare here; the JSON parser reads those.
    fn quoted(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        let start = self.at;
        let is_plain = self.pass_string()?;
        let quoted = &self.text[start..self.at];
        if is_plain {
            return Ok(Cow::Borrowed(&quoted[1..quoted.len() - 1]));
        }
        match json::parse(quoted, Dialect::Strict).map(|node| node.value) {
            Ok(json::Value::String(text)) => Ok(text),
            _ => Err(self.error_at(start, "a string")),
        }
    }

    /// Skips a string, from its opening quote to after its closing one. Returns whether it has no
    /// escapes.
    fn pass_string(&mut self) -> Result<bool, SyntaxError> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        let mut is_plain = true;
        loop {
            at = quote_or_backslash(bytes, at);
            match bytes.get(at) {
                Some(b'"') => break,
                Some(_) => {
                    is_plain = false;
                    at += 2;
                }
                None => return Err(self.error_at(bytes.len(), "the closing `\"`")),
            }
        }
        self.at = at + 1;
        Ok(is_plain)
    }

    fn pass_word(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        self.at += rest.iter().position(|byte| !in_word(byte)).unwrap_or(rest.len());
    }

    fn skip_blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn error(&self, expected: &'static str) -> SyntaxError {
        self.error_at(self.at, expected)
    }

    fn error_at(&self, offset: usize, expected: &'static str) -> SyntaxError {
        let (line, column) = json::line_and_column(self.text, offset);
        SyntaxError { offset, line, column, expected }
    }
}

/// The offset of the next of the two, or the end. Eight bytes at a time: most of a packument is
/// strings.
fn quote_or_backslash(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ each(b'"')) | zeros(word ^ each(b'\\'));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += size_of::<u64>();
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len())
}

const fn each(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The lowest byte that is zero has its high bit set; above it there may be others, and below it
/// none.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(each(1)) & !word & each(0x80)
}

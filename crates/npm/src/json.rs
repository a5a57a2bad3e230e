//! JSON parser. In: source text. Out: a tree of values with their spans. It parses package.json,
//! `bun.lock` and packuments, which need more than serde offers: byte spans for edits, line numbers
//! for errors, comments and trailing commas where bun allows them, and a limit of the depth.

pub mod text;

use std::borrow::Cow;
use std::fmt;

/// Deeper nesting is refused: no real manifest passes 10, and the parser recurses.
pub const DEPTH_MAX: u32 = 128;

/// Maximum number of values in a document; each takes about 60 bytes of memory. The lockfile of
/// 100,000 packages has 2 million.
pub const NODES_MAX: usize = 8_000_000;

/// Extensions of strict JSON that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// RFC 8259, as npm reads package.json and registries answer.
    Strict,
    /// Also `//` and `/* */` comments and trailing commas, as bun reads package.json and
    /// `bun.lock`.
    Relaxed,
}

/// A value and its span: `text[start..end]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    pub start: usize,
    pub end: usize,
    pub value: Value<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Null,
    Bool(bool),
    /// The digits as written.
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    /// Members in the order written, duplicates included; [`Node::find`] answers with the last, as
    /// `JSON.parse` does.
    Object(Vec<Member<'a>>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// Offset of the key's opening quote.
    pub start: usize,
    pub key: Cow<'a, str>,
    pub node: Node<'a>,
}

/// Position and reason of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset of the first byte that does not fit.
    pub offset: usize,
    /// Counted from 1.
    pub line: usize,
    /// In bytes, counted from 1.
    pub column: usize,
    pub expected: &'static str,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: expected {}", self.line, self.column, self.expected)
    }
}

impl std::error::Error for SyntaxError {}

/// Parses a document. Ignores a byte order mark.
pub fn parse(text: &str, dialect: Dialect) -> Result<Node<'_>, SyntaxError> {
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut parser =
        Parser { text, at, dialect, nodes: 0, open_members: Vec::new(), open_elements: Vec::new() };
    parser.skip_blank()?;
    let node = parser.node(0)?;
    parser.skip_blank()?;
    if parser.at < text.len() {
        return Err(parser.error("the end of the text"));
    }
    Ok(node)
}

/// The line and column, counted from 1, of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line, column)
}

/// Appends `text` as a JSON string, quotes included, escaped as `JSON.stringify` does.
pub fn quote_into(out: &mut String, text: &str) {
    out.push('"');
    let mut plain_from = 0;
    loop {
        let index = plain_from + plain_bytes(&text.as_bytes()[plain_from..]);
        out.push_str(&text[plain_from..index]);
        plain_from = index + 1;
        let Some(byte) = text.as_bytes().get(index) else { break };
        match *byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            byte => {
                out.push_str("\\u00");
                out.push(char::from_digit(u32::from(byte >> 4), 16).expect("a nibble is a hex digit"));
                out.push(char::from_digit(u32::from(byte & 15), 16).expect("a nibble is a hex digit"));
            }
        }
    }
    out.push('"');
}

impl<'a> Node<'a> {
    /// The member of an object, `None` for other values; of duplicate keys the last.
    pub fn find(&self, key: &str) -> Option<&Node<'a>> {
        self.members().iter().rev().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The members of an object in the order written; empty for other values.
    pub fn members(&self) -> &[Member<'a>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The elements of an array; empty for other values.
    pub fn elements(&self) -> &[Node<'a>] {
        match &self.value {
            Value::Array(nodes) => nodes,
            _ => &[],
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    pub fn is_object(&self) -> bool {
        matches!(self.value, Value::Object(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.value, Value::Array(_))
    }

    /// The kind of value, as an error would name it.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    nodes: usize,
    /// Members of the objects that are not closed yet, the innermost last. A closed object takes
    /// its own out, in an allocation of their exact size.
    open_members: Vec<Member<'a>>,
    /// The same for arrays.
    open_elements: Vec<Node<'a>>,
}

impl<'a> Parser<'a> {
    fn node(&mut self, depth: u32) -> Result<Node<'a>, SyntaxError> {
        let start = self.at;
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return Err(self.error("fewer values"));
        }
        let value = match self.peek() {
            Some(b'{') => Value::Object(self.members(depth)?),
            Some(b'[') => Value::Array(self.elements(depth)?),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return Err(self.error("a value")),
        };
        Ok(Node { start, end: self.at, value })
    }

    fn members(&mut self, depth: u32) -> Result<Vec<Member<'a>>, SyntaxError> {
        self.open(depth)?;
        let first = self.open_members.len();
        while !self.closes(b'}', self.open_members.len() == first, "`,` or `}`")? {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.error("a key in double quotes"));
            }
            let key = self.string()?;
            self.skip_blank()?;
            if self.peek() != Some(b':') {
                return Err(self.error("`:`"));
            }
            self.at += 1;
            self.skip_blank()?;
            let node = self.node(depth + 1)?;
            self.open_members.push(Member { start, key, node });
        }
        Ok(self.open_members.drain(first..).collect())
    }

    fn elements(&mut self, depth: u32) -> Result<Vec<Node<'a>>, SyntaxError> {
        self.open(depth)?;
        let first = self.open_elements.len();
        while !self.closes(b']', self.open_elements.len() == first, "`,` or `]`")? {
            let node = self.node(depth + 1)?;
            self.open_elements.push(node);
        }
        Ok(self.open_elements.drain(first..).collect())
    }

    fn open(&mut self, depth: u32) -> Result<(), SyntaxError> {
        if depth >= DEPTH_MAX {
            return Err(self.error("fewer levels of nesting"));
        }
        self.at += 1;
        Ok(())
    }

    /// Passes the comma between items, or the closing bracket; true when the list has ended.
    fn closes(&mut self, bracket: u8, first: bool, expected: &'static str) -> Result<bool, SyntaxError> {
        self.skip_blank()?;
        let mut comma = false;
        if !first && self.peek() == Some(b',') {
            comma = true;
            self.at += 1;
            self.skip_blank()?;
        }
        if self.peek() == Some(bracket) && (!comma || self.dialect == Dialect::Relaxed) {
            self.at += 1;
            return Ok(true);
        }
        match first || comma {
            true => Ok(false),
            false => Err(self.error(expected)),
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, SyntaxError> {
        self.at += 1;
        let mut owned: Option<String> = None;
        let mut plain_from = self.at;
        loop {
            self.at += plain_bytes(&self.text.as_bytes()[self.at..]);
            match self.peek() {
                Some(b'"') => {
                    let plain = &self.text[plain_from..self.at];
                    self.at += 1;
                    return Ok(match owned {
                        None => Cow::Borrowed(plain),
                        Some(text) => Cow::Owned(text + plain),
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(&self.text[plain_from..self.at]);
                    let character = self.escape()?;
                    owned.get_or_insert_default().push(character);
                    plain_from = self.at;
                }
                _ => return Err(self.error("the closing `\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let plain = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.error("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// A lone surrogate becomes U+FFFD: strings here are UTF-8.
    fn unicode_escape(&mut self) -> Result<char, SyntaxError> {
        let first = self.hex4()?;
        if let 0xd800..=0xdbff = first
            && self.text[self.at..].starts_with("\\u")
        {
            let before_second = self.at;
            self.at += 1;
            let second = self.hex4()?;
            if let 0xdc00..=0xdfff = second {
                let scalar = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before_second;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Four hex digits after the `u` at the cursor.
    fn hex4(&mut self) -> Result<u32, SyntaxError> {
        self.at += 1;
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let mut scalar = 0;
        for &digit in digits.ok_or_else(|| self.error("four hex digits"))? {
            let nibble = char::from(digit).to_digit(16).ok_or_else(|| self.error("four hex digits"))?;
            scalar = scalar * 16 + nibble;
        }
        self.at += 4;
        Ok(scalar)
    }

    fn number(&mut self) -> Result<&'a str, SyntaxError> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let rest = &self.text.as_bytes()[self.at..];
        match rest.iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => Err(self.error("a digit")),
            count => {
                self.at += count;
                Ok(())
            }
        }
    }

    fn word(&mut self, word: &'static str, value: Value<'a>) -> Result<Value<'a>, SyntaxError> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.error("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn skip_blank(&mut self) -> Result<(), SyntaxError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.dialect == Dialect::Relaxed => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), SyntaxError> {
        let rest = &self.text[self.at..];
        if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(body) = rest.strip_prefix("/*") {
            let length = body.find("*/").ok_or_else(|| self.error("the end of this comment"))?;
            self.at += length + 4;
        } else {
            return Err(self.error("a value"));
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, expected: &'static str) -> SyntaxError {
        let (line, column) = line_and_column(self.text, self.at);
        SyntaxError { offset: self.at, line, column, expected }
    }
}

/// Bytes in front of the first one that is special in a string: a quote, a backslash, a control
/// character. Eight at a time: the borrow of a subtraction marks a byte that is too small, and can
/// be wrong only behind the first one.
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGH;
    let equal = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    for (index, chunk) in chunks.enumerate() {
        let word = u64::from_le_bytes(chunk.try_into().expect("a chunk has eight bytes"));
        let special = below(word, 0x20) | equal(word, b'"') | equal(word, b'\\');
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let is_special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    bytes.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests;

//! Lexer for identifiers in JavaScript source text, like es-module-lexer. In: bytes. Out: each
//! identifier and keyword in code, with its offset, whether it follows a dot, and its bracket
//! depth. Comments, strings, templates and regular expressions are skipped. Absent: syntax errors,
//! except for unterminated tokens. As in es-module-lexer, the preceding token decides whether a
//! slash is a division.

use std::ops::Range;

/// Nested brackets. No real program has more.
const DEPTH_MAX: usize = 1 << 16;

/// An identifier or keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdentifierToken {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Number of enclosing brackets.
    pub(crate) depth: usize,
    /// It follows a dot: a property name.
    pub(crate) is_member: bool,
}

/// An unterminated string, comment or bracket; or a closing bracket without an opening one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unterminated;

pub(crate) struct Lexer<'s> {
    bytes: &'s [u8],
    at: usize,
    brackets: Vec<Bracket>,
    preceding: Preceding,
}

/// The preceding token, as far as the meaning of a slash depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preceding {
    /// A value: a slash is a division.
    Value,
    /// A punctuator, or the start: a slash begins a regular expression.
    Punctuator(u8),
    Keyword,
    /// `if`, `while`, `for`, `with`: the parenthesis that follows is no value.
    ParenKeyword,
    Class,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Paren {
        follows_keyword: bool,
    },
    Square,
    /// An object literal; it is a value.
    Object,
    Block,
    /// `${`
    Template,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(source: &'s str) -> Lexer<'s> {
        let bytes = source.as_bytes();
        let at = if bytes.starts_with(b"#!") { line_end(bytes, 0) } else { 0 };
        Lexer { bytes, at, brackets: Vec::new(), preceding: Preceding::Punctuator(b';') }
    }

    /// The next identifier. None at the end.
    pub(crate) fn next_identifier(&mut self) -> Result<Option<IdentifierToken>, Unterminated> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\t'..=b'\r' | b' ' => self.at += 1,
                b'/' => self.slash()?,
                b'"' | b'\'' => {
                    self.at = string_end(self.bytes, self.at).ok_or(Unterminated)?;
                    self.preceding = Preceding::Value;
                }
                b'`' => {
                    self.at += 1;
                    self.template()?;
                }
                b'0'..=b'9' => self.number(),
                b'(' | b'[' | b'{' => self.open(byte)?,
                b')' | b']' | b'}' => self.close(byte)?,
                _ if is_identifier_byte(byte) => {
                    let space = whitespace_width(&self.bytes[self.at..]);
                    if space == 0 {
                        return Ok(Some(self.identifier()));
                    }
                    self.at += space;
                }
                _ => self.punctuator(byte),
            }
        }
        if self.brackets.is_empty() { Ok(None) } else { Err(Unterminated) }
    }

    fn identifier(&mut self) -> IdentifierToken {
        let start = self.at;
        self.at = identifier_end(self.bytes, start);
        let is_member = self.preceding == Preceding::Punctuator(b'.');
        self.preceding = match &self.bytes[start..self.at] {
            _ if is_member => Preceding::Value,
            b"if" | b"while" | b"for" | b"with" => Preceding::ParenKeyword,
            b"class" => Preceding::Class,
            b"await" | b"case" | b"debugger" | b"delete" | b"do" | b"else" | b"in" | b"instanceof"
            | b"new" | b"return" | b"throw" | b"typeof" | b"void" | b"yield" | b"finally" | b"try" => {
                Preceding::Keyword
            }
            _ if self.preceding == Preceding::Class => Preceding::Class,
            _ => Preceding::Value,
        };
        IdentifierToken { start, end: self.at, depth: self.brackets.len(), is_member }
    }

    /// Alphanumeric characters and dots: `1e5`, `0x1f`, `.5`.
    fn number(&mut self) {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        self.at += self.bytes[self.at..].iter().take_while(|byte| is_part(byte)).count();
        self.preceding = Preceding::Value;
    }

    fn punctuator(&mut self, byte: u8) {
        let is_doubled = matches!(byte, b'+' | b'-') && self.bytes.get(self.at + 1) == Some(&byte);
        self.at += if is_doubled { 2 } else { 1 };
        match byte {
            // `a++ / b`; no regular expression follows `++`.
            _ if is_doubled => self.preceding = Preceding::Value,
            b'.' if self.bytes[self.at..].starts_with(b"..") => {
                self.at += 2;
                self.preceding = Preceding::Punctuator(b',');
            }
            _ => self.preceding = Preceding::Punctuator(byte),
        }
    }

    fn open(&mut self, byte: u8) -> Result<(), Unterminated> {
        let bracket = match byte {
            b'(' => Bracket::Paren { follows_keyword: self.preceding == Preceding::ParenKeyword },
            b'[' => Bracket::Square,
            _ => self.brace(),
        };
        if self.brackets.len() == DEPTH_MAX {
            return Err(Unterminated);
        }
        self.brackets.push(bracket);
        self.at += 1;
        self.preceding = Preceding::Punctuator(byte);
        Ok(())
    }

    /// Whether a brace opens a block or an object literal.
    fn brace(&self) -> Bracket {
        let is_object = match self.preceding {
            Preceding::Value | Preceding::Class | Preceding::ParenKeyword => false,
            Preceding::Keyword => !self.follows_any(&[b"else", b"do", b"try", b"finally"]),
            Preceding::Punctuator(b';' | b'{' | b'}' | b')') => false,
            Preceding::Punctuator(b'>') => !self.follows_any(&[b"=>"]),
            Preceding::Punctuator(b':') => self.brackets.last() == Some(&Bracket::Object),
            Preceding::Punctuator(_) => true,
        };
        if is_object { Bracket::Object } else { Bracket::Block }
    }

    fn follows_any(&self, ends: &[&[u8]]) -> bool {
        let preceding = self.bytes[..self.at].trim_ascii_end();
        ends.iter().any(|end| preceding.ends_with(end))
    }

    fn close(&mut self, byte: u8) -> Result<(), Unterminated> {
        let bracket = self.brackets.pop().ok_or(Unterminated)?;
        self.at += 1;
        self.preceding = match (bracket, byte) {
            (Bracket::Template, b'}') => return self.template(),
            (Bracket::Paren { follows_keyword: true }, _) | (Bracket::Block, _) => {
                Preceding::Punctuator(byte)
            }
            _ => Preceding::Value,
        };
        Ok(())
    }

    /// The rest of a template, or of the part between `}` and `${`.
    fn template(&mut self) -> Result<(), Unterminated> {
        loop {
            match self.bytes.get(self.at).ok_or(Unterminated)? {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.preceding = Preceding::Value;
                    return Ok(());
                }
                b'$' if self.bytes.get(self.at + 1) == Some(&b'{') => {
                    self.at += 2;
                    self.preceding = Preceding::Punctuator(b'(');
                    self.brackets.push(Bracket::Template);
                    return if self.brackets.len() > DEPTH_MAX { Err(Unterminated) } else { Ok(()) };
                }
                _ => self.at += 1,
            }
        }
    }

    fn slash(&mut self) -> Result<(), Unterminated> {
        match self.bytes.get(self.at + 1) {
            Some(b'/') => self.at = line_end(self.bytes, self.at),
            Some(b'*') => self.at = comment_end(self.bytes, self.at).ok_or(Unterminated)?,
            _ if matches!(self.preceding, Preceding::Value | Preceding::Class) => self.punctuator(b'/'),
            _ => {
                self.at = regexp_end(self.bytes, self.at).ok_or(Unterminated)?;
                self.preceding = Preceding::Value;
            }
        }
        Ok(())
    }
}

pub(crate) fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let is_end = |at: usize| {
        matches!(rest[at], b'\n' | b'\r')
            || (rest[at] == 0xe2 && matches!(&rest[at..], [_, 0x80, 0xa8 | 0xa9, ..]))
    };
    (0..rest.len()).find(|at| is_end(*at)).map_or(bytes.len(), |at| start + at)
}

pub(crate) fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    bytes[start + 2..].windows(2).position(|pair| pair == b"*/").map(|at| start + at + 4)
}

/// The offset after the closing quote.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if bytes[at + 1..].starts_with(b"\r\n") => at += 3,
            b'\\' => at += 2,
            b'\n' | b'\r' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The offset after the closing slash and the flags.
fn regexp_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut is_in_class) = (start + 1, false);
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 1,
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'/' if !is_in_class => break,
            b'\n' | b'\r' => return None,
            _ => {}
        }
        at += 1;
    }
    Some(identifier_end(bytes, at + 1))
}

pub(crate) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | b'#' | 0x80..)
}

pub(crate) fn identifier_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while bytes.get(at).is_some_and(|byte| is_identifier_byte(*byte)) && whitespace_width(&bytes[at..]) == 0 {
        at += 1;
    }
    at
}

/// Bytes of a non-ASCII whitespace character: U+00A0, U+2028, U+2029, U+FEFF and Unicode's spaces.
pub(crate) fn whitespace_width(bytes: &[u8]) -> usize {
    match bytes {
        [0xc2, 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..] => 3,
        [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// The identifier after whitespace and comments; empty if another token follows.
pub(crate) fn next_identifier_range(source: &str, mut at: usize) -> Range<usize> {
    let bytes = source.as_bytes();
    loop {
        let rest = source[at..]
            .trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        at = source.len() - rest.len();
        at = match &bytes[at..] {
            [b'/', b'/', ..] => line_end(bytes, at),
            [b'/', b'*', ..] => comment_end(bytes, at).unwrap_or(bytes.len()),
            _ => return at..identifier_end(bytes, at),
        };
    }
}

/// The offset after the identifier, or after the character if there is none.
pub(crate) fn skip_past(source: &str, identifier: &Range<usize>) -> usize {
    let character = source[identifier.start..].chars().next().map_or(1, char::len_utf8);
    identifier.end.max(identifier.start + character)
}

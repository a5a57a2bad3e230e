//! JSON5. In: a text. Out: JSON of its value; of a key that stands several times, the last value
//! counts. Lone surrogates, which no string of ours can hold, are U+FFFD. Absent: recursion.

use std::iter::Peekable;
use std::str::CharIndices;

use super::graph::{Graph, Id, Members, Node};
use super::{DEPTH_MAX, Fault};

pub fn json5(text: &str) -> Result<String, Fault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut parser = Json5Parser { text, letters: text.char_indices().peekable(), graph: Graph::default() };
    let root = parser.document().map_err(|(at, message)| Fault::at(text, at, message))?;
    Ok(parser.graph.json(root))
}

/// Where a text is wrong, and why.
type Wrong = (usize, &'static str);

struct Json5Parser<'t> {
    text: &'t str,
    letters: Peekable<CharIndices<'t>>,
    graph: Graph,
}

/// A list or a table whose end has not come.
enum OpenValue {
    List(Vec<Id>),
    Table { members: Members, key: String },
}

/// What was read: a whole value, or the beginning of one that holds others.
enum Begun {
    Value(Id),
    Open(OpenValue),
}

impl Json5Parser<'_> {
    fn document(&mut self) -> Result<Id, Wrong> {
        let mut open: Vec<OpenValue> = Vec::new();
        loop {
            if open.len() > DEPTH_MAX {
                return Err((self.offset(), "lists and tables are nested too deeply"));
            }
            let mut value = match self.begin()? {
                Begun::Open(begun) => {
                    open.push(begun);
                    continue;
                }
                Begun::Value(value) => value,
            };
            // What ends with this value.
            loop {
                let Some(innermost) = open.last_mut() else {
                    self.skip_space()?;
                    let at = self.offset();
                    return if at == self.text.len() { Ok(value) } else { Err((at, "expected the end")) };
                };
                if self.add(innermost, value)? {
                    break;
                }
                let Some(ended) = open.pop() else { continue };
                value = self.graph.add(match ended {
                    OpenValue::List(items) => Node::List(items),
                    OpenValue::Table { members, .. } => Node::Table(members.into_pairs()),
                });
            }
        }
    }

    /// Adds a value; whether another one follows.
    fn add(&mut self, open: &mut OpenValue, value: Id) -> Result<bool, Wrong> {
        match open {
            OpenValue::List(items) => {
                items.push(value);
                self.skip_space()?;
                let has_comma = self.take(',');
                self.skip_space()?;
                match (self.take(']'), has_comma) {
                    (true, _) => Ok(false),
                    (false, true) => Ok(true),
                    (false, false) => Err((self.offset(), "expected `,` or `]`")),
                }
            }
            OpenValue::Table { members, key } => {
                members.set(std::mem::take(key), value);
                self.skip_space()?;
                let has_comma = self.take(',');
                self.skip_space()?;
                match (self.take('}'), has_comma) {
                    (true, _) => Ok(false),
                    (false, true) => self.key().map(|next| {
                        *key = next;
                        true
                    }),
                    (false, false) => Err((self.offset(), "expected `,` or `}`")),
                }
            }
        }
    }

    fn begin(&mut self) -> Result<Begun, Wrong> {
        self.skip_space()?;
        let at = self.offset();
        let node = match self.peek().ok_or((at, "expected a value"))? {
            '[' => {
                self.letters.next();
                self.skip_space()?;
                if !self.take(']') {
                    return Ok(Begun::Open(OpenValue::List(Vec::new())));
                }
                Node::List(Vec::new())
            }
            '{' => {
                self.letters.next();
                self.skip_space()?;
                if !self.take('}') {
                    let key = self.key()?;
                    return Ok(Begun::Open(OpenValue::Table { members: Members::default(), key }));
                }
                Node::Table(Vec::new())
            }
            '"' | '\'' => Node::Text(self.string()?),
            '+' | '-' | '.' | '0'..='9' | 'I' | 'N' => Node::Number(self.number()?),
            _ => match self.word()?.as_str() {
                "null" => Node::Null,
                "true" => Node::Bool(true),
                "false" => Node::Bool(false),
                _ => return Err((at, "expected a value")),
            },
        };
        Ok(Begun::Value(self.graph.add(node)))
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<String, Wrong> {
        let key = match self.peek() {
            Some('"' | '\'') => self.string()?,
            _ => self.word()?,
        };
        self.skip_space()?;
        if self.take(':') { Ok(key) } else { Err((self.offset(), "expected `:`")) }
    }

    /// An identifier, which may have escapes.
    fn word(&mut self) -> Result<String, Wrong> {
        let at = self.offset();
        let mut word = String::new();
        while let Some(letter) = self.peek() {
            let place = self.offset();
            let letter = match letter {
                '\\' => {
                    self.letters.next();
                    let code = if self.take('u') { self.hex(4)? } else { 0 };
                    char::from_u32(code).filter(|&letter| is_word(letter)).ok_or((place, "expected a key"))?
                }
                letter if is_word(letter) => {
                    self.letters.next();
                    letter
                }
                _ => break,
            };
            let is_digit = letter.is_numeric() || matches!(letter, '\u{200c}' | '\u{200d}');
            if word.is_empty() && is_digit {
                return Err((place, "expected a key that begins with a letter"));
            }
            word.push(letter);
        }
        if word.is_empty() { Err((at, "expected a key")) } else { Ok(word) }
    }

    fn string(&mut self) -> Result<String, Wrong> {
        let Some((start, quote)) = self.letters.next() else { return Ok(String::new()) };
        let mut text = String::new();
        loop {
            let (at, letter) = self.letters.next().ok_or((start, "the string has no end"))?;
            match letter {
                letter if letter == quote => return Ok(text),
                '\n' | '\r' => return Err((at, "a line ends within a string")),
                '\\' => text.extend(self.escape(at)?),
                letter => text.push(letter),
            }
        }
    }

    /// `None`: the line goes on.
    fn escape(&mut self, at: usize) -> Result<Option<char>, Wrong> {
        let (_, letter) = self.letters.next().ok_or((at, "the string has no end"))?;
        Ok(Some(match letter {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => '\0',
            '0'..='9' => return Err((at, "a string has no octal escapes")),
            'x' => char::from_u32(self.hex(2)?).unwrap_or(char::REPLACEMENT_CHARACTER),
            'u' => self.unicode()?,
            '\r' => {
                self.take('\n');
                return Ok(None);
            }
            '\n' | '\u{2028}' | '\u{2029}' => return Ok(None),
            letter => letter,
        }))
    }

    /// Behind `\u`: two surrogates are one character.
    fn unicode(&mut self) -> Result<char, Wrong> {
        let first = self.hex(4)?;
        let rest = &self.text[self.offset()..];
        if (0xd800..0xdc00).contains(&first) && rest.starts_with("\\u") {
            let digits = rest.get(2..6).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let second = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if let Some(second @ 0xdc00..0xe000) = second {
                self.letters.nth(5);
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self, count: usize) -> Result<u32, Wrong> {
        let mut code = 0;
        for _ in 0..count {
            let at = self.offset();
            let digit = self.peek().and_then(|letter| letter.to_digit(16));
            code = code * 16 + digit.ok_or((at, "expected a hexadecimal digit"))?;
            self.letters.next();
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<f64, Wrong> {
        let at = self.offset();
        let is_negative = self.peek() == Some('-');
        if is_negative || self.peek() == Some('+') {
            self.letters.next();
        }
        let start = self.offset();
        while self.peek().is_some_and(|letter| is_word(letter) || letter == '.')
            || (matches!(self.peek(), Some('+' | '-'))
                && self.text[start..self.offset()].ends_with(['e', 'E']))
        {
            self.letters.next();
        }
        let value = magnitude(&self.text[start..self.offset()]).ok_or((at, "expected a number"))?;
        Ok(if is_negative { -value } else { value })
    }

    fn skip_space(&mut self) -> Result<(), Wrong> {
        loop {
            let at = self.offset();
            let rest = &self.text[at..];
            let length = if rest.starts_with("//") {
                rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len())
            } else if let Some(comment) = rest.strip_prefix("/*") {
                comment.find("*/").ok_or((at, "a comment has no end"))? + 4
            } else {
                match rest.chars().next() {
                    Some(letter) if letter.is_whitespace() || letter == '\u{feff}' => letter.len_utf8(),
                    _ => return Ok(()),
                }
            };
            while self.offset() < at + length {
                self.letters.next();
            }
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.letters.next_if(|&(_, letter)| letter == wanted).is_some()
    }

    fn peek(&mut self) -> Option<char> {
        self.letters.peek().map(|&(_, letter)| letter)
    }

    fn offset(&mut self) -> usize {
        self.letters.peek().map_or(self.text.len(), |&(at, _)| at)
    }
}

/// A number without its sign.
fn magnitude(word: &str) -> Option<f64> {
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let exact = u128::from_str_radix(digits, 16).map(|value| value as f64);
        let digit = |letter: char| f64::from(letter.to_digit(16).unwrap_or(0));
        let rounded = || digits.chars().fold(0.0, |value, letter| value * 16.0 + digit(letter));
        return is_hex.then(|| exact.unwrap_or_else(|_| rounded()));
    }
    match word {
        "Infinity" => Some(f64::INFINITY),
        "NaN" => Some(f64::NAN),
        _ => {
            let has_leading_zero =
                word.starts_with('0') && word.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
            let is_decimal =
                word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
            (is_decimal && !has_leading_zero).then(|| word.parse().ok())?
        }
    }
}

/// A character of an identifier of ECMAScript 5.1.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '$' | '_' | '\u{200c}' | '\u{200d}')
}

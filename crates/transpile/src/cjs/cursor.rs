//! Token cursor for matching the patterns of cjs-module-lexer. In: the source text and an offset.
//! Out: each step returns whether the expected token is next. Whitespace and comments are skipped.

use crate::lexer::{comment_end, identifier_end, is_identifier_byte, line_end, string_end, whitespace_width};

#[derive(Clone)]
pub(super) struct Cursor<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(source: &'s str, at: usize) -> Cursor<'s> {
        Cursor { source, at }
    }

    /// The first byte of the next token.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.source.as_bytes();
        loop {
            let rest = &bytes[self.at.min(bytes.len())..];
            match rest {
                [b'\t'..=b'\r' | b' ', ..] => self.at += 1,
                [b'/', b'/', ..] => self.at = line_end(bytes, self.at),
                [b'/', b'*', ..] => self.at = comment_end(bytes, self.at)?,
                [] => return None,
                _ => match whitespace_width(rest) {
                    0 => return Some(rest[0]),
                    width => self.at += width,
                },
            }
        }
    }

    pub(super) fn eat(&mut self, punctuator: &str) -> Option<()> {
        self.peek()?;
        let is_there = self.source.as_bytes()[self.at..].starts_with(punctuator.as_bytes());
        is_there.then(|| self.at += punctuator.len())
    }

    /// One keyword or identifier.
    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        let mut lookahead = self.clone();
        (lookahead.identifier()? == word).then(|| *self = lookahead)
    }

    pub(super) fn identifier(&mut self) -> Option<&'s str> {
        let first = self.peek()?;
        if !is_identifier_byte(first) || first.is_ascii_digit() || matches!(first, b'\\' | b'#') {
            return None;
        }
        let end = identifier_end(self.source.as_bytes(), self.at);
        let name = &self.source[self.at..end];
        self.at = end;
        (!name.contains(['\\', '#'])).then_some(name)
    }

    /// The value of a string literal.
    pub(super) fn string_literal(&mut self) -> Option<String> {
        let quote = self.peek()?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let end = string_end(self.source.as_bytes(), self.at)?;
        let inner = &self.source[self.at + 1..end - 1];
        self.at = end;
        if inner.contains('\\') { unescape(inner) } else { Some(inner.to_owned()) }
    }

    /// `require('x')`
    pub(super) fn require(&mut self) -> Option<String> {
        self.word("require")?;
        self.required()
    }

    /// `('x')`
    pub(super) fn required(&mut self) -> Option<String> {
        self.eat("(")?;
        let specifier = self.string_literal()?;
        self.eat(")")?;
        Some(specifier)
    }

    /// `exports`, `module.exports`
    pub(super) fn exports(&mut self) -> Option<()> {
        if self.word("module").is_some() {
            self.eat(".")?;
        }
        self.word("exports")
    }

    /// `, { enumerable: true, value:`, or a whole getter that returns a name or a member of one.
    pub(super) fn harmless_descriptor(&mut self) -> Option<()> {
        self.eat(",")?;
        self.eat("{")?;
        if self.word("enumerable").is_some() {
            self.eat(":")?;
            self.word("true")?;
            self.eat(",")?;
        }
        if self.word("value").is_some() {
            return self.eat(":");
        }
        self.getter_head()?;
        self.identifier()?;
        if self.eat(".").is_some() {
            self.identifier()?;
        } else if self.eat("[").is_some() {
            self.string_literal()?;
            self.eat("]")?;
        }
        self.getter_tail()
    }

    /// `get: function name() { return`
    pub(super) fn getter_head(&mut self) -> Option<()> {
        self.word("get")?;
        if self.eat(":").is_some() {
            self.word("function")?;
            _ = self.identifier();
        }
        self.eat("(")?;
        self.eat(")")?;
        self.eat("{")?;
        self.word("return")
    }

    /// `; }, })`
    pub(super) fn getter_tail(&mut self) -> Option<()> {
        _ = self.eat(";");
        self.eat("}")?;
        _ = self.eat(",");
        self.eat("}")?;
        self.eat(")")
    }

    /// After `import`: whether this is `import()` or no import at all.
    pub(super) fn calls_import(mut self) -> bool {
        match self.peek() {
            Some(b'(' | b':' | b'=' | b',') | None => true,
            Some(b'"' | b'\'' | b'{' | b'*' | b'.') => false,
            // `import name`
            Some(byte) => !is_identifier_byte(byte),
        }
    }

    /// After `export`: whether this is no export.
    pub(super) fn exports_nothing(mut self) -> bool {
        match self.peek() {
            Some(b'{' | b'*') => false,
            Some(byte) => !is_identifier_byte(byte),
            None => true,
        }
    }
}

pub(super) fn is_identifier_char(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '$')
        || (!character.is_ascii() && !character.is_whitespace())
}

/// The value of a string literal with escapes. None for lone surrogates.
fn unescape(inner: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    let push =
        |units: &mut Vec<u16>, character: char| units.extend_from_slice(character.encode_utf16(&mut [0; 2]));
    while let Some(character) = characters.next() {
        if character != '\\' {
            push(&mut units, character);
            continue;
        }
        match characters.next()? {
            'n' => units.push(10),
            't' => units.push(9),
            'r' => units.push(13),
            'b' => units.push(8),
            'v' => units.push(11),
            'f' => units.push(12),
            '\r' => _ = characters.next_if_eq(&'\n'),
            '\n' | '\u{2028}' | '\u{2029}' => {}
            digit @ '0'..='7' => {
                let mut value = digit as u32 - 48;
                while let Some(next) = characters.next_if(|next| next.is_digit(8) && value < 32) {
                    value = value * 8 + next as u32 - 48;
                }
                units.push(value as u16);
            }
            'x' => {
                let digits: String = characters.by_ref().take(2).collect();
                units.push(u16::from_str_radix(&digits, 16).ok()?);
            }
            'u' if characters.next_if_eq(&'{').is_some() => {
                let digits: String = characters.by_ref().take_while(|character| *character != '}').collect();
                let code = u32::from_str_radix(&digits, 16).ok()?;
                match (char::from_u32(code), u16::try_from(code)) {
                    (Some(character), _) => push(&mut units, character),
                    // A surrogate; its other half may follow.
                    (None, Ok(half)) => units.push(half),
                    (None, Err(_)) => return None,
                }
            }
            'u' => {
                let digits: String = characters.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).ok()?);
            }
            other => push(&mut units, other),
        }
    }
    String::from_utf16(&units).ok()
}

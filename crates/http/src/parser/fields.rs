//! Header fields and trailers (RFC 9110, 5 and 6.5). In: lines. Out: names and values as one
//! string, and what they say about the framing of the body and the connection. A field that affects
//! framing must not be folded (obs-fold, RFC 9112, 5.2): parsers disagree about folded fields.

use super::framing::Framing;
use super::start_line::push_latin1;
use super::{ErrorCode, ParseError};

/// A name and a value.
type Pair<'l> = (&'l [u8], &'l [u8]);

/// Deviations from the RFC that are accepted.
#[derive(Clone, Copy, Default)]
pub(super) struct FieldRules {
    /// Values may continue on the next line (obs-fold).
    pub allow_obs_fold: bool,
    /// Values may contain any bytes except line ends.
    pub allow_any_byte: bool,
}

#[derive(Default)]
pub(super) struct Fields {
    pub text: String,
    rules: FieldRules,
    has_any: bool,
    /// The last field affects framing, so it must not be folded.
    is_single_line: bool,
    pub framing: Framing,
}

impl Fields {
    pub fn begin(text: String, rules: FieldRules) -> Fields {
        Fields { text, rules, ..Fields::default() }
    }

    /// Returns the number of bytes of name and value.
    pub fn add(&mut self, line: &[u8]) -> Result<usize, ParseError> {
        let Some((name, value)) = self.add_parts(line)? else { return Ok(line.len()) };
        self.is_single_line = self.framing.add(name, value)?;
        Ok(name.len() + value.len())
    }

    /// Trailers must not affect framing (RFC 9110, 6.5.1): parsers that accepted such a trailer
    /// would see other messages.
    pub fn add_trailer(&mut self, line: &[u8]) -> Result<usize, ParseError> {
        let Some((name, value)) = self.add_parts(line)? else { return Ok(line.len()) };
        if name.eq_ignore_ascii_case(b"content-length") && !self.rules.allow_any_byte {
            return Err(ParseError::new(
                ErrorCode::InvalidContentLength,
                "Content-Length can't be present with Transfer-Encoding",
            ));
        }
        if name.eq_ignore_ascii_case(b"transfer-encoding") && !self.rules.allow_any_byte {
            return Err(ParseError::new(
                ErrorCode::InvalidTransferEncoding,
                "Invalid `Transfer-Encoding` header value",
            ));
        }
        Ok(name.len() + value.len())
    }

    /// `None`: the line continues the previous value.
    fn add_parts<'l>(&mut self, line: &'l [u8]) -> Result<Option<Pair<'l>>, ParseError> {
        if let [b' ' | b'\t', ..] = line {
            return match self.has_any {
                true if self.is_single_line || !self.rules.allow_obs_fold => Err(ParseError::new(
                    ErrorCode::InvalidHeaderToken,
                    "Unexpected whitespace after header value",
                )),
                true => self.append_folded(line).map(|()| None),
                false => {
                    Err(ParseError::new(ErrorCode::UnexpectedSpace, "Unexpected space after start line"))
                }
            };
        }
        let (name, value) = split_field(line)?;
        self.check_value(value).map_err(|error| error.offset_by(line.len() - value.len(), 0))?;
        self.has_any = true;
        push_latin1(&mut self.text, name);
        self.text.push('\n');
        push_latin1(&mut self.text, value);
        self.text.push('\n');
        Ok(Some((name, value)))
    }

    fn check_value(&self, value: &[u8]) -> Result<(), ParseError> {
        if self.rules.allow_any_byte { Ok(()) } else { check_value(value) }
    }

    fn append_folded(&mut self, line: &[u8]) -> Result<(), ParseError> {
        self.check_value(line)?;
        self.text.pop();
        push_latin1(&mut self.text, line.trim_ascii_end());
        self.text.push('\n');
        Ok(())
    }
}

/// Splits a field line at its colon.
pub(super) fn split_field(line: &[u8]) -> Result<Pair<'_>, ParseError> {
    let colon = line.iter().take_while(|&&byte| is_token(byte)).count();
    if colon == 0 || line.get(colon) != Some(&b':') {
        return Err(ParseError::new(ErrorCode::InvalidHeaderToken, "Invalid header token").at(colon));
    }
    Ok((&line[..colon], trim(&line[colon + 1..])))
}

pub(super) fn check_value(value: &[u8]) -> Result<(), ParseError> {
    let is_wrong = |byte: u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
    match value.iter().position(|&byte| is_wrong(byte)) {
        Some(place) => {
            Err(ParseError::new(ErrorCode::InvalidHeaderToken, "Invalid header value char").at(place))
        }
        None => Ok(()),
    }
}

fn trim(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = value {
        value = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}

/// A chunk extension: a name, or a name and a value that may be quoted, or nothing.
pub(super) fn is_extension(text: &[u8]) -> bool {
    let name = text.iter().take_while(|&&byte| is_token(byte)).count();
    match &text[name..] {
        [] => true,
        [b'=', b'"', value @ .., b'"'] => {
            name > 0 && value.iter().all(|&byte| byte >= b' ' && byte != 0x7f && byte != b'"')
        }
        [b'=', value @ ..] => name > 0 && value.iter().all(|&byte| is_token(byte)),
        _ => false,
    }
}

/// RFC 9110, 5.6.2.
pub(super) fn is_token(byte: u8) -> bool {
    TOKEN_BYTES[usize::from(byte)]
}

const TOKEN_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let symbols = b"!#$%&'*+-.^_`|~";
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut index = 0;
    while index < symbols.len() {
        table[symbols[index] as usize] = true;
        index += 1;
    }
    table
};

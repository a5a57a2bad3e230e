//! Header fields and trailers (RFC 9110, 5 and 6.5). In: lines. Out: names and values as one
//! string, and what they say about the framing of the body and the connection. A field that affects
//! framing must not be folded (obs-fold, RFC 9112, 5.2): parsers disagree about folded fields.

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
    pub content_length: Option<u64>,
    /// There is a `Transfer-Encoding`; `is_chunked`: its last coding is `chunked`.
    pub has_transfer_encoding: bool,
    pub is_chunked: bool,
    content_length_is_first: bool,
    pub connection_close: bool,
    pub connection_keep_alive: bool,
    connection_upgrade: bool,
    has_upgrade: bool,
}

impl Fields {
    pub fn begin(text: String, rules: FieldRules) -> Fields {
        Fields { text, rules, ..Fields::default() }
    }

    pub fn is_upgrade(&self) -> bool {
        self.connection_upgrade && self.has_upgrade
    }

    /// Both `Content-Length` and `Transfer-Encoding` are present.
    pub fn conflicting_framing(&self) -> ParseError {
        match self.content_length_is_first {
            true => ParseError::new(
                ErrorCode::InvalidTransferEncoding,
                "Transfer-Encoding can't be present with Content-Length",
            ),
            false => ParseError::new(
                ErrorCode::InvalidContentLength,
                "Content-Length can't be present with Transfer-Encoding",
            ),
        }
    }

    /// Returns the number of bytes of name and value.
    pub fn add(&mut self, line: &[u8]) -> Result<usize, ParseError> {
        let Some((name, value)) = self.add_parts(line)? else { return Ok(line.len()) };
        let before = (self.has_transfer_encoding, self.content_length, self.has_upgrade);
        self.interpret(name, value)?;
        self.is_single_line = name.len() == 10 && name.eq_ignore_ascii_case(b"connection")
            || before != (self.has_transfer_encoding, self.content_length, self.has_upgrade);
        Ok(name.len() + value.len())
    }

    fn interpret(&mut self, name: &[u8], value: &[u8]) -> Result<(), ParseError> {
        match name.len() {
            7 if name.eq_ignore_ascii_case(b"upgrade") => self.has_upgrade = true,
            10 if name.eq_ignore_ascii_case(b"connection") => self.add_connection(value),
            16 if name.eq_ignore_ascii_case(b"proxy-connection") => self.add_connection(value),
            14 if name.eq_ignore_ascii_case(b"content-length") => self.add_length(value)?,
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                self.add_coding(value)?;
            }
            _ => {}
        }
        Ok(())
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
        let colon = line.iter().take_while(|&&byte| is_token(byte)).count();
        if colon == 0 || line.get(colon) != Some(&b':') {
            return Err(ParseError::new(ErrorCode::InvalidHeaderToken, "Invalid header token").at(colon));
        }
        let (name, value) = (&line[..colon], trim(&line[colon + 1..]));
        self.check_value(value).map_err(|error| error.offset_by(line.len() - value.len(), 0))?;
        self.has_any = true;
        push_latin1(&mut self.text, name);
        self.text.push('\n');
        push_latin1(&mut self.text, value);
        self.text.push('\n');
        Ok(Some((name, value)))
    }

    fn check_value(&self, value: &[u8]) -> Result<(), ParseError> {
        let is_wrong = |byte: u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
        match value.iter().position(|&byte| is_wrong(byte) && !self.rules.allow_any_byte) {
            Some(place) => {
                Err(ParseError::new(ErrorCode::InvalidHeaderToken, "Invalid header value char").at(place))
            }
            None => Ok(()),
        }
    }

    fn append_folded(&mut self, line: &[u8]) -> Result<(), ParseError> {
        self.check_value(line)?;
        self.text.pop();
        push_latin1(&mut self.text, line.trim_ascii_end());
        self.text.push('\n');
        Ok(())
    }

    /// Rejects codings after `chunked`: only some parsers would apply them.
    fn add_coding(&mut self, value: &[u8]) -> Result<(), ParseError> {
        for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            if self.is_chunked {
                return Err(ParseError::new(
                    ErrorCode::InvalidTransferEncoding,
                    "Invalid `Transfer-Encoding` header value",
                ));
            }
            self.is_chunked = coding.eq_ignore_ascii_case(b"chunked");
            if !coding.is_empty() && !self.has_transfer_encoding {
                self.has_transfer_encoding = true;
                self.content_length_is_first = self.content_length.is_some();
            }
        }
        Ok(())
    }

    fn add_connection(&mut self, value: &[u8]) {
        for word in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            self.connection_close |= word.eq_ignore_ascii_case(b"close");
            self.connection_keep_alive |= word.eq_ignore_ascii_case(b"keep-alive");
            self.connection_upgrade |= word.eq_ignore_ascii_case(b"upgrade");
        }
    }

    fn add_length(&mut self, value: &[u8]) -> Result<(), ParseError> {
        if self.content_length.is_some() {
            return Err(ParseError::new(ErrorCode::UnexpectedContentLength, "Duplicate Content-Length"));
        }
        let wrong = |reason| ParseError::new(ErrorCode::InvalidContentLength, reason);
        if value.is_empty() {
            return Err(wrong("Empty Content-Length"));
        }
        let mut length: u64 = 0;
        for &byte in value {
            if !byte.is_ascii_digit() {
                return Err(wrong("Invalid character in Content-Length"));
            }
            let next = length.checked_mul(10).and_then(|length| length.checked_add((byte - b'0').into()));
            length = next.ok_or_else(|| wrong("Content-Length overflow"))?;
        }
        self.content_length = Some(length);
        Ok(())
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
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

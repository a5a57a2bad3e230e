//! The fields of a head. In: lines. Out: their names and values as one text; what they say of the
//! message's body and of the connection. What says something of the body is refused where it goes
//! on in the next line: readers disagree about that.

use super::first_line::push_latin1;
use super::{Code, Fault};

/// A name and a value.
type Pair<'l> = (&'l [u8], &'l [u8]);

/// What is taken that is not as it should be.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules {
    /// Values may go on in the next line.
    pub may_go_on: bool,
    /// Values may have any bytes but line ends.
    pub takes_any_byte: bool,
}

#[derive(Default)]
pub(super) struct Fields {
    pub text: String,
    rules: Rules,
    has_any: bool,
    /// The last one says something of the message: it cannot go on in the next line.
    is_single_line: bool,
    pub length: Option<u64>,
    /// There is a `Transfer-Encoding`, and whether its last is `chunked`.
    pub is_coded: bool,
    pub is_chunked: bool,
    length_came_first: bool,
    pub says_close: bool,
    pub says_keep_alive: bool,
    says_upgrade: bool,
    has_upgrade: bool,
}

impl Fields {
    pub fn begin(text: String, rules: Rules) -> Fields {
        Fields { text, rules, ..Fields::default() }
    }

    pub fn is_upgrade(&self) -> bool {
        self.says_upgrade && self.has_upgrade
    }

    /// Two ways to know where the body ends.
    pub fn both(&self) -> Fault {
        match self.length_came_first {
            true => Fault::new(
                Code::InvalidTransferEncoding,
                "Transfer-Encoding can't be present with Content-Length",
            ),
            false => Fault::new(
                Code::InvalidContentLength,
                "Content-Length can't be present with Transfer-Encoding",
            ),
        }
    }

    /// How many bytes name and value have.
    pub fn add(&mut self, line: &[u8]) -> Result<usize, Fault> {
        let Some((name, value)) = self.add_parts(line)? else { return Ok(line.len()) };
        let before = (self.is_coded, self.length, self.has_upgrade);
        self.note(name, value)?;
        self.is_single_line = name.len() == 10 && name.eq_ignore_ascii_case(b"connection")
            || before != (self.is_coded, self.length, self.has_upgrade);
        Ok(name.len() + value.len())
    }

    fn note(&mut self, name: &[u8], value: &[u8]) -> Result<(), Fault> {
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

    /// Trailers say nothing of where the body ends: whoever believed one that did would read other
    /// messages.
    pub fn add_trailer(&mut self, line: &[u8]) -> Result<usize, Fault> {
        let Some((name, value)) = self.add_parts(line)? else { return Ok(line.len()) };
        if name.eq_ignore_ascii_case(b"content-length") && !self.rules.takes_any_byte {
            return Err(Fault::new(
                Code::InvalidContentLength,
                "Content-Length can't be present with Transfer-Encoding",
            ));
        }
        if name.eq_ignore_ascii_case(b"transfer-encoding") && !self.rules.takes_any_byte {
            return Err(Fault::new(
                Code::InvalidTransferEncoding,
                "Invalid `Transfer-Encoding` header value",
            ));
        }
        Ok(name.len() + value.len())
    }

    /// `None`: the line goes on with the value before.
    fn add_parts<'l>(&mut self, line: &'l [u8]) -> Result<Option<Pair<'l>>, Fault> {
        if let [b' ' | b'\t', ..] = line {
            return match self.has_any {
                true if self.is_single_line || !self.rules.may_go_on => {
                    Err(Fault::new(Code::InvalidHeaderToken, "Unexpected whitespace after header value"))
                }
                true => self.go_on(line).map(|()| None),
                false => Err(Fault::new(Code::UnexpectedSpace, "Unexpected space after start line")),
            };
        }
        let colon = line.iter().take_while(|&&byte| is_token(byte)).count();
        if colon == 0 || line.get(colon) != Some(&b':') {
            return Err(Fault::new(Code::InvalidHeaderToken, "Invalid header token").at(colon));
        }
        let (name, value) = (&line[..colon], trim(&line[colon + 1..]));
        self.check_value(value).map_err(|fault| fault.behind(line.len() - value.len(), 0))?;
        self.has_any = true;
        push_latin1(&mut self.text, name);
        self.text.push('\n');
        push_latin1(&mut self.text, value);
        self.text.push('\n');
        Ok(Some((name, value)))
    }

    fn check_value(&self, value: &[u8]) -> Result<(), Fault> {
        let is_wrong = |byte: u8| byte < b' ' && byte != b'\t' || byte == 0x7f;
        match value.iter().position(|&byte| is_wrong(byte) && !self.rules.takes_any_byte) {
            Some(place) => Err(Fault::new(Code::InvalidHeaderToken, "Invalid header value char").at(place)),
            None => Ok(()),
        }
    }

    fn go_on(&mut self, line: &[u8]) -> Result<(), Fault> {
        self.check_value(line)?;
        self.text.pop();
        push_latin1(&mut self.text, line.trim_ascii_end());
        self.text.push('\n');
        Ok(())
    }

    /// Whatever comes behind `chunked` would be read by some only.
    fn add_coding(&mut self, value: &[u8]) -> Result<(), Fault> {
        for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            if self.is_chunked {
                return Err(Fault::new(
                    Code::InvalidTransferEncoding,
                    "Invalid `Transfer-Encoding` header value",
                ));
            }
            self.is_chunked = coding.eq_ignore_ascii_case(b"chunked");
            if !coding.is_empty() && !self.is_coded {
                self.is_coded = true;
                self.length_came_first = self.length.is_some();
            }
        }
        Ok(())
    }

    fn add_connection(&mut self, value: &[u8]) {
        for word in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            self.says_close |= word.eq_ignore_ascii_case(b"close");
            self.says_keep_alive |= word.eq_ignore_ascii_case(b"keep-alive");
            self.says_upgrade |= word.eq_ignore_ascii_case(b"upgrade");
        }
    }

    fn add_length(&mut self, value: &[u8]) -> Result<(), Fault> {
        if self.length.is_some() {
            return Err(Fault::new(Code::UnexpectedContentLength, "Duplicate Content-Length"));
        }
        let wrong = |reason| Fault::new(Code::InvalidContentLength, reason);
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
        self.length = Some(length);
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

/// A name, or a name and a value, which may be quoted; or nothing.
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

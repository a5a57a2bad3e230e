//! The fields of a head. In: lines. Out: their names and values as one text; what they say of the message's body and of the connection. Values that go on in the next
//! line are refused: readers disagree about them.

use super::first_line::push_latin1;
use super::{Code, Fault};

#[derive(Default)]
pub(super) struct Fields {
    pub text: String,
    has_any: bool,
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
    pub fn begin(text: String) -> Fields {
        Fields { text, ..Fields::default() }
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

    pub fn add(&mut self, line: &[u8]) -> Result<(), Fault> {
        let (name, value) = self.add_trailer_parts(line)?;
        match name.len() {
            7 if name.eq_ignore_ascii_case(b"upgrade") => self.has_upgrade = true,
            10 if name.eq_ignore_ascii_case(b"connection") => self.add_connection(value),
            16 if name.eq_ignore_ascii_case(b"proxy-connection") => self.add_connection(value),
            14 if name.eq_ignore_ascii_case(b"content-length") => self.add_length(value)?,
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
                self.is_coded = true;
                self.length_came_first = self.length.is_some();
                let last = value.rsplit(|&byte| byte == b',').next().unwrap_or_default();
                self.is_chunked = last.trim_ascii().eq_ignore_ascii_case(b"chunked");
            }
            _ => {}
        }
        Ok(())
    }

    /// Trailers say nothing of the message.
    pub fn add_trailer(&mut self, line: &[u8]) -> Result<(), Fault> {
        self.add_trailer_parts(line).map(|_| ())
    }

    fn add_trailer_parts<'l>(&mut self, line: &'l [u8]) -> Result<(&'l [u8], &'l [u8]), Fault> {
        if let [b' ' | b'\t', ..] = line {
            return Err(match self.has_any {
                true => Fault::new(Code::InvalidHeaderToken, "Unexpected whitespace after header value"),
                false => Fault::new(Code::UnexpectedSpace, "Unexpected space after start line"),
            });
        }
        let wrong = || Fault::new(Code::InvalidHeaderToken, "Invalid header token");
        let colon = line.iter().position(|&byte| byte == b':').ok_or_else(wrong)?;
        let (name, value) = (&line[..colon], trim(&line[colon + 1..]));
        if name.is_empty() || !name.iter().all(|&byte| is_token(byte)) {
            return Err(wrong());
        }
        if value.iter().any(|&byte| byte < b' ' && byte != b'\t' || byte == 0x7f) {
            return Err(Fault::new(Code::InvalidHeaderToken, "Invalid header value char"));
        }
        self.has_any = true;
        push_latin1(&mut self.text, name);
        self.text.push('\n');
        push_latin1(&mut self.text, value);
        self.text.push('\n');
        Ok((name, value))
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
            return Err(Fault::new(Code::UnexpectedContentLength, "Content-Length already present"));
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

/// RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

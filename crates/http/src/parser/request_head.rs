//! Request head parser in place: the same grammar as [`Parser`](super::Parser), for servers that
//! hold the head in one buffer. In: the bytes of a connection from the beginning of a head. Out:
//! where method, target, names and values are in them, and the framing. Nothing is copied. Absent:
//! bodies; the meaning of other fields.

use memchr::memchr;

use super::fields::{check_value, split_field};
use super::framing::{BodyFraming, Framing};
use super::start_line::{
    HTTP2_PREFACE_METHOD, METHODS, check_prefix, check_target, no_method, no_space, request_version,
};
use super::{ErrorCode, MessageKind, ParseError, overflow};

/// Most fields of one head. The memory for their spans is a multiple of the smallest field.
const FIELDS_MAX: usize = 256;

/// A part of the buffer that begins with the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextSpan {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpan {
    pub name: TextSpan,
    pub value: TextSpan,
}

/// A parsed head. It is reused for the requests of a connection.
#[derive(Clone, Debug, Default)]
pub struct RequestHead {
    /// Index into [`METHODS`].
    pub method: usize,
    pub target: TextSpan,
    pub version: (u8, u8),
    pub fields: Vec<FieldSpan>,
    pub framing: Framing,
    pub body: Option<BodyFraming>,
}

impl TextSpan {
    fn of(buffer: &[u8], part: &[u8]) -> TextSpan {
        let start = part.as_ptr().addr() - buffer.as_ptr().addr();
        TextSpan { start: start as u32, end: (start + part.len()) as u32 }
    }

    /// The bytes, in the buffer that was parsed.
    pub fn of_buffer(self, buffer: &[u8]) -> &[u8] {
        &buffer[self.start as usize..self.end as usize]
    }
}

impl RequestHead {
    /// Parses a head; `None` if it is incomplete. Returns its length in bytes, with the blank line.
    /// `bytes_max`: limit of that length, less than 4 GiB.
    pub fn parse(&mut self, bytes: &[u8], bytes_max: usize) -> Result<Option<usize>, ParseError> {
        // Some old clients send extra line ends after a body (RFC 9112, 2.2).
        let mut at = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.fields.clear();
        self.framing = Framing::default();
        self.body = None;
        let Some(line) = next_line(bytes, &mut at, bytes_max)? else {
            return check_prefix(MessageKind::Request, &bytes[at..]).map(|()| None);
        };
        self.parse_request_line(bytes, line?)?;
        loop {
            let Some(line) = next_line(bytes, &mut at, bytes_max)? else { return Ok(None) };
            let line = line?;
            if line.is_empty() {
                self.end()?;
                return Ok(Some(at));
            }
            self.parse_field(bytes, line)?;
        }
    }

    pub fn method_name(&self) -> &'static str {
        METHODS[self.method]
    }

    /// The first value of a field, by its name in lower case.
    pub fn field<'b>(&self, buffer: &'b [u8], name: &[u8]) -> Option<&'b [u8]> {
        self.values(buffer, name).next()
    }

    /// All values of a field, in order.
    pub fn values<'a, 'b>(&'a self, buffer: &'b [u8], name: &'a [u8]) -> impl Iterator<Item = &'b [u8]> + 'a
    where
        'b: 'a,
    {
        let fields = self.fields.iter();
        fields
            .filter(move |field| field.name.of_buffer(buffer).eq_ignore_ascii_case(name))
            .map(|field| field.value.of_buffer(buffer))
    }

    fn parse_request_line(&mut self, bytes: &[u8], line: &[u8]) -> Result<(), ParseError> {
        let method_end = memchr(b' ', line).ok_or_else(|| no_space().at(line.len()))?;
        let method = &line[..method_end];
        let target_begin = method_end + line[method_end..].iter().take_while(|&&byte| byte == b' ').count();
        let rest = &line[target_begin..];
        let target = &rest[..memchr(b' ', rest).unwrap_or(rest.len())];
        let known = METHODS.iter().position(|known| known.as_bytes() == method);
        check_target(target, method == b"CONNECT")?;
        if method == HTTP2_PREFACE_METHOD.as_bytes() {
            return Err(ParseError::new(ErrorCode::PausedH2Upgrade, "Pause on PRI/Upgrade"));
        }
        self.method = known.ok_or_else(no_method)?;
        let version_begin = line.len().min(target_begin + target.len() + 1);
        self.version = match &line[version_begin..] {
            // HTTP/0.9 requests have no version.
            [] => (0, 9),
            text => request_version(text)?,
        };
        self.target = TextSpan::of(bytes, target);
        Ok(())
    }

    fn parse_field(&mut self, bytes: &[u8], line: &[u8]) -> Result<(), ParseError> {
        if let [b' ' | b'\t', ..] = line {
            let reason = "Unexpected whitespace after header value";
            return Err(ParseError::new(ErrorCode::InvalidHeaderToken, reason));
        }
        let (name, value) = split_field(line)?;
        check_value(value)?;
        if self.fields.len() == FIELDS_MAX {
            return Err(overflow());
        }
        self.framing.add(name, value)?;
        let field = FieldSpan { name: TextSpan::of(bytes, name), value: TextSpan::of(bytes, value) };
        self.fields.push(field);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ParseError> {
        self.framing.check_conflict()?;
        self.body = Some(self.framing.request_body());
        match self.body {
            Some(BodyFraming::Unknown) => {
                let reason = "Request has invalid `Transfer-Encoding`";
                Err(ParseError::new(ErrorCode::InvalidTransferEncoding, reason))
            }
            _ => Ok(()),
        }
    }
}

type Line<'b> = Result<&'b [u8], ParseError>;

/// A complete line without its line end, or what is wrong with it; `None` if it is incomplete.
fn next_line<'b>(bytes: &'b [u8], at: &mut usize, bytes_max: usize) -> Result<Option<Line<'b>>, ParseError> {
    let rest = &bytes[*at..];
    let Some(end) = memchr(b'\n', rest) else {
        return if bytes.len() >= bytes_max { Err(overflow()) } else { Ok(None) };
    };
    *at += end + 1;
    if *at > bytes_max {
        return Err(overflow());
    }
    Ok(Some(match &rest[..end] {
        [line @ .., b'\r'] if memchr(b'\r', line).is_none() => Ok(line),
        _ => Err(ParseError::new(ErrorCode::CrExpected, "Missing expected CR at the end of a line")),
    }))
}

#[cfg(test)]
mod tests;

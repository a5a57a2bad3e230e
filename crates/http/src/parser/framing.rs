//! Framing of a message's body and connection, from its fields (RFC 9112, 6 and 9). In: names and
//! values. Out: where the body ends, whether the connection stays. What two parsers could read
//! differently is an error: duplicate lengths, codings after `chunked`, a length beside a coding.

use super::{ErrorCode, ParseError};

/// How the end of a body is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFraming {
    None,
    /// A request whose end cannot be determined.
    Unknown,
    Length(u64),
    Chunked,
    UntilClose,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Framing {
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

impl Framing {
    /// Returns whether the field affects framing, so that it must not be folded.
    pub(super) fn add(&mut self, name: &[u8], value: &[u8]) -> Result<bool, ParseError> {
        let before = (self.has_transfer_encoding, self.content_length, self.has_upgrade);
        match name.len() {
            7 if name.eq_ignore_ascii_case(b"upgrade") => self.has_upgrade = true,
            10 if name.eq_ignore_ascii_case(b"connection") => {
                self.add_connection(value);
                return Ok(true);
            }
            16 if name.eq_ignore_ascii_case(b"proxy-connection") => self.add_connection(value),
            14 if name.eq_ignore_ascii_case(b"content-length") => self.add_length(value)?,
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => self.add_coding(value)?,
            _ => return Ok(false),
        }
        Ok(before != (self.has_transfer_encoding, self.content_length, self.has_upgrade))
    }

    /// Whether the connection may switch to another protocol.
    pub fn is_upgrade(&self) -> bool {
        self.connection_upgrade && self.has_upgrade
    }

    /// Whether another message may follow on the connection.
    pub fn should_keep_alive(&self, version: (u8, u8)) -> bool {
        match version >= (1, 1) {
            true => !self.connection_close,
            false => self.connection_keep_alive,
        }
    }

    /// Both `Content-Length` and `Transfer-Encoding` are present.
    pub(super) fn check_conflict(&self) -> Result<(), ParseError> {
        if self.content_length.is_none() || !self.has_transfer_encoding {
            return Ok(());
        }
        Err(match self.content_length_is_first {
            true => ParseError::new(
                ErrorCode::InvalidTransferEncoding,
                "Transfer-Encoding can't be present with Content-Length",
            ),
            false => ParseError::new(
                ErrorCode::InvalidContentLength,
                "Content-Length can't be present with Transfer-Encoding",
            ),
        })
    }

    /// The body of a request (RFC 9112, 6.3).
    pub(super) fn request_body(&self) -> BodyFraming {
        match (self.has_transfer_encoding, self.content_length) {
            (true, _) if self.is_chunked => BodyFraming::Chunked,
            (true, _) => BodyFraming::Unknown,
            (false, None | Some(0)) => BodyFraming::None,
            (false, Some(bytes)) => BodyFraming::Length(bytes),
        }
    }

    /// Rejects codings after `chunked`: only some parsers would apply them.
    fn add_coding(&mut self, value: &[u8]) -> Result<(), ParseError> {
        // Also without a value, which a request must not have: only some parsers would ignore it.
        if !self.has_transfer_encoding {
            self.has_transfer_encoding = true;
            self.content_length_is_first = self.content_length.is_some();
        }
        for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            if self.is_chunked {
                return Err(ParseError::new(
                    ErrorCode::InvalidTransferEncoding,
                    "Invalid `Transfer-Encoding` header value",
                ));
            }
            self.is_chunked = coding.eq_ignore_ascii_case(b"chunked");
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

//! Rules for messages in HTTP/2 (RFC 9113, section 8): pseudo-header fields, fields of a
//! connection, the length of a content. In: fields of a header block. Out: whether a field is kept,
//! ignored, or an error of the stream. Which of them is nghttp2's choice.

use crate::hpack::HeaderField;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Request,
    Response,
    Trailers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldVerdict {
    Keep,
    Ignore,
    Malformed,
}

/// Fields that belong to a connection (RFC 9113, section 8.2.2).
const CONNECTION_FIELDS: [&[u8]; 5] =
    [b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"];
const REQUEST_PSEUDO: [&[u8]; 5] = [b":method", b":scheme", b":path", b":authority", b":protocol"];

/// What a stream knows about the message that it receives.
#[derive(Debug, Default)]
pub struct MessageProgress {
    pub has_final_headers: bool,
    content_length: Option<u64>,
    content_bytes: u64,
    /// The request that is answered has this method.
    pub is_head: bool,
    pub is_connect: bool,
}

impl MessageProgress {
    /// False: there is more content than was announced.
    pub fn receive(&mut self, bytes: usize) -> bool {
        self.content_bytes += bytes as u64;
        self.has_final_headers && self.content_length.is_none_or(|length| self.content_bytes <= length)
    }

    pub fn is_complete(&self) -> bool {
        self.is_head || self.content_length.is_none_or(|length| self.content_bytes == length)
    }
}

#[derive(Clone, Copy)]
pub struct FieldRules {
    /// The server has said that it knows RFC 8441.
    pub is_extended_connect_allowed: bool,
    /// Values may not begin or end with white space (RFC 9113, section 8.2.1).
    pub is_whitespace_strict: bool,
}

/// Checks the fields of one block.
pub struct FieldChecker<'m> {
    kind: BlockKind,
    rules: FieldRules,
    message: &'m mut MessageProgress,
    /// By the index in `REQUEST_PSEUDO`.
    seen: [bool; 5],
    has_host: bool,
    has_regular: bool,
    is_options: bool,
    is_http: bool,
    path_first: u8,
    path_bytes: usize,
    status: Option<u16>,
    content_length: Option<u64>,
}

impl<'m> FieldChecker<'m> {
    pub fn new(kind: BlockKind, rules: FieldRules, message: &'m mut MessageProgress) -> Self {
        FieldChecker {
            kind,
            rules,
            message,
            seen: [false; 5],
            has_host: false,
            has_regular: false,
            is_options: false,
            is_http: false,
            path_first: 0,
            path_bytes: 0,
            status: None,
            content_length: None,
        }
    }

    pub fn check(&mut self, field: &HeaderField) -> FieldVerdict {
        let is_pseudo = field.name.first() == Some(&b':');
        if !is_pseudo && !is_field_name(&field.name) {
            let has_upper = field.name.iter().any(u8::is_ascii_uppercase);
            return if has_upper { FieldVerdict::Malformed } else { FieldVerdict::Ignore };
        }
        if !is_field_value(&field.value) || (self.rules.is_whitespace_strict && has_outer_space(&field.value))
        {
            return if is_pseudo { FieldVerdict::Malformed } else { FieldVerdict::Ignore };
        }
        let is_valid = match (is_pseudo, self.kind) {
            (true, BlockKind::Trailers) => false,
            (true, BlockKind::Request) => self.request_pseudo(field),
            (true, BlockKind::Response) => self.response_pseudo(field),
            (false, _) => self.regular(field),
        };
        if is_valid { FieldVerdict::Keep } else { FieldVerdict::Malformed }
    }

    fn request_pseudo(&mut self, field: &HeaderField) -> bool {
        let Some(index) = REQUEST_PSEUDO.iter().position(|name| **name == field.name[..]) else {
            return false;
        };
        if self.has_regular || self.seen[index] {
            return false;
        }
        self.seen[index] = true;
        let value = &field.value[..];
        match index {
            0 => {
                self.message.is_connect = value == b"CONNECT";
                self.is_options = value == b"OPTIONS";
                !value.is_empty() && is_token(value)
            }
            1 => {
                self.is_http = value == b"http" || value == b"https";
                !value.is_empty()
            }
            2 => {
                self.path_first = value.first().copied().unwrap_or(0);
                self.path_bytes = value.len();
                !value.is_empty()
            }
            4 => self.rules.is_extended_connect_allowed,
            _ => true,
        }
    }

    fn response_pseudo(&mut self, field: &HeaderField) -> bool {
        let digits = &field.value[..];
        let is_status =
            field.name == b":status" && digits.len() == 3 && digits.iter().all(u8::is_ascii_digit);
        if self.has_regular || self.status.is_some() || !is_status {
            return false;
        }
        let status = digits.iter().fold(0, |status, digit| status * 10 + u16::from(digit - b'0'));
        self.status = Some(status);
        // Switching protocols does not exist in HTTP/2.
        (100..600).contains(&status) && status != 101
    }

    fn regular(&mut self, field: &HeaderField) -> bool {
        self.has_regular = true;
        match &field.name[..] {
            b"te" => field.value.eq_ignore_ascii_case(b"trailers"),
            b"host" => {
                self.has_host = true;
                true
            }
            b"content-length" if self.kind != BlockKind::Trailers => {
                let length = parse_length(&field.value);
                let is_repeated = self.content_length.is_some();
                self.content_length = length;
                length.is_some() && !is_repeated
            }
            name => !CONNECTION_FIELDS.contains(&name),
        }
    }

    /// The end of the block: whether the message may go on.
    pub fn finish(self, ends_stream: bool) -> bool {
        match self.kind {
            BlockKind::Request => self.finish_request(),
            BlockKind::Response => self.finish_response(ends_stream),
            BlockKind::Trailers => ends_stream,
        }
    }

    fn finish_request(self) -> bool {
        let [method, scheme, path, authority, protocol] = self.seen;
        self.message.has_final_headers = true;
        if self.message.is_connect && !protocol {
            return method && authority && !scheme && !path;
        }
        self.message.content_length = if self.message.is_connect { None } else { self.content_length };
        if protocol && (!self.message.is_connect || !authority) {
            return false;
        }
        let is_path =
            self.path_first == b'/' || (self.is_options && self.path_first == b'*' && self.path_bytes == 1);
        method && scheme && path && (authority || self.has_host) && (!self.is_http || is_path)
    }

    fn finish_response(self, ends_stream: bool) -> bool {
        let Some(status) = self.status else { return false };
        if status < 200 {
            return !ends_stream;
        }
        self.message.has_final_headers = true;
        let has_no_content = status == 204 || status == 304;
        self.message.content_length = match self.content_length {
            Some(length) if status == 204 && length > 0 => return false,
            _ if self.message.is_connect => None,
            _ if has_no_content => Some(0),
            length => length,
        };
        true
    }
}

fn parse_length(value: &[u8]) -> Option<u64> {
    let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(value).ok()?.parse().ok()).flatten()
}

/// A token in lower case.
fn is_field_name(name: &[u8]) -> bool {
    is_token(name) && !name.iter().any(u8::is_ascii_uppercase)
}

fn is_token(octets: &[u8]) -> bool {
    let is_token_octet = |octet: &u8| octet.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(octet);
    !octets.is_empty() && octets.iter().all(is_token_octet)
}

fn has_outer_space(value: &[u8]) -> bool {
    let is_space = |octet: Option<&u8>| matches!(octet, Some(b' ' | b'\t'));
    is_space(value.first()) || is_space(value.last())
}

/// No control characters but a tab.
fn is_field_value(value: &[u8]) -> bool {
    value.iter().all(|octet| (*octet >= b' ' && *octet != 0x7f) || *octet == b'\t')
}

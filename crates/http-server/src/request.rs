//! View of a request's head, as the client sent it. In: the parsed head and its buffer. Out:
//! method, target, path, fields, without copies. Absent: the body.

use std::borrow::Cow;

use rusk_http::parser::{BodyFraming, RequestHead};

use crate::conditional::Conditions;
use crate::router::path_of_target;

#[derive(Clone, Copy)]
pub struct RequestView<'c> {
    pub(crate) head: &'c RequestHead,
    pub(crate) buffer: &'c [u8],
}

impl<'c> RequestView<'c> {
    /// Index into `rusk_http::parser::METHODS`.
    pub fn method(self) -> usize {
        self.head.method
    }

    pub fn method_name(self) -> &'static str {
        self.head.method_name()
    }

    /// The head as it was received, with the blank line.
    pub fn bytes(self) -> &'c [u8] {
        self.buffer
    }

    pub fn target(self) -> &'c [u8] {
        self.head.target.of_buffer(self.buffer)
    }

    /// The path of the target, not decoded.
    pub fn path(self) -> &'c [u8] {
        path_of_target(self.target())
    }

    /// What follows the path, from its `?` on.
    pub(crate) fn query(self) -> &'c [u8] {
        let target = self.target();
        target.iter().position(|byte| *byte == b'?').map_or(b"", |at| &target[at..])
    }

    /// The first value of a field, by its name in lower case.
    pub fn field(self, name: &[u8]) -> Option<&'c [u8]> {
        self.head.field(self.buffer, name)
    }

    /// All values of a field in one, as the Fetch Standard combines them.
    pub fn combined_field(self, name: &[u8]) -> Option<Cow<'c, [u8]>> {
        let mut values = self.head.values(self.buffer, name);
        let first = values.next()?;
        let separator: &[u8] = if name == b"cookie" { b"; " } else { b", " };
        let mut combined = Cow::Borrowed(first);
        for value in values {
            let combined = combined.to_mut();
            combined.extend_from_slice(separator);
            combined.extend_from_slice(value);
        }
        Some(combined)
    }

    /// Names and values in order.
    pub fn fields(self) -> impl Iterator<Item = (&'c [u8], &'c [u8])> {
        let buffer = self.buffer;
        let fields = self.head.fields.iter();
        fields.map(move |field| (field.name.of_buffer(buffer), field.value.of_buffer(buffer)))
    }

    pub(crate) fn conditions(self) -> Conditions<'c> {
        Conditions {
            if_match: self.field(b"if-match"),
            if_unmodified_since: self.field(b"if-unmodified-since"),
            if_none_match: self.field(b"if-none-match"),
            if_modified_since: self.field(b"if-modified-since"),
        }
    }

    pub fn has_body(self) -> bool {
        !matches!(self.head.body, None | Some(BodyFraming::None))
    }

    /// Whether the client offers another protocol on this connection.
    pub fn is_upgrade(self) -> bool {
        self.head.framing.is_upgrade()
    }

    pub fn is_get_or_head(self) -> bool {
        matches!(self.method_name(), "GET" | "HEAD")
    }

    pub(crate) fn is_head(self) -> bool {
        self.method_name() == "HEAD"
    }

    /// Exactly one `Host` in HTTP/1.1, and at most one before; without spaces or a path
    /// (RFC 9112, 3.2).
    pub(crate) fn has_valid_host(self) -> bool {
        let mut hosts = self.head.values(self.buffer, b"host");
        let is_host = |host: &[u8]| {
            host.iter().all(|byte| byte.is_ascii_graphic() && !b"/\\?#@<>^`{|}\"".contains(byte))
        };
        match (hosts.next(), hosts.next()) {
            (Some(host), None) => is_host(host),
            (None, None) => self.head.version < (1, 1),
            _ => false,
        }
    }
}

//! Static responses: rendered once, when a route is added. In: status, fields, body. Out: the bytes
//! of an answer to GET, HEAD, or a request with the response's ETag. Absent: files.

use crate::conditional::{ConditionOutcome, Conditions, Validators, etag_of};
use crate::date::DateField;
use crate::response::{ResponseHead, has_no_body, push_number, reason_phrase};

const NOT_MODIFIED_LINE: &[u8] = b"HTTP/1.1 304 Not Modified\r\n";

pub struct StaticResponse {
    /// Status line and fields up to `Date`.
    head: Vec<u8>,
    /// The same of the 304.
    not_modified_head: Vec<u8>,
    body: Vec<u8>,
    etag: Option<Vec<u8>>,
    pub(crate) has_date: bool,
    pub(crate) closes: bool,
}

impl StaticResponse {
    /// `etag`: of `fields`; without one a status of 200 gets one of the body.
    pub fn new(head: &ResponseHead<'_>, body: Vec<u8>, etag: Option<Vec<u8>>) -> StaticResponse {
        let is_own = etag.is_none() && head.status == 200 && !body.is_empty();
        let etag = if is_own { Some(etag_of(&body)) } else { etag };
        let mut fields = head.fields.to_vec();
        if let (true, Some(etag)) = (is_own, &etag) {
            fields.extend_from_slice(b"ETag: ");
            fields.extend_from_slice(etag);
            fields.extend_from_slice(b"\r\n");
        }
        let usual = reason_phrase(head.status).as_bytes();
        let reason = if head.reason.is_empty() { usual } else { head.reason };
        let mut rendered = b"HTTP/1.1 ".to_vec();
        push_number(&mut rendered, head.status.into());
        rendered.push(b' ');
        rendered.extend_from_slice(reason);
        rendered.extend_from_slice(b"\r\n");
        rendered.extend_from_slice(&fields);
        let body = if has_no_body(head.status) { Vec::new() } else { body };
        if !has_no_body(head.status) {
            rendered.extend_from_slice(b"Content-Length: ");
            push_number(&mut rendered, body.len() as u64);
            rendered.extend_from_slice(b"\r\n");
        }
        let mut not_modified_head = NOT_MODIFIED_LINE.to_vec();
        not_modified_head.extend_from_slice(&fields);
        let (has_date, closes) = (head.has_date, head.closes);
        StaticResponse { head: rendered, not_modified_head, body, etag, has_date, closes }
    }

    /// `connection`: the `Connection` field with its line end, or nothing.
    pub(crate) fn render(
        &self,
        output: &mut Vec<u8>,
        conditions: Conditions<'_>,
        connection: &[u8],
        has_body: bool,
        date: &DateField,
    ) {
        let validators = Validators { etag: self.etag.as_deref(), modified: None };
        let outcome = conditions.evaluate(validators);
        match outcome {
            ConditionOutcome::Proceed => output.extend_from_slice(&self.head),
            ConditionOutcome::NotModified => output.extend_from_slice(&self.not_modified_head),
            ConditionOutcome::Failed => {
                output.extend_from_slice(b"HTTP/1.1 412 Precondition Failed\r\n");
                output.extend_from_slice(&self.not_modified_head[NOT_MODIFIED_LINE.len()..]);
                output.extend_from_slice(b"Content-Length: 0\r\n");
            }
        }
        if !self.has_date {
            output.extend_from_slice(date.line());
        }
        output.extend_from_slice(connection);
        output.extend_from_slice(b"\r\n");
        if has_body && outcome == ConditionOutcome::Proceed {
            output.extend_from_slice(&self.body);
        }
    }
}

//! Response heads (RFC 9112, 4 and 6). In: a status, rendered fields, the framing. Out: bytes.
//! Absent: validation of fields; the caller has checked names and values.

use crate::date::DateField;

/// A response without its body.
#[derive(Clone, Copy, Debug)]
pub struct ResponseHead<'r> {
    pub status: u16,
    /// Empty: the usual one of the status.
    pub reason: &'r [u8],
    /// Field lines, each with its line end; none that affects the framing.
    pub fields: &'r [u8],
    /// `fields` has a `Date`.
    pub has_date: bool,
    /// The connection ends after this response.
    pub closes: bool,
    /// `Content-Length` of a response to HEAD that has no body of its own.
    pub length_of_head: Option<u64>,
}

impl Default for ResponseHead<'_> {
    fn default() -> Self {
        ResponseHead {
            status: 200,
            reason: b"",
            fields: b"",
            has_date: false,
            closes: false,
            length_of_head: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResponseFraming {
    Length(u64),
    Chunked,
    /// HTTP/1.0 has no chunks: the end of the connection is the end of the body.
    UntilClose,
    /// 204, 304: there is no body.
    None,
}

/// What a head says about the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionField {
    /// HTTP/1.1 stays.
    Absent,
    KeepAlive,
    Close,
}

pub(crate) fn render_head(
    output: &mut Vec<u8>,
    head: &ResponseHead<'_>,
    framing: ResponseFraming,
    connection: ConnectionField,
    date: &DateField,
) {
    match (head.status, head.reason) {
        (200, b"") => output.extend_from_slice(b"HTTP/1.1 200 OK\r\n"),
        (status, reason) => {
            output.extend_from_slice(b"HTTP/1.1 ");
            push_number(output, status.into());
            output.push(b' ');
            let usual = reason_phrase(status).as_bytes();
            output.extend_from_slice(if reason.is_empty() { usual } else { reason });
            output.extend_from_slice(b"\r\n");
        }
    }
    output.extend_from_slice(head.fields);
    if !head.has_date {
        output.extend_from_slice(date.line());
    }
    match framing {
        ResponseFraming::Length(bytes) => {
            output.extend_from_slice(b"Content-Length: ");
            push_number(output, bytes);
            output.extend_from_slice(b"\r\n");
        }
        ResponseFraming::Chunked => output.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
        ResponseFraming::UntilClose | ResponseFraming::None => {}
    }
    output.extend_from_slice(match connection {
        ConnectionField::Absent => b"\r\n",
        ConnectionField::KeepAlive => b"Connection: keep-alive\r\n\r\n",
        ConnectionField::Close => b"Connection: close\r\n\r\n",
    });
}

/// Appends a decimal number.
pub(crate) fn push_number(output: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    output.extend_from_slice(&digits[at..]);
}

/// Appends a chunk of a chunked body (RFC 9112, 7.1) of that many bytes, which `push` appends.
pub(crate) fn push_chunk(output: &mut Vec<u8>, count: usize, push: impl FnOnce(&mut Vec<u8>)) {
    if count == 0 {
        return;
    }
    output.reserve(count + 20);
    push_chunk_size(output, count);
    push(output);
    output.extend_from_slice(b"\r\n");
}

/// The line before a chunk.
pub(crate) fn push_chunk_size(output: &mut Vec<u8>, count: usize) {
    let digits = 16 - (count as u64).leading_zeros() as usize / 4;
    for index in (0..digits).rev() {
        output.push(b"0123456789abcdef"[count >> (4 * index) & 15]);
    }
    output.extend_from_slice(b"\r\n");
}

/// Whether responses of this status have no body (RFC 9110, 15).
pub(crate) fn has_no_body(status: u16) -> bool {
    matches!(status, 100..=199 | 204 | 304)
}

/// The reason phrase of the status (RFC 9110, 15, and the registry of status codes).
pub fn reason_phrase(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        102 => "Processing",
        103 => "Early Hints",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        205 => "Reset Content",
        206 => "Partial Content",
        207 => "Multi-Status",
        208 => "Already Reported",
        226 => "IM Used",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        305 => "Use Proxy",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        407 => "Proxy Authentication Required",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Payload Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        416 => "Range Not Satisfiable",
        417 => "Expectation Failed",
        418 => "I'm a Teapot",
        421 => "Misdirected Request",
        422 => "Unprocessable Entity",
        423 => "Locked",
        424 => "Failed Dependency",
        425 => "Too Early",
        426 => "Upgrade Required",
        428 => "Precondition Required",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        506 => "Variant Also Negotiates",
        507 => "Insufficient Storage",
        508 => "Loop Detected",
        510 => "Not Extended",
        511 => "Network Authentication Required",
        _ => "Unknown",
    }
}

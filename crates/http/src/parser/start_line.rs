//! Start lines: request line and status line (RFC 9112, 3 and 4). In: bytes of the line. Out:
//! method and target, or status and reason phrase; the version. Absent: validation of the target
//! beyond its characters.

use super::{ErrorCode, MessageKind, ParseError};

/// llhttp's methods of HTTP.
pub const METHODS: &[&str] = &[
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "CONNECT",
    "OPTIONS",
    "TRACE",
    "PATCH",
    "COPY",
    "LOCK",
    "MKCOL",
    "MOVE",
    "PROPFIND",
    "PROPPATCH",
    "SEARCH",
    "UNLOCK",
    "BIND",
    "REBIND",
    "UNBIND",
    "ACL",
    "REPORT",
    "MKACTIVITY",
    "CHECKOUT",
    "MERGE",
    "M-SEARCH",
    "NOTIFY",
    "SUBSCRIBE",
    "UNSUBSCRIBE",
    "PURGE",
    "MKCALENDAR",
    "LINK",
    "UNLINK",
    "SOURCE",
    "QUERY",
];

/// Methods of RTSP, which llhttp accepts as a prefix.
const OTHER_METHODS: &[&str] = &[
    "DESCRIBE",
    "ANNOUNCE",
    "SETUP",
    "PLAY",
    "PAUSE",
    "TEARDOWN",
    "GET_PARAMETER",
    "SET_PARAMETER",
    "REDIRECT",
    "RECORD",
    "FLUSH",
];

/// First word of HTTP/2's connection preface (RFC 9113, 3.4).
pub(super) const HTTP2_PREFACE_METHOD: &str = "PRI";

const VERSIONS: &[(u8, u8)] = &[(0, 9), (1, 0), (1, 1), (2, 0)];

#[derive(Default)]
pub(super) struct StartLine {
    /// First part of [`Head::text`](super::Head::text).
    pub text: String,
    pub status: u16,
    pub version: (u8, u8),
    pub is_connect: bool,
    /// Bytes of the target, or of the reason phrase, that count towards the limit.
    pub limited_bytes: usize,
}

/// Rejects what cannot become a start line before it is complete.
pub(super) fn check_prefix(kind: MessageKind, bytes: &[u8]) -> Result<(), ParseError> {
    let begins = |word: &[u8]| {
        let count = bytes.len().min(word.len());
        bytes[..count] == word[..count]
    };
    match kind {
        MessageKind::Response if begins(b"HTTP/") => Ok(()),
        MessageKind::Response => Err(no_constant()),
        MessageKind::Request if begins(HTTP2_PREFACE_METHOD.as_bytes()) => Ok(()),
        MessageKind::Request => {
            let ends = |method: &str| bytes.get(method.len()).is_none_or(|&byte| byte == b' ');
            let mut known = METHODS.iter().filter(|method| begins(method.as_bytes())).peekable();
            let Some(first) = known.peek().map(|method| method.len()) else {
                return Err(no_method().at(common_prefix_bytes(bytes)));
            };
            match known.any(|method| ends(method)) {
                true => Ok(()),
                false => Err(no_space().at(first)),
            }
        }
    }
}

/// Length of the longest common prefix with a known method, including those of other protocols.
fn common_prefix_bytes(bytes: &[u8]) -> usize {
    let common = |method: &&str| method.bytes().zip(bytes).take_while(|(one, other)| one == *other).count();
    METHODS.iter().chain(OTHER_METHODS).map(common).max().unwrap_or(0)
}

pub(super) fn no_method() -> ParseError {
    ParseError::new(ErrorCode::InvalidMethod, "Invalid method encountered")
}

pub(super) fn no_space() -> ParseError {
    ParseError::new(ErrorCode::InvalidMethod, "Expected space after method")
}

fn no_constant() -> ParseError {
    ParseError::new(ErrorCode::InvalidConstant, "Expected HTTP/, RTSP/ or ICE/")
}

impl StartLine {
    pub fn parse(kind: MessageKind, line: &[u8]) -> Result<StartLine, ParseError> {
        match kind {
            MessageKind::Request => request(line),
            MessageKind::Response => response(line),
        }
    }
}

fn request(line: &[u8]) -> Result<StartLine, ParseError> {
    check_prefix(MessageKind::Request, line)?;
    let method_end = line.iter().position(|&byte| byte == b' ').ok_or_else(|| no_space().at(line.len()))?;
    let method = std::str::from_utf8(&line[..method_end]).map_err(|_| no_method())?;
    let rest = &line[method_end..];
    let target_begin = method_end + rest.iter().take_while(|&&byte| byte == b' ').count();
    let rest = &line[target_begin..];
    let target = &rest[..rest.iter().position(|&byte| byte == b' ').unwrap_or(rest.len())];
    let is_connect = method == "CONNECT";
    check_target(target, is_connect).map_err(|error| error.offset_by(target_begin, 0))?;
    if method == HTTP2_PREFACE_METHOD {
        return Err(ParseError::new(ErrorCode::PausedH2Upgrade, "Pause on PRI/Upgrade").at(line.len()));
    }
    if !METHODS.contains(&method) {
        return Err(no_method());
    }
    let version_begin = line.len().min(target_begin + target.len() + 1);
    let version = match &line[version_begin..] {
        // HTTP/0.9 requests have no version.
        [] => (0, 9),
        text => request_version(text).map_err(|error| error.offset_by(version_begin, 0))?,
    };
    let mut text = String::with_capacity(line.len() + 256);
    text.push_str(method);
    text.push('\n');
    push_latin1(&mut text, target);
    text.push('\n');
    Ok(StartLine { text, status: 0, version, is_connect, limited_bytes: target.len() })
}

pub(super) fn request_version(text: &[u8]) -> Result<(u8, u8), ParseError> {
    const NAME: &[u8] = b"HTTP/";
    let digits = text.strip_prefix(NAME).ok_or_else(no_constant)?;
    let (version, rest) = parse_version(digits).map_err(|error| error.offset_by(NAME.len(), 0))?;
    match rest {
        [] => Ok(version),
        _ => Err(ParseError::new(ErrorCode::InvalidVersion, "Expected CRLF after version")
            .at(text.len() - rest.len())),
    }
}

/// Origin form, asterisk form, absolute form; for CONNECT the authority form (RFC 9112, 3.2).
pub(super) fn check_target(target: &[u8], is_connect: bool) -> Result<(), ParseError> {
    let wrong = |reason, place| Err(ParseError::new(ErrorCode::InvalidUrl, reason).at(place));
    match target.first() {
        None => return wrong("Unexpected start char in url", 0),
        Some(b'/' | b'*') => {}
        Some(byte) if is_connect && (byte.is_ascii_alphanumeric() || b"[-._~".contains(byte)) => {}
        Some(byte) if byte.is_ascii_alphabetic() && !is_connect => {
            let scheme = target.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            if !target[scheme..].starts_with(b"://") {
                return wrong("Unexpected char in url schema", scheme);
            }
        }
        Some(_) => return wrong("Unexpected start char in url", 0),
    }
    match target.iter().position(|&byte| !(0x21..0x7f).contains(&byte)) {
        Some(place) if target[place] < b' ' => wrong("Invalid characters in url", place),
        Some(place) => wrong("Invalid char in url path", place),
        None => Ok(()),
    }
}

fn response(line: &[u8]) -> Result<StartLine, ParseError> {
    let digits = line.strip_prefix(b"HTTP/").ok_or_else(no_constant)?;
    let (version, rest) = parse_version(digits)?;
    let wrong = || ParseError::new(ErrorCode::InvalidStatus, "Invalid status code");
    let [b' ', rest @ ..] = rest else {
        return Err(ParseError::new(ErrorCode::InvalidVersion, "Expected space after version"));
    };
    let (digits, reason) = rest.split_at_checked(3).ok_or_else(wrong)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(wrong());
    }
    let status = digits.iter().fold(0, |status, digit| status * 10 + u16::from(digit - b'0'));
    let reason = match reason {
        [] => reason,
        [b' ', reason @ ..] => reason,
        _ => return Err(ParseError::new(ErrorCode::InvalidStatus, "Invalid response status")),
    };
    let mut text = String::with_capacity(256);
    push_latin1(&mut text, reason);
    text.push_str("\n\n");
    Ok(StartLine { text, status, version, is_connect: false, limited_bytes: reason.len() })
}

fn parse_version(text: &[u8]) -> Result<((u8, u8), &[u8]), ParseError> {
    let wrong = |reason, place| ParseError::new(ErrorCode::InvalidVersion, reason).at(place);
    let (major, rest) = match text {
        [major @ b'0'..=b'9', rest @ ..] => (major - b'0', rest),
        _ => return Err(wrong("Invalid major version", 0)),
    };
    let [b'.', rest @ ..] = rest else { return Err(wrong("Expected dot", 1)) };
    let (minor, rest) = match rest {
        [minor @ b'0'..=b'9', rest @ ..] => (minor - b'0', rest),
        _ => return Err(wrong("Invalid minor version", 2)),
    };
    match VERSIONS.contains(&(major, minor)) {
        true => Ok(((major, minor), rest)),
        false => Err(wrong("Invalid HTTP version", 3)),
    }
}

/// Decodes bytes as Latin-1.
pub(super) fn push_latin1(text: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(ascii) if ascii.is_ascii() => text.push_str(ascii),
        _ => text.extend(bytes.iter().map(|&byte| char::from(byte))),
    }
}

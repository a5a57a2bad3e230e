//! The line a message begins with. In: its bytes. Out: method and target, or status and reason; the version. Absent: what a target may be besides its characters.

use super::{Code, Fault, Side};

/// What clients may want, of HTTP and its relatives.
const METHODS: &[&str] = &[
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "COPY", "LOCK", "MKCOL",
    "MOVE", "PROPFIND", "PROPPATCH", "SEARCH", "UNLOCK", "BIND", "REBIND", "UNBIND", "ACL", "REPORT",
    "MKACTIVITY", "CHECKOUT", "MERGE", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE", "PURGE",
    "MKCALENDAR", "LINK", "UNLINK", "SOURCE", "QUERY",
];

/// A client of the next version begins with it.
const PREFACE: &str = "PRI";

const VERSIONS: &[(u8, u8)] = &[(0, 9), (1, 0), (1, 1), (2, 0)];

#[derive(Default)]
pub(super) struct FirstLine {
    /// The beginning of the head's text.
    pub text: String,
    pub status: u16,
    pub version: (u8, u8),
    pub is_connect: bool,
}

/// Refuses what cannot become a first line, before it is whole.
pub(super) fn check_beginning(side: Side, bytes: &[u8]) -> Result<(), Fault> {
    let begins = |word: &[u8]| {
        let count = bytes.len().min(word.len());
        bytes[..count] == word[..count]
    };
    match side {
        Side::Responses if begins(b"HTTP/") || matches!(bytes, [b'\r', ..]) => Ok(()),
        Side::Responses => Err(no_constant()),
        Side::Requests if matches!(bytes, [b'\r', ..]) => Ok(()),
        Side::Requests if begins(PREFACE.as_bytes()) => Ok(()),
        Side::Requests => {
            let found = METHODS.iter().any(|method| {
                begins(method.as_bytes()) && bytes.get(method.len()).is_none_or(|&byte| byte == b' ')
            });
            if found { Ok(()) } else { Err(no_method()) }
        }
    }
}

fn no_method() -> Fault {
    Fault::new(Code::InvalidMethod, "Invalid method encountered")
}

fn no_constant() -> Fault {
    Fault::new(Code::InvalidConstant, "Expected HTTP/")
}

impl FirstLine {
    pub fn parse(side: Side, line: &[u8]) -> Result<FirstLine, Fault> {
        match side {
            Side::Requests => request(line),
            Side::Responses => response(line),
        }
    }
}

fn request(line: &[u8]) -> Result<FirstLine, Fault> {
    check_beginning(Side::Requests, line)?;
    let method_end = line.iter().position(|&byte| byte == b' ').ok_or_else(no_method)?;
    let (method, rest) = (&line[..method_end], &line[method_end + 1..]);
    let method = std::str::from_utf8(method).map_err(|_| no_method())?;
    let Some(target_end) = rest.iter().position(|&byte| byte == b' ') else {
        return Err(Fault::new(Code::InvalidUrl, "Invalid char in url path"));
    };
    let (target, version) = (&rest[..target_end], &rest[target_end + 1..]);
    if target.is_empty() || target.iter().any(|&byte| byte <= b' ' || byte == 0x7f) {
        return Err(Fault::new(Code::InvalidUrl, "Invalid characters in url"));
    }
    if method == PREFACE {
        return Err(Fault::new(Code::PausedH2Upgrade, "Pause on PRI/Upgrade"));
    }
    if !METHODS.contains(&method) {
        return Err(no_method());
    }
    let digits = version.strip_prefix(b"HTTP/").ok_or_else(no_constant)?;
    let (version, rest) = parse_version(digits)?;
    if !rest.is_empty() {
        return Err(Fault::new(Code::InvalidVersion, "Expected CRLF after version"));
    }
    let mut text = String::with_capacity(line.len() + 256);
    text.push_str(method);
    text.push('\n');
    push_latin1(&mut text, target);
    text.push('\n');
    Ok(FirstLine { text, status: 0, version, is_connect: method == "CONNECT" })
}

fn response(line: &[u8]) -> Result<FirstLine, Fault> {
    let digits = line.strip_prefix(b"HTTP/").ok_or_else(no_constant)?;
    let (version, rest) = parse_version(digits)?;
    let wrong = || Fault::new(Code::InvalidStatus, "Invalid status code");
    let [b' ', rest @ ..] = rest else {
        return Err(Fault::new(Code::InvalidVersion, "Expected space after version"));
    };
    let (digits, reason) = rest.split_at_checked(3).ok_or_else(wrong)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(wrong());
    }
    let status = digits.iter().fold(0, |status, digit| status * 10 + u16::from(digit - b'0'));
    let reason = match reason {
        [] => reason,
        [b' ', reason @ ..] => reason,
        _ => return Err(Fault::new(Code::InvalidStatus, "Invalid response status")),
    };
    let mut text = String::with_capacity(256);
    push_latin1(&mut text, reason);
    text.push_str("\n\n");
    Ok(FirstLine { text, status, version, is_connect: false })
}

fn parse_version(text: &[u8]) -> Result<((u8, u8), &[u8]), Fault> {
    let wrong = |reason| Fault::new(Code::InvalidVersion, reason);
    let (major, rest) = match text {
        [major @ b'0'..=b'9', rest @ ..] => (major - b'0', rest),
        _ => return Err(wrong("Invalid major version")),
    };
    let [b'.', rest @ ..] = rest else { return Err(wrong("Expected dot")) };
    let (minor, rest) = match rest {
        [minor @ b'0'..=b'9', rest @ ..] => (minor - b'0', rest),
        _ => return Err(wrong("Invalid minor version")),
    };
    match VERSIONS.contains(&(major, minor)) {
        true => Ok(((major, minor), rest)),
        false => Err(wrong("Invalid HTTP version")),
    }
}

/// Bytes as the characters of their number.
pub(super) fn push_latin1(text: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(ascii) if ascii.is_ascii() => text.push_str(ascii),
        _ => text.extend(bytes.iter().map(|&byte| char::from(byte))),
    }
}

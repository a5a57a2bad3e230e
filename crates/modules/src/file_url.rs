//! File URLs and relative URL references in `import` and `exports`. In: a directory and a
//! reference. Out: the decoded path. References without special characters do not need the URL
//! parser.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use url::Url;

/// A decoded file URL.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileUrl {
    /// Absolute, normalized, decoded.
    pub(crate) path: Vec<u8>,
    /// `?query#fragment`.
    pub(crate) suffix: String,
}

/// Why a reference is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlError {
    /// `%2f` or `%5c` in the path.
    EncodedSlash,
    /// Not UTF-8 after decoding, or not a URL.
    Malformed,
    /// `file://host/`.
    Host,
}

impl UrlError {
    pub(crate) fn expected(self) -> &'static str {
        match self {
            UrlError::EncodedSlash => "no encoded `/` or `\\`",
            UrlError::Malformed => "an address that can be decoded",
            UrlError::Host => "a file of this machine",
        }
    }
}

/// Whether the reference is the same as a URL and as a path.
pub(crate) fn is_plain(reference: &str) -> bool {
    let has_meaning = |byte: u8| matches!(byte, b'%' | b'\\' | b'?' | b'#' | b'|' | 0x7f) || byte < b' ';
    !reference.bytes().any(has_meaning) && !reference.starts_with(' ') && !reference.ends_with(' ')
}

/// Resolves `reference` relative to a file in `directory`; each `*` is replaced by `star`, if there
/// is one.
pub(crate) fn resolve(directory: &[u8], reference: &str, star: Option<&str>) -> Result<FileUrl, UrlError> {
    let base = Url::from_directory_path(Path::new(OsStr::from_bytes(directory)))
        .map_err(|()| UrlError::Malformed)?;
    let joined = base.join(reference).map_err(|_| UrlError::Malformed)?;
    match star {
        None => decode(&joined),
        Some(star) => {
            decode(&Url::parse(&joined.as_str().replace('*', star)).map_err(|_| UrlError::Malformed)?)
        }
    }
}

/// Decodes a `file:` URL.
pub(crate) fn decode(url: &Url) -> Result<FileUrl, UrlError> {
    if url.has_host() && url.host_str() != Some("localhost") && url.host_str() != Some("") {
        return Err(UrlError::Host);
    }
    if has_encoded_slash(url.path()) {
        return Err(UrlError::EncodedSlash);
    }
    let path = url.to_file_path().map_err(|()| UrlError::Malformed)?.into_os_string().into_vec();
    if !is_decodable(url.path()) || std::str::from_utf8(&path).is_err() {
        return Err(UrlError::Malformed);
    }
    let mut suffix = String::new();
    for (mark, part) in [('?', url.query()), ('#', url.fragment())] {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            suffix.push(mark);
            suffix.push_str(part);
        }
    }
    // `to_file_path` does not always keep a trailing slash, which marks a directory here.
    let mut path = path;
    while path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    if url.path().ends_with('/') && path != b"/" {
        path.push(b'/');
    }
    Ok(FileUrl { path, suffix })
}

fn has_encoded_slash(path: &str) -> bool {
    path.as_bytes()
        .windows(3)
        .any(|window| matches!(window, [b'%', b'2', b'f' | b'F'] | [b'%', b'5', b'c' | b'C']))
}

/// Every `%` is followed by two hex digits.
fn is_decodable(path: &str) -> bool {
    let bytes = path.as_bytes();
    let digits =
        |at: usize| bytes.get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
    bytes.iter().enumerate().all(|(at, &byte)| byte != b'%' || digits(at))
}

#[cfg(test)]
mod tests;

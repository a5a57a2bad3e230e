//! Paths that are written as addresses, as `import` and `exports` have them. In: a directory and a
//! reference. Out: the path it means, decoded. What has no character with a meaning of its own goes
//! through without a parser of addresses.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use url::Url;

/// A file address taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileUrl {
    /// Absolute, `.` and `..` gone, decoded.
    pub(crate) path: Vec<u8>,
    /// `?query#fragment`.
    pub(crate) suffix: String,
}

/// Why a reference is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlError {
    /// `%2f` or `%5c` in the path.
    EncodedSlash,
    /// Not UTF-8 when decoded, or no address at all.
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

/// Whether the text is the same as an address and as a path.
pub(crate) fn is_plain(reference: &str) -> bool {
    let has_meaning = |byte: u8| matches!(byte, b'%' | b'\\' | b'?' | b'#' | b'|' | 0x7f) || byte < b' ';
    !reference.bytes().any(has_meaning) && !reference.starts_with(' ') && !reference.ends_with(' ')
}

/// `reference` seen from a file in `directory`; in place of each `*` stands `star`, if there is one.
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

/// What a `file:` address says.
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
    // `to_file_path` keeps a slash at the end only sometimes; it is what tells a directory here.
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

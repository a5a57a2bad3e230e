//! Addresses that are written as they are read: nothing in them is to be encoded, shortened or
//! looked up, as in most that programs have. In: the characters of a text. Out: where its parts
//! lie, as [`UrlRecord::write`](super::record::UrlRecord::write) says it. What is none of these, or
//! may not be, is for [`crate::parser`], which reads all.

use super::record::OFFSET_COUNT;
use crate::parser::{files, paths};
use crate::percent_encode::{FRAGMENT, PATH, SPECIAL_QUERY, Set};

/// Their first characters, with the port that is not written.
const BEGINNINGS: &[(&[u8], u32)] =
    &[(b"https://", 443), (b"http://", 80), (b"file://", 0), (b"wss://", 443), (b"ws://", 80)];

/// A longer text is read in the other way.
const BYTES_MAX: usize = 1 << 20;

#[derive(Debug, PartialEq, Eq)]
pub struct FastUrl {
    pub offsets: [u32; OFFSET_COUNT],
    /// The `/` of an empty path, which is still to be written where the path begins.
    pub lacks_path: bool,
}

impl FastUrl {
    /// The address, of the text that was read.
    pub fn write(&self, text: &[u8]) -> Option<String> {
        let mut text = std::str::from_utf8(text).ok()?.to_owned();
        if self.lacks_path {
            text.insert(self.offsets[6] as usize, '/');
        }
        Some(text)
    }
}

/// An address that is relative to nothing.
pub fn parse(text: &[u8]) -> Option<FastUrl> {
    let (beginning, port) = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning))?;
    let is_file = *beginning == b"file://";
    let (scheme, host) = (beginning.len() - 2, beginning.len());
    let path = end(text, host, |byte| matches!(byte, b'/' | b'?' | b'#'));
    let host_end = match is_file {
        true => (path == host && text.get(path) == Some(&b'/')).then_some(host)?,
        false => host + host_end(&text[host..path], *port)?,
    };
    let lacks_path = text.get(path) != Some(&b'/');
    let [path_end, query_end] = behind_host(text, path, is_file)?;
    let added = usize::from(lacks_path);
    let offsets = [scheme, host, host, host, host, host_end, path, path_end + added, query_end + added];
    Some(FastUrl { offsets: offsets.map(|place| place as u32), lacks_path })
}

/// An address seen from another one. The text, and where its parts lie.
pub fn parse_relative(base: &[u8], text: &[u8]) -> Option<(String, [u32; OFFSET_COUNT])> {
    let from = parse(base)?;
    if BEGINNINGS.iter().any(|(beginning, _)| text.starts_with(beginning)) {
        let found = parse(text)?;
        return Some((found.write(text)?, found.offsets));
    }
    let [path, path_end, query_end] = [6, 7, 8].map(|at| from.offsets[at] as usize);
    let (kept, rest) = match (text, from.lacks_path) {
        // Two slashes begin a host.
        ([b'/', b'/', ..], _) => None,
        ([b'/', ..], _) => Some((&base[..path], text)),
        (_, true) => None,
        ([b'?', ..], _) => Some((&base[..path_end], text)),
        ([b'#', ..], _) => Some((&base[..query_end], text)),
        _ => from_directory(&base[..path_end], path, text),
    }?;
    let whole = [kept, rest].concat();
    let [path_end, query_end] = behind_host(&whole, path, base.starts_with(b"file:"))?;
    let mut offsets = from.offsets;
    offsets[7] = path_end as u32;
    offsets[8] = query_end as u32;
    Some((String::from_utf8(whole).ok()?, offsets))
}

/// What of a base stays where a text begins with the name of a file or with dots, and what of the
/// text comes behind it. `path`: where the base's path begins, which is at its end.
fn from_directory<'t>(base: &'t [u8], path: usize, text: &'t [u8]) -> Option<(&'t [u8], &'t [u8])> {
    let folder = |end: usize| base[path..end].iter().rposition(|&byte| byte == b'/').map(|at| path + at + 1);
    let (mut end, mut rest) = (folder(base.len())?, text);
    loop {
        if let Some(behind) = rest.strip_prefix(b"./") {
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix(b"../") {
            rest = behind;
            // There is nothing above the first directory.
            end = folder(end - 1).unwrap_or(end);
        } else {
            break;
        }
    }
    // It may be a scheme or a drive.
    let is_name = |first: &[u8]| !first.is_empty() && !first.iter().any(|byte| matches!(byte, b':' | b'|'));
    let is_below = rest.len() < text.len() || is_name(rest.split(|&byte| byte == b'/').next()?);
    is_below.then_some((&base[..end], rest))
}

fn end(text: &[u8], from: usize, is_end: impl Fn(u8) -> bool) -> usize {
    text[from..].iter().position(|&byte| is_end(byte)).map_or(text.len(), |count| from + count)
}

/// Where the host ends that has a port behind it or none, if both are written as they are read.
fn host_end(authority: &[u8], unwritten: u32) -> Option<usize> {
    let host_end = end(authority, 0, |byte| byte == b':');
    let is_host = is_name(&authority[..host_end]) || is_ipv4(&authority[..host_end]);
    let is_port = |digits: &[u8]| {
        let is_written = matches!(digits.first(), Some(b'1'..=b'9')) && digits.len() <= 5;
        let number = is_written.then(|| std::str::from_utf8(digits).ok()?.parse::<u32>().ok()).flatten();
        number.is_some_and(|number| number <= u32::from(u16::MAX) && number != unwritten)
    };
    let is_plain = match authority.get(host_end + 1..) {
        Some(digits) => is_port(digits),
        None => host_end == authority.len(),
    };
    (is_host && is_plain).then_some(host_end)
}

/// Whether a host is a name in its last form, without characters that stand for others and not to
/// be taken for a number.
fn is_name(host: &[u8]) -> bool {
    let is_letter = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    let mut labels = host.split(|&byte| byte == b'.');
    host.iter().all(is_letter)
        && labels.clone().all(|label| !label.is_empty() && !label.windows(2).any(|two| two == b"--"))
        && labels.next_back().is_some_and(|last| !last[0].is_ascii_digit())
}

fn is_ipv4(host: &[u8]) -> bool {
    let is_byte = |part: &[u8]| {
        let is_written = part.len() == 1 || part.first() != Some(&b'0');
        let is_number = part.len() <= 3 && part.iter().all(u8::is_ascii_digit) && is_written;
        is_number && std::str::from_utf8(part).is_ok_and(|part| part.parse::<u8>().is_ok())
    };
    host.iter().filter(|&&byte| byte == b'.').count() == 3 && host.split(|&byte| byte == b'.').all(is_byte)
}

/// Where the path and the query end.
fn behind_host(text: &[u8], path: usize, is_file: bool) -> Option<[usize; 2]> {
    let path_end = end(text, path, |byte| matches!(byte, b'?' | b'#'));
    let query_end = match text.get(path_end) {
        Some(b'?') => end(text, path_end, |byte| byte == b'#'),
        _ => path_end,
    };
    let is_plain = |part: &[u8], set: Set| !part.iter().any(|&byte| set[usize::from(byte)]);
    let is_plain = text.len() <= BYTES_MAX
        && is_path(&text[path..path_end], is_file)
        && is_plain(text.get(path_end + 1..query_end).unwrap_or_default(), SPECIAL_QUERY)
        && is_plain(text.get(query_end + 1..).unwrap_or_default(), FRAGMENT);
    is_plain.then_some([path_end, query_end])
}

/// Whether a path stays as it is. It may be empty.
fn is_path(path: &[u8], is_file: bool) -> bool {
    let mut parts = path.split(|&byte| byte == b'/').skip(1);
    let is_name = |part: &[u8]| !matches!(part.first(), Some(b'.' | b'%')) || !paths::is_dots(part);
    path.iter().all(|&byte| !PATH[usize::from(byte)] && byte != b'\\')
        && !(is_file && parts.clone().next().is_some_and(files::is_drive))
        && parts.all(is_name)
}

#[cfg(test)]
mod tests;

//! The entries of a tar, in order. In: the tar's bytes. Out: path, mode and body of each plain file, names of
//! any length put together (ustar prefix, pax, GNU). Absent: what a path may be.

use std::borrow::Cow;

use rusk_base::Result;

use super::header::{BLOCK, Header};
use crate::problem;

/// Bytes of one pax record block or GNU long name. Real ones hold a path or two.
const EXTENSION_BYTES_MAX: u64 = 1 << 20;

/// A plain file as the archive has it.
pub struct Entry<'a> {
    pub path: Cow<'a, [u8]>,
    pub mode: u32,
    pub body: &'a [u8],
}

/// What pax and GNU headers say of the entry that follows them.
#[derive(Default)]
struct Extension<'a> {
    path: Option<Cow<'a, [u8]>>,
    body_bytes: Option<u64>,
}

/// Calls `found` with each plain file.
pub fn read<'a>(tar: &'a [u8], found: &mut dyn FnMut(Entry<'a>) -> Result<()>) -> Result<()> {
    let mut at = 0;
    let mut after_empty_block = false;
    let mut extension = Extension::default();
    while let Some(block) = tar[at..].first_chunk::<BLOCK>() {
        let offset = at;
        at += BLOCK;
        if block.iter().all(|&byte| byte == 0) {
            if after_empty_block {
                return Ok(());
            }
            after_empty_block = true;
            continue;
        }
        after_empty_block = false;
        let header = Header::parse(block, offset)?;
        let body_bytes = match extension.body_bytes {
            // Some writers put a folder's own size here; it has no body.
            _ if header.kind == b'5' => 0,
            Some(bytes) => bytes,
            None => header.body_bytes,
        };
        let body = body_at(tar, at, body_bytes, &header)?;
        at = (at + body.len().next_multiple_of(BLOCK)).min(tar.len());
        match header.kind {
            b'x' | b'g' | b'L' | b'K' => read_extension(header.kind, body, offset, &mut extension)?,
            _ => {
                let named = std::mem::take(&mut extension);
                if is_file(&header) {
                    found(Entry { path: path(&header, named), mode: header.mode, body })?;
                } else {
                    refuse_bodies(&header, body)?;
                }
            }
        }
    }
    match tar[at..].iter().all(|&byte| byte == 0) {
        true => Ok(()),
        false => Err(problem::tar_truncated("header")),
    }
}

/// Regular files: POSIX, old tars (which mark a folder by a `/` at the end) and contiguous ones.
fn is_file(header: &Header<'_>) -> bool {
    match header.kind {
        b'0' | b'7' => true,
        0 => !header.name.ends_with(b"/"),
        _ => false,
    }
}

/// A link or device with a body is read differently by every tar; a sparse file would be restored with wrong bytes.
fn refuse_bodies(header: &Header<'_>, body: &[u8]) -> Result<()> {
    match header.kind {
        b'1'..=b'4' | b'6' if !body.is_empty() => Err(problem::entry_unsupported(
            &String::from_utf8_lossy(header.name),
            "a link or device with a body",
        )),
        b'S' => Err(problem::entry_unsupported(&String::from_utf8_lossy(header.name), "a sparse file")),
        _ => Ok(()),
    }
}

fn body_at<'a>(tar: &'a [u8], at: usize, bytes: u64, header: &Header<'_>) -> Result<&'a [u8]> {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let end = at.checked_add(bytes).filter(|&end| end <= tar.len());
    let truncated = || problem::tar_truncated(&String::from_utf8_lossy(header.name));
    end.map(|end| &tar[at..end]).ok_or_else(truncated)
}

fn path<'a>(header: &Header<'a>, extension: Extension<'a>) -> Cow<'a, [u8]> {
    match extension.path {
        Some(path) => path,
        None if header.prefix.is_empty() => Cow::Borrowed(header.name),
        None => Cow::Owned([header.prefix, b"/", header.name].concat()),
    }
}

fn read_extension<'a>(kind: u8, body: &'a [u8], offset: usize, extension: &mut Extension<'a>) -> Result<()> {
    if body.len() as u64 > EXTENSION_BYTES_MAX {
        return Err(problem::header_invalid(offset, "extension: more than 1 MiB"));
    }
    match kind {
        b'x' => read_pax(body, extension).ok_or_else(|| problem::header_invalid(offset, "pax record")),
        b'L' => {
            let end = body.iter().position(|&byte| byte == 0).unwrap_or(body.len());
            extension.path = Some(Cow::Borrowed(&body[..end]));
            Ok(())
        }
        // `K`, the long target of a link, and `g`, attributes of the whole archive.
        _ => Ok(()),
    }
}

/// Records `LENGTH KEY=VALUE\n`, where the length counts the whole record. `None`: not of this form, or
/// a sparse file in pax clothes.
fn read_pax<'a>(mut body: &'a [u8], extension: &mut Extension<'a>) -> Option<()> {
    while body.first().is_some_and(|&byte| byte != 0) {
        let space = body.iter().take(20).position(|&byte| byte == b' ')?;
        let length: usize = std::str::from_utf8(&body[..space]).ok()?.parse().ok()?;
        let record = body.get(space + 1..length)?.strip_suffix(b"\n")?;
        let equals = record.iter().position(|&byte| byte == b'=')?;
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => extension.path = (!value.is_empty()).then_some(Cow::Borrowed(value)),
            b"size" => extension.body_bytes = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
            _ if key.starts_with(b"GNU.sparse.") => return None,
            _ => {}
        }
        body = &body[length..];
    }
    Some(())
}

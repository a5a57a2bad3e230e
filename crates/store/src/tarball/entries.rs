//! Tar entries, in order. In: the tar's bytes, or its blocks one by one. Out: path, mode and body
//! of each regular file, path and target of other entries; long names are joined (ustar prefix,
//! pax, GNU). Absent: which paths are allowed.

use std::borrow::Cow;

use rusk_base::Result;

use super::header::{BLOCK, Header};
use crate::problem;

/// Bytes of one pax record block or GNU long name. Real ones hold a path or two.
const EXTENSION_BYTES_MAX: u64 = 1 << 20;

/// A plain file as the archive has it.
pub struct TarEntry<'a> {
    pub path: Cow<'a, [u8]>,
    pub mode: u32,
    pub body: &'a [u8],
}

/// Goes from header to header. It has each one's block, and of the bodies those that change the
/// next entry.
#[derive(Default)]
pub struct Walk {
    /// Offsets of the current header and of the next one.
    offset: usize,
    next: usize,
    after_empty_block: bool,
    extension: Extension,
}

/// What a block is.
pub enum Step<'a> {
    End,
    /// An empty one.
    Nothing,
    Header {
        /// As in the header, for messages.
        name: &'a [u8],
        body_bytes: u64,
        body: Body<'a>,
        header: Header<'a>,
    },
}

/// What follows a header.
pub enum Body<'a> {
    File {
        path: Cow<'a, [u8]>,
        mode: u32,
    },
    /// To be given to [`Walk::extend`]; it is not large.
    Extension(u8),
    /// What a package has no use for: directories, links, devices.
    PassedOver {
        path: Cow<'a, [u8]>,
        /// Where a link leads.
        target: Cow<'a, [u8]>,
    },
}

/// What pax and GNU headers say of the entry that follows them.
#[derive(Default)]
struct Extension {
    path: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    body_bytes: Option<u64>,
}

/// Calls `found` with each plain file.
pub fn read<'a>(tar: &'a [u8], found: &mut dyn FnMut(TarEntry<'a>) -> Result<()>) -> Result<()> {
    let mut walk = Walk::default();
    let mut at = 0;
    while let Some(block) = tar[at..].first_chunk::<BLOCK>() {
        at += BLOCK;
        let (name, body_bytes, kind) = match walk.step(block)? {
            Step::End => return Ok(()),
            Step::Nothing => continue,
            Step::Header { name, body_bytes, body, .. } => (name, body_bytes, body),
        };
        let body = body_at(tar, at, body_bytes, name)?;
        at = (at + body.len().next_multiple_of(BLOCK)).min(tar.len());
        match kind {
            Body::File { path, mode } => found(TarEntry { path, mode, body })?,
            Body::Extension(kind) => walk.extend(kind, body)?,
            Body::PassedOver { .. } => {}
        }
    }
    check_rest(&tar[at..])
}

/// What is left where no whole block is.
pub fn check_rest(rest: &[u8]) -> Result<()> {
    match rest.iter().all(|&byte| byte == 0) {
        true => Ok(()),
        false => Err(problem::tar_truncated("header")),
    }
}

impl Walk {
    /// Takes the next block that is not part of a body.
    pub fn step<'a>(&mut self, block: &'a [u8; BLOCK]) -> Result<Step<'a>> {
        self.offset = self.next;
        self.next = self.offset.saturating_add(BLOCK);
        if block.iter().all(|&byte| byte == 0) {
            let is_second = std::mem::replace(&mut self.after_empty_block, true);
            return Ok(if is_second { Step::End } else { Step::Nothing });
        }
        self.after_empty_block = false;
        let header = Header::parse(block, self.offset)?;
        let body_bytes = match self.extension.body_bytes {
            // Some writers put a directory's own size here; it has no body.
            _ if header.kind == b'5' => 0,
            Some(bytes) => bytes,
            None => header.body_bytes,
        };
        let whole = usize::try_from(body_bytes).unwrap_or(usize::MAX).checked_next_multiple_of(BLOCK);
        self.next = self.next.saturating_add(whole.unwrap_or(usize::MAX));
        let body = match header.kind {
            b'x' | b'g' | b'L' | b'K' if body_bytes > EXTENSION_BYTES_MAX => {
                return Err(problem::header_invalid(self.offset, "extension: more than 1 MiB"));
            }
            b'x' | b'g' | b'L' | b'K' => Body::Extension(header.kind),
            _ => {
                let Extension { path: longer, target, .. } = std::mem::take(&mut self.extension);
                let path = path(&header, longer);
                if is_file(&header) {
                    Body::File { path, mode: header.mode }
                } else {
                    refuse_bodies(&header, body_bytes)?;
                    let target = target.map_or(Cow::Borrowed(header.target()), Cow::Owned);
                    Body::PassedOver { path, target }
                }
            }
        };
        Ok(Step::Header { name: header.name, body_bytes, body, header })
    }

    /// Takes the body of an extension.
    pub fn extend(&mut self, kind: u8, body: &[u8]) -> Result<()> {
        match kind {
            b'x' => read_pax(body, &mut self.extension)
                .ok_or_else(|| problem::header_invalid(self.offset, "pax record")),
            b'L' | b'K' => {
                let end = body.iter().position(|&byte| byte == 0).unwrap_or(body.len());
                let text = Some(body[..end].to_owned());
                match kind {
                    b'L' => self.extension.path = text,
                    _ => self.extension.target = text,
                }
                Ok(())
            }
            // `g`, attributes of the whole archive.
            _ => Ok(()),
        }
    }
}

/// Regular files: POSIX, old tars (which mark a directory by a `/` at the end) and contiguous ones.
fn is_file(header: &Header<'_>) -> bool {
    match header.kind {
        b'0' | b'7' => true,
        0 => !header.name.ends_with(b"/"),
        _ => false,
    }
}

/// A link or device with a body is read differently by every tar; a sparse file would be restored
/// with wrong bytes.
fn refuse_bodies(header: &Header<'_>, body_bytes: u64) -> Result<()> {
    match header.kind {
        b'1'..=b'4' | b'6' if body_bytes > 0 => Err(problem::entry_unsupported(
            &String::from_utf8_lossy(header.name),
            "a link or device with a body",
        )),
        b'S' => Err(problem::entry_unsupported(&String::from_utf8_lossy(header.name), "a sparse file")),
        _ => Ok(()),
    }
}

fn body_at<'a>(tar: &'a [u8], at: usize, bytes: u64, name: &[u8]) -> Result<&'a [u8]> {
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let end = at.checked_add(bytes).filter(|&end| end <= tar.len());
    let truncated = || problem::tar_truncated(&String::from_utf8_lossy(name));
    end.map(|end| &tar[at..end]).ok_or_else(truncated)
}

fn path<'a>(header: &Header<'a>, longer: Option<Vec<u8>>) -> Cow<'a, [u8]> {
    match longer {
        Some(path) => Cow::Owned(path),
        None if header.prefix.is_empty() => Cow::Borrowed(header.name),
        None => Cow::Owned([header.prefix, b"/", header.name].concat()),
    }
}

/// Records `LENGTH KEY=VALUE\n`, where the length counts the whole record. `None`: not of this
/// form, or a sparse file in pax clothes.
fn read_pax(mut body: &[u8], extension: &mut Extension) -> Option<()> {
    while body.first().is_some_and(|&byte| byte != 0) {
        let space = body.iter().take(20).position(|&byte| byte == b' ')?;
        let length: usize = std::str::from_utf8(&body[..space]).ok()?.parse().ok()?;
        let record = body.get(space + 1..length)?.strip_suffix(b"\n")?;
        let equals = record.iter().position(|&byte| byte == b'=')?;
        let (key, value) = (&record[..equals], &record[equals + 1..]);
        match key {
            b"path" => extension.path = (!value.is_empty()).then(|| value.to_owned()),
            b"linkpath" => extension.target = (!value.is_empty()).then(|| value.to_owned()),
            b"size" => extension.body_bytes = Some(std::str::from_utf8(value).ok()?.parse().ok()?),
            _ if key.starts_with(b"GNU.sparse.") => return None,
            _ => {}
        }
        body = &body[length..];
    }
    Some(())
}

//! Code of many scripts in one file. In: a file, and the mark of who may have made it. Out: code by
//! name, as it was written: each piece has a hash of its own, so a damaged one is none. A file is
//! mapped, so it is replaced by a rename and never written in place.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::path::Path;

use rusk_base::files;
use rusk_base::sys::mmap::Mmap;
use rusk_base::sys::{self, Mode, OFlags, user_namespace};
use rusk_jsc::CodeCacheKey;

use rusk_hashes::xx3;

/// The mark of the maker, and how many rows follow.
const HEAD_BYTES: usize = 24;
/// A name, a hash, where the code begins and how long it is.
const ROW_BYTES: usize = 40;
const NAME_BYTES: usize = 16;

/// Code begins at such a place: the engine reads words from it.
const ALIGNMENT: usize = 16;

/// One program's code. Of some ten times its text it is a fifth; no program has so much.
const PACK_BYTES_MAX: u64 = 128 << 20;

/// All packs.
const FOLDER_BYTES_MAX: u64 = 512 << 20;

/// The pack of our own files stands there for as long as the process.
pub struct Pack(&'static [u8]);

impl Pack {
    /// An empty one, where there is no file, or not one that this maker's user alone has written.
    pub fn open(file: &Path, maker: &CodeCacheKey) -> Pack {
        Pack(map(file).filter(|bytes| is_whole(bytes, maker)).unwrap_or_default())
    }

    pub fn len(&self) -> usize {
        self.0.get(NAME_BYTES..HEAD_BYTES).map_or(0, |bytes| number(bytes, 0))
    }

    pub fn find(&self, name: &CodeCacheKey) -> Option<&'static [u8]> {
        let rows = self.rows();
        let index = rows.partition_point(|row| row[..NAME_BYTES] < name[..]);
        let row = rows.get(index).filter(|row| row[..NAME_BYTES] == name[..])?;
        self.code(row)
    }

    /// All that is as it was written.
    pub fn all(&self) -> Vec<(CodeCacheKey, &'static [u8])> {
        let rows = self.rows().iter();
        rows.filter_map(|row| Some((row[..NAME_BYTES].try_into().ok()?, self.code(row)?))).collect()
    }

    fn rows(&self) -> &'static [[u8; ROW_BYTES]] {
        let rows = self.0.get(HEAD_BYTES..HEAD_BYTES + self.len() * ROW_BYTES).unwrap_or_default();
        rows.as_chunks().0
    }

    fn code(&self, row: &[u8; ROW_BYTES]) -> Option<&'static [u8]> {
        let (start, count) = (number(row, NAME_BYTES + 8), number(row, NAME_BYTES + 16));
        let code = self.0.get(start..start.checked_add(count)?)?;
        let is_right = start.is_multiple_of(ALIGNMENT) && xx3(code, 0) == number(row, NAME_BYTES) as u64;
        is_right.then_some(code)
    }
}

fn map(file: &Path) -> Option<&'static [u8]> {
    let open = sys::openat(sys::CWD, file, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty()).ok()?;
    let stat = sys::fstat(open.as_fd()).ok()?;
    if stat.st_uid != user_namespace::effective_ids().user || stat.st_mode & 0o022 != 0 {
        return None;
    }
    // Code refers to it for as long as it runs.
    Mmap::open(open.as_fd(), PACK_BYTES_MAX).ok().map(|map| &**Box::leak(Box::new(map)))
}

fn is_whole(bytes: &[u8], maker: &CodeCacheKey) -> bool {
    bytes.get(..NAME_BYTES) == Some(&maker[..])
        && bytes.get(NAME_BYTES..HEAD_BYTES).is_some_and(|count| {
            let rows = number(count, 0).checked_mul(ROW_BYTES);
            rows.is_some_and(|rows| rows <= bytes.len() - HEAD_BYTES)
        })
}

/// `None`: it is too much.
pub fn render(maker: &CodeCacheKey, codes: &BTreeMap<CodeCacheKey, &[u8]>) -> Option<Vec<u8>> {
    let head = HEAD_BYTES + codes.len() * ROW_BYTES;
    let total = codes.values().map(|code| code.len() + ALIGNMENT).sum::<usize>() + head + ALIGNMENT;
    if total as u64 > PACK_BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::with_capacity(total);
    bytes.extend_from_slice(maker);
    bytes.extend_from_slice(&(codes.len() as u64).to_le_bytes());
    let mut start = head.next_multiple_of(ALIGNMENT);
    for (name, code) in codes {
        bytes.extend_from_slice(name);
        for word in [xx3(code, 0), start as u64, code.len() as u64] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        start = (start + code.len()).next_multiple_of(ALIGNMENT);
    }
    for code in codes.values() {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.extend_from_slice(code);
    }
    Some(bytes)
}

/// As another file, which its user alone may read or write, whatever the mask says. False: it
/// cannot be written.
pub fn write(file: &Path, bytes: &[u8]) -> bool {
    let beside = file.with_extension(files::unpredictable_name());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let Ok(open) = sys::openat(sys::CWD, &beside, flags, Mode::from_raw_mode(0o600)) else {
        return false;
    };
    let written =
        sys::write_all(open.as_fd(), bytes).and_then(|()| sys::renameat(sys::CWD, &beside, sys::CWD, file));
    if written.is_err() {
        let _ = sys::unlinkat(sys::CWD, &beside);
    }
    written.is_ok()
}

/// Where there is too much of all, the half that was written first goes; who has it mapped keeps
/// it.
pub fn prune(folder: &Path) {
    let _ = files::remove_oldest(folder, FOLDER_BYTES_MAX);
}

fn number(bytes: &[u8], at: usize) -> usize {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word) as usize
}

#[cfg(test)]
mod tests;

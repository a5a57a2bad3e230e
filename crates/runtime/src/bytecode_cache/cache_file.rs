//! Cache file: bytecode of many scripts in one file. In: a path, and the key of the version that
//! must have written it. Out: bytecode by key. Each entry has a hash, so a damaged one counts as
//! absent. The file is mapped, so it is replaced by a rename and never written in place.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::path::Path;

use rusk_base::files;
use rusk_base::sys::mmap::Mmap;
use rusk_base::sys::{self, Mode, OFlags, user_namespace};
use rusk_jsc::CodeCacheKey;

use rusk_hashes::xx3;

/// The version key, and the number of rows.
const HEAD_BYTES: usize = 24;
/// A key, a hash, the offset of the bytecode and its length.
const ROW_BYTES: usize = 40;
const KEY_BYTES: usize = 16;

/// Bytecode is aligned: the engine reads words from it.
const ALIGNMENT: usize = 16;

/// Bytecode of one program; programs that were measured had a fifth of this at most.
const PACK_BYTES_MAX: u64 = 128 << 20;

/// So much is written at a time. The page cache has large pieces of a file that is written at once,
/// and each of them is mapped as a whole: 9 MiB of each process were.
const CHUNK_BYTES: usize = 64 << 10;

/// All cache files.
const DIRECTORY_BYTES_MAX: u64 = 512 << 20;

/// Mapped for as long as the process runs.
pub struct CacheFile(&'static [u8]);

impl CacheFile {
    /// An empty one if there is no file, or not one that this version and user alone wrote.
    pub fn open(file: &Path, version_key: &CodeCacheKey) -> CacheFile {
        CacheFile(map(file).filter(|bytes| is_whole(bytes, version_key)).unwrap_or_default())
    }

    /// The whole file; empty if there is none.
    pub fn bytes(&self) -> &'static [u8] {
        self.0
    }

    pub fn len(&self) -> usize {
        self.0.get(KEY_BYTES..HEAD_BYTES).map_or(0, |bytes| number(bytes, 0))
    }

    pub fn find(&self, name: &CodeCacheKey) -> Option<&'static [u8]> {
        let rows = self.rows();
        let index = rows.partition_point(|row| row[..KEY_BYTES] < name[..]);
        let row = rows.get(index).filter(|row| row[..KEY_BYTES] == name[..])?;
        self.code(row)
    }

    /// All entries that are undamaged.
    pub fn all(&self) -> Vec<(CodeCacheKey, &'static [u8])> {
        let rows = self.rows().iter();
        rows.filter_map(|row| Some((row[..KEY_BYTES].try_into().ok()?, self.code(row)?))).collect()
    }

    fn rows(&self) -> &'static [[u8; ROW_BYTES]] {
        let rows = self.0.get(HEAD_BYTES..HEAD_BYTES + self.len() * ROW_BYTES).unwrap_or_default();
        rows.as_chunks().0
    }

    fn code(&self, row: &[u8; ROW_BYTES]) -> Option<&'static [u8]> {
        let (start, count) = (number(row, KEY_BYTES + 8), number(row, KEY_BYTES + 16));
        let code = self.0.get(start..start.checked_add(count)?)?;
        let is_right = start.is_multiple_of(ALIGNMENT) && xx3(code, 0) == number(row, KEY_BYTES) as u64;
        is_right.then_some(code)
    }
}

fn map(file: &Path) -> Option<&'static [u8]> {
    let open = sys::openat(sys::CWD, file, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty()).ok()?;
    let stat = sys::fstat(open.as_fd()).ok()?;
    if stat.st_uid != user_namespace::effective_ids().user || stat.st_mode & 0o022 != 0 {
        return None;
    }
    // Bytecode refers to it for as long as it runs.
    Mmap::open(open.as_fd(), PACK_BYTES_MAX).ok().map(|map| &**Box::leak(Box::new(map)))
}

fn is_whole(bytes: &[u8], version_key: &CodeCacheKey) -> bool {
    bytes.get(..KEY_BYTES) == Some(&version_key[..])
        && bytes.get(KEY_BYTES..HEAD_BYTES).is_some_and(|count| {
            let rows = number(count, 0).checked_mul(ROW_BYTES);
            rows.is_some_and(|rows| rows <= bytes.len() - HEAD_BYTES)
        })
}

/// `None`: it is too large.
pub fn render(version_key: &CodeCacheKey, codes: &BTreeMap<CodeCacheKey, &[u8]>) -> Option<Vec<u8>> {
    let head = HEAD_BYTES + codes.len() * ROW_BYTES;
    let total = codes.values().map(|code| code.len() + ALIGNMENT).sum::<usize>() + head + ALIGNMENT;
    if total as u64 > PACK_BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::with_capacity(total);
    bytes.extend_from_slice(version_key);
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

/// Writes a temporary file, which only its user may read or write whatever the umask is, and
/// renames it. False: it cannot be written.
pub fn write(file: &Path, bytes: &[u8]) -> bool {
    let temporary = file.with_extension(files::unpredictable_name());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
    let Ok(open) = sys::openat(sys::CWD, &temporary, flags, Mode::from_raw_mode(0o600)) else {
        return false;
    };
    let mut chunks = bytes.chunks(CHUNK_BYTES);
    let written = chunks
        .try_for_each(|chunk| sys::write_all(open.as_fd(), chunk))
        .and_then(|()| sys::renameat(sys::CWD, &temporary, sys::CWD, file));
    if written.is_err() {
        let _ = sys::unlinkat(sys::CWD, &temporary);
    }
    written.is_ok()
}

/// If all files together are too large, the older half is removed; processes that have one mapped
/// still use it.
pub fn prune(directory: &Path) {
    let _ = files::remove_oldest(directory, DIRECTORY_BYTES_MAX);
}

fn number(bytes: &[u8], at: usize) -> usize {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word) as usize
}

#[cfg(test)]
mod tests;

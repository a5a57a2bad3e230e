//! Scripts of our own with their bytecode, in one file that is kept beside the copies of the engine that it is for. In: an engine, a stamp of all that decides what the
//! scripts are. Out: scripts run by it, and the file written anew with more of them. Absent: when that is worth its time; who runs us says.
//!
//! As with the copies, what is in the folder is believed: nobody else can write there, a file appears by one rename when its bytes are on the disk, and it is as long as
//! it says.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::Engine;
use crate::engine::copies;
use crate::exception::Exception;
use crate::scope::Scope;
use crate::value::Value;

/// With every change of what is written, or of what is expected of the engine.
const FORM: &[u8; 8] = b"scripts1";
const FILES: &str = "scripts-";
/// Versions of ours that share an engine.
const FILES_MAX: usize = 3;
const BYTES_MAX: u64 = 256 << 20;

/// Behind the form: the length of all, how many there are; then for each where its name begins, how long that is, and the same of its bytecode.
const HEAD_BYTES: usize = 16;
const ENTRY_BYTES: usize = 16;

/// The file, in memory.
pub struct Compiled {
    bytes: Map,
}

/// A mapping of a whole file that nobody writes to.
struct Map {
    first: *const u8,
    length: usize,
}

// SAFETY: the bytes are only read, and the mapping belongs to the process, not to a thread.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Compiled {
    /// `None`: there is none for this engine, or the engine is not one that we know.
    pub fn open(engine: &Engine, stamp: &str) -> Option<Compiled> {
        engine.bytecode?;
        let file = File::open(place(engine, stamp)?).ok()?;
        Compiled::read(Map::of(&file)?)
    }

    fn read(bytes: Map) -> Option<Compiled> {
        let head = bytes.all().first_chunk::<HEAD_BYTES>()?;
        let is_whole = head.starts_with(FORM) && number(head, 8)? == bytes.length;
        is_whole.then_some(Compiled { bytes })
    }

    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, bytecode) = self.entry(middle)?;
            match found.cmp(name.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(bytecode),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn count(&self) -> usize {
        number(self.bytes.all(), 12).unwrap_or(0)
    }

    /// A name and its bytecode; names ascend.
    fn entry(&self, index: usize) -> Option<(&[u8], &[u8])> {
        let all = self.bytes.all();
        let at = HEAD_BYTES.checked_add(index.checked_mul(ENTRY_BYTES)?)?;
        let part = |at: usize| {
            let begin = number(all, at)?;
            all.get(begin..begin.checked_add(number(all, at + 4)?)?)
        };
        Some((part(at)?, part(at + 8)?))
    }
}

impl Scope {
    /// Runs a script of our own, by its bytecode where that is known.
    pub fn evaluate_compiled<'s>(
        &'s self,
        compiled: &Compiled,
        name: &str,
        source: &'static str,
        url: &str,
    ) -> Result<Value<'s>, Exception<'s>> {
        match compiled.find(name) {
            // SAFETY: the file is of this engine, and written by `keep_compiled`.
            Some(bytecode) => unsafe { self.evaluate_bytecode(source, url, bytecode) },
            None => self.evaluate_static(source, url),
        }
    }

    /// Writes the file: what there was, and these scripts (name, source, URL). False: the engine is not known or has no folder, or the disk had no room.
    pub fn keep_compiled(
        &self,
        engine: &Engine,
        stamp: &str,
        before: Option<&Compiled>,
        scripts: &[(&str, &'static str, String)],
    ) -> bool {
        let write = || {
            let (home, place) = (engine.home()?, place(engine, stamp)?);
            let compiler = self.compiler()?;
            let mut all: BTreeMap<&[u8], std::borrow::Cow<'_, [u8]>> = BTreeMap::new();
            for (name, bytecode) in
                before.iter().flat_map(|before| (0..before.count()).filter_map(|index| before.entry(index)))
            {
                all.insert(name, bytecode.into());
            }
            for (name, source, url) in scripts {
                all.insert(name.as_bytes(), compiler.compile(source, url)?.into());
            }
            let name = place.file_name()?.to_str()?;
            copies::write_whole(home, name, &render(&all)?)?;
            remove_others(home, name);
            Some(())
        };
        write().is_some()
    }
}

fn place(engine: &Engine, stamp: &str) -> Option<PathBuf> {
    Some(engine.home()?.join(format!("{FILES}{stamp}")))
}

fn render(all: &BTreeMap<&[u8], std::borrow::Cow<'_, [u8]>>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; HEAD_BYTES + all.len() * ENTRY_BYTES];
    for (index, (name, bytecode)) in all.iter().enumerate() {
        for (part, field) in [(*name, 0), (&**bytecode, 8)] {
            let at = HEAD_BYTES + index * ENTRY_BYTES + field;
            let begin = u32::try_from(bytes.len()).ok()?;
            bytes[at..at + 4].copy_from_slice(&begin.to_ne_bytes());
            bytes[at + 4..at + 8].copy_from_slice(&u32::try_from(part.len()).ok()?.to_ne_bytes());
            bytes.extend_from_slice(part);
        }
    }
    let length = u32::try_from(bytes.len()).ok().filter(|length| u64::from(*length) <= BYTES_MAX)?;
    bytes[..8].copy_from_slice(FORM);
    bytes[8..12].copy_from_slice(&length.to_ne_bytes());
    bytes[12..16].copy_from_slice(&u32::try_from(all.len()).ok()?.to_ne_bytes());
    Some(bytes)
}

/// Versions of before.
fn remove_others(home: &Path, name: &str) {
    let Ok(entries) = fs::read_dir(home) else { return };
    let mut others: Vec<_> = entries
        .flatten()
        .filter(|entry| {
            entry.file_name().to_str().is_some_and(|other| other.starts_with(FILES) && other != name)
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    others.sort();
    for (_, path) in others.iter().rev().skip(FILES_MAX - 1) {
        let _ = fs::remove_file(path);
    }
}

/// Four bytes, in this machine's order.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_ne_bytes(bytes.try_into().ok()?)).ok()
}

impl Map {
    fn of(file: &File) -> Option<Map> {
        let length = file.metadata().ok()?.len();
        let length = usize::try_from(length).ok().filter(|_| (1..=BYTES_MAX).contains(&length))?;
        // SAFETY: no address is asked for, so the kernel maps where nothing of ours lives.
        let first = unsafe {
            libc::mmap(ptr::null_mut(), length, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        (first != libc::MAP_FAILED).then_some(Map { first: first.cast_const().cast(), length })
    }

    fn all(&self) -> &[u8] {
        // SAFETY: a mapping of that length, as long as `self`; files of this kind are replaced, not written.
        unsafe { std::slice::from_raw_parts(self.first, self.length) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: mapped by `of`, and no slice of it outlives `self`.
        unsafe { libc::munmap(self.first.cast_mut().cast(), self.length) };
    }
}

#[cfg(test)]
mod tests;

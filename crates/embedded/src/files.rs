//! Embedded files of this program. In: a path. Out: its bytes, or a path under which the kernel
//! opens them. All threads share them. Absent: writing.

use std::collections::{BTreeMap, HashMap};
use std::ffi::CString;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use rusk_base::Result;
use rusk_base::sys::mmap::Mmap;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use crate::payload::{EntryKind, Header, Payload};
use crate::{PREFIX, problem};

/// Set once, before any thread starts.
static FILES: OnceLock<EmbeddedFiles> = OnceLock::new();

/// The files of this program.
pub struct EmbeddedFiles {
    map: Mmap,
    payload: Range<usize>,
    header: Header,
    /// Files that were opened by path: a descriptor of a copy in memory for each.
    descriptors: Mutex<HashMap<String, OwnedFd>>,
}

/// Maps the files at `location` of the program. Out: what is to be run.
pub fn open(program: &Path, location: Range<u64>) -> Result<&'static Payload> {
    let file = File::open(program).map_err(|error| problem::unreadable(program, error))?;
    let map =
        Mmap::open(file.as_fd(), u64::MAX).map_err(|errno| problem::unreadable(program, errno.into()))?;
    let payload = location.start as usize..location.end as usize;
    let bytes = map.get(payload.clone()).ok_or_else(|| problem::damaged(program))?;
    let header = Header::parse(bytes).ok_or_else(|| problem::damaged(program))?;
    let files = EmbeddedFiles { map, payload, header, descriptors: Mutex::default() };
    Ok(&FILES.get_or_init(|| files).header.settings)
}

/// The files; `None`: this program has none.
pub fn files() -> Option<&'static EmbeddedFiles> {
    FILES.get()
}

impl EmbeddedFiles {
    pub fn find(&self, path: &str) -> Option<&[u8]> {
        let range = self.header.files.get(path)?;
        self.map[self.payload.clone()].get(range.clone())
    }

    /// Path of the file that is run.
    pub fn entry(&self) -> &str {
        &self.header.settings.entry
    }

    /// Paths of the files that are no code, in order.
    pub fn assets(&self) -> &[String] {
        &self.header.assets
    }

    /// The entries of a directory by name; `None`: there is no such directory.
    pub fn directory(&self, path: &[u8]) -> Option<BTreeMap<&str, EntryKind>> {
        if !path.starts_with(PREFIX.as_bytes()) {
            return None;
        }
        self.header.directory(std::str::from_utf8(path).ok()?)
    }

    /// A path of the kernel for an embedded file. It stays valid.
    pub fn kernel_path(&self, path: &[u8]) -> Option<CString> {
        if !path.starts_with(PREFIX.as_bytes()) {
            return None;
        }
        let path = std::str::from_utf8(path).ok()?;
        let bytes = self.find(path)?;
        let mut descriptors = self.descriptors.lock().unwrap_or_else(PoisonError::into_inner);
        if !descriptors.contains_key(path) {
            descriptors.insert(path.to_owned(), in_memory(path, bytes)?);
        }
        CString::new(format!("/proc/self/fd/{}", descriptors[path].as_raw_fd())).ok()
    }
}

/// A file in memory that cannot be changed. `None`: no memory, or no descriptors.
fn in_memory(path: &str, bytes: &[u8]) -> Option<OwnedFd> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(memfd_create(name, flags).ok()?);
    file.write_all(bytes).ok()?;
    let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW;
    fcntl_add_seals(&file, seals).ok()?;
    Some(file.into())
}

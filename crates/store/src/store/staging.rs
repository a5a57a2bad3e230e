//! Staging directories for incomplete packages: `.staging/SESSION/NUMBER` in the store, on the same
//! file system. A session belongs to one open store and holds a file lock; the lock of a killed
//! process is released by the kernel. In: the store's directory. Out: directories that remove
//! themselves unless they are published.

use std::cell::Cell;
use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rusk_base::Result;
use rusk_base::files::{self, problem};
use rusk_base::sys::{self, Errno, FlockOperation, Mode, OwnedFd};

use super::INDEX_NAME;
use crate::unpack;

const STAGING_NAME: &str = ".staging";
/// Younger sessions are left alone: between its `mkdir` and its lock a live one looks dead.
const DEBRIS_AGE_S: i64 = 3600;

/// One process's part of the staging directory.
pub struct Staging {
    /// `.staging`, of all processes.
    shared: OwnedFd,
    name: String,
    /// Ours; holds the lock.
    session: OwnedFd,
    path: PathBuf,
    next: AtomicU64,
}

/// A package being written. Dropped before it was published, it removes itself.
pub struct Staged<'a> {
    staging: &'a Staging,
    name: String,
    dir: OwnedFd,
    published: Cell<bool>,
}

impl Staging {
    pub fn make(store: BorrowedFd<'_>, root: &Path) -> Result<Staging> {
        let path = root.join(STAGING_NAME);
        let shared =
            open_or_make(store, STAGING_NAME).map_err(|errno| problem::create_directory(&path, errno))?;
        let name = files::unpredictable_name();
        let path = path.join(&name);
        let session = open_or_make(shared.as_fd(), &name)
            .and_then(|session| {
                sys::flock(session.as_fd(), FlockOperation::NonBlockingLockExclusive).map(|()| session)
            })
            .map_err(|errno| problem::create_directory(&path, errno))?;
        // Refused but by ext4, where it keeps the packages' directories out of the block groups
        // that were last deleted from.
        let _ = sys::set_top_of_hierarchy(session.as_fd());
        Ok(Staging { shared, name, session, path, next: AtomicU64::new(0) })
    }

    /// A fresh directory for one package.
    pub fn make_dir(&self) -> Result<Staged<'_>> {
        let name = self.next_name();
        let made = open_or_make(self.session.as_fd(), &name);
        let dir = made.map_err(|errno| problem::create_directory(&self.path.join(&name), errno))?;
        Ok(Staged { staging: self, name, dir, published: Cell::new(false) })
    }

    /// Moves something out of the store by one rename, then removes it.
    pub fn take(&self, store: BorrowedFd<'_>, name: &str) -> sys::Result<()> {
        let taken = self.next_name();
        match sys::renameat(store, name, self.session.as_fd(), &taken) {
            Ok(()) => self.remove(&taken),
            Err(Errno::NOENT) => {}
            Err(errno) => return Err(errno),
        }
        Ok(())
    }

    /// Removes sessions without a lock. What cannot be removed stays for a later sweep.
    pub fn sweep(&self) {
        let Ok(listed) = sys::open_directory(self.shared.as_fd(), ".") else { return };
        let entries = sys::directory::entries(listed.as_fd()).unwrap_or_default();
        // The file system's own clock: our session was made a moment ago.
        let Ok(now_s) = sys::fstat(self.session.as_fd()).map(|stat| stat.st_mtime) else { return };
        for entry in entries {
            let age_s = sys::lstatat(self.shared.as_fd(), &entry.name).map(|stat| now_s - stat.st_mtime);
            if entry.name.to_bytes() == self.name.as_bytes() || age_s.is_ok_and(|age_s| age_s < DEBRIS_AGE_S)
            {
                continue;
            }
            let Ok(session) = sys::open_directory(self.shared.as_fd(), &entry.name) else { continue };
            if sys::flock(session.as_fd(), FlockOperation::NonBlockingLockExclusive).is_ok() {
                let name = Path::new(OsStr::from_bytes(entry.name.to_bytes()));
                let _ = files::remove_tree_at(self.shared.as_fd(), name);
            }
        }
    }

    fn next_name(&self) -> String {
        self.next.fetch_add(1, Ordering::Relaxed).to_string()
    }

    /// What cannot be removed now is debris, and swept as such.
    fn remove(&self, name: &str) {
        let _ = files::remove_tree_at(self.session.as_fd(), Path::new(name));
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = sys::rmdirat(self.shared.as_fd(), &self.name);
    }
}

impl Staged<'_> {
    /// The package's directory.
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    pub fn path(&self) -> PathBuf {
        self.staging.path.join(&self.name)
    }

    /// Moves the package to its path in the store, unless that exists.
    pub fn publish(&self, store: BorrowedFd<'_>, place: &str) -> sys::Result<()> {
        sys::renameat(self.staging.session.as_fd(), &self.name, store, place)?;
        self.published.set(true);
        Ok(())
    }

    pub fn write_index(&self, bytes: &[u8]) -> Result<()> {
        unpack::write_file(self.dir(), INDEX_NAME, bytes, 0o666)
            .map_err(|errno| problem::write(&self.path().join(INDEX_NAME), errno))
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.published.get() {
            self.staging.remove(&self.name);
        }
    }
}

fn open_or_make(dir: BorrowedFd<'_>, name: &str) -> sys::Result<OwnedFd> {
    match sys::mkdirat(dir, name, Mode::from_raw_mode(0o777)) {
        Ok(()) | Err(Errno::EXIST) => sys::open_directory(dir, name),
        Err(errno) => Err(errno),
    }
}

//! Link backends: how a file gets from the store into a project. In: the two directories. Out: the
//! cheapest backend that works between them, determined by one attempt. Absent: the files
//! themselves; see `link`.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, Errno, Mode, OFlags, OwnedFd};
use rusk_base::{Result, files};

use crate::{Store, unpack};

/// The ways, cheapest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backend {
    /// A second name for the file: one call, no bytes. An edit in the project is an edit in the
    /// store.
    Hardlink,
    /// A copy that shares its blocks until written to (`FICLONE`: btrfs, xfs, bcachefs).
    Clone,
    /// A copy inside the kernel, on one file system or a server.
    CopyFileRange,
    /// A copy through the page cache.
    SendFile,
    /// A copy through our memory; works everywhere.
    ReadWrite,
}

/// What is worth a try; `ReadWrite` needs none. Where that fails so will the link, and say at which
/// path.
const TRIED: [Backend; 4] = [Backend::Hardlink, Backend::Clone, Backend::CopyFileRange, Backend::SendFile];

/// The file in the store that probes link or copy.
const PROBE_NAME: &str = ".probe";
const PROBE_BYTES: &[u8] = b"rusk\n";
/// Bytes requested in one copying system call, which may copy fewer.
const COPY_BYTES_MAX: usize = 1 << 30;
/// On the stack, so that a file costs no allocation.
const BUFFER_BYTES: usize = 32 << 10;

impl Backend {
    /// The cheapest way from the store to the project, or the cheapest from `wanted` on. A probe
    /// leaves nothing in the project.
    pub fn probe(store: &Store, project: &Path, wanted: Option<Backend>) -> Result<Backend> {
        let dir = sys::open_directory(sys::CWD, project);
        let dir = dir.map_err(|errno| files::problem::open_directory(project, errno))?;
        let first = wanted.unwrap_or(Backend::Hardlink);
        let works = |backend: &Backend| *backend >= first && backend.works(store, dir.as_fd());
        Ok(TRIED.into_iter().find(works).unwrap_or(Backend::ReadWrite))
    }

    fn works(self, store: &Store, project: BorrowedFd<'_>) -> bool {
        let name = format!(".rusk-probe-{}", files::unpredictable_name());
        let mut outcome = self.bring(store.dir(), PROBE_NAME, project, &name);
        if outcome == Err(Errno::NOENT) {
            let _ = unpack::write_file(store.dir(), PROBE_NAME, PROBE_BYTES, 0o666);
            outcome = self.bring(store.dir(), PROBE_NAME, project, &name);
        }
        let _ = sys::unlinkat(project, &name);
        outcome.is_ok()
    }

    fn bring(
        self,
        store: BorrowedFd<'_>,
        source: &str,
        project: BorrowedFd<'_>,
        target: &str,
    ) -> sys::Result<()> {
        match self {
            Backend::Hardlink => sys::linkat(store, source, project, target),
            copying => copying.copy(store, source, project, target, 0o666),
        }
    }

    /// Copies one file; the target must not exist. `Hardlink` here means: what comes next.
    pub(crate) fn copy(
        self,
        source_dir: BorrowedFd<'_>,
        source: impl sys::PathArg,
        target_dir: BorrowedFd<'_>,
        target: impl sys::PathArg,
        mode: u16,
    ) -> sys::Result<()> {
        let source = sys::openat(source_dir, source, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let target = sys::openat(target_dir, target, flags, Mode::from_raw_mode(u32::from(mode)))?;
        self.copy_bytes(&source, &target)
    }

    fn copy_bytes(self, source: &OwnedFd, target: &OwnedFd) -> sys::Result<()> {
        let (source, target) = (source.as_fd(), target.as_fd());
        match self {
            Backend::Clone => sys::clone_file(source, target),
            Backend::Hardlink | Backend::CopyFileRange => {
                until_end(|| sys::copy_file_range(source, target, COPY_BYTES_MAX))
            }
            Backend::SendFile => until_end(|| sys::sendfile(source, target, COPY_BYTES_MAX)),
            Backend::ReadWrite => {
                let mut buffer = [0; BUFFER_BYTES];
                until_end(|| {
                    let count = sys::read(source, &mut buffer)?;
                    sys::write_all(target, &buffer[..count])?;
                    Ok(count)
                })
            }
        }
    }
}

fn until_end(mut copy: impl FnMut() -> sys::Result<usize>) -> sys::Result<()> {
    while copy()? > 0 {}
    Ok(())
}

//! One process at a time, or many of one kind and none of the other: a file held by `flock(2)`. The
//! kernel lets go when the holder ends, however it ends. In: a path, what is guarded, how long to
//! wait. Out: a guard. The file itself stays.

use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::files::problem;
use crate::sys::{self, Errno, FlockOperation, Mode, OFlags, OwnedFd};
use crate::{Problem, Result};

/// Between two tries: short enough not to be felt, long enough to cost nothing.
const PAUSE: Duration = Duration::from_millis(20);

/// The lock is held while this lives.
#[derive(Debug)]
pub struct FileLock {
    _file: OwnedFd,
}

/// What is waited for, and how long at most.
#[derive(Clone, Copy, Debug)]
pub struct LockWait<'a> {
    /// As it reads in `waited 60 s for …`: `another install in this project`.
    pub subject: &'a str,
    pub limit: Duration,
}

impl FileLock {
    /// Takes the lock, waiting for another holder up to the limit. `waiting` hears, after each try
    /// in vain, how long that has been.
    pub fn acquire(path: &Path, wait: LockWait<'_>, waiting: &mut dyn FnMut(Duration)) -> Result<FileLock> {
        FileLock::wait(path, FlockOperation::NonBlockingLockExclusive, wait, waiting)
    }

    /// The same, beside others who share it; only who acquires it is kept out.
    pub fn share(path: &Path, wait: LockWait<'_>, waiting: &mut dyn FnMut(Duration)) -> Result<FileLock> {
        FileLock::wait(path, FlockOperation::NonBlockingLockShared, wait, waiting)
    }

    fn wait(
        path: &Path,
        operation: FlockOperation,
        wait: LockWait<'_>,
        waiting: &mut dyn FnMut(Duration),
    ) -> Result<FileLock> {
        let start = Instant::now();
        loop {
            if let Some(lock) = FileLock::take(path, operation)? {
                return Ok(lock);
            }
            let waited = start.elapsed();
            if waited >= wait.limit {
                return Err(problem::locked_too_long(path, wait.subject, waited.as_secs()));
            }
            waiting(waited);
            sys::sleep(PAUSE.min(wait.limit - waited));
        }
    }

    /// Takes the lock if nobody else holds it.
    pub fn try_acquire(path: &Path) -> Result<Option<FileLock>> {
        FileLock::take(path, FlockOperation::NonBlockingLockExclusive)
    }

    fn take(path: &Path, operation: FlockOperation) -> Result<Option<FileLock>> {
        let refused = |errno| -> Problem { problem::lock(path, errno) };
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW;
        let file = sys::openat(sys::CWD, path, flags, Mode::from_raw_mode(0o666)).map_err(refused)?;
        match sys::flock(file.as_fd(), operation) {
            Ok(()) => Ok(Some(FileLock { _file: file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(errno) => Err(refused(errno)),
        }
    }
}

#[cfg(test)]
mod tests;

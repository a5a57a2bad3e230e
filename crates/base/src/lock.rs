//! File locks between processes, exclusive or shared, by `flock(2)`. The kernel releases a lock
//! when its holder ends in any way. In: a path, what it protects, a timeout. Out: a guard. The file
//! is not removed.

use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::files::problem;
use crate::sys::{self, Errno, FlockOperation, Mode, OFlags, OwnedFd};
use crate::{Problem, Result};

/// Pause between attempts: too short to notice, long enough to use no CPU time.
const PAUSE: Duration = Duration::from_millis(20);

/// The code of the problem that the limit has passed ([`problem::locked_too_long`]).
pub const TIMEOUT: &str = "lock-timeout";

/// The lock is held while this lives.
#[derive(Debug)]
pub struct FileLock {
    _file: OwnedFd,
}

/// What is waited for, and the timeout.
#[derive(Clone, Copy, Debug)]
pub struct LockWait<'a> {
    /// For the message `waited 60 s for …`: `another install in this project`.
    pub subject: &'a str,
    pub limit: Duration,
}

impl FileLock {
    /// Acquires an exclusive lock, waiting for other holders up to the limit. After each failed
    /// attempt, `waiting` is called with the time waited so far.
    pub fn acquire(path: &Path, wait: LockWait<'_>, waiting: &mut dyn FnMut(Duration)) -> Result<FileLock> {
        FileLock::wait(path, FlockOperation::NonBlockingLockExclusive, wait, waiting)
    }

    /// Acquires a shared lock, which only excludes exclusive ones.
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

    /// Acquires an exclusive lock if there is no other holder.
    pub fn try_acquire(path: &Path) -> Result<Option<FileLock>> {
        FileLock::take(path, FlockOperation::NonBlockingLockExclusive)
    }

    fn take(path: &Path, operation: FlockOperation) -> Result<Option<FileLock>> {
        let error = |errno| -> Problem { problem::lock(path, errno) };
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW;
        let file = sys::openat(sys::CWD, path, flags, Mode::from_raw_mode(0o666)).map_err(error)?;
        match sys::flock(file.as_fd(), operation) {
            Ok(()) => Ok(Some(FileLock { _file: file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(errno) => Err(error(errno)),
        }
    }
}

#[cfg(test)]
mod tests;

//! Owned file descriptor whose close is counted in the system call statistics. Otherwise like
//! [`std::os::fd::OwnedFd`].
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;
use std::os::fd::{self, AsFd, AsRawFd, BorrowedFd, IntoRawFd, RawFd};

use super::syscall_stats::traced;

/// See [`std::os::fd::OwnedFd`].
#[derive(Debug)]
pub struct OwnedFd(ManuallyDrop<fd::OwnedFd>);

impl OwnedFd {
    /// Converts to std's type, whose close is not counted.
    pub fn into_std(self) -> fd::OwnedFd {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: the field is not used again, since `self`'s own drop does not run.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }
}

impl From<fd::OwnedFd> for OwnedFd {
    fn from(descriptor: fd::OwnedFd) -> OwnedFd {
        OwnedFd(ManuallyDrop::new(descriptor))
    }
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsRawFd for OwnedFd {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

impl Drop for OwnedFd {
    fn drop(&mut self) {
        // SAFETY: the field is not used again: `self` is being dropped.
        let number = unsafe { ManuallyDrop::take(&mut self.0) }.into_raw_fd();
        // An error cannot be handled, and the descriptor is closed even then: close(2).
        let _ = traced(libc::SYS_close, || {
            // SAFETY: the descriptor was owned until now, so no one else uses it.
            unsafe { rustix::io::close(number) };
            Ok(())
        });
    }
}

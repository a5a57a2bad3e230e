//! A descriptor that is ours. In: one that the kernel just gave. Out: what can be borrowed; it is
//! closed when dropped, as std's is, by a call that is counted.
#![allow(unsafe_code)]

use std::mem::ManuallyDrop;
use std::os::fd::{self, AsFd, AsRawFd, BorrowedFd, IntoRawFd, RawFd};

use super::syscall_stats::traced;

/// As [`std::os::fd::OwnedFd`].
#[derive(Debug)]
pub struct OwnedFd(ManuallyDrop<fd::OwnedFd>);

impl OwnedFd {
    /// std's own, whose closing is not counted.
    pub fn into_std(self) -> fd::OwnedFd {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: what `self` held is not used again: its own drop does not run.
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
        // SAFETY: what it held is not used again: `self` ends here.
        let number = unsafe { ManuallyDrop::take(&mut self.0) }.into_raw_fd();
        // Nothing can be done about an error, and the descriptor is gone also then: close(2).
        let _ = traced(libc::SYS_close, || {
            // SAFETY: the number was owned until a moment ago, and nobody else knows it.
            unsafe { rustix::io::close(number) };
            Ok(())
        });
    }
}

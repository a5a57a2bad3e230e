//! `inotify(7)`: file system events. In: paths to watch. Out: a file descriptor that is ready when
//! there are events, and the events. Absent: recursion; each directory needs a watch of its own.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::inotify;
pub use rustix::fs::inotify::{ReadFlags, WatchFlags};

use super::syscall_stats::traced;
use super::{Errno, PathArg, Result};

/// Buffer of one read: a name has at most 255 bytes, so at least fifteen events fit.
const BUFFER_BYTES: usize = 4096;

/// A new inotify instance; reading it does not block.
pub fn open() -> Result<OwnedFd> {
    let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
    traced(libc::SYS_inotify_init1, || inotify::init(flags))
}

/// `inotify_add_watch(2)`: returns the watch descriptor, which is the existing one if the file is
/// watched already.
pub fn add(set: BorrowedFd<'_>, path: impl PathArg, events: WatchFlags) -> Result<i32> {
    traced(libc::SYS_inotify_add_watch, || inotify::add_watch(set, path, events))
}

/// `inotify_rm_watch(2)`.
pub fn remove(set: BorrowedFd<'_>, watch: i32) -> Result<()> {
    traced(libc::SYS_inotify_rm_watch, || inotify::remove_watch(set, watch))
}

/// Passes all pending events to `visit`: watch descriptor, event mask, and the name in the watched
/// directory.
pub fn read(set: BorrowedFd<'_>, visit: &mut dyn FnMut(i32, ReadFlags, Option<&CStr>)) -> Result<()> {
    let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
    let mut events = inotify::Reader::new(set, &mut buffer);
    loop {
        match events.next() {
            Ok(event) => visit(event.wd(), event.events(), event.file_name()),
            Err(Errno::AGAIN) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

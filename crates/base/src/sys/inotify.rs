//! `inotify(7)`: what happens to files and folders. In: paths to watch. Out: a descriptor that is
//! ready when something has happened, and what. Absent: folders below a folder; each is watched for
//! itself.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::inotify;
pub use rustix::fs::inotify::{ReadFlags, WatchFlags};

use super::syscall_stats::traced;
use super::{Errno, PathArg, Result};

/// Room for events read at once: a name has at most 255 bytes, so there are at least fifteen.
const BUFFER_BYTES: usize = 4096;

/// A new set of watches; reading it does not block.
pub fn open() -> Result<OwnedFd> {
    let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
    traced(libc::SYS_inotify_init1, || inotify::init(flags))
}

/// `inotify_add_watch(2)`: the number of the watch, the same one where the file is watched already.
pub fn add(set: BorrowedFd<'_>, path: impl PathArg, wanted: WatchFlags) -> Result<i32> {
    traced(libc::SYS_inotify_add_watch, || inotify::add_watch(set, path, wanted))
}

/// `inotify_rm_watch(2)`.
pub fn remove(set: BorrowedFd<'_>, watch: i32) -> Result<()> {
    traced(libc::SYS_inotify_rm_watch, || inotify::remove_watch(set, watch))
}

/// Shows what has happened since the last call: the watch, what it was, and the name in the folder
/// that is watched.
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

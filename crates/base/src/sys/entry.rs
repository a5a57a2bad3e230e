//! How a program of ours begins: at C's `main`, without the twenty system calls by which the standard library sets up
//! what we do not use (a handler for stack overflows, the bounds of the first stack). In: a function. Out: its status
//! as the program's. Absent: flushing what was printed, which is the function's. What the standard library does for safety is done here too: closed standard streams are opened
//! on /dev/null, and `SIGPIPE` is ignored.
#![allow(unsafe_code)]

use std::os::fd::{BorrowedFd, IntoRawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{CURRENT, Mode, OFlags, calls};

/// Makes `$run`, a function from nothing to a status, the program's first.
#[macro_export]
macro_rules! begin_at {
    ($run:path) => {
        /// What C's start-up code calls.
        #[unsafe(no_mangle)]
        pub extern "C" fn main() -> i32 {
            $crate::sys::entry::begin($run)
        }
    };
}

/// For [`begin_at`] alone.
pub fn begin(run: fn() -> u8) -> i32 {
    open_closed_streams();
    // SAFETY: sets a disposition; no thread but this one exists.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    i32::from(run())
}

/// A file opened later must not become what somebody prints to.
fn open_closed_streams() {
    // SAFETY: the numbers are looked at alone; `poll` tells which are open.
    let streams = [0, 1, 2].map(|number| unsafe { BorrowedFd::borrow_raw(number) });
    let mut watched = streams.each_ref().map(|stream| PollFd::new(stream, PollFlags::empty()));
    if super::again(|| poll(&mut watched, Some(&Timespec::default()))).is_err() {
        return;
    }
    let closed = watched.iter().filter(|stream| stream.revents().contains(PollFlags::NVAL)).count();
    for _ in 0..closed {
        // The kernel gives the lowest number that is free; it stays open for good, in what we start as well.
        if let Ok(null) = calls::openat(CURRENT, c"/dev/null", OFlags::RDWR, Mode::empty()) {
            let _ = null.into_raw_fd();
        }
    }
}

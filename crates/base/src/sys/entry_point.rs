//! How a program of ours begins: at C's `main`, without the twenty system calls by which the
//! standard library sets up what we do not use (a handler for stack overflows, the bounds of the
//! first stack). In: a function, and the names of variables that are for this process alone. Out:
//! its status as the program's. Absent: flushing what was printed, which is the function's. What
//! the standard library does for safety is done here too: closed standard streams are opened on
//! /dev/null, and `SIGPIPE` is ignored.
#![allow(unsafe_code)]

use std::ffi::OsString;
use std::os::fd::{BorrowedFd, IntoRawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::syscall_stats::traced;
use super::{CWD, Mode, OFlags, calls};
use crate::timeline::process_phases;

/// Makes `$run`, a function to a status, the program's first. It gets what `$begin` makes of the
/// variables `$names`, which `$begin` is given before anything else is done, and which no child
/// inherits.
#[macro_export]
macro_rules! entry_point {
    ($names:expr, $begin:path, $run:path) => {
        /// What C's start-up code calls.
        #[unsafe(no_mangle)]
        pub extern "C" fn main() -> i32 {
            $crate::sys::entry_point::run_main($names, $begin, $run)
        }
    };
}

/// For [`entry_point`] alone.
pub fn run_main<T, const N: usize>(
    names: [&str; N],
    begin: fn([Option<OsString>; N]) -> T,
    run: fn(T) -> u8,
) -> i32 {
    let begun = begin(names.map(take_variable));
    let step = process_phases::begin("make streams safe");
    open_closed_streams();
    // SAFETY: sets a disposition; no thread but this one exists.
    let ignore = || Ok(unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) });
    let _ = traced(libc::SYS_rt_sigaction, ignore);
    drop(step);
    i32::from(run(begun))
}

fn take_variable(name: &str) -> Option<OsString> {
    let value = std::env::var_os(name)?;
    // SAFETY: C's start-up code has made no thread that could look at the environment meanwhile.
    unsafe { std::env::remove_var(name) };
    Some(value)
}

/// A file opened later must not become what somebody prints to.
fn open_closed_streams() {
    // SAFETY: the numbers are looked at alone; `poll` tells which are open.
    let streams = [0, 1, 2].map(|number| unsafe { BorrowedFd::borrow_raw(number) });
    let mut watched = streams.each_ref().map(|stream| PollFd::new(stream, PollFlags::empty()));
    let look = || traced(libc::SYS_ppoll, || poll(&mut watched, Some(&Timespec::default())));
    if super::again(look).is_err() {
        return;
    }
    let closed = watched.iter().filter(|stream| stream.revents().contains(PollFlags::NVAL)).count();
    for _ in 0..closed {
        // The kernel gives the lowest number that is free; it stays open for good, in what we start
        // as well.
        let open = || calls::openat(CWD, c"/dev/null", OFlags::RDWR, Mode::empty());
        if let Ok(null) = traced(libc::SYS_openat, open) {
            let _ = null.into_raw_fd();
        }
    }
}

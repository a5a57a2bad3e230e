//! Entry point of our executables: C's `main`, without the twenty system calls of the standard
//! library's runtime setup (a stack overflow handler, the bounds of the main stack). In: a
//! function, and the names of environment variables that children must not inherit. Out: the exit
//! status. The function itself flushes its output.
//!
//! The safety measures of the standard library are kept: closed standard streams are opened on
//! /dev/null, and `SIGPIPE` is ignored. A write beyond the limit of a file's size is an error, too.
#![allow(unsafe_code)]

use std::ffi::OsString;
use std::os::fd::{BorrowedFd, IntoRawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::signal_handler::catch_file_size_limit;
use super::syscall_stats::traced;
use super::{CWD, Mode, OFlags, calls};
use crate::timeline::process_phases;

/// Makes `$run` the program's first function; it returns the exit status. `$begin` runs before
/// anything else: it gets the environment variables `$names`, which are then removed from the
/// environment, and its result is passed to `$run`.
#[macro_export]
macro_rules! entry_point {
    ($names:expr, $begin:path, $run:path) => {
        /// Called by C's startup code.
        #[unsafe(no_mangle)]
        pub extern "C" fn main() -> i32 {
            $crate::sys::entry_point::run_main($names, $begin, $run)
        }
    };
}

/// Used by [`entry_point`] only.
pub fn run_main<T, const N: usize>(
    names: [&str; N],
    begin: fn([Option<OsString>; N]) -> T,
    run: fn(T) -> u8,
) -> i32 {
    let settings = begin(names.map(take_environment_variable));
    let phase = process_phases::begin("make streams safe");
    open_closed_streams();
    // SAFETY: sets a signal disposition; this is the only thread.
    let ignore = || Ok(unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) });
    let _ = traced(libc::SYS_rt_sigaction, ignore);
    let catch = || {
        catch_file_size_limit();
        Ok(())
    };
    let _ = traced(libc::SYS_rt_sigaction, catch);
    drop(phase);
    i32::from(run(settings))
}

fn take_environment_variable(name: &str) -> Option<OsString> {
    let value = std::env::var_os(name)?;
    // SAFETY: no other thread exists yet that could read the environment.
    unsafe { std::env::remove_var(name) };
    Some(value)
}

/// Otherwise a file opened later could become a standard stream that something prints to.
fn open_closed_streams() {
    // SAFETY: the descriptors are passed to `poll` only, which reports those that are closed.
    let streams = [0, 1, 2].map(|number| unsafe { BorrowedFd::borrow_raw(number) });
    let mut watched = streams.each_ref().map(|stream| PollFd::new(stream, PollFlags::empty()));
    let poll_streams = || traced(libc::SYS_ppoll, || poll(&mut watched, Some(&Timespec::default())));
    if super::retry_on_eintr(poll_streams).is_err() {
        return;
    }
    let closed = watched.iter().filter(|stream| stream.revents().contains(PollFlags::NVAL)).count();
    for _ in 0..closed {
        // The kernel returns the lowest free number. The descriptor stays open, also in children.
        let open = || calls::openat(CWD, c"/dev/null", OFlags::RDWR, Mode::empty());
        if let Ok(null) = traced(libc::SYS_openat, open) {
            let _ = null.into_raw_fd();
        }
    }
}

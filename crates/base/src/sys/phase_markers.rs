//! Phase markers for system call tracers: a call that shows where a phase begins or ends. In: the
//! phase's name. Out: a `faccessat(2)` with an invalid directory descriptor, which fails without
//! any lookup.
#![allow(unsafe_code)]

use std::ffi::CString;

/// Prefix of a phase's name in the path of `faccessat(-1, …)`. The prefix alone ends a phase.
pub const PREFIX: &str = "rusk:phase:";

/// The directory descriptor of a marker.
pub const INVALID_DIRECTORY_FD: i32 = -1;

pub fn emit(name: &str) {
    let Ok(path) = CString::new([PREFIX, name].concat()) else { return };
    // SAFETY: the kernel reads the path up to its NUL.
    unsafe { libc::syscall(libc::SYS_faccessat, INVALID_DIRECTORY_FD, path.as_ptr(), libc::F_OK) };
}

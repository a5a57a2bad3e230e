//! What a process says to whoever watches its system calls: where a phase begins and ends. In: a
//! name. Out: a call that looks nothing up, as the folder that it starts from is none. Absent: an
//! answer.
#![allow(unsafe_code)]

use std::ffi::CString;

/// What stands in front of a phase's name, in the path of `faccessat(-1, …)`; with nothing behind
/// it, a phase ends.
pub const PREFIX: &str = "rusk:phase:";

/// The folder that is none.
pub const INVALID_DIRECTORY_FD: i32 = -1;

pub fn emit(name: &str) {
    let Ok(path) = CString::new([PREFIX, name].concat()) else { return };
    // SAFETY: the kernel reads the path, up to its NUL.
    unsafe { libc::syscall(libc::SYS_faccessat, INVALID_DIRECTORY_FD, path.as_ptr(), libc::F_OK) };
}

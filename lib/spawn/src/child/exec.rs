//! The exec of the program, which is searched in PATH like `execvp(3)`.

use super::sys::{Errno, call3};
use super::{BoundPlan, SetupError, Step};

const SHELL: &std::ffi::CStr = c"/bin/sh";

/// Tries each path. Returns if none could be run, with the most informative errno: a file that may
/// not be executed over files that were not found.
///
/// # Safety
/// As [`super::child_main`].
pub unsafe fn exec(bound: &BoundPlan) -> SetupError {
    let mut errno = Errno(libc::ENOENT);
    let mut denied = false;
    let mut candidate = bound.candidates;
    // SAFETY: the arrays end in nulls, and there is a spare entry before argv.
    unsafe {
        while !(*candidate).is_null() {
            errno = execve(*candidate, bound.argv, bound.envp);
            if errno.0 == libc::ENOEXEC && bound.layout.shell_fallback {
                *bound.argv.wrapping_sub(1) = SHELL.as_ptr().cast();
                *bound.argv = *candidate;
                errno = execve(SHELL.as_ptr().cast(), bound.argv.wrapping_sub(1), bound.envp);
                break;
            }
            match errno.0 {
                libc::EACCES => denied = true,
                libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV | libc::ETIMEDOUT => {}
                _ => return SetupError { step: Step::Exec, errno: errno.0 },
            }
            candidate = candidate.wrapping_add(1);
        }
    }
    SetupError { step: Step::Exec, errno: if denied { libc::EACCES } else { errno.0 } }
}

/// # Safety
/// The path ends in a NUL, the arrays in nulls, their strings in NULs.
unsafe fn execve(path: *const u8, argv: *const *const u8, envp: *const *const u8) -> Errno {
    // SAFETY: guaranteed by the caller.
    match unsafe { call3(libc::SYS_execve, path as usize, argv as usize, envp as usize) } {
        Err(errno) => errno,
        Ok(_) => Errno(0),
    }
}

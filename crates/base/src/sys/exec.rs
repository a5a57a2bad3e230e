//! `execve(2)`: replaces this process's program. In: a file, arguments, environment. Out: nothing,
//! or an errno. Absent: the shell fallback of execvp(3) for files of unknown format.
#![allow(unsafe_code)]

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use super::Errno;

/// Returns only on failure.
pub fn exec(file: &Path, arguments: &[OsString], environment: &[(OsString, OsString)]) -> Errno {
    let c_string = |bytes: &[u8]| CString::new(bytes).map_err(|_| Errno::INVAL);
    let file = c_string(file.as_os_str().as_bytes());
    let arguments: Result<Vec<CString>, Errno> =
        arguments.iter().map(|argument| c_string(argument.as_bytes())).collect();
    let pair =
        |(name, value): &(OsString, OsString)| c_string(&[name.as_bytes(), b"=", value.as_bytes()].concat());
    let environment: Result<Vec<CString>, Errno> = environment.iter().map(pair).collect();
    let (Ok(file), Ok(arguments), Ok(environment)) = (file, arguments, environment) else {
        return Errno::INVAL;
    };
    let (arguments, environment) = (c_string_pointers(&arguments), c_string_pointers(&environment));
    // SAFETY: sets a signal disposition; programs expect the default one.
    let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    // SAFETY: all pointers are to strings that end with a NUL, in arrays that end with a null.
    unsafe { libc::execve(file.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    let error = std::io::Error::last_os_error();
    // SAFETY: restores the former disposition.
    unsafe { libc::signal(libc::SIGPIPE, before) };
    Errno::from_raw_os_error(error.raw_os_error().unwrap_or(libc::EIO))
}

/// A null-terminated array of string pointers, as execve(2) takes it.
pub fn c_string_pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

//! This process made another program. In: a file, its words, its variables. Out: nothing, or the
//! kernel's answer why not. Absent: what C libraries do with a file that the kernel does not know,
//! which is to have a shell read it.
#![allow(unsafe_code)]

use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use super::Errno;

/// Returns only why it could not be done.
pub fn exec(file: &Path, words: &[OsString], variables: &[(OsString, OsString)]) -> Errno {
    let text = |bytes: &[u8]| CString::new(bytes).map_err(|_| Errno::INVAL);
    let file = text(file.as_os_str().as_bytes());
    let words: Result<Vec<CString>, Errno> = words.iter().map(|word| text(word.as_bytes())).collect();
    let pair =
        |(name, value): &(OsString, OsString)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat());
    let variables: Result<Vec<CString>, Errno> = variables.iter().map(pair).collect();
    let (Ok(file), Ok(words), Ok(variables)) = (file, words, variables) else { return Errno::INVAL };
    let (words, variables) = (c_string_pointers(&words), c_string_pointers(&variables));
    // SAFETY: sets a disposition; programs expect it as the system sets it.
    let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    // SAFETY: all pointers are to texts that end in a NUL, in lists that end in a null.
    unsafe { libc::execve(file.as_ptr(), words.as_ptr(), variables.as_ptr()) };
    let error = std::io::Error::last_os_error();
    // SAFETY: what it was before.
    unsafe { libc::signal(libc::SIGPIPE, before) };
    Errno::from_raw_os_error(error.raw_os_error().unwrap_or(libc::EIO))
}

/// As the kernel wants a list of texts.
pub fn c_string_pointers(texts: &[CString]) -> Vec<*const libc::c_char> {
    texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
}

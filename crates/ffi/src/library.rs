//! Shared libraries: dlopen(3). In: a name or a path. Out: addresses of symbols, or the linker's
//! message. Absent: signatures.

use std::ffi::{CStr, CString, c_void};
use std::ptr::NonNull;

/// An open library; it stays open until [`Library::close`].
#[derive(Debug)]
pub struct Library(NonNull<c_void>);

impl Library {
    /// `None`: the program itself with its libraries. The error is dlerror(3)'s.
    pub fn open(name: Option<&str>) -> Result<Library, String> {
        let name = name.map(CString::new).transpose().map_err(|_| "the name has a NUL byte".to_owned())?;
        let name = name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr());
        // SAFETY: a name with a NUL, or null. The program asks for the initializers to run.
        let library = unsafe { libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_LOCAL) };
        NonNull::new(library).map(Library).ok_or_else(last_error)
    }

    /// The address of a symbol; `None`: the library has none of that name.
    pub fn symbol(&self, name: &str) -> Option<usize> {
        let name = CString::new(name).ok()?;
        // SAFETY: an open library and a name with a NUL.
        let address = unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) };
        (!address.is_null()).then(|| address.expose_provenance())
    }

    /// Unloads the library. Its functions must not be called any more.
    pub fn close(self) {
        // SAFETY: open until now, and closed once.
        unsafe { libc::dlclose(self.0.as_ptr()) };
    }
}

fn last_error() -> String {
    // SAFETY: called on the thread whose dlopen failed; the message is valid until its next call.
    unsafe {
        let message = libc::dlerror();
        match message.is_null() {
            true => "unknown error".to_owned(),
            false => CStr::from_ptr(message).to_string_lossy().into_owned(),
        }
    }
}

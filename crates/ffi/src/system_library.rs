//! A library of the distribution, opened at its first use and never closed. In: file names. Out:
//! addresses of what it exports. Absent: libraries that a program opens (library.rs).

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

pub struct SystemLibrary(NonNull<c_void>);

impl SystemLibrary {
    /// The first of these files that there is. Their initializers must have no requirements.
    pub fn open(names: &[&CStr]) -> Option<SystemLibrary> {
        // SAFETY: names with a NUL; the initializers have no requirements.
        let open = |name: &&CStr| unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        names.iter().map(open).find_map(NonNull::new).map(SystemLibrary)
    }

    pub fn find(&self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: an open library, which is never closed, and a name with a NUL.
        let address = unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}

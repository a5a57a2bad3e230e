//! Shared libraries of the distribution: dlopen(3) at first use, never closed.

use std::ffi::{CStr, c_void};
use std::fmt;
use std::ptr::NonNull;

/// A library, or a function of it, is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingLibrary {
    /// What needs it, as a subject: `Brotli needs`.
    pub subject: &'static str,
    pub file: &'static str,
    /// The package of Debian and Ubuntu that has it.
    pub package: &'static str,
    /// The library is there, and lacks this function.
    pub function: Option<&'static str>,
}

impl fmt::Display for MissingLibrary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingLibrary { subject, file, package, function } = self;
        match function {
            None => write!(out, "{subject} {file}: install the package {package}"),
            Some(function) => {
                write!(out, "{subject} a newer {file}, with {function}: upgrade the package {package}")
            }
        }
    }
}

impl std::error::Error for MissingLibrary {}

pub struct Library(NonNull<c_void>);

impl Library {
    /// `None`: the library cannot be opened.
    pub fn open(file: &CStr) -> Option<Library> {
        // SAFETY: the name ends in NUL; the constructors that run are those of a system library.
        NonNull::new(unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) }).map(Library)
    }

    pub fn find(&self, function: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the handle is open and never closed; the name ends in NUL.
        NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), function.as_ptr()) })
    }
}

/// A table of C functions with `get`, which opens the library at the first call. The signatures
/// are those of the library's public headers.
macro_rules! functions {
    (
        $(#[$doc:meta])*
        $name:ident: $subject:literal, $file:literal, $package:literal;
        $($field:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*
    ) => {
        $(#[$doc])*
        pub struct $name {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $name {
            pub fn get() -> Result<&'static $name, $crate::MissingLibrary> {
                static LOADED: std::sync::OnceLock<Result<$name, $crate::MissingLibrary>> =
                    std::sync::OnceLock::new();
                LOADED.get_or_init($name::load).as_ref().map_err(|missing| *missing)
            }

            fn load() -> Result<$name, $crate::MissingLibrary> {
                let missing = |function| $crate::MissingLibrary {
                    subject: $subject,
                    file: $file,
                    package: $package,
                    function,
                };
                let file = std::ffi::CStr::from_bytes_with_nul(concat!($file, "\0").as_bytes());
                let library = file.ok().and_then($crate::library::Library::open);
                let library = library.ok_or_else(|| missing(None))?;
                $(
                    let symbol = std::ffi::CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes());
                    let address = symbol.ok().and_then(|symbol| library.find(symbol));
                    let address = address.ok_or_else(|| missing(Some($symbol)))?;
                    // SAFETY: the address of a function of the library, which is never closed, with
                    // the signature of the library's header. Pointers to data and to functions have
                    // one size on Linux.
                    let $field = unsafe {
                        std::mem::transmute::<
                            std::ptr::NonNull<std::ffi::c_void>,
                            unsafe extern "C" fn($($argument),*) $(-> $result)?,
                        >(address)
                    };
                )*
                Ok($name { $($field,)* })
            }
        }
    };
}

pub(crate) use functions;

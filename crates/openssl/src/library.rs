//! Opens libcrypto, once per process, at first use. In: nothing; the linker's search path. Out: the
//! function table, or why there is none. The library's own exit handler and the system's
//! configuration file are not used: threads of the pool may still work when a program ends, and
//! Node reads no such file either.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

use crate::error::CryptoError;
use crate::symbols::Symbols;

const NAMES: [&CStr; 2] = [c"libcrypto.so.3", c"libcrypto.so"];

/// The oldest release whose API is used.
pub const OLDEST: Version = Version { major: 3, minor: 0, patch: 0 };

/// `OPENSSL_INIT_LOAD_CRYPTO_STRINGS | ADD_ALL_CIPHERS | ADD_ALL_DIGESTS | NO_LOAD_CONFIG |
/// NO_ATEXIT` of `crypto.h`.
const INIT_OPTIONS: u64 = 0x2 | 0x4 | 0x8 | 0x80 | 0x0008_0000;

static LIBRARY: OnceLock<Result<Symbols, String>> = OnceLock::new();

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

/// The function table. The first call opens the library.
pub(crate) fn open() -> Result<&'static Symbols, CryptoError> {
    LIBRARY.get_or_init(load).as_ref().map_err(|reason| CryptoError::Unavailable(reason.clone()))
}

/// The function table, where a value of the library exists already.
pub(crate) fn symbols() -> &'static Symbols {
    let opened = LIBRARY.get().and_then(|library| library.as_ref().ok());
    opened.expect("values of the library are made by functions that opened it")
}

/// The release of the installed library.
pub fn version() -> Result<Version, CryptoError> {
    open().map(release)
}

fn load() -> Result<Symbols, String> {
    let opened = NAMES.iter().find_map(|name| {
        // SAFETY: the constructors that run are those of a system library.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!library.is_null()).then_some(library)
    });
    let Some(library) = opened else { return Err(explain("`libcrypto.so.3` is not installed")) };
    // SAFETY: the handle is open and never closed; the name ends in NUL.
    let find = |name: &CStr| -> *mut c_void { unsafe { libc::dlsym(library, name.as_ptr()) } };
    // SAFETY: the library is libcrypto by its name.
    let symbols = unsafe { Symbols::load(find) };
    let symbols = symbols.map_err(|name| explain(&format!("`libcrypto` has no function `{name}`")))?;
    let found = release(&symbols);
    if found < OLDEST {
        return Err(explain(&format!("found OpenSSL {}.{}", found.major, found.minor)));
    }
    // SAFETY: the options are flags of `crypto.h`; no settings are passed.
    unsafe { (symbols.OPENSSL_init_crypto)(INIT_OPTIONS, std::ptr::null_mut()) };
    Ok(symbols)
}

fn release(symbols: &Symbols) -> Version {
    // SAFETY: these functions take no argument and cannot fail.
    unsafe {
        Version {
            major: (symbols.OPENSSL_version_major)(),
            minor: (symbols.OPENSSL_version_minor)(),
            patch: (symbols.OPENSSL_version_patch)(),
        }
    }
}

pub(crate) fn explain(reason: &str) -> String {
    format!(
        "expected OpenSSL 3, {reason}; install the package `libssl3` (Debian, Ubuntu) or `openssl-libs` (Fedora)"
    )
}

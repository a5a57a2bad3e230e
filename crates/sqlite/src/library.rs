//! Opens the distribution's SQLite, once per process, at first use. In: nothing; the linker's
//! search path. Out: the function table, or why there is none.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use crate::symbols::{Raw, Symbols};

const NAMES: [&CStr; 2] = [c"libsqlite3.so.0", c"libsqlite3.so"];

/// `SQLITE_VERSION_NUMBER` of the oldest release whose API is used: 3.36.
const OLDEST: i32 = 3_036_000;

static LIBRARY: OnceLock<Result<Symbols, String>> = OnceLock::new();

/// `sqlite3_error_offset`, since 3.38.
type ErrorOffset = unsafe extern "C" fn(Raw) -> c_int;
static ERROR_OFFSET: OnceLock<ErrorOffset> = OnceLock::new();

/// The function table. The first call opens the library.
pub fn open() -> Result<&'static Symbols, String> {
    LIBRARY.get_or_init(load).as_ref().map_err(Clone::clone)
}

/// The function table, where a value of the library exists already.
pub fn symbols() -> &'static Symbols {
    let opened = LIBRARY.get().and_then(|library| library.as_ref().ok());
    opened.expect("values of the library are made by functions that opened it")
}

/// Where in its SQL the last error of a connection is.
pub fn error_offset(connection: Raw) -> Option<u32> {
    // SAFETY: an open connection.
    let offset = unsafe { ERROR_OFFSET.get()?(connection) };
    u32::try_from(offset).ok()
}

fn load() -> Result<Symbols, String> {
    let opened = NAMES.iter().find_map(|name| {
        // SAFETY: the initializers of a system library have no requirements.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!library.is_null()).then_some(library)
    });
    let Some(library) = opened else { return Err(explain("`libsqlite3.so.0` is not installed")) };
    // SAFETY: the handle is open and never closed; the name ends in NUL.
    let find = |name: &CStr| -> *mut c_void { unsafe { libc::dlsym(library, name.as_ptr()) } };
    // SAFETY: the library is SQLite by its name.
    let symbols = unsafe { Symbols::load(find) };
    let symbols = symbols.map_err(|name| explain(&format!("`libsqlite3` has no function `{name}`")))?;
    // SAFETY: it takes no argument and cannot fail.
    let version = unsafe { (symbols.sqlite3_libversion_number)() };
    if version < OLDEST {
        return Err(explain(&format!("found {}.{}", version / 1_000_000, version / 1000 % 1000)));
    }
    let offset = find(c"sqlite3_error_offset");
    if !offset.is_null() {
        // SAFETY: the function of that name, of the documented type.
        ERROR_OFFSET.get_or_init(|| unsafe { std::mem::transmute::<*mut c_void, ErrorOffset>(offset) });
    }
    Ok(symbols)
}

fn explain(reason: &str) -> String {
    format!(
        "expected SQLite 3.36, {reason}; install the package `libsqlite3-0` (Debian, Ubuntu) or `sqlite-libs` (Fedora)"
    )
}

//! Errors with SQLite's codes.

use std::ffi::{CStr, CString, c_int};

use crate::library::symbols;
use crate::symbols::{Raw, Text};

/// Why SQLite did not do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqliteError {
    pub message: String,
    /// The extended result code; 0: the library could not be used.
    pub code: i32,
    /// Where in the SQL, in bytes of UTF-8, if SQLite says it.
    pub offset: Option<u32>,
}

impl SqliteError {
    /// The last error of a connection.
    pub(crate) fn of(connection: Raw, code: c_int) -> SqliteError {
        // SAFETY: an open connection; the message is copied at once.
        let message = unsafe { lossy((symbols().sqlite3_errmsg)(connection)) };
        SqliteError { message, code, offset: None }
    }

    /// A code by itself.
    pub(crate) fn of_code(code: c_int) -> SqliteError {
        // SAFETY: the text is constant.
        let message = unsafe { lossy((symbols().sqlite3_errstr)(code)) };
        SqliteError { message, code, offset: None }
    }

    pub(crate) fn without_library(message: String) -> SqliteError {
        SqliteError { message, code: 0, offset: None }
    }

    /// What the library refuses to be asked: a name with a NUL, for example.
    pub(crate) fn misuse(message: &str) -> SqliteError {
        SqliteError { message: message.to_owned(), code: MISUSE, offset: None }
    }
}

/// `SQLITE_MISUSE`.
const MISUSE: i32 = 21;

/// # Safety
/// A text that ends in NUL, or null.
pub(crate) unsafe fn lossy(text: Text) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

pub(crate) fn c_string(text: &str) -> Result<CString, SqliteError> {
    CString::new(text).map_err(|_| SqliteError::misuse("a name contains a NUL"))
}

//! Values of SQLite: a column, a parameter, an argument of a function.

use std::ffi::{c_int, c_uchar, c_void};

/// A value; strings are UTF-8 unless the database contains something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a [u8]),
    Blob(&'a [u8]),
}

/// `SQLITE_INTEGER` and the others.
const INTEGER: c_int = 1;
const REAL: c_int = 2;
const TEXT: c_int = 3;
const BLOB: c_int = 4;

/// The functions that read a value of some kind.
pub(crate) struct Access<I, R, T, B, L> {
    pub integer: I,
    pub real: R,
    pub text: T,
    pub blob: B,
    pub length: L,
}

impl<I, R, T, B, L> Access<I, R, T, B, L>
where
    I: FnOnce() -> i64,
    R: FnOnce() -> f64,
    T: FnOnce() -> *const c_uchar,
    B: FnOnce() -> *const c_void,
    L: FnOnce() -> c_int,
{
    /// # Safety
    /// The functions read one value, which stays as it is for `'a`.
    pub unsafe fn read<'a>(self, kind: c_int) -> Value<'a> {
        match kind {
            INTEGER => Value::Integer((self.integer)()),
            REAL => Value::Real((self.real)()),
            // The length is that of what was asked for before it.
            TEXT => {
                let first = (self.text)();
                // SAFETY: guaranteed by the caller.
                Value::Text(unsafe { bytes(first, (self.length)()) })
            }
            BLOB => {
                let first = (self.blob)();
                // SAFETY: guaranteed by the caller.
                Value::Blob(unsafe { bytes(first.cast(), (self.length)()) })
            }
            _ => Value::Null,
        }
    }
}

/// # Safety
/// `first` is null, or points to that many bytes.
unsafe fn bytes<'a>(first: *const u8, length: c_int) -> &'a [u8] {
    match usize::try_from(length) {
        Ok(length) if !first.is_null() && length > 0 => {
            // SAFETY: guaranteed by the caller.
            unsafe { std::slice::from_raw_parts(first, length) }
        }
        _ => &[],
    }
}

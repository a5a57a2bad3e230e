//! An object of the library that is freed when dropped. In: a pointer, the function that frees it.
//! Out: the pointer while the owner lives. Bytes that the library allocated become a `Vec`.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use crate::error::CryptoError;
use crate::library::symbols;
use crate::symbols::Raw;

pub(crate) struct Owned {
    raw: Raw,
    free: unsafe extern "C" fn(Raw),
}

// SAFETY: objects of libcrypto are not bound to a thread.
unsafe impl Send for Owned {}
// SAFETY: shared objects (keys, certificates) are only read, and their reference counts are atomic;
// contexts are changed by methods with `&mut self` alone.
unsafe impl Sync for Owned {}

impl Owned {
    /// Null is an error of the library, described by `context` if its error queue is empty.
    pub fn new(
        raw: Raw,
        free: unsafe extern "C" fn(Raw),
        context: &'static str,
    ) -> Result<Owned, CryptoError> {
        match raw.is_null() {
            true => Err(CryptoError::take(context)),
            false => Ok(Owned { raw, free }),
        }
    }

    pub fn raw(&self) -> Raw {
        self.raw
    }

    /// Passes the object to a function that takes ownership.
    pub fn into_raw(self) -> Raw {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the pointer is owned, and `free` is the function for its type.
        unsafe { (self.free)(self.raw) }
    }
}

/// The text of a NUL-terminated string of the library; empty for null.
pub(crate) fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the library returns NUL-terminated strings that live longer than this call.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// The result of an `i2d_` function: called with a null target, it returns the length.
pub(crate) fn der(
    context: &'static str,
    write: impl Fn(*mut *mut u8) -> c_int,
) -> Result<Vec<u8>, CryptoError> {
    let count = write(ptr::null_mut());
    if count <= 0 {
        return Err(CryptoError::take(context));
    }
    let mut bytes = vec![0_u8; count as usize];
    let mut first = bytes.as_mut_ptr();
    match write(&raw mut first) {
        written if written == count => Ok(bytes),
        _ => Err(CryptoError::take(context)),
    }
}

/// Copies bytes that the library allocated, and frees them after zeroing.
pub(crate) fn take_allocated(first: *mut u8, count: usize) -> Vec<u8> {
    if first.is_null() {
        return Vec::new();
    }
    // SAFETY: the library allocated `count` bytes at `first` and passed them to the caller.
    let bytes = unsafe { std::slice::from_raw_parts(first, count) }.to_vec();
    // SAFETY: as above; they are not used after this.
    unsafe {
        (symbols().OPENSSL_cleanse)(first.cast(), count);
        (symbols().CRYPTO_free)(first.cast(), c"".as_ptr(), 0);
    }
    bytes
}

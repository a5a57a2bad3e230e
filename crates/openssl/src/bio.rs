//! Memory BIOs: the library's streams over bytes. In: bytes to read, or nothing. Out: what was
//! written.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr;

use crate::error::CryptoError;
use crate::library::{open, symbols};
use crate::symbols::Raw;

/// `BIO_CTRL_INFO`: the address and number of the bytes.
const CTRL_INFO: c_int = 3;

pub(crate) struct Bio<'b> {
    raw: Raw,
    bytes: PhantomData<&'b [u8]>,
}

impl<'b> Bio<'b> {
    /// Reads from bytes.
    pub fn reader(bytes: &'b [u8]) -> Result<Bio<'b>, CryptoError> {
        let count = c_int::try_from(bytes.len()).map_err(|_| CryptoError::take("the input is too long"))?;
        // SAFETY: the bytes live as long as the BIO, by its lifetime.
        let raw = unsafe { (open()?.BIO_new_mem_buf)(bytes.as_ptr().cast(), count) };
        Bio::of(raw)
    }

    pub fn writer() -> Result<Bio<'static>, CryptoError> {
        let symbols = open()?;
        // SAFETY: the method is one of the library's.
        let raw = unsafe { (symbols.BIO_new)((symbols.BIO_s_mem)()) };
        Bio::of(raw)
    }

    fn of<'o>(raw: Raw) -> Result<Bio<'o>, CryptoError> {
        match raw.is_null() {
            true => Err(CryptoError::take("out of memory")),
            false => Ok(Bio { raw, bytes: PhantomData }),
        }
    }

    pub fn raw(&self) -> Raw {
        self.raw
    }

    /// A copy of what was written.
    pub fn written(&self) -> Vec<u8> {
        let mut first: *mut u8 = ptr::null_mut();
        // SAFETY: the BIO is alive; this request stores an address of its buffer.
        let count =
            unsafe { (symbols().BIO_ctrl)(self.raw, CTRL_INFO, 0, (&raw mut first).cast::<c_void>()) };
        if first.is_null() || count <= 0 {
            return Vec::new();
        }
        // SAFETY: the BIO owns `count` bytes there, and is not changed meanwhile.
        unsafe { std::slice::from_raw_parts(first, count as usize) }.to_vec()
    }

    pub fn written_text(&self) -> String {
        String::from_utf8_lossy(&self.written()).into_owned()
    }
}

impl Drop for Bio<'_> {
    fn drop(&mut self) {
        // SAFETY: the BIO is owned.
        unsafe { (symbols().BIO_free)(self.raw) };
    }
}

//! Hash algorithms that the library alone has (`sm3`, `md5-sha1`, those of a provider). In: a name,
//! bytes. Out: a digest.

use std::ffi::CString;
use std::ptr;

use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::Owned;

/// Longest digest of a fixed length: `EVP_MAX_MD_SIZE`.
const DIGEST_BYTES_MAX: usize = 64;

pub struct DigestContext {
    context: Owned,
    bytes: usize,
}

/// Bytes of the digest; an error: the library does not have the algorithm.
pub fn digest_size(name: &str) -> Result<usize, CryptoError> {
    let digest = fetch(name)?;
    // SAFETY: the algorithm is alive.
    Ok(unsafe { (symbols().EVP_MD_get_size)(digest.raw()) }.max(0) as usize)
}

fn fetch(name: &str) -> Result<Owned, CryptoError> {
    let symbols = open()?;
    error::clear();
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends in NUL; null means the default context and no query.
    let raw = unsafe { (symbols.EVP_MD_fetch)(ptr::null_mut(), name.as_ptr(), ptr::null()) };
    Owned::new(raw, symbols.EVP_MD_free, "Invalid digest")
}

fn new_context() -> Result<Owned, CryptoError> {
    // SAFETY: the function takes no argument.
    let raw = unsafe { (symbols().EVP_MD_CTX_new)() };
    Owned::new(raw, symbols().EVP_MD_CTX_free, "out of memory")
}

impl DigestContext {
    pub fn new(name: &str) -> Result<DigestContext, CryptoError> {
        let digest = fetch(name)?;
        let context = new_context()?;
        // SAFETY: both are alive; the context takes a reference of the algorithm.
        let (made, bytes) = unsafe {
            let made = (symbols().EVP_DigestInit_ex)(context.raw(), digest.raw(), ptr::null_mut());
            (made, (symbols().EVP_MD_get_size)(digest.raw()))
        };
        match made {
            1 => Ok(DigestContext { context, bytes: bytes.max(0) as usize }),
            _ => Err(CryptoError::take("the digest did not start")),
        }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        // SAFETY: the context is alive; the bytes live during the call.
        unsafe { (symbols().EVP_DigestUpdate)(self.context.raw(), bytes.as_ptr(), bytes.len()) };
    }

    pub fn copy(&self) -> Result<DigestContext, CryptoError> {
        let context = new_context()?;
        // SAFETY: both contexts are alive.
        match unsafe { (symbols().EVP_MD_CTX_copy_ex)(context.raw(), self.context.raw()) } {
            1 => Ok(DigestContext { context, bytes: self.bytes }),
            _ => Err(CryptoError::take("the digest was not copied")),
        }
    }

    pub fn finish(self) -> Vec<u8> {
        let mut digest = vec![0_u8; DIGEST_BYTES_MAX];
        let mut written = 0;
        // SAFETY: the target has room for the longest digest.
        unsafe {
            (symbols().EVP_DigestFinal_ex)(self.context.raw(), digest.as_mut_ptr(), &raw mut written);
        }
        digest.truncate(written as usize);
        digest
    }

    /// The digest of an extendable algorithm (SHAKE, cSHAKE) in any length.
    pub fn finish_extended(self, count: usize) -> Result<Vec<u8>, CryptoError> {
        let mut digest = vec![0_u8; count];
        // SAFETY: the target has `count` bytes.
        match unsafe { (symbols().EVP_DigestFinalXOF)(self.context.raw(), digest.as_mut_ptr(), count) } {
            1 => Ok(digest),
            _ => Err(CryptoError::take("the digest has no such length")),
        }
    }
}

//! Message authentication codes and key derivation of the library (KMAC, CMAC, Argon2). In: a name,
//! parameters. Out: bytes. Absent: HMAC, PBKDF2, HKDF and scrypt, which need no library.

use std::ffi::CString;
use std::ptr;

use crate::error::{self, CryptoError};
use crate::library::open;
use crate::owned::Owned;
use crate::params::Params;
use crate::secret::SecretBytes;

/// The code of a message; `count` bytes.
pub fn mac(
    name: &str,
    key: &[u8],
    params: &Params,
    message: &[u8],
    count: usize,
) -> Result<Vec<u8>, CryptoError> {
    let symbols = open()?;
    error::clear();
    let c_name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends in NUL; null means the default context and no query.
    let raw = unsafe { (symbols.EVP_MAC_fetch)(ptr::null_mut(), c_name.as_ptr(), ptr::null()) };
    let algorithm = Owned::new(raw, symbols.EVP_MAC_free, "the MAC is unknown")?;
    // SAFETY: the algorithm is alive; the context takes a reference.
    let raw = unsafe { (symbols.EVP_MAC_CTX_new)(algorithm.raw()) };
    let context = Owned::new(raw, symbols.EVP_MAC_CTX_free, "out of memory")?;
    let settings = params.raw();
    let mut code = vec![0_u8; count];
    let mut written = 0;
    // SAFETY: all are alive; the settings end with their mark; the target has `count` bytes.
    let is_done = unsafe {
        (symbols.EVP_MAC_init)(context.raw(), key.as_ptr(), key.len(), settings.as_ptr()) == 1
            && (symbols.EVP_MAC_update)(context.raw(), message.as_ptr(), message.len()) == 1
            && (symbols.EVP_MAC_final)(context.raw(), code.as_mut_ptr(), &raw mut written, count) == 1
    };
    if is_done { Ok(code) } else { Err(CryptoError::take("the MAC was not computed")) }
}

/// `count` bytes of a key derivation function.
pub fn derive_kdf(name: &str, params: &Params, count: usize) -> Result<SecretBytes, CryptoError> {
    let symbols = open()?;
    error::clear();
    let c_name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends in NUL; null means the default context and no query.
    let raw = unsafe { (symbols.EVP_KDF_fetch)(ptr::null_mut(), c_name.as_ptr(), ptr::null()) };
    let algorithm = Owned::new(raw, symbols.EVP_KDF_free, "the function is unknown")?;
    // SAFETY: the algorithm is alive; the context takes a reference.
    let raw = unsafe { (symbols.EVP_KDF_CTX_new)(algorithm.raw()) };
    let context = Owned::new(raw, symbols.EVP_KDF_CTX_free, "out of memory")?;
    let settings = params.raw();
    let mut key = vec![0_u8; count];
    // SAFETY: the context is alive; the settings end with their mark; the target has `count` bytes.
    let made = unsafe { (symbols.EVP_KDF_derive)(context.raw(), key.as_mut_ptr(), count, settings.as_ptr()) };
    if made == 1 { Ok(SecretBytes::new(key)) } else { Err(CryptoError::take("the key was not derived")) }
}

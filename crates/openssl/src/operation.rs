//! Operations with asymmetric keys: sign, verify, encrypt, decrypt, agree, encapsulate. In: a key,
//! parameters (padding, digests, labels), bytes. Out: bytes, or whether a signature is right.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use crate::ed25519;
use crate::error::{self, CryptoError};
use crate::key::{Pkey, PkeyContext};
use crate::library::symbols;
use crate::owned::Owned;
use crate::params::Params;
use crate::secret::SecretBytes;
use crate::symbols::{Raw, RawParam};

/// An operation with one input and one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Encrypt,
    Decrypt,
    /// Signs a digest.
    Sign,
    /// What was signed, from the signature (RSA).
    Recover,
}

/// Whether a private key recovers what does not decrypt with PKCS#1 padding as random bytes, so
/// that nothing is learned from a failure (`implicit rejection`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recover {
    Implicitly,
    NotAtAll,
}

type Init = unsafe extern "C" fn(Raw, *const RawParam) -> c_int;
type Run = unsafe extern "C" fn(Raw, *mut u8, *mut usize, *const u8, usize) -> c_int;

impl Pkey {
    pub fn run(
        &self,
        operation: Operation,
        params: &Params,
        recover: Recover,
        input: &[u8],
    ) -> Result<SecretBytes, CryptoError> {
        let symbols = symbols();
        let (init, run): (Init, Run) = match operation {
            Operation::Encrypt => (symbols.EVP_PKEY_encrypt_init_ex, symbols.EVP_PKEY_encrypt),
            Operation::Decrypt => (symbols.EVP_PKEY_decrypt_init_ex, symbols.EVP_PKEY_decrypt),
            Operation::Sign => (symbols.EVP_PKEY_sign_init_ex, symbols.EVP_PKEY_sign),
            Operation::Recover => (symbols.EVP_PKEY_verify_recover_init_ex, symbols.EVP_PKEY_verify_recover),
        };
        let context = PkeyContext::of_key(self)?;
        let settings = params.raw();
        // SAFETY: the context is alive; the settings end with their mark.
        if unsafe { init(context.raw(), settings.as_ptr()) } != 1 {
            return Err(CryptoError::take("the operation did not start"));
        }
        if recover == Recover::Implicitly && !context.set(c"rsa_pkcs1_implicit_rejection", c"1") {
            error::clear();
            return Err(CryptoError::coded(
                crate::ErrorKind::Type,
                "ERR_INVALID_ARG_VALUE",
                "RSA_PKCS1_PADDING is no longer supported for private decryption",
            ));
        }
        output(|target, count| {
            // SAFETY: the context was initialized; the target is null or has `count` bytes.
            unsafe { run(context.raw(), target, count, input.as_ptr(), input.len()) }
        })
    }

    /// Whether the signature of a digest is right. An error is a wrong signature too.
    pub fn verify_digest(
        &self,
        params: &Params,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        let settings = params.raw();
        // SAFETY: the context is alive; the settings end with their mark.
        if unsafe { (symbols().EVP_PKEY_verify_init_ex)(context.raw(), settings.as_ptr()) } != 1 {
            return Err(CryptoError::take("the operation did not start"));
        }
        // SAFETY: the context was initialized; both inputs live during the call.
        let result = unsafe {
            let verify = symbols().EVP_PKEY_verify;
            verify(context.raw(), signature.as_ptr(), signature.len(), digest.as_ptr(), digest.len())
        };
        error::clear();
        Ok(result == 1)
    }

    /// Signs a message; `digest` is absent for algorithms that have their own.
    pub fn sign(
        &self,
        digest: Option<&str>,
        params: &Params,
        message: &[u8],
    ) -> Result<Vec<u8>, CryptoError> {
        if digest.is_none()
            && params.is_empty()
            && message.len() <= ed25519::MESSAGE_BYTES_MAX
            && let Some(signer) = self.ed25519()
        {
            return Ok(signer.sign(message));
        }
        let init = symbols().EVP_DigestSignInit_ex;
        let context = match digest.is_none() && params.is_empty() {
            true => copy_of(self.signing_context(|| self.message_context(init, None, params))?)?,
            false => self.message_context(init, digest, params)?,
        };
        // The longest that there can be: the library need not be asked for the length first.
        let mut signature = vec![0; self.signature_bytes_max()];
        let mut count = signature.len();
        // SAFETY: the context was initialized; the target has `count` bytes.
        let result = unsafe {
            let (target, count) = (signature.as_mut_ptr(), &raw mut count);
            (symbols().EVP_DigestSign)(context.raw(), target, count, message.as_ptr(), message.len())
        };
        if result != 1 {
            return Err(CryptoError::take("the operation failed"));
        }
        signature.truncate(count);
        Ok(signature)
    }

    pub fn verify(
        &self,
        digest: Option<&str>,
        params: &Params,
        message: &[u8],
        signature: &[u8],
    ) -> Result<bool, CryptoError> {
        let context = self.message_context(symbols().EVP_DigestVerifyInit_ex, digest, params)?;
        // SAFETY: the context was initialized; both inputs live during the call.
        let result = unsafe {
            let verify = symbols().EVP_DigestVerify;
            verify(context.raw(), signature.as_ptr(), signature.len(), message.as_ptr(), message.len())
        };
        error::clear();
        Ok(result == 1)
    }

    fn message_context(
        &self,
        init: unsafe extern "C" fn(
            Raw,
            *mut Raw,
            *const c_char,
            Raw,
            *const c_char,
            Raw,
            *const RawParam,
        ) -> c_int,
        digest: Option<&str>,
        params: &Params,
    ) -> Result<Owned, CryptoError> {
        error::clear();
        let context = new_context()?;
        let digest = digest.map(|name| CString::new(name).unwrap_or_default());
        let name = digest.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        let settings = params.raw();
        // SAFETY: context, name and key are alive; null means the default context and no query;
        // the settings end with their mark.
        let result = unsafe {
            let (none, context) = (ptr::null_mut(), context.raw());
            init(context, ptr::null_mut(), name, none, ptr::null(), self.raw(), settings.as_ptr())
        };
        if result == 1 { Ok(context) } else { Err(CryptoError::take("the operation did not start")) }
    }

    /// The secret that this private key and a public key share.
    pub fn agree(&self, peer: &Pkey, params: &Params) -> Result<SecretBytes, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        let settings = params.raw();
        // SAFETY: context and peer are alive; the settings end with their mark.
        let is_started = unsafe {
            (symbols().EVP_PKEY_derive_init_ex)(context.raw(), settings.as_ptr()) == 1
                && (symbols().EVP_PKEY_derive_set_peer)(context.raw(), peer.raw()) == 1
        };
        if !is_started {
            return Err(CryptoError::take("diffieHellman failed"));
        }
        output(|target, count| {
            // SAFETY: the context was initialized; the target is null or has `count` bytes.
            unsafe { (symbols().EVP_PKEY_derive)(context.raw(), target, count) }
        })
    }

    /// A new shared secret, and its encapsulation for the holder of the private key.
    pub fn encapsulate(&self, params: &Params) -> Result<(SecretBytes, Vec<u8>), CryptoError> {
        let context = PkeyContext::of_key(self)?;
        let settings = params.raw();
        let (mut wrapped_bytes, mut secret_bytes) = (0, 0);
        // SAFETY: the context is alive; the settings end with their mark; null targets ask for the
        // lengths.
        let is_known = unsafe {
            let (run, null) = (symbols().EVP_PKEY_encapsulate, ptr::null_mut());
            (symbols().EVP_PKEY_encapsulate_init)(context.raw(), settings.as_ptr()) == 1
                && run(context.raw(), null, &raw mut wrapped_bytes, null, &raw mut secret_bytes) == 1
        };
        if !is_known {
            return Err(CryptoError::take("Failed to perform encapsulation"));
        }
        let (mut wrapped, mut secret) = (vec![0_u8; wrapped_bytes], vec![0_u8; secret_bytes]);
        // SAFETY: the targets have the lengths that were asked for.
        let result = unsafe {
            let run = symbols().EVP_PKEY_encapsulate;
            let (wrapped, secret) = (wrapped.as_mut_ptr(), secret.as_mut_ptr());
            run(context.raw(), wrapped, &raw mut wrapped_bytes, secret, &raw mut secret_bytes)
        };
        if result != 1 {
            return Err(CryptoError::take("Failed to perform encapsulation"));
        }
        wrapped.truncate(wrapped_bytes);
        secret.truncate(secret_bytes);
        Ok((SecretBytes::new(secret), wrapped))
    }

    pub fn decapsulate(&self, params: &Params, wrapped: &[u8]) -> Result<SecretBytes, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        let settings = params.raw();
        // SAFETY: the context is alive; the settings end with their mark.
        if unsafe { (symbols().EVP_PKEY_decapsulate_init)(context.raw(), settings.as_ptr()) } != 1 {
            return Err(CryptoError::take("Failed to initialize decapsulation"));
        }
        output(|target, count| {
            // SAFETY: the context was initialized; the target is null or has `count` bytes.
            unsafe {
                (symbols().EVP_PKEY_decapsulate)(
                    context.raw(),
                    target,
                    count,
                    wrapped.as_ptr(),
                    wrapped.len(),
                )
            }
        })
    }
}

impl PkeyContext {
    fn set(&self, name: &CStr, value: &CStr) -> bool {
        // SAFETY: the context is alive; both names and values end in NUL.
        unsafe { (symbols().EVP_PKEY_CTX_ctrl_str)(self.raw(), name.as_ptr(), value.as_ptr()) > 0 }
    }
}

fn new_context() -> Result<Owned, CryptoError> {
    // SAFETY: the function takes no argument.
    let raw = unsafe { (symbols().EVP_MD_CTX_new)() };
    Owned::new(raw, symbols().EVP_MD_CTX_free, "out of memory")
}

fn copy_of(context: &Owned) -> Result<Owned, CryptoError> {
    let copy = new_context()?;
    error::clear();
    // SAFETY: both contexts are alive; the original is only read.
    match unsafe { (symbols().EVP_MD_CTX_copy_ex)(copy.raw(), context.raw()) } {
        1 => Ok(copy),
        _ => Err(CryptoError::take("the operation did not start")),
    }
}

/// Calls with a null target for the length, then with a buffer.
fn output(run: impl Fn(*mut u8, *mut usize) -> c_int) -> Result<SecretBytes, CryptoError> {
    let mut count = 0;
    if run(ptr::null_mut(), &raw mut count) != 1 {
        return Err(CryptoError::take("the operation failed"));
    }
    let mut bytes = vec![0_u8; count];
    if run(bytes.as_mut_ptr(), &raw mut count) != 1 {
        crate::secret::wipe(&mut bytes);
        return Err(CryptoError::take("the operation failed"));
    }
    let result = SecretBytes::new(bytes[..count.min(bytes.len())].to_vec());
    crate::secret::wipe(&mut bytes);
    Ok(result)
}

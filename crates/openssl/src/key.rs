//! Asymmetric keys (`EVP_PKEY`), and keys as programs hold them. In: parameters, raw bytes, another
//! thread's handle. Out: keys, their parameters. Absent: PEM and DER (key_format.rs).

use std::ffi::{CString, c_int};
use std::ptr;
use std::sync::{Arc, OnceLock};

use crate::bignum::{self, Bignum};
use crate::ed25519::{self, Ed25519Signer};
use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::{Owned, text};
use crate::params::Params;
use crate::secret::SecretBytes;
use crate::symbols::Raw;

/// `EVP_PKEY_KEYPAIR`, `EVP_PKEY_PUBLIC_KEY`, `EVP_PKEY_KEY_PARAMETERS` of `evp.h`.
const KEY_PAIR: c_int = 0x87;
const PUBLIC_KEY: c_int = 0x86;
const KEY_PARAMETERS: c_int = 0x84;

/// Longest parameter that is a string or bytes: keys of SLH-DSA and ML-DSA have less.
const PARAMETER_BYTES_MAX: usize = 8192;

/// A key of any kind. It never changes.
pub enum KeyMaterial {
    Secret(SecretBytes),
    Public(Pkey),
    Private(Pkey),
}

/// What a JavaScript object holds, and what is sent to other threads.
#[derive(Clone)]
pub struct KeyHandle(pub Arc<KeyMaterial>);

/// Clones share the key.
#[derive(Clone)]
pub struct Pkey(Arc<PkeyParts>);

struct PkeyParts {
    /// A context that is ready to sign with the key's own digest: copying it saves the look-up of
    /// the algorithm, 2 µs with OpenSSL 3.0. It is never used itself, and is freed before the key.
    signing: OnceLock<Owned>,
    /// `None`: it is no private key of Ed25519.
    ed25519: OnceLock<Option<Ed25519Signer>>,
    key: Owned,
}

/// What parameters describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    KeyPair,
    PublicKey,
    Parameters,
}

/// Which half of a key raw bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawHalf {
    Public,
    Private,
}

impl KeyMaterial {
    pub fn secret(&self) -> Option<&[u8]> {
        match self {
            KeyMaterial::Secret(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub fn pkey(&self) -> Option<&Pkey> {
        match self {
            KeyMaterial::Secret(_) => None,
            KeyMaterial::Public(key) | KeyMaterial::Private(key) => Some(key),
        }
    }

    pub fn is_private(&self) -> bool {
        matches!(self, KeyMaterial::Private(_))
    }
}

impl Pkey {
    pub(crate) fn of_raw(raw: Raw, context: &'static str) -> Result<Pkey, CryptoError> {
        Owned::new(raw, symbols().EVP_PKEY_free, context)
            .map(|key| Pkey(Arc::new(PkeyParts { signing: OnceLock::new(), ed25519: OnceLock::new(), key })))
    }

    pub(crate) fn raw(&self) -> Raw {
        self.0.key.raw()
    }

    /// A context to sign with, made at the first call.
    pub(crate) fn signing_context(
        &self,
        make: impl FnOnce() -> Result<Owned, CryptoError>,
    ) -> Result<&Owned, CryptoError> {
        if let Some(context) = self.0.signing.get() {
            return Ok(context);
        }
        let context = make()?;
        Ok(self.0.signing.get_or_init(|| context))
    }

    /// What signs short messages with an Ed25519 key, made at the first call.
    pub(crate) fn ed25519(&self) -> Option<&Ed25519Signer> {
        let make = || {
            // SAFETY: the key is alive.
            let kind = unsafe { (symbols().EVP_PKEY_get_id)(self.raw()) };
            if kind != ed25519::NID {
                return None;
            }
            let [private, public] = [RawHalf::Private, RawHalf::Public].map(|half| self.raw_bytes(half).ok());
            let signer = Ed25519Signer::new(&private?, &public?);
            error::clear();
            signer
        };
        self.0.ed25519.get_or_init(make).as_ref()
    }

    /// A key of the numbers and bytes that describe it.
    pub fn of_params(algorithm: &str, selection: Selection, params: &Params) -> Result<Pkey, CryptoError> {
        let context = PkeyContext::of_name(algorithm)?;
        let settings = params.raw();
        let mut key: Raw = ptr::null_mut();
        let selection = match selection {
            Selection::KeyPair => KEY_PAIR,
            Selection::PublicKey => PUBLIC_KEY,
            Selection::Parameters => KEY_PARAMETERS,
        };
        // SAFETY: the context is alive; the settings end with their mark.
        let made = unsafe {
            (symbols().EVP_PKEY_fromdata_init)(context.raw()) == 1
                && (symbols().EVP_PKEY_fromdata)(context.raw(), &raw mut key, selection, settings.as_ptr())
                    == 1
        };
        match made {
            true => Pkey::of_raw(key, "the key was not made"),
            false => Err(CryptoError::take("the key was not made")),
        }
    }

    /// A key of an algorithm with raw keys: Ed25519, X448, ML-DSA, ...
    pub fn of_raw_bytes(algorithm: &str, half: RawHalf, bytes: &[u8]) -> Result<Pkey, CryptoError> {
        let symbols = open()?;
        error::clear();
        let name = CString::new(algorithm).unwrap_or_default();
        let make = match half {
            RawHalf::Public => symbols.EVP_PKEY_new_raw_public_key_ex,
            RawHalf::Private => symbols.EVP_PKEY_new_raw_private_key_ex,
        };
        // SAFETY: the name ends in NUL; the bytes live during the call.
        let raw = unsafe { make(ptr::null_mut(), name.as_ptr(), ptr::null(), bytes.as_ptr(), bytes.len()) };
        Pkey::of_raw(raw, "the key was not made")
    }

    /// A new key. With `group` its parameters are those of another key, or are generated first.
    pub fn generate(algorithm: &str, params: &Params) -> Result<Pkey, CryptoError> {
        let context = PkeyContext::of_name(algorithm)?;
        // SAFETY: the context is alive.
        match unsafe { (symbols().EVP_PKEY_keygen_init)(context.raw()) } {
            1 => context.generate(params),
            _ => Err(CryptoError::take("Key generation job failed")),
        }
    }

    /// New parameters of keys: the primes of DSA and DH.
    pub fn generate_parameters(algorithm: &str, params: &Params) -> Result<Pkey, CryptoError> {
        let context = PkeyContext::of_name(algorithm)?;
        // SAFETY: the context is alive.
        match unsafe { (symbols().EVP_PKEY_paramgen_init)(context.raw()) } {
            1 => context.generate(params),
            _ => Err(CryptoError::take("Key generation job failed")),
        }
    }

    /// A new key with the parameters of this one.
    pub fn generate_like(&self) -> Result<Pkey, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        // SAFETY: the context is alive.
        match unsafe { (symbols().EVP_PKEY_keygen_init)(context.raw()) } {
            1 => context.generate(&Params::new()),
            _ => Err(CryptoError::take("Key generation job failed")),
        }
    }

    /// The library's name of the algorithm: `RSA`, `EC`, `ED25519`.
    pub fn algorithm(&self) -> String {
        // SAFETY: the key is alive.
        text(unsafe { (symbols().EVP_PKEY_get0_type_name)(self.raw()) })
    }

    /// Length in bits of the modulus, of the prime or of the group's order.
    pub fn bits(&self) -> u32 {
        // SAFETY: the key is alive.
        unsafe { (symbols().EVP_PKEY_get_bits)(self.raw()) }.max(0) as u32
    }

    /// The most bytes of a signature.
    pub fn signature_bytes_max(&self) -> usize {
        // SAFETY: the key is alive.
        unsafe { (symbols().EVP_PKEY_get_size)(self.raw()) }.max(0) as usize
    }

    /// Whether both have the same public key and parameters; `None`: the kinds differ.
    pub fn equals(&self, other: &Pkey) -> Option<bool> {
        // SAFETY: both keys are alive.
        let result = unsafe { (symbols().EVP_PKEY_eq)(self.raw(), other.raw()) };
        error::clear();
        match result {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// A number, in the byte order of the network.
    pub fn number(&self, name: &str) -> Option<SecretBytes> {
        let name = CString::new(name).ok()?;
        let mut number: Raw = ptr::null_mut();
        // SAFETY: the key is alive; a new number is stored.
        let result = unsafe { (symbols().EVP_PKEY_get_bn_param)(self.raw(), name.as_ptr(), &raw mut number) };
        error::clear();
        let number = (result == 1).then(|| Bignum::of_raw(number).ok())??;
        Some(SecretBytes::new(bignum::bytes_of(number.raw())))
    }

    pub fn integer(&self, name: &str) -> Option<i32> {
        let name = CString::new(name).ok()?;
        let mut number = 0;
        // SAFETY: the key is alive.
        let result =
            unsafe { (symbols().EVP_PKEY_get_int_param)(self.raw(), name.as_ptr(), &raw mut number) };
        error::clear();
        (result == 1).then_some(number)
    }

    pub fn octets(&self, name: &str) -> Option<SecretBytes> {
        let name = CString::new(name).ok()?;
        let mut bytes = vec![0_u8; PARAMETER_BYTES_MAX];
        let mut count = 0;
        // SAFETY: the key is alive; the target has the size that is passed.
        let result = unsafe {
            let get = symbols().EVP_PKEY_get_octet_string_param;
            get(self.raw(), name.as_ptr(), bytes.as_mut_ptr(), bytes.len(), &raw mut count)
        };
        error::clear();
        shortened(bytes, count, result == 1)
    }

    pub fn text(&self, name: &str) -> Option<String> {
        let name = CString::new(name).ok()?;
        let mut bytes = vec![0_u8; 256];
        let mut count = 0;
        // SAFETY: the key is alive; the target has the size that is passed.
        let result = unsafe {
            let get = symbols().EVP_PKEY_get_utf8_string_param;
            get(self.raw(), name.as_ptr(), bytes.as_mut_ptr().cast(), bytes.len(), &raw mut count)
        };
        error::clear();
        bytes.truncate(count);
        (result == 1).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    pub fn raw_bytes(&self, half: RawHalf) -> Result<SecretBytes, CryptoError> {
        error::clear();
        let mut bytes = vec![0_u8; PARAMETER_BYTES_MAX];
        let mut count = bytes.len();
        let get = match half {
            RawHalf::Public => symbols().EVP_PKEY_get_raw_public_key,
            RawHalf::Private => symbols().EVP_PKEY_get_raw_private_key,
        };
        // SAFETY: the key is alive; the target has `count` bytes.
        let result = unsafe { get(self.raw(), bytes.as_mut_ptr(), &raw mut count) };
        shortened(bytes, count, result == 1).ok_or_else(|| CryptoError::take("Failed to get raw key"))
    }

    /// Whether the private key belongs to the public key.
    pub fn is_consistent(&self) -> Result<bool, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        // SAFETY: the context is alive.
        let result = unsafe { (symbols().EVP_PKEY_pairwise_check)(context.raw()) };
        error::clear();
        Ok(result == 1)
    }

    pub fn is_public_valid(&self) -> Result<bool, CryptoError> {
        let context = PkeyContext::of_key(self)?;
        // SAFETY: the context is alive.
        let result = unsafe { (symbols().EVP_PKEY_public_check)(context.raw()) };
        error::clear();
        Ok(result == 1)
    }
}

fn shortened(mut bytes: Vec<u8>, count: usize, is_read: bool) -> Option<SecretBytes> {
    let part = is_read.then(|| SecretBytes::new(bytes[..count.min(bytes.len())].to_vec()));
    crate::secret::wipe(&mut bytes);
    part
}

/// A context of one operation with keys.
pub(crate) struct PkeyContext(Owned);

impl PkeyContext {
    pub fn of_name(algorithm: &str) -> Result<PkeyContext, CryptoError> {
        let symbols = open()?;
        error::clear();
        let name = CString::new(algorithm).unwrap_or_default();
        // SAFETY: the name ends in NUL; null means the default context and no query.
        let raw =
            unsafe { (symbols.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        Owned::new(raw, symbols.EVP_PKEY_CTX_free, "the algorithm is unknown").map(PkeyContext)
    }

    pub fn of_key(key: &Pkey) -> Result<PkeyContext, CryptoError> {
        error::clear();
        // SAFETY: the key is alive; the context takes a reference.
        let raw = unsafe { (symbols().EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key.raw(), ptr::null()) };
        Owned::new(raw, symbols().EVP_PKEY_CTX_free, "the key has no operations").map(PkeyContext)
    }

    pub fn raw(&self) -> Raw {
        self.0.raw()
    }

    fn generate(&self, params: &Params) -> Result<Pkey, CryptoError> {
        let settings = params.raw();
        let mut key: Raw = ptr::null_mut();
        // SAFETY: the context was initialized; the settings end with their mark.
        let made = unsafe {
            (symbols().EVP_PKEY_CTX_set_params)(self.raw(), settings.as_ptr()) == 1
                && (symbols().EVP_PKEY_generate)(self.raw(), &raw mut key) == 1
        };
        match made {
            true => Pkey::of_raw(key, "Key generation job failed"),
            false => Err(CryptoError::take("Key generation job failed")),
        }
    }
}

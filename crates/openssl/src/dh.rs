//! Diffie-Hellman over numbers, as the class `DiffieHellman` uses it: keys may be set without
//! checks, and a context may have one half only. In: prime, generator, keys. Out: keys, secrets.
//! Absent: key objects; they are `Pkey`s.

use std::ffi::c_int;
use std::ptr;

use crate::bignum::{self, Bignum};
use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::Owned;
use crate::secret::SecretBytes;
use crate::symbols::Raw;

/// `DH_CHECK_PUBKEY_*` of `dh.h`.
const PUBKEY_TOO_SMALL: c_int = 1;
const PUBKEY_TOO_LARGE: c_int = 2;

pub struct DhContext(Owned);

pub enum DhParameters<'p> {
    /// A new safe prime of this length.
    Bits {
        bits: u32,
        generator: u32,
    },
    Numbers {
        prime: &'p [u8],
        generator: &'p [u8],
    },
}

/// The prime of a group of RFC 2409 or RFC 3526, whose generator is 2. `None`: no such group.
pub fn named_prime(group: &str) -> Result<Option<Vec<u8>>, CryptoError> {
    let symbols = open()?;
    let get = match group.to_ascii_lowercase().as_str() {
        "modp1" => symbols.BN_get_rfc2409_prime_768,
        "modp2" => symbols.BN_get_rfc2409_prime_1024,
        "modp5" => symbols.BN_get_rfc3526_prime_1536,
        "modp14" => symbols.BN_get_rfc3526_prime_2048,
        "modp15" => symbols.BN_get_rfc3526_prime_3072,
        "modp16" => symbols.BN_get_rfc3526_prime_4096,
        "modp17" => symbols.BN_get_rfc3526_prime_6144,
        "modp18" => symbols.BN_get_rfc3526_prime_8192,
        _ => return Ok(None),
    };
    // SAFETY: null asks for a new number.
    let number = Bignum::of_raw(unsafe { get(ptr::null_mut()) })?;
    Ok(Some(number.bytes()))
}

impl DhContext {
    pub fn new(parameters: &DhParameters<'_>) -> Result<DhContext, CryptoError> {
        let symbols = open()?;
        error::clear();
        // SAFETY: the function takes no argument.
        let context = DhContext(Owned::new(unsafe { (symbols.DH_new)() }, symbols.DH_free, "out of memory")?);
        let made = match parameters {
            DhParameters::Bits { bits, generator } => {
                let (bits, generator) = (*bits as c_int, *generator as c_int);
                // SAFETY: the context is alive; there is no callback.
                unsafe {
                    (symbols.DH_generate_parameters_ex)(context.raw(), bits, generator, ptr::null_mut())
                }
            }
            DhParameters::Numbers { prime, generator } => {
                let (prime, generator) = (Bignum::of_bytes(prime)?, Bignum::of_bytes(generator)?);
                // SAFETY: the context is alive and takes ownership of both numbers.
                unsafe {
                    let (prime, generator) = (prime.into_raw(), generator.into_raw());
                    (symbols.DH_set0_pqg)(context.raw(), prime, ptr::null_mut(), generator)
                }
            }
        };
        if made == 1 { Ok(context) } else { Err(CryptoError::take("Initialization failed")) }
    }

    fn raw(&self) -> Raw {
        self.0.raw()
    }

    /// Flags of `DH_check`: what is wrong with the parameters.
    pub fn check(&self) -> u32 {
        let mut flags = 0;
        // SAFETY: the context is alive.
        unsafe { (symbols().DH_check)(self.raw(), &raw mut flags) };
        error::clear();
        flags as u32
    }

    pub fn prime(&self) -> Vec<u8> {
        self.parameter(|prime, _| prime)
    }

    pub fn generator(&self) -> Vec<u8> {
        self.parameter(|_, generator| generator)
    }

    fn parameter(&self, pick: impl Fn(Raw, Raw) -> Raw) -> Vec<u8> {
        let (mut prime, mut generator) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the context is alive and keeps both numbers.
        unsafe { (symbols().DH_get0_pqg)(self.raw(), &raw mut prime, ptr::null_mut(), &raw mut generator) };
        bignum::bytes_of(pick(prime, generator))
    }

    /// Makes what is missing of the pair, and returns the public key, as long as the prime.
    pub fn generate(&mut self) -> Result<Vec<u8>, CryptoError> {
        error::clear();
        // SAFETY: the context is alive.
        match unsafe { (symbols().DH_generate_key)(self.raw()) } {
            1 => Ok(bignum::padded_bytes_of(self.key(|public, _| public), self.bytes())),
            _ => Err(CryptoError::take("Key generation failed")),
        }
    }

    pub fn bytes(&self) -> usize {
        // SAFETY: the context is alive and has a prime.
        unsafe { (symbols().DH_size)(self.raw()) }.max(0) as usize
    }

    /// `None`: there is none yet.
    pub fn public_key(&self) -> Option<Vec<u8>> {
        let key = self.key(|public, _| public);
        (!key.is_null()).then(|| bignum::padded_bytes_of(key, self.bytes()))
    }

    pub fn private_key(&self) -> Option<SecretBytes> {
        let key = self.key(|_, private| private);
        (!key.is_null()).then(|| SecretBytes::new(bignum::bytes_of(key)))
    }

    fn key(&self, pick: impl Fn(Raw, Raw) -> Raw) -> Raw {
        let (mut public, mut private) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the context is alive and keeps both numbers.
        unsafe { (symbols().DH_get0_key)(self.raw(), &raw mut public, &raw mut private) };
        pick(public, private)
    }

    pub fn set_public_key(&mut self, key: &[u8]) -> Result<(), CryptoError> {
        let key = Bignum::of_bytes(key)?.into_raw();
        // SAFETY: the context is alive and takes ownership of the number.
        unsafe { (symbols().DH_set0_key)(self.raw(), key, ptr::null_mut()) };
        Ok(())
    }

    pub fn set_private_key(&mut self, key: &[u8]) -> Result<(), CryptoError> {
        let key = Bignum::of_bytes(key)?.into_raw();
        // SAFETY: as above.
        unsafe { (symbols().DH_set0_key)(self.raw(), ptr::null_mut(), key) };
        Ok(())
    }

    /// The shared secret, as long as the prime.
    pub fn compute_secret(&self, peer: &[u8]) -> Result<SecretBytes, CryptoError> {
        error::clear();
        let peer = Bignum::of_bytes(peer)?;
        let mut secret = vec![0_u8; self.bytes()];
        // SAFETY: context and peer are alive; the target is as long as the prime.
        let written = unsafe { (symbols().DH_compute_key)(secret.as_mut_ptr(), peer.raw(), self.raw()) };
        if written < 0 {
            return Err(self.refusal(&peer));
        }
        let missing = secret.len() - written as usize;
        secret.rotate_right(missing);
        Ok(SecretBytes::new(secret))
    }

    /// Why a peer's key was refused, in Node's words.
    fn refusal(&self, peer: &Bignum) -> CryptoError {
        let failure = CryptoError::take("computing the secret failed");
        let mut flags = 0;
        // SAFETY: context and peer are alive.
        let is_checked = unsafe { (symbols().DH_check_pub_key)(self.raw(), peer.raw(), &raw mut flags) };
        error::clear();
        let invalid =
            |message: &str| CryptoError::coded(crate::ErrorKind::Range, "ERR_CRYPTO_INVALID_KEYLEN", message);
        match flags {
            _ if is_checked != 1 => failure,
            flags if flags & PUBKEY_TOO_SMALL != 0 => invalid("Supplied key is too small"),
            flags if flags & PUBKEY_TOO_LARGE != 0 => invalid("Supplied key is too large"),
            _ => failure,
        }
    }
}

//! Numbers of any size, and primes. In: bytes in the byte order of the network. Out: the same.

use std::ffi::c_int;
use std::ptr;

use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::Owned;
use crate::secret::SecretBytes;
use crate::symbols::Raw;

/// A `BIGNUM`, zeroed when freed.
pub(crate) struct Bignum(Owned);

impl Bignum {
    pub fn new() -> Result<Bignum, CryptoError> {
        // SAFETY: the function takes no argument.
        let raw = unsafe { (open()?.BN_new)() };
        Bignum::of_raw(raw)
    }

    /// Takes ownership.
    pub fn of_raw(raw: Raw) -> Result<Bignum, CryptoError> {
        Owned::new(raw, symbols().BN_clear_free, "out of memory").map(Bignum)
    }

    pub fn of_bytes(bytes: &[u8]) -> Result<Bignum, CryptoError> {
        let count = c_int::try_from(bytes.len()).map_err(|_| CryptoError::take("the number is too long"))?;
        // SAFETY: the bytes live during the call; null asks for a new number.
        let raw = unsafe { (open()?.BN_bin2bn)(bytes.as_ptr(), count, ptr::null_mut()) };
        Bignum::of_raw(raw)
    }

    pub fn raw(&self) -> Raw {
        self.0.raw()
    }

    pub fn into_raw(self) -> Raw {
        self.0.into_raw()
    }

    pub fn bytes(&self) -> Vec<u8> {
        bytes_of(self.raw())
    }
}

/// The bytes of a number that another object owns, without leading zeros; empty for null.
pub(crate) fn bytes_of(number: Raw) -> Vec<u8> {
    if number.is_null() {
        return Vec::new();
    }
    // SAFETY: the caller's object owns the number and is alive.
    let bits = unsafe { (symbols().BN_num_bits)(number) };
    padded_bytes_of(number, (bits.max(0) as usize).div_ceil(8))
}

/// The bytes of a number with leading zeros; empty if `count` is too small.
pub(crate) fn padded_bytes_of(number: Raw, count: usize) -> Vec<u8> {
    let mut bytes = vec![0_u8; count];
    // SAFETY: the buffer has `count` bytes; the number is alive as above.
    let written = unsafe { (symbols().BN_bn2binpad)(number, bytes.as_mut_ptr(), count as c_int) };
    if written < 0 { Vec::new() } else { bytes }
}

/// A random prime of `bits` bits; `add` and `remainder`: it is `remainder` modulo `add`.
pub fn generate_prime(
    bits: u32,
    is_safe: bool,
    add: Option<&[u8]>,
    remainder: Option<&[u8]>,
) -> Result<SecretBytes, CryptoError> {
    let prime = Bignum::new()?;
    error::clear();
    let add = add.map(Bignum::of_bytes).transpose()?;
    let remainder = remainder.map(Bignum::of_bytes).transpose()?;
    let raw = |number: &Option<Bignum>| number.as_ref().map_or(ptr::null_mut(), Bignum::raw);
    let bits = c_int::try_from(bits).map_err(|_| CryptoError::take("the prime is too long"))?;
    // SAFETY: all numbers are alive; null for those that are absent, and for the callback.
    let made = unsafe {
        let generate = symbols().BN_generate_prime_ex;
        generate(prime.raw(), bits, c_int::from(is_safe), raw(&add), raw(&remainder), ptr::null_mut())
    };
    match made {
        1 => {
            let bytes = padded_bytes_of(prime.raw(), (bits as usize).div_ceil(8));
            Ok(SecretBytes::new(bytes))
        }
        _ => Err(CryptoError::take("the prime was not generated")),
    }
}

/// Whether a number is probably prime, by this many rounds of Miller-Rabin; 0: the library
/// chooses.
pub fn check_prime(candidate: &[u8], checks: u32) -> Result<bool, CryptoError> {
    let number = Bignum::of_bytes(candidate)?;
    error::clear();
    // SAFETY: the function takes no argument.
    let context = Owned::new(unsafe { (symbols().BN_CTX_new)() }, symbols().BN_CTX_free, "out of memory")?;
    let checks = c_int::try_from(checks).unwrap_or(c_int::MAX);
    // SAFETY: number and context are alive; there is no callback.
    match unsafe { (symbols().BN_is_prime_ex)(number.raw(), checks, context.raw(), ptr::null_mut()) } {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(CryptoError::take("the number was not checked")),
    }
}

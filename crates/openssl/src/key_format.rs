//! Keys as PEM and DER. In: untrusted bytes, a passphrase. Out: keys, or whether a passphrase is
//! missing; bytes in the chosen format, encrypted or not. Absent: JWK, whose numbers are parameters
//! of a key.

use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::ptr;

use crate::asn1::{self, read_tlv};
use crate::bio::Bio;
use crate::cipher::raw_cipher;
use crate::error::{self, CryptoError};
use crate::key::Pkey;
use crate::library::{open, symbols};
use crate::owned::{Owned, der, take_allocated};
use crate::secret::SecretBytes;

/// `EVP_PKEY_RSA` and `EVP_PKEY_EC`: the NIDs of `rsaEncryption` and `id-ecPublicKey`.
const RSA: c_int = 6;
const EC: c_int = 408;
/// `ERR_LIB_PEM` and `PEM_R_BAD_PASSWORD_READ`.
const BAD_PASSWORD_READ: (u64, u64) = (9, 104);

/// Structure of a DER key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerKind {
    Pkcs1,
    Pkcs8,
    Spki,
    Sec1,
}

/// What reading a private key led to.
pub enum KeyRead {
    Key(Pkey),
    /// It is encrypted and there is no passphrase.
    NeedsPassphrase,
}

/// How a private key is written.
pub struct PrivateFormat<'f> {
    pub kind: DerKind,
    pub is_pem: bool,
    /// Cipher and passphrase.
    pub encryption: Option<(&'f str, &'f [u8])>,
}

impl Pkey {
    /// The public key of `PUBLIC KEY`, `RSA PUBLIC KEY` or of a certificate. `None`: the text has
    /// no such block.
    pub fn public_of_pem(pem: &[u8]) -> Result<Option<Pkey>, CryptoError> {
        if let Some(bytes) = pem_block(pem, "PUBLIC KEY")? {
            return public_of_spki(&bytes).map(Some);
        }
        if let Some(bytes) = pem_block(pem, "RSA PUBLIC KEY")? {
            return Pkey::public_of_der(DerKind::Pkcs1, &bytes).map(Some);
        }
        match pem_block(pem, "CERTIFICATE")? {
            Some(bytes) => crate::Certificate::of_der(&bytes)?.public_key().map(Some),
            None => Ok(None),
        }
    }

    pub fn public_of_der(kind: DerKind, bytes: &[u8]) -> Result<Pkey, CryptoError> {
        let symbols = open()?;
        error::clear();
        match kind {
            DerKind::Pkcs1 => {
                let mut first = bytes.as_ptr();
                // SAFETY: the bytes live during the call; null asks for a new key.
                let raw = unsafe {
                    (symbols.d2i_PublicKey)(RSA, ptr::null_mut(), &raw mut first, bytes.len() as c_long)
                };
                Pkey::of_raw(raw, READ_ASYMMETRIC)
            }
            _ => public_of_spki(bytes),
        }
    }

    pub fn private_of_pem(pem: &[u8], passphrase: Option<&[u8]>) -> Result<KeyRead, CryptoError> {
        let symbols = open()?;
        let bio = Bio::reader(pem)?;
        error::clear();
        let argument = passphrase_argument(&passphrase);
        // SAFETY: the BIO is alive, and so is the passphrase, which only the callback reads.
        let raw = unsafe {
            (symbols.PEM_read_bio_PrivateKey)(bio.raw(), ptr::null_mut(), Some(give_passphrase), argument)
        };
        read_result(Pkey::of_raw(raw, READ_PRIVATE), passphrase)
    }

    pub fn private_of_der(
        kind: DerKind,
        bytes: &[u8],
        passphrase: Option<&[u8]>,
    ) -> Result<KeyRead, CryptoError> {
        let symbols = open()?;
        error::clear();
        let mut first = bytes.as_ptr();
        let count = bytes.len() as c_long;
        let raw = match kind {
            DerKind::Pkcs1 | DerKind::Sec1 => {
                let algorithm = if kind == DerKind::Pkcs1 { RSA } else { EC };
                // SAFETY: the bytes live during the call; null asks for a new key.
                unsafe { (symbols.d2i_PrivateKey)(algorithm, ptr::null_mut(), &raw mut first, count) }
            }
            DerKind::Pkcs8 | DerKind::Spki if is_encrypted(bytes) => {
                let bio = Bio::reader(bytes)?;
                let argument = passphrase_argument(&passphrase);
                // SAFETY: the BIO is alive, and so is the passphrase, which only the callback
                // reads.
                unsafe {
                    let read = symbols.d2i_PKCS8PrivateKey_bio;
                    read(bio.raw(), ptr::null_mut(), Some(give_passphrase), argument)
                }
            }
            DerKind::Pkcs8 | DerKind::Spki => {
                // SAFETY: the bytes live during the call; null asks for a new structure.
                let info =
                    unsafe { (symbols.d2i_PKCS8_PRIV_KEY_INFO)(ptr::null_mut(), &raw mut first, count) };
                let info = Owned::new(info, symbols.PKCS8_PRIV_KEY_INFO_free, READ_PRIVATE)?;
                // SAFETY: the structure is alive.
                unsafe { (symbols.EVP_PKCS82PKEY)(info.raw()) }
            }
        };
        read_result(Pkey::of_raw(raw, READ_PRIVATE), passphrase)
    }

    pub fn public_der(&self, kind: DerKind) -> Result<Vec<u8>, CryptoError> {
        error::clear();
        let write = if kind == DerKind::Pkcs1 { symbols().i2d_PublicKey } else { symbols().i2d_PUBKEY };
        // SAFETY: the key is alive; `der` passes null or room for the length that was returned.
        der("Failed to encode public key", |target| unsafe { write(self.raw(), target) })
    }

    pub fn public_pem(&self, kind: DerKind) -> Result<Vec<u8>, CryptoError> {
        let bytes = self.public_der(kind)?;
        write_pem(if kind == DerKind::Pkcs1 { "RSA PUBLIC KEY" } else { "PUBLIC KEY" }, &bytes)
    }

    pub fn private_bytes(&self, format: &PrivateFormat<'_>) -> Result<SecretBytes, CryptoError> {
        error::clear();
        let is_traditional = format.kind != DerKind::Pkcs8;
        if is_traditional && !format.is_pem {
            // SAFETY: the key is alive; `der` passes null or room for the length.
            let bytes =
                der(ENCODE_PRIVATE, |target| unsafe { (symbols().i2d_PrivateKey)(self.raw(), target) });
            return bytes.map(SecretBytes::new);
        }
        let cipher = match format.encryption {
            Some((name, _)) => raw_cipher(name)?,
            None => ptr::null_mut(),
        };
        let (phrase, count) = match format.encryption {
            // An empty vector has no address that C accepts as a string.
            Some((_, [])) => (c"".as_ptr().cast::<u8>(), 0),
            Some((_, phrase)) => (phrase.as_ptr(), phrase.len() as c_int),
            None => (ptr::null(), 0),
        };
        let bio = Bio::writer()?;
        let (key, none) = (self.raw(), ptr::null_mut());
        // SAFETY: BIO, key, cipher and passphrase are alive; the passphrase has `count` bytes.
        let result = unsafe {
            if is_traditional {
                let write = symbols().PEM_write_bio_PrivateKey_traditional;
                write(bio.raw(), key, cipher, phrase, count, None, none)
            } else if format.is_pem {
                let write = symbols().PEM_write_bio_PKCS8PrivateKey;
                write(bio.raw(), key, cipher, phrase.cast(), count, None, none)
            } else {
                let write = symbols().i2d_PKCS8PrivateKey_bio;
                write(bio.raw(), key, cipher, phrase.cast(), count, None, none)
            }
        };
        match result {
            1 => Ok(SecretBytes::new(bio.written())),
            _ => Err(CryptoError::take(ENCODE_PRIVATE)),
        }
    }
}

const READ_PRIVATE: &str = "Failed to read private key";
const READ_ASYMMETRIC: &str = "Failed to read asymmetric key";
const ENCODE_PRIVATE: &str = "Failed to encode private key";

fn public_of_spki(bytes: &[u8]) -> Result<Pkey, CryptoError> {
    let symbols = open()?;
    error::clear();
    let mut first = bytes.as_ptr();
    // SAFETY: the bytes live during the call; null asks for a new key.
    let raw = unsafe { (symbols.d2i_PUBKEY)(ptr::null_mut(), &raw mut first, bytes.len() as c_long) };
    Pkey::of_raw(raw, READ_ASYMMETRIC)
}

fn read_result(key: Result<Pkey, CryptoError>, passphrase: Option<&[u8]>) -> Result<KeyRead, CryptoError> {
    match key {
        Ok(key) => {
            error::clear();
            Ok(KeyRead::Key(key))
        }
        Err(failure) if passphrase.is_none() && failure.begins_with(BAD_PASSWORD_READ) => {
            Ok(KeyRead::NeedsPassphrase)
        }
        Err(failure) => Err(failure),
    }
}

fn passphrase_argument(passphrase: &Option<&[u8]>) -> *mut c_void {
    (&raw const *passphrase).cast_mut().cast()
}

/// `pem_password_cb`: copies the passphrase. -1: there is none, or it is too long.
unsafe extern "C" fn give_passphrase(
    target: *mut c_char,
    size: c_int,
    _: c_int,
    argument: *mut c_void,
) -> c_int {
    if argument.is_null() {
        return -1;
    }
    // SAFETY: the argument is that of `passphrase_argument`, whose value is alive.
    let passphrase = unsafe { *argument.cast::<Option<&[u8]>>() };
    match passphrase {
        Some(bytes) if bytes.len() <= size.max(0) as usize => {
            // SAFETY: the target has `size` bytes.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), target.cast::<u8>(), bytes.len()) };
            bytes.len() as c_int
        }
        _ => -1,
    }
}

/// The bytes of the first PEM block with this label. `None`: there is none.
pub(crate) fn pem_block(pem: &[u8], label: &str) -> Result<Option<Vec<u8>>, CryptoError> {
    let symbols = open()?;
    let bio = Bio::reader(pem)?;
    let label = CString::new(label).unwrap_or_default();
    let (mut first, mut count) = (ptr::null_mut(), 0);
    let none: Option<&[u8]> = None;
    // SAFETY: BIO and label are alive; the block's bytes are passed to the caller.
    let result = unsafe {
        let (read, no_name) = (symbols.PEM_bytes_read_bio, ptr::null_mut());
        let argument = passphrase_argument(&none);
        read(
            &raw mut first,
            &raw mut count,
            no_name,
            label.as_ptr(),
            bio.raw(),
            Some(give_passphrase),
            argument,
        )
    };
    error::clear();
    Ok((result == 1).then(|| take_allocated(first, count.max(0) as usize)))
}

pub(crate) fn write_pem(label: &str, bytes: &[u8]) -> Result<Vec<u8>, CryptoError> {
    let bio = Bio::writer()?;
    let label = CString::new(label).unwrap_or_default();
    // SAFETY: BIO, label and bytes are alive; an empty header is allowed.
    let written = unsafe {
        let write = symbols().PEM_write_bio;
        write(bio.raw(), label.as_ptr(), c"".as_ptr(), bytes.as_ptr(), bytes.len() as c_long)
    };
    if written > 0 { Ok(bio.written()) } else { Err(CryptoError::take("the PEM text was not written")) }
}

/// Whether PKCS#8 bytes are an `EncryptedPrivateKeyInfo`: its first member is a sequence, while
/// that of a `PrivateKeyInfo` is a version.
fn is_encrypted(bytes: &[u8]) -> bool {
    let inner = read_tlv(bytes).filter(|(outer, _)| outer.tag == asn1::SEQUENCE);
    inner.and_then(|(outer, _)| read_tlv(outer.content)).is_some_and(|(first, _)| first.tag != asn1::INTEGER)
}

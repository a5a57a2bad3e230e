//! Errors of the library, and what JavaScript sees of them. In: the error queue of the thread. Out:
//! [`CryptoError`], with the library, the reason and Node's code of each entry.

use std::ffi::c_ulong;
use std::fmt;

use crate::library::{open, symbols};
use crate::owned::text;
use crate::symbols::Symbols;

/// More entries than one call of the library queues.
const ENTRIES_MAX: usize = 16;

/// `lib << 23 | reason` of `err.h`; the highest bit marks an errno.
const SYSTEM_FLAG: c_ulong = 0x8000_0000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CryptoError {
    /// The library cannot be opened: one line that says why, and what to install.
    Unavailable(String),
    /// Entries of the error queue, the oldest first; if there are none, `context` says what failed.
    Library { entries: Vec<ErrorEntry>, context: String },
    /// An error with one of Node's own codes.
    Coded { kind: ErrorKind, code: &'static str, message: String },
}

/// The JavaScript class of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Error,
    Type,
    Range,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorEntry {
    number: u64,
    /// `error:NUMBER:library::reason`.
    pub message: String,
    pub library: String,
    pub reason: String,
}

impl CryptoError {
    /// Takes all entries of this thread's queue.
    pub(crate) fn take(context: &str) -> CryptoError {
        CryptoError::Library { entries: take_entries(symbols()), context: context.to_owned() }
    }

    /// The error that a function of the library would have queued: numbers of `err.h` and of the
    /// header of its part.
    pub fn named(library: u32, reason: u32) -> Result<CryptoError, CryptoError> {
        let number = c_ulong::from(library << 23 | reason);
        Ok(CryptoError::Library { entries: vec![entry(open()?, number)], context: String::new() })
    }

    pub fn coded(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> CryptoError {
        CryptoError::Coded { kind, code, message: message.into() }
    }

    /// Whether the first entry is this library and reason.
    pub(crate) fn begins_with(&self, (library, reason): (u64, u64)) -> bool {
        let is_it =
            |entry: &ErrorEntry| entry.library_number() == library && entry.number & 0x7f_ffff == reason;
        matches!(self, CryptoError::Library { entries, .. } if entries.first().is_some_and(is_it))
    }
}

/// Forgets entries of earlier calls, so that an error names its own cause.
pub(crate) fn clear() {
    let symbols = symbols();
    // The library clears all places of the queue, also if there is nothing in it, which is nearly
    // always.
    // SAFETY: the functions take no argument.
    unsafe {
        if (symbols.ERR_peek_error)() != 0 {
            (symbols.ERR_clear_error)();
        }
    }
}

/// The first entry of the queue, which stays there.
pub(crate) fn first_entry() -> Option<ErrorEntry> {
    // SAFETY: the function takes no argument.
    let number = unsafe { (symbols().ERR_peek_error)() };
    (number != 0).then(|| entry(symbols(), number))
}

fn take_entries(symbols: &Symbols) -> Vec<ErrorEntry> {
    let mut entries = Vec::new();
    loop {
        // SAFETY: the function takes no argument.
        let number = unsafe { (symbols.ERR_get_error)() };
        if number == 0 {
            return entries;
        }
        if entries.len() < ENTRIES_MAX {
            entries.push(entry(symbols, number));
        }
    }
}

fn entry(symbols: &Symbols, number: c_ulong) -> ErrorEntry {
    let mut buffer = [0_u8; 256];
    // SAFETY: the buffer has the size that is passed; the library ends the text with NUL.
    let (library, reason) = unsafe {
        (symbols.ERR_error_string_n)(number, buffer.as_mut_ptr().cast(), buffer.len());
        ((symbols.ERR_lib_error_string)(number), (symbols.ERR_reason_error_string)(number))
    };
    let end = buffer.iter().position(|byte| *byte == 0).unwrap_or(buffer.len());
    let message = String::from_utf8_lossy(&buffer[..end]).into_owned();
    ErrorEntry { number: u64::from(number as u32), message, library: text(library), reason: text(reason) }
}

impl ErrorEntry {
    fn library_number(&self) -> u64 {
        match self.number & SYSTEM_FLAG {
            0 => self.number >> 23 & 0xff,
            _ => 2,
        }
    }

    /// Node's code, as `ERR_OSSL_EVP_BAD_DECRYPT`; `None`: the entry has no reason.
    pub fn code(&self) -> Option<String> {
        if self.reason.is_empty() {
            return None;
        }
        let library = LIBRARIES.iter().find(|(number, _)| *number == self.library_number());
        let library = library.map_or("", |(_, name)| name);
        let reason: String = self
            .reason
            .chars()
            .map(|character| if character == ' ' { '_' } else { character.to_ascii_uppercase() })
            .collect();
        match library {
            "SSL_" => Some(format!("ERR_SSL_{reason}")),
            _ => Some(format!("ERR_OSSL_{library}{reason}")),
        }
    }
}

impl fmt::Display for CryptoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CryptoError::Unavailable(reason) => f.write_str(reason),
            CryptoError::Library { entries, context } => {
                f.write_str(entries.first().map_or(context, |entry| &entry.message))
            }
            CryptoError::Coded { message, .. } => f.write_str(message),
        }
    }
}

/// `ERR_LIB_*` of `err.h` that have a name in Node's codes.
const LIBRARIES: &[(u64, &str)] = &[
    (2, "SYS_"),
    (3, "BN_"),
    (4, "RSA_"),
    (5, "DH_"),
    (6, "EVP_"),
    (7, "BUF_"),
    (8, "OBJ_"),
    (9, "PEM_"),
    (10, "DSA_"),
    (11, "X509_"),
    (13, "ASN1_"),
    (14, "CONF_"),
    (15, "CRYPTO_"),
    (16, "EC_"),
    (20, "SSL_"),
    (32, "BIO_"),
    (33, "PKCS7_"),
    (34, "X509V3_"),
    (35, "PKCS12_"),
    (36, "RAND_"),
    (37, "DSO_"),
    (38, "ENGINE_"),
    (39, "OCSP_"),
    (40, "UI_"),
    (41, "COMP_"),
    (42, "ECDSA_"),
    (43, "ECDH_"),
    (44, "OSSL_STORE_"),
    (45, "FIPS_"),
    (46, "CMS_"),
    (47, "TS_"),
    (48, "HMAC_"),
    (50, "CT_"),
    (51, "ASYNC_"),
    (52, "KDF_"),
    (53, "SM2_"),
    (128, "USER_"),
];

//! Trusted certificates and revocation lists. In: untrusted PEM. Out: a store that contexts share.

use std::ffi::c_ulong;
use std::ptr;

use super::symbols::open_ssl;
use crate::bio::Bio;
use crate::certificate::Certificate;
use crate::error::{self, CryptoError};
use crate::library::symbols;
use crate::owned::Owned;
use crate::symbols::Raw;

/// `X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL`.
const CHECK_REVOCATION: c_ulong = 0x4 | 0x8;
/// `X509_V_FLAG_PARTIAL_CHAIN`.
const PARTIAL_CHAIN: c_ulong = 0x8_0000;

pub struct TrustStore(Owned);

impl TrustStore {
    pub fn new() -> Result<TrustStore, CryptoError> {
        open_ssl()?;
        // SAFETY: the function takes no argument.
        let raw = unsafe { (symbols().X509_STORE_new)() };
        Owned::new(raw, symbols().X509_STORE_free, "out of memory").map(TrustStore)
    }

    pub(crate) fn raw(&self) -> Raw {
        self.0.raw()
    }

    /// A pointer for a function that takes ownership.
    pub(crate) fn new_reference(&self) -> Raw {
        // SAFETY: the store is alive.
        unsafe { (symbols().X509_STORE_up_ref)(self.raw()) };
        self.raw()
    }

    pub fn add(&self, certificate: &Certificate) {
        add_certificate(self.raw(), certificate);
    }
}

pub(crate) fn add_certificate(store: Raw, certificate: &Certificate) {
    // SAFETY: store and certificate are alive; the store takes a reference of its own.
    unsafe { (symbols().X509_STORE_add_cert)(store, certificate.raw()) };
    error::clear();
}

/// Adds the first revocation list of a PEM text, and checks revocation from now on.
pub(crate) fn add_revocations(store: Raw, pem: &[u8]) -> Result<(), CryptoError> {
    let symbols = symbols();
    let bio = Bio::reader(pem)?;
    error::clear();
    // SAFETY: the BIO is alive; there is no passphrase.
    let raw = unsafe { (symbols.PEM_read_bio_X509_CRL)(bio.raw(), ptr::null_mut(), None, ptr::null_mut()) };
    let list = Owned::new(raw, symbols.X509_CRL_free, "Failed to parse CRL").map_err(|_| {
        error::clear();
        let message = "Failed to parse CRL";
        CryptoError::coded(crate::ErrorKind::Error, "ERR_CRYPTO_OPERATION_FAILED", message)
    })?;
    // SAFETY: store and list are alive; the store takes a reference of its own.
    unsafe {
        (symbols.X509_STORE_add_crl)(store, list.raw());
        (symbols.X509_STORE_set_flags)(store, CHECK_REVOCATION);
    }
    error::clear();
    Ok(())
}

pub(crate) fn allow_partial_chains(store: Raw) {
    // SAFETY: the caller has a live store.
    unsafe { (symbols().X509_STORE_set_flags)(store, PARTIAL_CHAIN) };
}

/// All certificates of a PEM text, as far as they can be parsed.
pub fn pem_certificates(pem: &[u8]) -> Result<Vec<Certificate>, CryptoError> {
    open_ssl()?;
    let bio = Bio::reader(pem)?;
    let mut certificates = Vec::new();
    while let Some(certificate) = next_certificate(&bio) {
        certificates.push(certificate);
    }
    Ok(certificates)
}

/// The next certificate of a PEM text; it may have trust settings (`TRUSTED CERTIFICATE`).
pub(crate) fn next_certificate(bio: &Bio<'_>) -> Option<Certificate> {
    // SAFETY: the BIO is alive; there is no passphrase.
    let raw = unsafe { (symbols().PEM_read_bio_X509_AUX)(bio.raw(), ptr::null_mut(), None, ptr::null_mut()) };
    error::clear();
    Certificate::of_raw(raw).ok()
}

/// The issuer of a certificate in a store.
pub(crate) fn find_issuer(store: Raw, certificate: Raw) -> Option<Certificate> {
    let symbols = symbols();
    // SAFETY: the function takes no argument.
    let context = unsafe { (symbols.X509_STORE_CTX_new)() };
    let context = Owned::new(context, symbols.X509_STORE_CTX_free, "out of memory").ok()?;
    let mut issuer: Raw = ptr::null_mut();
    // SAFETY: context, store and certificate are alive; the issuer is a new reference.
    let found = unsafe {
        (symbols.X509_STORE_CTX_init)(context.raw(), store, ptr::null_mut(), ptr::null_mut()) == 1
            && (symbols.X509_STORE_CTX_get1_issuer)(&raw mut issuer, context.raw(), certificate) == 1
    };
    error::clear();
    if found { Certificate::of_raw(issuer).ok() } else { None }
}

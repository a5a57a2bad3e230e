//! Certificates and private keys of a context. In: untrusted PEM and PKCS #12, passphrases. Out: a
//! context that presents them, and trusts authorities.

use std::ffi::{CString, c_int};
use std::ptr;

use super::context::{TlsContext, operation_failed};
use super::control::{self, context_number};
use super::symbols::ssl;
use super::trust::{self, TrustStore, next_certificate};
use crate::bio::Bio;
use crate::certificate::Certificate;
use crate::error::{self, CryptoError, ErrorKind};
use crate::key::Pkey;
use crate::key_format::KeyRead;
use crate::library::symbols;
use crate::owned::Owned;
use crate::symbols::Raw;

/// `ERR_LIB_CRYPTO` and `ERR_R_INTERRUPTED_OR_CANCELLED`: a passphrase is needed and there is none.
const CANCELED: (u32, u32) = (15, 0x8_0109);

impl TlsContext {
    /// A certificate and those of its chain as PEM, the own one first.
    pub fn add_certificate(&mut self, pem: &[u8]) -> Result<(), CryptoError> {
        let bio = Bio::reader(pem)?;
        error::clear();
        // SAFETY: the BIO is alive; there is no passphrase.
        let raw =
            unsafe { (symbols().PEM_read_bio_X509_AUX)(bio.raw(), ptr::null_mut(), None, ptr::null_mut()) };
        let own = Certificate::of_raw(raw)?;
        let mut chain = Vec::new();
        while let Some(certificate) = next_certificate(&bio) {
            chain.push(certificate);
        }
        self.use_certificate(own, &chain)
    }

    fn use_certificate(&mut self, own: Certificate, chain: &[Certificate]) -> Result<(), CryptoError> {
        error::clear();
        // SAFETY: context and certificate are alive; the context takes a reference of its own.
        if unsafe { (ssl().SSL_CTX_use_certificate)(self.raw(), own.raw()) } != 1 {
            return Err(CryptoError::take("SSL_CTX_use_certificate_chain"));
        }
        context_number(self.raw(), control::EXTRA_CHAIN_CERTIFICATES_CLEAR, 0);
        for certificate in chain {
            // SAFETY: as above; 1 asks for a reference of its own.
            let added = unsafe {
                let first = certificate.raw().cast();
                (ssl().SSL_CTX_ctrl)(self.raw(), control::CHAIN_CERTIFICATE, 1, first)
            };
            if added != 1 {
                return Err(CryptoError::take("SSL_CTX_use_certificate_chain"));
            }
        }
        let found = chain.iter().find(|issuer| own.is_issued_by(issuer));
        self.issuer = match found {
            Some(issuer) => Certificate::of_shared(issuer.raw()),
            None => trust::find_issuer(self.store(), own.raw()),
        };
        self.certificate = Some(own);
        error::clear();
        Ok(())
    }

    /// A private key as PEM. Set after its certificate.
    pub fn add_key(&mut self, pem: &[u8], passphrase: Option<&[u8]>) -> Result<(), CryptoError> {
        match Pkey::private_of_pem(pem, passphrase)? {
            KeyRead::Key(key) => self.use_key(&key),
            KeyRead::NeedsPassphrase => Err(CryptoError::named(CANCELED.0, CANCELED.1)?),
        }
    }

    fn use_key(&mut self, key: &Pkey) -> Result<(), CryptoError> {
        error::clear();
        // SAFETY: context and key are alive; the context takes a reference of its own.
        match unsafe { (ssl().SSL_CTX_use_PrivateKey)(self.raw(), key.raw()) } {
            1 => Ok(()),
            _ => Err(CryptoError::take("SSL_CTX_use_PrivateKey")),
        }
    }

    /// Trusts all certificates of a PEM text, and tells clients that theirs may come from them.
    pub fn add_authorities(&mut self, pem: &[u8]) -> Result<(), CryptoError> {
        let bio = Bio::reader(pem)?;
        while let Some(authority) = next_certificate(&bio) {
            self.add_authority(&authority);
        }
        Ok(())
    }

    /// The store of a context that shares it must be replaced before ([`Context::set_store`]).
    fn add_authority(&mut self, authority: &Certificate) {
        trust::add_certificate(self.store(), authority);
        // SAFETY: context and certificate are alive; the name is copied.
        unsafe { (ssl().SSL_CTX_add_client_CA)(self.raw(), authority.raw()) };
        error::clear();
    }

    /// Whether the store belongs to other contexts too, so that it must not be changed.
    pub fn shares_store(&self) -> bool {
        self.has_shared_store
    }

    /// Replaces a shared store by one of this context.
    pub fn own_store(&mut self, store: &TrustStore) {
        self.set_store(store);
        self.has_shared_store = false;
    }

    pub fn add_revocations(&mut self, pem: &[u8]) -> Result<(), CryptoError> {
        trust::add_revocations(self.store(), pem)
    }

    /// Key, certificate and authorities of PKCS #12.
    pub fn add_pkcs12(&mut self, der: &[u8], passphrase: Option<&[u8]>) -> Result<(), CryptoError> {
        let symbols = symbols();
        let bio = Bio::reader(der)?;
        error::clear();
        // SAFETY: the BIO is alive; null asks for a new structure.
        let raw = unsafe { (symbols.d2i_PKCS12_bio)(bio.raw(), ptr::null_mut()) };
        let container = Owned::new(raw, symbols.PKCS12_free, "").map_err(pkcs12_error)?;
        let passphrase = passphrase.map(|bytes| CString::new(bytes).unwrap_or_default());
        let (mut key, mut own, mut others): (Raw, Raw, Raw) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: the container is alive, and so is the passphrase; three new objects are stored.
        let is_parsed = unsafe {
            let first = passphrase.as_ref().map_or(ptr::null(), |text| text.as_ptr());
            (symbols.PKCS12_parse)(container.raw(), first, &raw mut key, &raw mut own, &raw mut others) == 1
        };
        // The functions below clear the queue of errors.
        let failure = (!is_parsed).then(|| pkcs12_error(CryptoError::take("")));
        let others = take_certificates(others);
        let (key, own) = (Pkey::of_raw(key, ""), Certificate::of_raw(own));
        if let Some(failure) = failure {
            return Err(failure);
        }
        error::clear();
        let key = key.map_err(|_| operation_failed("Unable to load private key from PFX data"))?;
        let own = own.map_err(|_| operation_failed("Unable to load certificate from PFX data"))?;
        self.use_certificate(own, &others)?;
        self.use_key(&key)?;
        others.iter().for_each(|authority| self.add_authority(authority));
        Ok(())
    }

    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }

    pub fn issuer(&self) -> Option<&Certificate> {
        self.issuer.as_ref()
    }
}

/// Takes the certificates out of a stack, which is freed.
fn take_certificates(stack: Raw) -> Vec<Certificate> {
    if stack.is_null() {
        return Vec::new();
    }
    let symbols = symbols();
    // SAFETY: the stack is owned; each certificate gets a reference of its own.
    unsafe {
        let count: c_int = (symbols.OPENSSL_sk_num)(stack);
        let all =
            (0..count).filter_map(|index| Certificate::of_shared((symbols.OPENSSL_sk_value)(stack, index)));
        let all = all.collect();
        (symbols.OPENSSL_sk_pop_free)(stack, symbols.X509_free);
        all
    }
}

/// Node's error of PKCS #12: the reason alone.
fn pkcs12_error(failure: CryptoError) -> CryptoError {
    let CryptoError::Library { entries, .. } = &failure else { return failure };
    let reason = entries.first().map_or("", |entry| entry.reason.as_str());
    match reason {
        "" => operation_failed("Unable to load PFX certificate"),
        "unsupported" => CryptoError::coded(
            ErrorKind::Error,
            "ERR_CRYPTO_UNSUPPORTED_OPERATION",
            "Unsupported PKCS12 PFX data",
        ),
        reason => CryptoError::Library { entries: Vec::new(), context: reason.to_owned() },
    }
}

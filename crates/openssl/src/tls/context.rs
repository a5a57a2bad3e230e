//! TLS contexts (`SSL_CTX`): what connections of one kind share. In: versions, ciphers, groups,
//! options, ticket keys. Out: a context. Certificates and keys: credentials.rs.

use std::ffi::{CString, c_int, c_long};
use std::sync::PoisonError;

use super::control::{self, context_number};
use super::symbols::{open_ssl, ssl};
use super::ticket::{self, TICKET_KEY_BYTES, TicketKeys};
use super::trust::TrustStore;
use super::{callbacks, trust};
use crate::bio::Bio;
use crate::certificate::Certificate;
use crate::error::{self, CryptoError, ErrorKind};
use crate::key::Pkey;
use crate::library::symbols;
use crate::owned::{Owned, text};
use crate::secret::SecretBytes;
use crate::symbols::Raw;

/// `SSL_SESS_CACHE_BOTH | NO_AUTO_CLEAR | NO_INTERNAL`: callbacks get all sessions.
const SESSION_CACHE: c_long = 0x3 | 0x80 | 0x300;
/// `SSL_OP_NO_SSLv3 | SSL_OP_ALLOW_CLIENT_RENEGOTIATION`.
const OPTIONS: u64 = 1 << 25 | 1 << 8;
/// `SSL_MODE_RELEASE_BUFFERS`: an idle connection needs no buffers.
/// `SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER`: a write that is tried again has another address.
const MODE: c_long = 0x10 | 0x2;
/// What is read of the transport at once.
const READ_BYTES: usize = 64 * 1024;
const DH_BITS_MIN: u32 = 1024;
const DH_BITS_ADVISED: u32 = 2048;

/// What a context is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Any,
    Client,
    Server,
}

pub struct TlsContext {
    raw: Owned,
    ticket_keys: TicketKeys,
    pub(super) certificate: Option<Certificate>,
    pub(super) issuer: Option<Certificate>,
    /// The certificate store is shared with other contexts.
    pub(super) has_shared_store: bool,
}

impl TlsContext {
    /// `versions`: the lowest and the highest, by the numbers of the protocol; 0: the library's.
    pub fn new(protocol: Protocol, versions: (i32, i32)) -> Result<TlsContext, CryptoError> {
        let symbols = open_ssl()?;
        error::clear();
        // SAFETY: the methods are constants of the library.
        let raw = unsafe {
            let method = match protocol {
                Protocol::Any => (symbols.TLS_method)(),
                Protocol::Client => (symbols.TLS_client_method)(),
                Protocol::Server => (symbols.TLS_server_method)(),
            };
            (symbols.SSL_CTX_new)(method)
        };
        let raw = Owned::new(raw, symbols.SSL_CTX_free, "SSL_CTX_new")?;
        let mut context = TlsContext {
            raw,
            ticket_keys: TicketKeys::default(),
            certificate: None,
            issuer: None,
            has_shared_store: false,
        };
        context.set_options(OPTIONS);
        context_number(context.raw(), control::SESSION_CACHE_MODE, SESSION_CACHE);
        context_number(context.raw(), control::MODE, MODE);
        context_number(context.raw(), control::READ_AHEAD, 1);
        // SAFETY: the context is alive.
        unsafe { (symbols.SSL_CTX_set_default_read_buffer_len)(context.raw(), READ_BYTES) };
        context.set_min_version(versions.0);
        context.set_max_version(versions.1);
        callbacks::install(context.raw());
        Ok(context)
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw.raw()
    }

    /// Flags `SSL_OP_*`, added to the others.
    pub fn set_options(&mut self, options: u64) {
        // SAFETY: the context is alive.
        unsafe { (ssl().SSL_CTX_set_options)(self.raw(), options) };
    }

    pub fn set_min_version(&mut self, version: i32) {
        context_number(self.raw(), control::MIN_VERSION, version.into());
    }

    pub fn set_max_version(&mut self, version: i32) {
        context_number(self.raw(), control::MAX_VERSION, version.into());
    }

    /// 0: the lowest that the library has.
    pub fn min_version(&self) -> i32 {
        context_number(self.raw(), control::MIN_VERSION_GET, 0) as i32
    }

    pub fn max_version(&self) -> i32 {
        context_number(self.raw(), control::MAX_VERSION_GET, 0) as i32
    }

    /// 0 to 5: which algorithms and sizes of keys are refused.
    pub fn security_level(&self) -> i32 {
        // SAFETY: the context is alive.
        unsafe { (ssl().SSL_CTX_get_security_level)(self.raw()) }
    }

    /// Ciphers of TLS 1.2 and older. An empty list is none, and no error.
    pub fn set_ciphers(&mut self, list: &str) -> Result<(), CryptoError> {
        let c_list = CString::new(list).unwrap_or_default();
        error::clear();
        // SAFETY: context and list are alive.
        let is_set = unsafe { (ssl().SSL_CTX_set_cipher_list)(self.raw(), c_list.as_ptr()) } == 1;
        match is_set || list.is_empty() {
            true => {
                error::clear();
                Ok(())
            }
            false => Err(CryptoError::take("Failed to set ciphers")),
        }
    }

    /// Cipher suites of TLS 1.3.
    pub fn set_cipher_suites(&mut self, list: &str) -> Result<(), CryptoError> {
        let list = CString::new(list).unwrap_or_default();
        error::clear();
        // SAFETY: context and list are alive.
        match unsafe { (ssl().SSL_CTX_set_ciphersuites)(self.raw(), list.as_ptr()) } {
            1 => Ok(()),
            _ => Err(CryptoError::take("Failed to set ciphers")),
        }
    }

    /// Groups of the key exchange; `auto`: the library's.
    pub fn set_groups(&mut self, list: &str) -> Result<(), CryptoError> {
        if list == "auto" || self.set_list(control::GROUPS_LIST, list) {
            return Ok(());
        }
        error::clear();
        Err(operation_failed("Failed to set ECDH curve"))
    }

    pub fn set_signature_algorithms(&mut self, list: &str) -> Result<(), CryptoError> {
        match self.set_list(control::SIGNATURE_ALGORITHMS_LIST, list) {
            true => Ok(()),
            false => Err(CryptoError::take("Failed to set signature algorithms")),
        }
    }

    fn set_list(&self, request: c_int, list: &str) -> bool {
        let list = CString::new(list).unwrap_or_default();
        error::clear();
        // SAFETY: context and list are alive; the request reads the list.
        unsafe { (ssl().SSL_CTX_ctrl)(self.raw(), request, 0, list.as_ptr().cast_mut().cast()) == 1 }
    }

    /// The library chooses parameters of DH by the size of the key.
    pub fn set_dh_auto(&mut self) {
        context_number(self.raw(), control::DH_AUTO, 1);
    }

    /// Parameters of DH as PEM; a text without any is ignored. The result is a warning.
    pub fn set_dh_parameters(&mut self, pem: &[u8]) -> Result<Option<&'static str>, CryptoError> {
        let bio = Bio::reader(pem)?;
        error::clear();
        // SAFETY: the BIO is alive; null asks for a new key.
        let raw = unsafe { (symbols().PEM_read_bio_Parameters)(bio.raw(), std::ptr::null_mut()) };
        let Ok(key) = Pkey::of_raw(raw, "") else { return Ok(None) };
        let bits = key.bits();
        if bits < DH_BITS_MIN {
            let message = "DH parameter is less than 1024 bits";
            return Err(CryptoError::coded(ErrorKind::Type, "ERR_INVALID_ARG_VALUE", message));
        }
        // SAFETY: the context is alive and takes a reference of its own.
        let is_set = unsafe {
            (symbols().EVP_PKEY_up_ref)(key.raw());
            (ssl().SSL_CTX_set0_tmp_dh_pkey)(self.raw(), key.raw()) == 1
        };
        if !is_set {
            // SAFETY: the reference was not taken.
            unsafe { (symbols().EVP_PKEY_free)(key.raw()) };
            error::clear();
            return Err(operation_failed("Error setting temp DH parameter"));
        }
        Ok((bits < DH_BITS_ADVISED).then_some("DH parameter is less than 2048 bits"))
    }

    /// Sessions of another context with this ID are resumed.
    pub fn set_session_id_context(&mut self, id: &[u8]) -> Result<(), CryptoError> {
        error::clear();
        // SAFETY: context and ID are alive.
        let is_set =
            unsafe { (ssl().SSL_CTX_set_session_id_context)(self.raw(), id.as_ptr(), id.len() as u32) == 1 };
        if is_set { Ok(()) } else { Err(CryptoError::take("SSL_CTX_set_session_id_context error")) }
    }

    pub fn set_session_timeout(&mut self, seconds: i32) {
        // SAFETY: the context is alive.
        unsafe { (ssl().SSL_CTX_set_timeout)(self.raw(), seconds.into()) };
    }

    /// 48 bytes: a name, a key of HMAC, a key of AES, each of 16. Servers that share them resume
    /// each other's sessions. Connections of this context see them change.
    pub fn set_ticket_keys(&mut self, keys: &[u8]) -> Result<(), CryptoError> {
        if keys.len() != TICKET_KEY_BYTES {
            let message = "Session ticket keys must be a 48-byte buffer";
            return Err(CryptoError::coded(ErrorKind::Type, "ERR_INVALID_ARG_VALUE", message));
        }
        if !ticket::install(self.raw()) {
            return Err(CryptoError::take("SSL_CTX_set_tlsext_ticket_key_evp_cb"));
        }
        *self.ticket_keys.write().unwrap_or_else(PoisonError::into_inner) = SecretBytes::new(keys.to_vec());
        Ok(())
    }

    /// Empty: none were set.
    pub fn ticket_keys(&self) -> SecretBytes {
        self.ticket_keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn shared_ticket_keys(&self) -> TicketKeys {
        TicketKeys::clone(&self.ticket_keys)
    }

    /// Verifies peers against that store, which is shared.
    pub fn set_store(&mut self, store: &TrustStore) {
        // SAFETY: the context is alive and takes the reference.
        unsafe { (ssl().SSL_CTX_set_cert_store)(self.raw(), store.new_reference()) };
        self.has_shared_store = true;
    }

    pub(super) fn store(&self) -> Raw {
        // SAFETY: the context is alive and keeps its store.
        unsafe { (ssl().SSL_CTX_get_cert_store)(self.raw()) }
    }

    /// A chain may end at any trusted certificate, self-signed or not.
    pub fn allow_partial_chains(&mut self) {
        trust::allow_partial_chains(self.store());
    }
}

pub(super) fn operation_failed(message: &str) -> CryptoError {
    CryptoError::coded(ErrorKind::Error, "ERR_CRYPTO_OPERATION_FAILED", message)
}

/// Names of the ciphers of a default context.
pub fn tls_cipher_names() -> Result<Vec<String>, CryptoError> {
    let context = TlsContext::new(Protocol::Any, (0, 0))?;
    // SAFETY: the context is alive and keeps the list and its ciphers.
    unsafe {
        let list = (ssl().SSL_CTX_get_ciphers)(context.raw());
        let count = (symbols().OPENSSL_sk_num)(list).max(0);
        let cipher = |index| text((ssl().SSL_CIPHER_get_name)((symbols().OPENSSL_sk_value)(list, index)));
        Ok((0..count).map(cipher).collect())
    }
}

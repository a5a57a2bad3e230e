//! What a connection negotiated, and what its peer presented.

use std::ffi::{CString, c_int};
use std::marker::PhantomData;
use std::ptr;

use super::callbacks;
use super::connection::Connection;
use super::context::TlsContext;
use super::control;
use super::session::{session_der, session_id, session_ticket};
use super::symbols::ssl;
use super::trust::find_issuer;
use super::verify::{self, VerifyFailure};
use crate::certificate::Certificate;
use crate::error::{self, CryptoError};
use crate::key::Pkey;
use crate::library::symbols;
use crate::owned::text;
use crate::symbols::{In, Raw};

/// `TLS1_3_VERSION`, `NID_auth_psk`.
const TLS_1_3: c_int = 0x0304;
const AUTHENTICATION_PSK: c_int = 1048;
/// `EVP_PKEY_DH`, `EVP_PKEY_EC`, `EVP_PKEY_X25519`, `EVP_PKEY_X448`.
const DH: c_int = 28;
const CURVES: [c_int; 3] = [408, 1034, 1035];
/// A longer chain is cut off.
const CHAIN_MAX: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CipherDescription {
    pub name: String,
    pub standard_name: String,
    pub version: String,
}

/// The server's key of the key exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EphemeralKey {
    Dh { bits: u32 },
    Ecdh { name: String, bits: u32 },
}

impl Connection {
    pub fn protocol_version(&self) -> String {
        // SAFETY: the connection is alive.
        text(unsafe { (ssl().SSL_get_version)(self.raw()) })
    }

    pub fn cipher(&self) -> Option<CipherDescription> {
        // SAFETY: the connection is alive; ciphers are constants of the library.
        unsafe {
            let cipher = (ssl().SSL_get_current_cipher)(self.raw());
            (!cipher.is_null()).then(|| CipherDescription {
                name: text((ssl().SSL_CIPHER_get_name)(cipher)),
                standard_name: text((ssl().SSL_CIPHER_standard_name)(cipher)),
                version: text((ssl().SSL_CIPHER_get_version)(cipher)),
            })
        }
    }

    pub fn server_name(&self) -> Option<String> {
        callbacks::server_name(self.raw())
    }

    pub fn selected_protocol(&self) -> Option<Vec<u8>> {
        let (mut first, mut count): (In, u32) = (ptr::null(), 0);
        // SAFETY: the connection is alive and keeps the protocol.
        unsafe {
            (ssl().SSL_get0_alpn_selected)(self.raw(), &raw mut first, &raw mut count);
            (!first.is_null() && count > 0)
                .then(|| std::slice::from_raw_parts(first, count as usize).to_vec())
        }
    }

    /// `None`: the peer's certificate is accepted, or none is needed.
    pub fn verify_failure(&self) -> Option<VerifyFailure> {
        // SAFETY: the connection is alive and keeps cipher and session.
        let result = unsafe {
            match self.peer_certificate() {
                Some(_) => (ssl().SSL_get_verify_result)(self.raw()),
                None => {
                    let cipher = (ssl().SSL_get_current_cipher)(self.raw());
                    let session = (ssl().SSL_get_session)(self.raw());
                    let is_psk =
                        !cipher.is_null() && (ssl().SSL_CIPHER_get_auth_nid)(cipher) == AUTHENTICATION_PSK;
                    // A key that both sides know looks like a resumed session in TLS 1.3.
                    let is_resumed = !session.is_null()
                        && (ssl().SSL_SESSION_get_protocol_version)(session) == TLS_1_3
                        && self.is_resumed();
                    if is_psk || is_resumed { 0 } else { verify::NO_CERTIFICATE }
                }
            }
        };
        verify::failure(result)
    }

    pub fn peer_certificate(&self) -> Option<Certificate> {
        // SAFETY: the connection is alive; the certificate is a new reference.
        Certificate::of_raw(unsafe { (ssl().SSL_get1_peer_certificate)(self.raw()) }).ok()
    }

    pub fn own_certificate(&self) -> Option<Certificate> {
        // SAFETY: the connection is alive and keeps its certificate.
        Certificate::of_shared(unsafe { (ssl().SSL_get_certificate)(self.raw()) })
    }

    /// The peer's certificate and those that lead to a root, as far as the peer sent them or they
    /// are trusted.
    pub fn peer_chain(&self) -> Vec<Certificate> {
        let Some(leaf) = self.peer_certificate() else { return Vec::new() };
        let mut sent = self.sent_certificates();
        let mut chain = vec![leaf];
        while chain.len() < CHAIN_MAX {
            let last = &chain[chain.len() - 1];
            if last.is_issued_by(last) {
                break;
            }
            let next = match sent.iter().position(|issuer| last.is_issued_by(issuer)) {
                Some(index) => Some(sent.remove(index)),
                None => find_issuer(self.context_store(), last.raw()),
            };
            let Some(next) = next else { break };
            chain.push(next);
        }
        error::clear();
        chain
    }

    fn sent_certificates(&self) -> Vec<Certificate> {
        // SAFETY: the connection is alive and keeps the list and its certificates.
        unsafe {
            let list = (ssl().SSL_get_peer_cert_chain)(self.raw());
            if list.is_null() {
                return Vec::new();
            }
            let count = (symbols().OPENSSL_sk_num)(list);
            let certificate = |index| Certificate::of_shared((symbols().OPENSSL_sk_value)(list, index));
            (0..count).filter_map(certificate).collect()
        }
    }

    fn context_store(&self) -> Raw {
        // SAFETY: the connection is alive and keeps its context, which keeps its store.
        unsafe { (ssl().SSL_CTX_get_cert_store)((ssl().SSL_get_SSL_CTX)(self.raw())) }
    }

    fn temporary_key(&self) -> Option<Pkey> {
        let mut raw: Raw = ptr::null_mut();
        // SAFETY: the connection is alive; the request stores a new reference.
        let found = unsafe {
            (ssl().SSL_ctrl)(self.raw(), control::PEER_TEMPORARY_KEY, 0, control::address(&mut raw))
        };
        error::clear();
        if found == 1 { Pkey::of_raw(raw, "").ok() } else { None }
    }

    /// Bits of the server's key of a finite field. `None`: it is of another kind, as nearly always.
    /// Names of curves, which cost time, are not looked up.
    pub fn ephemeral_dh_bits(&self) -> Option<u32> {
        let key = self.temporary_key()?;
        // SAFETY: the key is alive.
        (unsafe { (symbols().EVP_PKEY_get_id)(key.raw()) } == DH).then(|| key.bits())
    }

    /// Of a client, after the handshake.
    pub fn ephemeral_key(&self) -> Option<EphemeralKey> {
        let key = self.temporary_key()?;
        // SAFETY: the key is alive.
        match unsafe { (symbols().EVP_PKEY_get_id)(key.raw()) } {
            DH => Some(EphemeralKey::Dh { bits: key.bits() }),
            id if CURVES.contains(&id) => {
                let name =
                    if id == CURVES[0] { key.text("group").unwrap_or_default() } else { key.algorithm() };
                Some(EphemeralKey::Ecdh { name, bits: key.bits() })
            }
            _ => None,
        }
    }

    /// `RSA-PSS+SHA256`: signature algorithms that both sides have.
    pub fn shared_signature_algorithms(&self) -> Vec<String> {
        let read = ssl().SSL_get_shared_sigalgs;
        let null = ptr::null_mut();
        // SAFETY: the connection is alive; null means that a value is not wanted.
        let count = unsafe { read(self.raw(), 0, null, null, null, ptr::null_mut(), ptr::null_mut()) };
        let name = |index| {
            let (mut sign, mut hash) = (0, 0);
            // SAFETY: as above; two numbers are stored.
            unsafe {
                read(self.raw(), index, &raw mut sign, &raw mut hash, null, ptr::null_mut(), ptr::null_mut())
            };
            let hash = if hash == 0 { "UNDEF".to_owned() } else { short_name(hash) };
            format!("{}+{hash}", signature_name(sign))
        };
        (0..count.max(0)).map(name).collect()
    }

    pub fn is_resumed(&self) -> bool {
        // SAFETY: the connection is alive.
        unsafe { (ssl().SSL_session_reused)(self.raw()) == 1 }
    }

    /// DER of the session, for a later connection.
    pub fn session(&self) -> Option<Vec<u8>> {
        // SAFETY: the connection is alive and keeps its session.
        let session = unsafe { (ssl().SSL_get_session)(self.raw()) };
        if session.is_null() { None } else { session_der(session).ok() }
    }

    pub fn session_id(&self) -> Option<Vec<u8>> {
        // SAFETY: as above.
        let session = unsafe { (ssl().SSL_get_session)(self.raw()) };
        (!session.is_null()).then(|| session_id(session))
    }

    pub fn session_ticket(&self) -> Option<Vec<u8>> {
        // SAFETY: the connection is alive and keeps its session.
        let session = unsafe { (ssl().SSL_get_session)(self.raw()) };
        if session.is_null() { None } else { session_ticket(session) }
    }

    /// The message `Finished` that was sent, or that of the peer.
    pub fn finished(&self, of_peer: bool) -> Vec<u8> {
        let read = if of_peer { ssl().SSL_get_peer_finished } else { ssl().SSL_get_finished };
        // The longest digest: `EVP_MAX_MD_SIZE`.
        let mut message = vec![0_u8; 64];
        // SAFETY: the connection is alive; the target has the size that is passed.
        let count = unsafe { read(self.raw(), message.as_mut_ptr().cast(), message.len()) };
        message.truncate(count);
        message
    }

    /// Keys for another protocol (RFC 5705).
    pub fn export_key(
        &self,
        bytes: usize,
        label: &str,
        context: Option<&[u8]>,
    ) -> Result<Vec<u8>, CryptoError> {
        let mut key = vec![0_u8; bytes];
        let c_label = CString::new(label).unwrap_or_default();
        let (first, count) = context.map_or((ptr::null(), 0), |bytes| (bytes.as_ptr(), bytes.len()));
        error::clear();
        // SAFETY: the connection is alive; all pointers have the lengths that are passed.
        let result = unsafe {
            let export = ssl().SSL_export_keying_material;
            let has_context = c_int::from(context.is_some());
            export(
                self.raw(),
                key.as_mut_ptr(),
                bytes,
                c_label.as_ptr(),
                label.len(),
                first,
                count,
                has_context,
            )
        };
        if result == 1 { Ok(key) } else { Err(CryptoError::take("SSL_export_keying_material")) }
    }

    /// Uses certificate, key and authorities of another context. False: it has no certificate.
    pub fn use_context(&mut self, context: &TlsContext) -> Result<bool, CryptoError> {
        if !self.use_credentials(context)? {
            return Ok(false);
        }
        // SAFETY: connection and context are alive; 1 asks for a reference, the list is copied.
        unsafe {
            let store = (ssl().SSL_CTX_get_cert_store)(context.raw());
            (ssl().SSL_ctrl)(self.raw(), control::VERIFY_STORE, 1, store.cast());
            let names = (ssl().SSL_dup_CA_list)((ssl().SSL_CTX_get_client_CA_list)(context.raw()));
            (ssl().SSL_set_client_CA_list)(self.raw(), names);
        }
        error::clear();
        Ok(true)
    }

    /// Uses certificate and key of another context. False: it has none.
    pub fn use_credentials(&mut self, context: &TlsContext) -> Result<bool, CryptoError> {
        use_credentials(self.raw(), context)
    }
}

/// The certificate of a connection that asks a question during its handshake.
#[derive(Debug)]
pub struct LateCredentials<'q> {
    connection: Raw,
    call: PhantomData<&'q ()>,
}

impl LateCredentials<'_> {
    /// Only for the time of a callback of that connection.
    pub(super) fn new(connection: Raw) -> Self {
        LateCredentials { connection, call: PhantomData }
    }

    /// As [`Connection::use_credentials`].
    pub fn replace(&self, context: &TlsContext) -> Result<bool, CryptoError> {
        use_credentials(self.connection, context)
    }
}

fn use_credentials(connection: Raw, context: &TlsContext) -> Result<bool, CryptoError> {
    error::clear();
    // SAFETY: connection and context are alive; the connection takes references of its own.
    unsafe {
        let certificate = (ssl().SSL_CTX_get0_certificate)(context.raw());
        if certificate.is_null() {
            return Ok(false);
        }
        let key = (ssl().SSL_CTX_get0_privatekey)(context.raw());
        let mut chain: Raw = ptr::null_mut();
        let address = control::address(&mut chain);
        let is_set = (ssl().SSL_CTX_ctrl)(context.raw(), control::CHAIN_CERTIFICATES, 0, address) == 1
            && (ssl().SSL_use_certificate)(connection, certificate) == 1
            && (key.is_null() || (ssl().SSL_use_PrivateKey)(connection, key) == 1)
            && (chain.is_null() || (ssl().SSL_ctrl)(connection, control::CHAIN, 1, chain.cast()) == 1);
        if is_set { Ok(true) } else { Err(CryptoError::take("the certificate cannot be used")) }
    }
}

fn short_name(nid: c_int) -> String {
    // SAFETY: any number has a name or null.
    text(unsafe { (symbols().OBJ_nid2sn)(nid) })
}

/// Node's names of signature algorithms, by the library's numbers.
fn signature_name(nid: c_int) -> String {
    match nid {
        6 => "RSA".to_owned(),
        912 => "RSA-PSS".to_owned(),
        116 => "DSA".to_owned(),
        408 => "ECDSA".to_owned(),
        1087 => "Ed25519".to_owned(),
        1088 => "Ed448".to_owned(),
        811 => "gost2001".to_owned(),
        979 => "gost2012_256".to_owned(),
        980 => "gost2012_512".to_owned(),
        other => short_name(other),
    }
}

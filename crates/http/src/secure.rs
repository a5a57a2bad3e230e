//! TLS of a connection to a server. In: a TCP stream, the server's name, options. Out: a stream of
//! clear text, after the server's certificate was verified. It is OpenSSL's, so that errors and
//! accepted certificates are those of `node:tls`; where the library is not installed, it is that of
//! rustls.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusk_openssl::tls::{Connection, Protocol, Role, Session, TlsContext, TrustStore, pem_certificates};
use rusk_openssl::{CryptoError, HostCheck};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::error::ClientError;
use crate::exchange::Duplex;
use crate::pool::Origin;
use crate::secure_stream::SecureStream;
use crate::tls::{CertificateVerification, TlsConfigError, TlsOptions, tls_config, trusted_pems};

/// TLS 1.2, the oldest version.
const MIN_VERSION: i32 = 0x0303;
/// ALPN protocols in wire format, best first.
const PROTOCOLS: &[u8] = b"\x02h2\x08http/1.1";
const PROTOCOLS_HTTP1: &[u8] = b"\x08http/1.1";
const HTTP2: &[u8] = b"h2";
/// Contexts of programs that use other options for each request, and sessions that are kept.
const CONTEXTS_MAX: usize = 32;
const SESSIONS_MAX: usize = 256;

/// TLS contexts by their options, and sessions by origin.
#[derive(Default)]
pub(crate) struct SecureConnector {
    contexts: Mutex<HashMap<Arc<TlsOptions>, TlsContext>>,
    sessions: Arc<Mutex<HashMap<Origin, Vec<u8>>>>,
}

/// A connection after its handshake.
pub(crate) struct SecureConnection {
    pub stream: Box<dyn Duplex>,
    /// The protocol that the server has chosen is HTTP/2.
    pub is_http2: bool,
}

impl SecureConnector {
    pub async fn connect(
        &self,
        options: &Arc<TlsOptions>,
        origin: &Origin,
        offers_http2: bool,
        stream: TcpStream,
    ) -> Result<SecureConnection, ClientError> {
        let mut connection = match self.connection(options) {
            Ok(connection) => connection,
            Err(CryptoError::Unavailable(_)) => {
                return rustls_stream(options, origin, offers_http2, stream).await;
            }
            Err(error) => return Err(context_error(&error)),
        };
        connection.set_protocols(if offers_http2 { PROTOCOLS } else { PROTOCOLS_HTTP1 });
        let stream = self.handshake(connection, options, origin, stream).await?;
        let is_http2 = stream.tls().selected_protocol().as_deref() == Some(HTTP2);
        Ok(SecureConnection { stream: Box::new(stream), is_http2 })
    }

    fn connection(&self, options: &Arc<TlsOptions>) -> Result<Connection, CryptoError> {
        let mut contexts = lock(&self.contexts);
        if let Some(context) = contexts.get(options) {
            return Connection::new(context, Role::Client);
        }
        let context = new_context(options)?;
        let connection = Connection::new(&context, Role::Client);
        if contexts.len() == CONTEXTS_MAX {
            contexts.clear();
        }
        contexts.insert(Arc::clone(options), context);
        connection
    }

    async fn handshake(
        &self,
        mut connection: Connection,
        options: &TlsOptions,
        origin: &Origin,
        stream: TcpStream,
    ) -> Result<SecureStream, ClientError> {
        let name = origin.host.as_str();
        if name.parse::<IpAddr>().is_err() {
            connection.set_server_name(name);
        }
        // The handshake goes on after a failed verification, so that the last error is known.
        connection.set_verification(true, true);
        connection.report_sessions();
        let session = lock(&self.sessions).get(origin).and_then(|der| Session::of_der(der).ok());
        if let Some(session) = session {
            connection.set_session(&session);
        }
        let (sessions, key) = (Arc::clone(&self.sessions), origin.clone());
        let keep = move |der| {
            let mut sessions = lock(&sessions);
            if sessions.len() >= SESSIONS_MAX {
                sessions.clear();
            }
            sessions.insert(key.clone(), der);
        };
        let mut stream = SecureStream::new(stream, connection, Box::new(keep));
        let result = std::future::poll_fn(|context| stream.poll_handshake(context)).await;
        let verified = result.and_then(|()| match options.verification {
            CertificateVerification::Off => Ok(()),
            CertificateVerification::Strict => verify(stream.tls(), name),
        });
        if let Err(error) = verified {
            lock(&self.sessions).remove(origin);
            return Err(error);
        }
        Ok(stream)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn new_context(options: &TlsOptions) -> Result<TlsContext, CryptoError> {
    let mut context = TlsContext::new(Protocol::Client, (MIN_VERSION, 0))?;
    let store = TrustStore::new()?;
    let pems = trusted_pems(options).map_err(|TlsConfigError(cause)| certificates_error(cause))?;
    for (_, pem) in pems {
        pem_certificates(&pem)?.iter().for_each(|certificate| store.add(certificate));
    }
    context.set_store(&store);
    Ok(context)
}

fn certificates_error(cause: String) -> CryptoError {
    CryptoError::Library { entries: Vec::new(), context: cause }
}

/// Options that cannot be used.
fn context_error(error: &CryptoError) -> ClientError {
    match error {
        CryptoError::Library { entries, .. } if !entries.is_empty() => {
            let code = entries[0].code().unwrap_or_else(|| "ERR_SSL_PROTOCOL_ERROR".to_owned());
            ClientError::Tls { code: code.into(), cause: error.to_string() }
        }
        _ => ClientError::Certificates(error.to_string()),
    }
}

/// The name of a resumed session was verified before.
fn verify(connection: &Connection, name: &str) -> Result<(), ClientError> {
    if let Some(failure) = connection.verify_failure() {
        return Err(ClientError::Tls { code: failure.code.into(), cause: failure.message });
    }
    if connection.is_resumed() {
        return Ok(());
    }
    let check = match name.parse::<IpAddr>() {
        Ok(_) => HostCheck::Ip(name),
        Err(_) => HostCheck::Host(name, 0),
    };
    let matched = connection.peer_certificate().and_then(|certificate| certificate.check(&check).ok()?);
    match matched {
        Some(_) => Ok(()),
        None => Err(ClientError::Tls {
            code: "ERR_TLS_CERT_ALTNAME_INVALID".into(),
            cause: format!("Hostname/IP does not match certificate's altnames: {name}"),
        }),
    }
}

async fn rustls_stream(
    options: &TlsOptions,
    origin: &Origin,
    offers_http2: bool,
    stream: TcpStream,
) -> Result<SecureConnection, ClientError> {
    let protocols: &[&[u8]] = if offers_http2 { &[HTTP2, b"http/1.1"] } else { &[b"http/1.1"] };
    let config = tls_config(options, protocols);
    let config = config.map_err(|TlsConfigError(cause)| ClientError::Certificates(cause))?;
    let name = ServerName::try_from(origin.host.clone()).map_err(|error| ClientError::Tls {
        code: "ERR_TLS_CERT_ALTNAME_INVALID".into(),
        cause: error.to_string(),
    })?;
    let connected = TlsConnector::from(config).connect(name, stream).await;
    let stream = connected.map_err(|error| ClientError::of_io(&error, false))?;
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
    Ok(SecureConnection { stream: Box::new(stream), is_http2 })
}

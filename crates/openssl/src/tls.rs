//! TLS as OpenSSL's libssl does it. In: a context with certificates, keys and settings; bytes of
//! the peer; clear text. Out: bytes for the peer; clear text; events of the handshake. Absent: I/O.

mod callbacks;
mod connection;
mod context;
mod control;
mod credentials;
mod failure;
mod peer;
mod session;
pub(crate) mod symbols;
#[cfg(test)]
mod tests;
mod ticket;
mod transport;
mod trust;
mod verify;

pub use connection::{Answer, Ask, Connection, Event, Question, Role, TlsStep};
pub use context::{Protocol, TlsContext, tls_cipher_names};
pub use failure::TlsFailure;
pub use peer::{CipherDescription, EphemeralKey, LateCredentials};
pub use session::Session;
pub use trust::{TrustStore, pem_certificates};
pub use verify::VerifyFailure;

//! HTTP client for `fetch` (HTTP/1.1, and HTTP/2 where ALPN chooses it), and HTTP/1.1 parser for
//! `node:http`. In: requests, with a body as a whole or as a stream. Out: events (response head,
//! body chunks, end, error) in a queue that wakes its reader. One thread serves all requests of a
//! client.
//!
//! Other crates use three parts alone: the TLS configuration ([`TlsOptions`]), connecting to the
//! first address that accepts ([`dial`]) and the parser ([`parser`]).
//!
//! Absent: redirects, cookies and caches, which `fetch` implements; proxies, which only package
//! registries need (`rusk-registry`).

mod client;
mod content_decoder;
mod dial;
mod error;
mod event_queue;
mod exchange;
mod http1;
mod http2_connection;
pub mod parser;
mod pool;
mod request_body;
mod response;
mod secure;
mod secure_origins;
mod secure_stream;
#[cfg(test)]
mod tests;
mod tls;

pub use client::{Client, Exchange, HttpVersions, Request};
pub use content_decoder::accept_encoding;
pub use dial::{ConnectError, dial};
pub use error::{ClientError, TimeoutPhase};
pub use event_queue::Event;
pub use request_body::RequestBody;
pub use tls::{CertificateVerification, TlsConfigError, TlsOptions, tls_config};

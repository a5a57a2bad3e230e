//! HTTP to package registries. In: settings, and the names of packuments and the addresses of
//! tarballs that are wanted. Out: one arrival for each. Credentials, redirects, retries, limits and
//! the manifest cache live here; async stays inside. Absent: which version to pick, whether a
//! tarball is the right one, where it goes.

mod auth;
mod body;
mod cache;
mod client;
mod connect;
mod decode;
mod download;
mod engine;
mod exchange;
mod failure;
mod fetch;
mod freshness;
mod inbox;
mod label;
mod pool;
mod problem;
mod proxy;
mod queue;
mod room;
mod settings;

pub use client::{Arrival, Client};
pub use download::{Download, Piece};
pub use queue::Delivery;
pub use room::Body;
pub use rusk_http::{CertificateVerification, TlsOptions};
pub use settings::{Freshness, Limits, Proxies, Settings};

#[cfg(test)]
mod tests;

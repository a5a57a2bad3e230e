//! Client for package registries over HTTP/1.1 and HTTP/2. In: settings, names of packuments and
//! URLs of tarballs. Out: one arrival for each. It handles credentials, redirects, retries, limits
//! and the packument cache; async code stays inside. Absent: version selection, integrity checks,
//! unpacking.

mod api;
mod arrival_queue;
mod auth;
mod body;
mod cache;
mod client;
mod connect;
mod decode;
mod download;
mod error;
mod exchange;
mod fetch;
mod fresh_packuments;
mod freshness;
pub mod identity_token;
mod label;
mod memory_budget;
mod network_thread;
pub mod npmrc_file;
mod pool;
mod problem;
mod proxy;
mod queue;
mod settings;
pub mod trusted_publishing;

pub use api::{ApiMethod, ApiRequest, ApiResponse};
pub use body::{GunzipError, gunzip};
pub use cache::remove_damaged as remove_damaged_packuments;
pub use client::{Arrival, Client};
pub use download::{Download, DownloadChunk};
pub use fresh_packuments::FreshPackuments;
pub use memory_budget::Body;
pub use queue::Delivery;
pub use rusk_http::{CertificateVerification, TlsOptions};
pub use settings::{Freshness, Limits, Proxies, Settings};

#[cfg(test)]
mod tests;

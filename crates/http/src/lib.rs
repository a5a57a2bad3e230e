//! HTTP as programs ask for it. In: requests, whole or with a body that comes in pieces. Out:
//! events on their way (the head of an answer, pieces of its body, an end, a failure), put into an
//! inbox that wakes whoever takes them. One thread does all of it, begun with the client. What
//! others need too stands here as well: whose certificates are believed, and which address of a
//! host answers; and messages of HTTP/1 out of a connection's bytes, for programs that hold
//! connections themselves ([`message`]). Absent: redirects, cookies, caches, proxies, HTTP/2:
//! `fetch` decides about the first, servers of packages need the last two (`rusk-registry`).

mod body;
mod client;
mod decode;
mod dial;
mod exchange;
mod failure;
mod inbox;
pub mod message;
mod pool;
#[cfg(test)]
mod tests;
mod trust;

pub use body::Upload;
pub use client::{Client, Exchange, Request};
pub use dial::{NoAnswer, dial};
pub use failure::{Failure, Wait};
pub use inbox::Event;
pub use trust::{CertificateChecks, Trust, Unusable, configure};

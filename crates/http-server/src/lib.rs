//! HTTP/1.1 and HTTP/2 server without an engine (RFC 9110, 9112, 9113). In: a listening socket,
//! routes, responses. Out: events (a request, bytes of a body, an abort), which the program takes
//! one by one. Static routes and files are answered here, and never become events.
//!
//! A server has an epoll instance of its own, which a program waits for, alone or within another
//! one. Then it calls [`Server::poll`], [`Server::next_event`] until there is no event, and
//! [`Server::flush`]. One thread, no locks, no callbacks.
//!
//! Absent: WebSocket framing ([`Server::upgrade`] gives up the connection).

mod body;
mod conditional;
mod connection;
mod date;
mod directory;
mod file;
mod http2;
mod limits;
mod listen;
mod output;
mod request;
mod respond;
mod response;
mod router;
mod server;
mod slots;
mod static_response;
#[cfg(test)]
mod tests;
mod transport;
mod wire;

pub use body::BodyRead;
pub use conditional::{ByteRange, RangeOutcome, etag_of, requested_range};
pub use date::{http_date, parse_http_date};
pub use directory::Directory;
pub use file::{FileFields, FileResponse, OpenFile, SliceMeaning};
pub use limits::Limits;
pub use listen::{ListenError, ListenOptions, listen};
pub use request::RequestView;
pub use respond::Upgraded;
pub use response::{ResponseHead, reason_phrase};
pub use router::{Route, RouteTable, RouteTarget, path_of_target};
pub use server::{Event, Protocols, RequestId, Server};
pub use static_response::StaticResponse;
pub use transport::{TlsAcceptor, Transport, TransportSlot};
pub use wire::{BodyDecoder, DecodeError};

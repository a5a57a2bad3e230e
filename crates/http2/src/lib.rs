//! HTTP/2 (RFC 9113) with HPACK (RFC 7541) as a state machine. In: untrusted bytes of a connection,
//! commands. Out: events, bytes to send. The limits are those of Node and nghttp2. Absent: sockets,
//! TLS, clocks (the caller passes the time), and what programs see.

pub mod error;
mod flow;
pub mod frame;
pub mod hpack;
mod message;
mod rate_limit;
mod session;
pub mod settings;
mod stream;

pub use error::Http2Error;
pub use hpack::HeaderField;
pub use session::{
    HeadersCategory, Http2Session, PaddingStrategy, SessionEvent, SessionOptions, SessionRole,
    SessionStatistics, StreamPriority, WindowState,
};
pub use settings::Http2Settings;

//! Limits and timeouts of a server. Values only.

use std::time::Duration;

/// Node's limit of a head (`--max-http-header-size`).
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// A whole head has to arrive in this time, as Node's `headersTimeout`: a client that sends a byte
/// from time to time does not hold a connection for ever.
const HEAD_TIMEOUT: Duration = Duration::from_secs(60);
/// bun's `maxRequestBodySize`.
const BODY_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// bun's `idleTimeout`.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of a request's body that are stored until the program reads them.
pub(crate) const BODY_BUFFER_BYTES_MAX: usize = 256 * 1024;
/// Bytes that follow the current request (pipelining) and are stored until it is answered.
pub(crate) const PIPELINE_BYTES_MAX: usize = 64 * 1024;
/// Bytes of responses that are joined into one write before the next request is read.
pub(crate) const OUTPUT_JOIN_BYTES_MAX: usize = 64 * 1024;
/// Memory of a streamed piece that a server keeps for the next one.
pub(crate) const PIECE_BYTES_KEPT: usize = 256 * 1024;
/// Connections that are accepted in one turn; those that are left are reported again.
pub(crate) const ACCEPTS_MAX: usize = 128;
/// Size of a read.
pub(crate) const READ_BYTES: usize = 64 * 1024;
/// Memory that an idle connection keeps.
pub(crate) const IDLE_BUFFER_BYTES_MAX: usize = 4 * 1024;
/// What a client may send after its last response, before the connection is closed.
pub(crate) const LINGER_BYTES_MAX: usize = 1024 * 1024;
/// Requests of one HTTP/2 connection at once.
pub(crate) const HTTP2_STREAMS_MAX: u32 = 100;
/// Header fields of one, as many as in HTTP/1.1.
pub(crate) const HTTP2_FIELDS_MAX: usize = 256;
/// Bytes of all request bodies of a connection that may be on their way; each stream has its own
/// limit.
pub(crate) const HTTP2_CONNECTION_WINDOW_BYTES: u32 = 16 * 1024 * 1024;
pub(crate) const LINGER_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Request line and fields together, in bytes.
    pub head_bytes_max: usize,
    pub body_bytes_max: u64,
    /// Time from the first byte of a head to its last; zero: no limit.
    pub head_timeout: Duration,
    /// Time without a byte in either direction; zero: no limit.
    pub idle_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head_bytes_max: HEAD_BYTES_MAX,
            body_bytes_max: BODY_BYTES_MAX,
            head_timeout: HEAD_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
        }
    }
}

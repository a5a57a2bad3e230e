//! Errors of a single request, by which retries are decided. `problem.rs` renders them for users.

use std::fmt;
use std::time::Duration;

use hyper::StatusCode;

/// Why an attempt failed.
#[derive(Clone, Debug)]
pub enum RequestError {
    /// Name lookup or connecting failed.
    Unreachable {
        host: String,
        cause: String,
    },
    /// The connection ended before the response was complete.
    Broken {
        host: String,
        cause: String,
    },
    /// The TLS handshake failed.
    Tls {
        host: String,
        cause: String,
    },
    /// A proxy refused.
    Proxy {
        proxy: String,
        cause: String,
    },
    TimedOut {
        host: String,
        phase: TimeoutPhase,
        limit: Duration,
    },
    /// A response status that is worth a retry (408, 429, 5xx).
    Busy {
        status: StatusCode,
        retry_after: Option<Duration>,
    },
    TooLarge {
        bytes_max: usize,
    },
    TooManyRedirects,
    /// A redirect from https to http of a request with credentials.
    Downgrade {
        target: String,
    },
    BadAddress {
        address: String,
    },
    /// The CA certificates cannot be used.
    Certificates {
        cause: String,
    },
}

/// The phase whose timeout expired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeoutPhase {
    Connect,
    FirstByte,
    Idle,
    Total,
    /// Bytes arrived, but fewer than a modem would bring.
    Slow,
}

impl fmt::Display for TimeoutPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimeoutPhase::Connect => "a connection",
            TimeoutPhase::FirstByte => "the first byte of the response",
            TimeoutPhase::Idle => "the next bytes of the response",
            TimeoutPhase::Total => "the whole response",
            TimeoutPhase::Slow => "more than some bytes of the response",
        })
    }
}

impl RequestError {
    /// Whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            RequestError::Unreachable { .. }
            | RequestError::Broken { .. }
            | RequestError::TimedOut { .. }
            | RequestError::Busy { .. } => true,
            RequestError::Tls { .. }
            | RequestError::Proxy { .. }
            | RequestError::TooLarge { .. }
            | RequestError::TooManyRedirects
            | RequestError::Downgrade { .. }
            | RequestError::BadAddress { .. }
            | RequestError::Certificates { .. } => false,
        }
    }

    /// The delay that the server requests.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            RequestError::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

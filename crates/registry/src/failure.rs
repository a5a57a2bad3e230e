//! What goes wrong on the way to an answer, as values that decide about another try. `problem.rs`
//! makes them readable.

use std::fmt;
use std::time::Duration;

use hyper::StatusCode;

/// One try's end without an answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The name, the address or the port did not answer.
    Unreachable {
        host: String,
        cause: String,
    },
    /// The connection ended or broke before the answer was whole.
    Broken {
        host: String,
        cause: String,
    },
    /// The two sides do not agree on a secure connection.
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
        wait: Wait,
        limit: Duration,
    },
    /// An answer that is worth another try, or the last one of these.
    Busy {
        status: StatusCode,
        retry_after: Option<Duration>,
    },
    TooLarge {
        bytes_max: usize,
    },
    TooManyRedirects,
    /// A redirect from https to http of a request that carries credentials.
    Downgrade {
        target: String,
    },
    BadAddress {
        address: String,
    },
    /// A file of certificates that cannot be used.
    Certificates {
        cause: String,
    },
}

/// Which wait ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Connect,
    FirstByte,
    Idle,
    Whole,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wait::Connect => "a connection",
            Wait::FirstByte => "the first byte of the answer",
            Wait::Idle => "the next bytes of the answer",
            Wait::Whole => "the whole of the answer",
        })
    }
}

impl Failure {
    /// Whether the same request may fare better later.
    pub fn may_pass(&self) -> bool {
        match self {
            Failure::Unreachable { .. }
            | Failure::Broken { .. }
            | Failure::TimedOut { .. }
            | Failure::Busy { .. } => true,
            Failure::Tls { .. }
            | Failure::Proxy { .. }
            | Failure::TooLarge { .. }
            | Failure::TooManyRedirects
            | Failure::Downgrade { .. }
            | Failure::BadAddress { .. }
            | Failure::Certificates { .. } => false,
        }
    }

    /// The pause that the server asks for.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Failure::Busy { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

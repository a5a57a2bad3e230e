//! Errors of the HTTP client: why there is no response, or no complete one. In: errors of sockets,
//! hyper and rustls. Out: an enum, with errno values where the kernel reported one. Absent:
//! messages; the caller writes them.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;

use tokio_rustls::rustls;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientError {
    /// No address of the host accepted the connection; the errno of each.
    Connect(Vec<(SocketAddr, i32)>),
    /// The host name is unknown, or no name server could be reached.
    Lookup {
        is_temporary: bool,
    },
    /// A read or write on the connection failed.
    Io {
        errno: i32,
        is_write: bool,
    },
    /// The server closed the connection before the response was complete.
    Closed,
    /// The server violated HTTP.
    Protocol(String),
    /// The server has reset the stream of the request (HTTP/2), with this code.
    Stream {
        code: u32,
    },
    /// The request may use HTTP/2 only, which the server does not speak.
    Http2Unsupported,
    /// The HTTP/2 connection has ended with this code, by either side.
    Session {
        code: u32,
    },
    /// The certificate was rejected, or the TLS handshake failed.
    Tls {
        code: Cow<'static, str>,
        cause: String,
    },
    /// The CA certificates could not be loaded.
    Certificates(String),
    /// The encoded body is corrupt: zlib's message and code.
    Encoding {
        message: &'static str,
        code: i32,
    },
    TimedOut(TimeoutPhase),
}

/// What the client waited for when the timeout expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutPhase {
    Connect,
    Head,
    Body,
}

/// An error of a stream, on its way through hyper.
#[derive(Debug)]
struct StreamError(ClientError);

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Error for StreamError {}

impl ClientError {
    pub(crate) fn into_io(self) -> io::Error {
        io::Error::other(StreamError(self))
    }

    pub(crate) fn of_io(error: &io::Error, is_write: bool) -> ClientError {
        if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return ClientError::of_tls(error);
        }
        if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<StreamError>()) {
            return error.0.clone();
        }
        match error.raw_os_error() {
            Some(errno) => ClientError::Io { errno, is_write },
            None if error.kind() == io::ErrorKind::UnexpectedEof => ClientError::Closed,
            None => ClientError::Protocol(error.to_string()),
        }
    }

    pub(crate) fn of_hyper(error: &hyper::Error) -> ClientError {
        let mut cause = error.source();
        while let Some(inner) = cause {
            if let Some(error) = inner.downcast_ref::<io::Error>() {
                return ClientError::of_io(error, error.kind() == io::ErrorKind::BrokenPipe);
            }
            cause = inner.source();
        }
        match error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
            true => ClientError::Closed,
            false => ClientError::Protocol(error.to_string()),
        }
    }

    /// Maps to OpenSSL's codes, which programs test for.
    pub(crate) fn of_tls(error: &rustls::Error) -> ClientError {
        use rustls::CertificateError as Certificate;
        let code = match error {
            rustls::Error::InvalidCertificate(found) => match found {
                Certificate::Expired | Certificate::ExpiredContext { .. } => "CERT_HAS_EXPIRED",
                Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => "CERT_NOT_YET_VALID",
                Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => {
                    "ERR_TLS_CERT_ALTNAME_INVALID"
                }
                Certificate::Revoked => "CERT_REVOKED",
                Certificate::BadSignature => "CERT_SIGNATURE_FAILURE",
                Certificate::UnknownIssuer => "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
                _ => "CERT_REJECTED",
            },
            _ => "ERR_SSL_PROTOCOL_ERROR",
        };
        ClientError::Tls { code: code.into(), cause: error.to_string() }
    }
}

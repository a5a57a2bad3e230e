//! Why there is no answer, or no whole one. In: errors of the layers below. Out: what a caller can
//! tell a program, in terms of the kernel's numbers where there is one. Absent: sentences; those
//! are the program's.

use std::error::Error;
use std::io;
use std::net::SocketAddr;

use tokio_rustls::rustls;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No address of the host took the connection: each with its errno.
    Connect(Vec<(SocketAddr, i32)>),
    /// The name is unknown, or nobody could be asked.
    Lookup {
        is_passing: bool,
    },
    /// The connection broke: an errno.
    Broken {
        errno: i32,
        is_write: bool,
    },
    /// The other end closed it before the answer was whole.
    Closed,
    /// It does not speak HTTP/1.1 as it should.
    Protocol(String),
    /// Its certificate is not believed, or the two sides agree on nothing.
    Tls {
        code: &'static str,
        cause: String,
    },
    /// A file of certificates that cannot be used.
    Certificates(String),
    /// What was packed is damaged: zlib's message and code.
    Encoding {
        message: &'static str,
        code: i32,
    },
    TimedOut(Wait),
}

/// Which wait ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Connect,
    Head,
    Body,
}

impl Failure {
    pub(crate) fn of_io(error: &io::Error, is_write: bool) -> Failure {
        if let Some(error) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return Failure::of_tls(error);
        }
        match error.raw_os_error() {
            Some(errno) => Failure::Broken { errno, is_write },
            None if error.kind() == io::ErrorKind::UnexpectedEof => Failure::Closed,
            None => Failure::Protocol(error.to_string()),
        }
    }

    pub(crate) fn of_hyper(error: &hyper::Error) -> Failure {
        let mut cause = error.source();
        while let Some(inner) = cause {
            if let Some(error) = inner.downcast_ref::<io::Error>() {
                return Failure::of_io(error, error.kind() == io::ErrorKind::BrokenPipe);
            }
            cause = inner.source();
        }
        match error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
            true => Failure::Closed,
            false => Failure::Protocol(error.to_string()),
        }
    }

    /// OpenSSL's names, which programs know.
    pub(crate) fn of_tls(error: &rustls::Error) -> Failure {
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
        Failure::Tls { code, cause: error.to_string() }
    }
}

//! Sessions that a later connection resumes. In: untrusted DER. Out: DER, the session's ID.

use std::ffi::{c_long, c_uint};
use std::ptr;

use super::symbols::{open_ssl, ssl};
use crate::error::{self, CryptoError};
use crate::owned::{Owned, der};
use crate::symbols::{In, Raw};

pub struct Session(Owned);

impl Session {
    pub fn of_der(bytes: &[u8]) -> Result<Session, CryptoError> {
        let symbols = open_ssl()?;
        error::clear();
        let mut first = bytes.as_ptr();
        // SAFETY: the bytes live during the call; null asks for a new session.
        let raw =
            unsafe { (symbols.d2i_SSL_SESSION)(ptr::null_mut(), &raw mut first, bytes.len() as c_long) };
        Owned::new(raw, symbols.SSL_SESSION_free, "the session is malformed").map(Session)
    }

    /// The ticket of the server, if it sent one.
    pub fn ticket(&self) -> Option<Vec<u8>> {
        session_ticket(self.raw())
    }

    pub(crate) fn raw(&self) -> Raw {
        self.0.raw()
    }

    pub(crate) fn into_raw(self) -> Raw {
        self.0.into_raw()
    }
}

/// DER of a live session.
pub(crate) fn session_der(session: Raw) -> Result<Vec<u8>, CryptoError> {
    // SAFETY: the caller has a live session; `der` passes null or room for the length.
    der("the session was not encoded", |target| unsafe { (ssl().i2d_SSL_SESSION)(session, target) })
}

/// The ID of a live session.
pub(crate) fn session_id(session: Raw) -> Vec<u8> {
    let mut count: c_uint = 0;
    // SAFETY: the caller has a live session, which keeps its ID.
    unsafe {
        let first = (ssl().SSL_SESSION_get_id)(session, &raw mut count);
        if first.is_null() { Vec::new() } else { std::slice::from_raw_parts(first, count as usize).to_vec() }
    }
}

/// The ticket of a live session.
pub(crate) fn session_ticket(session: Raw) -> Option<Vec<u8>> {
    let (mut first, mut count): (In, usize) = (ptr::null(), 0);
    // SAFETY: the caller has a live session, which keeps its ticket.
    unsafe {
        (ssl().SSL_SESSION_get0_ticket)(session, &raw mut first, &raw mut count);
        (!first.is_null()).then(|| std::slice::from_raw_parts(first, count).to_vec())
    }
}

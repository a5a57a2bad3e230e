//! Sessions that a later connection resumes. In: untrusted DER. Out: DER, the session's ID.

use std::cell::RefCell;
use std::ffi::{c_long, c_uint};
use std::ptr;

use super::symbols::{open_ssl, ssl};
use crate::error::{self, CryptoError};
use crate::owned::{Owned, der};
use crate::symbols::{In, Raw};

pub struct Session(Owned);

/// Sessions that are kept decoded; a client that connects to more servers in turn decodes again.
const RECENT_MAX: usize = 8;

thread_local! {
    /// Encoded and decoded, the oldest first. OpenSSL 3.0 decodes the server's key with every
    /// session, which takes as long as the rest of a resumed handshake's cryptography.
    static RECENT: RefCell<Vec<(Vec<u8>, Session)>> = const { RefCell::new(Vec::new()) };
}

impl Session {
    /// A session of its own for each call: a connection that fails marks its session.
    pub fn of_der(bytes: &[u8]) -> Result<Session, CryptoError> {
        let found = RECENT.with_borrow_mut(|recent| {
            let index = recent.iter().position(|(der, _)| is_equal(der, bytes))?;
            let entry = recent.remove(index);
            let session = entry.1.duplicate();
            recent.push(entry);
            session
        });
        if let Some(session) = found {
            return Ok(session);
        }
        let session = Session::decode(bytes)?;
        if let Some(kept) = session.duplicate() {
            RECENT.with_borrow_mut(|recent| {
                if recent.len() == RECENT_MAX {
                    recent.remove(0);
                }
                recent.push((bytes.to_vec(), kept));
            });
        }
        Ok(session)
    }

    fn duplicate(&self) -> Option<Session> {
        let symbols = ssl();
        // SAFETY: the session is live; the copy is freed by `Owned`.
        let raw = unsafe { (symbols.SSL_SESSION_dup)(self.raw()) };
        Owned::new(raw, symbols.SSL_SESSION_free, "the session was not copied").ok().map(Session)
    }

    fn decode(bytes: &[u8]) -> Result<Session, CryptoError> {
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

/// In a time that tells nothing of the bytes, which have a key.
fn is_equal(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len() && left.iter().zip(right).fold(0, |sum, (one, other)| sum | (one ^ other)) == 0
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

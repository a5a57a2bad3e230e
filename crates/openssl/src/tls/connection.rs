//! A TLS connection without I/O. In: bytes of the peer, clear text. Out: bytes for the peer, clear
//! text, events of the handshake. Absent: what the peer presented (peer.rs).
//!
//! ```text
//! receive(bytes) -> read(buffer) -> next_event(), output
//!                   write(bytes) -> output
//! ```

use std::ffi::{CString, c_int, c_long};
use std::ptr::NonNull;

use super::callbacks::{self, AlpnRule, CallbackState, Pause};
use super::context::TlsContext;
use super::control::{self, connection_number};
use super::failure::TlsFailure;
use super::peer::LateCredentials;
use super::session::Session;
use super::symbols::{self, ssl};
use super::transport::new_bio;
use crate::error::{self, CryptoError};
use crate::library::symbols as crypto;
use crate::owned::Owned;
use crate::secret::SecretBytes;
use crate::symbols::Raw;

/// `SSL_ERROR_*` of `ssl.h`.
const WANT_READ: c_int = 2;
const WANT_WRITE: c_int = 3;
const WANT_CERTIFICATE: c_int = 4;
const ZERO_RETURN: c_int = 6;
const WANT_CLIENT_HELLO: c_int = 11;
/// `SSL_VERIFY_PEER`, `SSL_VERIFY_FAIL_IF_NO_PEER_CERT`.
const VERIFY_PEER: c_int = 1;
const REQUIRE_CERTIFICATE: c_int = 2;
/// `SSL_RECEIVED_SHUTDOWN`.
const RECEIVED_SHUTDOWN: c_int = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Client,
    Server,
}

/// What a call led to.
#[derive(Debug, PartialEq, Eq)]
pub enum TlsStep {
    /// Bytes of clear text were read or written, or the handshake is done.
    Done(usize),
    /// More bytes of the peer are needed, or a paused handshake must be continued.
    Waiting,
    /// The peer has ended the connection.
    Ended,
    Failed(TlsFailure),
}

/// What happened during a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    HandshakeStarted,
    HandshakeDone,
    /// A line of NSS's key log format.
    KeyLog(Vec<u8>),
    NewSession {
        id: Vec<u8>,
        der: Vec<u8>,
    },
    OcspResponse(Option<Vec<u8>>),
    /// The handshake waits for [`Connection::continue_hello`].
    ClientHello {
        session_id: Vec<u8>,
        has_ticket: bool,
    },
    /// The handshake waits for [`Connection::continue_certificate`].
    CertificateNeeded {
        server_name: Option<String>,
        wants_ocsp: bool,
    },
}

/// Asked from within a call of the connection, which must not be used meanwhile.
#[derive(Debug)]
pub enum Question<'q> {
    /// Protocols in wire format.
    Alpn {
        offer: &'q [u8],
        server_name: Option<String>,
        credentials: LateCredentials<'q>,
    },
    ServerPsk {
        identity: &'q str,
        key_bytes_max: usize,
    },
    ClientPsk {
        hint: Option<&'q str>,
        identity_bytes_max: usize,
        key_bytes_max: usize,
    },
}

pub enum Answer {
    None,
    /// The offset of a protocol in the offer.
    Protocol(usize),
    Psk {
        identity: String,
        key: SecretBytes,
    },
}

pub type Ask<'a> = dyn for<'q> FnMut(Question<'q>) -> Answer + 'a;

pub struct Connection {
    // Dropped first: its data and that of its BIO is the state.
    ssl: Owned,
    state: StateBox,
}

/// A box whose address the library has.
struct StateBox(NonNull<CallbackState>);

// SAFETY: the library uses the state only within calls of the connection that owns it.
unsafe impl Send for StateBox {}

impl Connection {
    pub fn new(context: &TlsContext, role: Role) -> Result<Connection, CryptoError> {
        error::clear();
        // SAFETY: the context is alive; the connection takes a reference.
        let raw = unsafe { (ssl().SSL_new)(context.raw()) };
        let owned = Owned::new(raw, ssl().SSL_free, "SSL_new")?;
        let ticket_keys = context.shared_ticket_keys();
        let state =
            CallbackState { ticket_keys, is_server: role == Role::Server, ..CallbackState::default() };
        let state = NonNull::from(Box::leak(Box::new(state)));
        let connection = Connection { ssl: owned, state: StateBox(state) };
        let bio = new_bio(state.as_ptr())?;
        // SAFETY: the connection is alive and takes the BIO; its data is the state, which it does
        // not outlive.
        unsafe {
            (ssl().SSL_set_ex_data)(raw, 0, state.as_ptr().cast());
            (ssl().SSL_set_bio)(raw, bio, bio);
            match role {
                Role::Client => (ssl().SSL_set_connect_state)(raw),
                Role::Server => (ssl().SSL_set_accept_state)(raw),
            }
        }
        Ok(connection)
    }

    pub(crate) fn raw(&self) -> Raw {
        self.ssl.raw()
    }

    pub(super) fn state(&mut self) -> &mut CallbackState {
        // SAFETY: the box lives as long as the connection, and the library is not running.
        unsafe { self.state.0.as_mut() }
    }

    fn state_ref(&self) -> &CallbackState {
        // SAFETY: as above.
        unsafe { self.state.0.as_ref() }
    }

    /// Passes bytes of the peer, which the next calls read.
    pub fn receive(&mut self, bytes: Vec<u8>) {
        let state = self.state();
        if state.input_read == state.input.len() {
            state.input = bytes;
            state.input_read = 0;
        } else {
            state.input.extend_from_slice(&bytes);
        }
    }

    /// The memory of bytes that were passed by `receive`, if all of them are used.
    pub fn take_used_input(&mut self) -> Vec<u8> {
        let state = self.state();
        if state.input_read < state.input.len() {
            return Vec::new();
        }
        state.input_read = 0;
        std::mem::take(&mut state.input)
    }

    /// Whether bytes of the peer wait to be read, or were decrypted already.
    pub fn has_input(&self) -> bool {
        let state = self.state_ref();
        // SAFETY: the connection is alive.
        state.input_read < state.input.len() || unsafe { (ssl().SSL_has_pending)(self.raw()) } == 1
    }

    /// Bytes for the peer; the caller takes them out.
    pub fn output(&mut self) -> &mut Vec<u8> {
        &mut self.state().output
    }

    pub fn next_event(&mut self) -> Option<Event> {
        self.state().events.pop_front()
    }

    /// Runs the library with someone who answers its questions.
    fn run(&mut self, ask: &mut Ask<'_>, body: impl FnOnce(Raw) -> c_int) -> TlsStep {
        error::clear();
        // SAFETY: only the lifetime changes; the pointer is removed before this function returns.
        let ask =
            unsafe { std::mem::transmute::<NonNull<Ask<'_>>, NonNull<Ask<'static>>>(NonNull::from(ask)) };
        self.state().ask = Some(ask);
        let result = body(self.raw());
        self.state().ask = None;
        if result > 0 {
            return TlsStep::Done(result as usize);
        }
        // SAFETY: the connection is alive; the queue has the errors of this call alone.
        match unsafe { (ssl().SSL_get_error)(self.raw(), result) } {
            WANT_READ | WANT_WRITE | WANT_CERTIFICATE | WANT_CLIENT_HELLO => TlsStep::Waiting,
            ZERO_RETURN => TlsStep::Ended,
            _ => TlsStep::Failed(TlsFailure::take()),
        }
    }

    pub fn handshake(&mut self, ask: &mut Ask<'_>) -> TlsStep {
        // SAFETY: the connection is alive.
        self.run(ask, |raw| unsafe { (ssl().SSL_do_handshake)(raw) })
    }

    /// Appends clear text of one record to the buffer, as much as it has room for. Continues the
    /// handshake first.
    pub fn read(&mut self, buffer: &mut Vec<u8>, ask: &mut Ask<'_>) -> TlsStep {
        self.read_at_most(usize::MAX, buffer, ask)
    }

    /// As `read`, not more than that many bytes.
    pub fn read_at_most(&mut self, bytes_max: usize, buffer: &mut Vec<u8>, ask: &mut Ask<'_>) -> TlsStep {
        let room = buffer.spare_capacity_mut();
        let count = c_int::try_from(room.len().min(bytes_max)).unwrap_or(c_int::MAX);
        let first = room.as_mut_ptr();
        // SAFETY: the connection is alive; the target has `count` bytes.
        let step = self.run(ask, |raw| unsafe { (ssl().SSL_read)(raw, first.cast(), count) });
        if let TlsStep::Done(count) = step {
            // SAFETY: the library wrote that many bytes after those of the buffer.
            unsafe { buffer.set_len(buffer.len() + count) };
        }
        step
    }

    /// Encrypts all bytes. Only after the handshake.
    pub fn write(&mut self, bytes: &[u8]) -> TlsStep {
        if bytes.is_empty() {
            return TlsStep::Done(0);
        }
        let count = c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
        // SAFETY: the connection and the bytes are alive.
        self.run(&mut |_| Answer::None, |raw| unsafe { (ssl().SSL_write)(raw, bytes.as_ptr().cast(), count) })
    }

    /// Tells the peer that nothing follows.
    pub fn shutdown(&mut self) {
        // SAFETY: the connection is alive.
        unsafe { (ssl().SSL_shutdown)(self.raw()) };
        error::clear();
    }

    pub fn is_established(&self) -> bool {
        // SAFETY: the connection is alive.
        unsafe { (ssl().SSL_is_init_finished)(self.raw()) == 1 }
    }

    /// Whether the peer has ended the connection properly.
    pub fn is_ended(&self) -> bool {
        // SAFETY: the connection is alive.
        unsafe { (ssl().SSL_get_shutdown)(self.raw()) & RECEIVED_SHUTDOWN != 0 }
    }

    /// The next handshake begins with the next call.
    pub fn renegotiate(&mut self) -> Result<(), CryptoError> {
        error::clear();
        // SAFETY: the connection is alive.
        match unsafe { (ssl().SSL_renegotiate)(self.raw()) } {
            1 => Ok(()),
            _ => Err(CryptoError::take("the connection cannot be renegotiated")),
        }
    }

    /// `wants`: ask the peer for a certificate; `requires`: a server fails without one.
    pub fn set_verification(&mut self, wants: bool, requires: bool) {
        let mode = match (self.state_ref().is_server, wants) {
            (true, false) => 0,
            (true, true) if requires => VERIFY_PEER | REQUIRE_CERTIFICATE,
            (true, true) => VERIFY_PEER,
            // The caller looks at the result, because a client may choose to go on.
            (false, _) => 0,
        };
        // SAFETY: the connection is alive.
        unsafe { (ssl().SSL_set_verify)(self.raw(), mode, callbacks::on_verify) };
    }

    /// The name of the server, for a client.
    pub fn set_server_name(&mut self, name: &str) {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the connection is alive; the name is copied.
        unsafe { (ssl().SSL_ctrl)(self.raw(), control::HOST_NAME, 0, name.as_ptr().cast_mut().cast()) };
    }

    pub fn set_session(&mut self, session: &Session) -> bool {
        error::clear();
        // SAFETY: both are alive; the connection takes a reference.
        let is_set = unsafe { (ssl().SSL_set_session)(self.raw(), session.raw()) } == 1;
        error::clear();
        is_set
    }

    /// Protocols in wire format: a client offers them, a server chooses one of them.
    pub fn set_protocols(&mut self, list: &[u8]) {
        if self.state_ref().is_server {
            self.state().alpn = AlpnRule::Choose(list.to_vec());
            return;
        }
        // SAFETY: the connection is alive; the list is copied.
        unsafe { (ssl().SSL_set_alpn_protos)(self.raw(), list.as_ptr(), list.len() as u32) };
        error::clear();
    }

    /// A server asks which protocol to use ([`Question::Alpn`]).
    pub fn ask_for_protocol(&mut self) {
        self.state().alpn = AlpnRule::Ask;
    }

    /// Keys that both sides know are asked for ([`Question`]).
    pub fn ask_for_psk(&mut self) {
        // SAFETY: the connection is alive.
        unsafe {
            match self.state_ref().is_server {
                true => (ssl().SSL_set_psk_server_callback)(self.raw(), callbacks::on_server_psk),
                false => (ssl().SSL_set_psk_client_callback)(self.raw(), callbacks::on_client_psk),
            }
        }
    }

    pub fn set_psk_hint(&mut self, hint: &str) -> bool {
        let hint = CString::new(hint).unwrap_or_default();
        error::clear();
        // SAFETY: the connection is alive; the hint is copied.
        let is_set = unsafe { (ssl().SSL_use_psk_identity_hint)(self.raw(), hint.as_ptr()) } == 1;
        error::clear();
        is_set
    }

    pub fn report_keys(&mut self) {
        self.state().reports_keys = true;
    }

    /// New sessions become events; a server pauses after the client's first message.
    pub fn report_sessions(&mut self) {
        let state = self.state();
        state.reports_sessions = true;
        if state.is_server && state.hello_pause == Pause::Off {
            state.hello_pause = Pause::Wanted;
        }
    }

    /// Continues after [`Event::ClientHello`], with the session that was found for its ID.
    pub fn continue_hello(&mut self) {
        self.state().hello_pause = Pause::Over;
    }

    pub fn offer_session(&mut self, session: Option<Session>) {
        self.state().session = session;
    }

    /// A server pauses before it uses its certificate.
    pub fn pause_for_certificate(&mut self) {
        if self.state().certificate_pause == Pause::Off {
            self.state().certificate_pause = Pause::Wanted;
            // SAFETY: the connection is alive.
            unsafe { (ssl().SSL_set_cert_cb)(self.raw(), callbacks::on_certificate, std::ptr::null_mut()) };
        }
    }

    pub fn continue_certificate(&mut self) {
        self.state().certificate_pause = Pause::Over;
    }

    pub fn set_ocsp_response(&mut self, response: Vec<u8>) {
        self.state().ocsp_response = Some(response);
    }

    /// A client asks for the state of the server's certificate.
    pub fn request_ocsp(&mut self) {
        // 1: `TLSEXT_STATUSTYPE_ocsp`.
        connection_number(self.raw(), control::STATUS_TYPE, 1);
    }

    pub fn set_max_send_fragment(&mut self, bytes: i32) -> bool {
        connection_number(self.raw(), control::MAX_SEND_FRAGMENT, c_long::from(bytes)) == 1
    }

    /// Writes all messages to standard error, if the library can.
    pub fn trace(&mut self) {
        let Some(function) = symbols::trace_function() else { return };
        // SAFETY: the connection is alive and takes over the BIO, as the callback's argument, for
        // the rest of its life; standard error is not closed with the BIO.
        unsafe {
            let bio = (crypto().BIO_new_fd)(2, 0);
            (ssl().SSL_set_msg_callback)(self.raw(), function);
            // `SSL_CTRL_SET_MSG_CALLBACK_ARG`.
            (ssl().SSL_ctrl)(self.raw(), 16, 0, bio.cast());
        }
    }
}

impl Drop for StateBox {
    fn drop(&mut self) {
        // SAFETY: the pointer is that of a box, and the connection was freed before.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

//! Callbacks of libssl, and the state of a connection that they change. In: calls from within the
//! handshake. Out: events, which the caller takes after the call; questions that must be answered
//! at once. A callback never calls the library in a way that changes the connection.

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{self, NonNull};

use super::connection::{Answer, Ask, Event, Question};
use super::control;
use super::peer::LateCredentials;
use super::session::{Session, session_der, session_id};
use super::symbols::{AnyCallback, ssl};
use super::ticket::TicketKeys;
use crate::library::symbols;
use crate::symbols::{In, Out, Raw, Text};

/// `SSL_CB_HANDSHAKE_START`, `SSL_CB_HANDSHAKE_DONE`.
const HANDSHAKE_START: c_int = 0x10;
const HANDSHAKE_DONE: c_int = 0x20;
/// `SSL_CLIENT_HELLO_SUCCESS`, `SSL_CLIENT_HELLO_RETRY`.
const HELLO_SUCCESS: c_int = 1;
const HELLO_RETRY: c_int = -1;
/// `SSL_TLSEXT_ERR_*` of `tls1.h`.
const EXTENSION_OK: c_int = 0;
const EXTENSION_FATAL: c_int = 2;
const EXTENSION_NONE: c_int = 3;
/// `TLSEXT_TYPE_session_ticket`, `TLSEXT_STATUSTYPE_ocsp`.
const SESSION_TICKET: c_uint = 35;
const STATUS_OCSP: i64 = 1;
/// A longer session is not reported: Node's limit.
const SESSION_BYTES_MAX: usize = 10 * 1024;

/// What a server does with the protocols that a client offers.
#[derive(Default)]
pub(super) enum AlpnRule {
    #[default]
    Ignore,
    /// The first of these, in wire format, that the client offers too.
    Choose(Vec<u8>),
    Ask,
}

/// A pause of the handshake until the caller continues it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Pause {
    #[default]
    Off,
    Wanted,
    Waiting,
    Over,
}

#[derive(Default)]
pub(super) struct CallbackState {
    /// Bytes of the peer, of which `input_read` were read.
    pub input: Vec<u8>,
    pub input_read: usize,
    /// Bytes for the peer.
    pub output: Vec<u8>,
    pub events: VecDeque<Event>,
    /// Who answers questions during the current call.
    pub ask: Option<NonNull<Ask<'static>>>,
    pub alpn: AlpnRule,
    pub ocsp_response: Option<Vec<u8>>,
    /// The session that a server found for the client's ID.
    pub session: Option<Session>,
    pub certificate_pause: Pause,
    pub hello_pause: Pause,
    pub ticket_keys: TicketKeys,
    pub is_server: bool,
    pub reports_sessions: bool,
    pub reports_keys: bool,
}

/// Registers the callbacks of a context.
pub(super) fn install(context: Raw) {
    let table = ssl();
    // SAFETY: the context is alive, and the functions live as long as the process. `on_status` is
    // stored by that request as `int (*)(SSL *, void *)`, which it is.
    unsafe {
        (table.SSL_CTX_set_info_callback)(context, on_info);
        (table.SSL_CTX_set_keylog_callback)(context, on_keylog);
        (table.SSL_CTX_set_client_hello_cb)(context, on_client_hello, ptr::null_mut());
        (table.SSL_CTX_set_alpn_select_cb)(context, on_alpn, ptr::null_mut());
        (table.SSL_CTX_sess_set_new_cb)(context, on_new_session);
        (table.SSL_CTX_sess_set_get_cb)(context, on_get_session);
        let status =
            std::mem::transmute::<unsafe extern "C" fn(Raw, *mut c_void) -> c_int, AnyCallback>(on_status);
        (table.SSL_CTX_callback_ctrl)(context, control::STATUS_CALLBACK, Some(status));
    }
}

/// The state of a connection. The reference must not outlive the callback's statement: nothing else
/// touches the state while the library is in a callback.
pub(super) unsafe fn state<'s>(connection: Raw) -> Option<&'s mut CallbackState> {
    // SAFETY: the caller has a live connection; its data is null or its state, which lives longer.
    unsafe { (ssl().SSL_get_ex_data)(connection, 0).cast::<CallbackState>().as_mut() }
}

unsafe extern "C" fn on_info(connection: Raw, place: c_int, _: c_int) {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }) else { return };
    if place & HANDSHAKE_START != 0 {
        state.events.push_back(Event::HandshakeStarted);
    }
    // SAFETY: as above.
    if place & HANDSHAKE_DONE != 0 && unsafe { (ssl().SSL_renegotiate_pending)(connection) } == 0 {
        state.events.push_back(Event::HandshakeDone);
    }
}

unsafe extern "C" fn on_keylog(connection: Raw, line: Text) {
    // SAFETY: the library passes a live connection and a line that ends in NUL.
    let (state, line) = unsafe { (state(connection), CStr::from_ptr(line)) };
    if let Some(state) = state.filter(|state| state.reports_keys) {
        let mut line = line.to_bytes().to_vec();
        line.push(b'\n');
        state.events.push_back(Event::KeyLog(line));
    }
}

unsafe extern "C" fn on_client_hello(connection: Raw, _: *mut c_int, _: *mut c_void) -> c_int {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }) else { return HELLO_SUCCESS };
    match state.hello_pause {
        Pause::Off | Pause::Over => return HELLO_SUCCESS,
        Pause::Waiting => return HELLO_RETRY,
        Pause::Wanted => state.hello_pause = Pause::Waiting,
    }
    let (mut id, mut ticket, mut ticket_bytes): (In, In, usize) = (ptr::null(), ptr::null(), 0);
    // SAFETY: the connection is alive and keeps the message during the callback.
    let (session_id, has_ticket) = unsafe {
        let count = (ssl().SSL_client_hello_get0_session_id)(connection, &raw mut id);
        let found = (ssl().SSL_client_hello_get0_ext)(
            connection,
            SESSION_TICKET,
            &raw mut ticket,
            &raw mut ticket_bytes,
        );
        (bytes(id, count).to_vec(), found == 1 && ticket_bytes > 0)
    };
    state.events.push_back(Event::ClientHello { session_id, has_ticket });
    HELLO_RETRY
}

/// Registered for servers that choose a certificate by name, or look for an OCSP response.
pub(super) unsafe extern "C" fn on_certificate(connection: Raw, _: *mut c_void) -> c_int {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }) else { return 1 };
    match state.certificate_pause {
        Pause::Off | Pause::Over => return 1,
        Pause::Waiting => return -1,
        Pause::Wanted => state.certificate_pause = Pause::Waiting,
    }
    // SAFETY: the connection is alive; the request takes no value.
    let status = unsafe { (ssl().SSL_ctrl)(connection, control::STATUS_TYPE_GET, 0, ptr::null_mut()) };
    state.events.push_back(Event::CertificateNeeded {
        server_name: server_name(connection),
        wants_ocsp: status == STATUS_OCSP,
    });
    -1
}

/// The name that the client asked for.
pub(super) fn server_name(connection: Raw) -> Option<String> {
    // SAFETY: the caller has a live connection, which keeps the name; 0 is `host_name`.
    let name = unsafe { (ssl().SSL_get_servername)(connection, 0) };
    (!name.is_null()).then(|| crate::owned::text(name))
}

unsafe extern "C" fn on_alpn(
    connection: Raw,
    chosen: *mut In,
    chosen_bytes: *mut u8,
    offered: In,
    offered_bytes: c_uint,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the library passes a live connection and that many bytes.
    let (state, offer) = unsafe { (state(connection), bytes(offered, offered_bytes as usize)) };
    let Some(state) = state else { return EXTENSION_NONE };
    let found = match &state.alpn {
        AlpnRule::Ignore => return EXTENSION_NONE,
        AlpnRule::Choose(own) => {
            let offers: Vec<&[u8]> = protocols(offer).collect();
            protocols(own).find_map(|own| offers.iter().find(|offer| **offer == own).copied())
        }
        AlpnRule::Ask => match ask_for_alpn(connection, state.ask, offer) {
            Answer::Protocol(offset) => offer.get(offset..).and_then(|rest| protocols(rest).next()),
            _ => None,
        },
    };
    let Some(found) = found else { return EXTENSION_FATAL };
    // SAFETY: the targets are those of the library; the protocol is a part of its own message.
    unsafe {
        *chosen = found.as_ptr();
        *chosen_bytes = found.len() as u8;
    }
    EXTENSION_OK
}

fn ask_for_alpn(connection: Raw, answerer: Option<NonNull<Ask<'static>>>, offer: &[u8]) -> Answer {
    let credentials = LateCredentials::new(connection);
    ask(answerer, Question::Alpn { offer, server_name: server_name(connection), credentials })
}

/// Protocols of a list in wire format, each after its length.
pub(super) fn protocols(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let (&count, tail) = rest.split_first()?;
        let (protocol, tail) = tail.split_at_checked(count.into())?;
        rest = tail;
        Some(protocol)
    })
}

unsafe extern "C" fn on_new_session(connection: Raw, session: Raw) -> c_int {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }).filter(|state| state.reports_sessions) else { return 0 };
    if let Ok(der) = session_der(session)
        && der.len() <= SESSION_BYTES_MAX
    {
        state.events.push_back(Event::NewSession { id: session_id(session), der });
    }
    // 0: no reference was taken.
    0
}

unsafe extern "C" fn on_get_session(connection: Raw, _: In, _: c_int, copies: *mut c_int) -> Raw {
    // SAFETY: the library passes a live connection, and a number to set: it owns what is returned.
    let state = unsafe {
        *copies = 0;
        state(connection)
    };
    state.and_then(|state| state.session.take()).map_or(ptr::null_mut(), Session::into_raw)
}

/// A client got an OCSP response, or a server may send one.
unsafe extern "C" fn on_status(connection: Raw, _: *mut c_void) -> c_int {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }) else { return EXTENSION_NONE };
    if state.is_server {
        let Some(response) = state.ocsp_response.take() else { return EXTENSION_NONE };
        // SAFETY: the copy is made by the library's allocator, and the connection takes it.
        unsafe {
            let copy = (symbols().CRYPTO_malloc)(response.len().max(1), c"".as_ptr(), 0);
            if copy.is_null() {
                return EXTENSION_NONE;
            }
            ptr::copy_nonoverlapping(response.as_ptr(), copy.cast(), response.len());
            (ssl().SSL_ctrl)(connection, control::STATUS_RESPONSE_SET, response.len() as _, copy);
        }
        return EXTENSION_OK;
    }
    let mut first: In = ptr::null();
    // SAFETY: the connection keeps the response, whose address is stored.
    let response = unsafe {
        let count = (ssl().SSL_ctrl)(connection, control::STATUS_RESPONSE, 0, control::address(&mut first));
        (count > 0 && !first.is_null()).then(|| bytes(first, count as usize).to_vec())
    };
    state.events.push_back(Event::OcspResponse(response));
    1
}

pub(super) unsafe extern "C" fn on_server_psk(
    connection: Raw,
    identity: Text,
    key: Out,
    key_bytes_max: c_uint,
) -> c_uint {
    // SAFETY: the library passes a live connection and a text that ends in NUL.
    let (state, identity) = unsafe { (state(connection), CStr::from_ptr(identity)) };
    let (Some(state), Ok(identity)) = (state, identity.to_str()) else { return 0 };
    let question = Question::ServerPsk { identity, key_bytes_max: key_bytes_max as usize };
    match ask(state.ask, question) {
        Answer::Psk { key: secret, .. } if secret.len() <= key_bytes_max as usize => {
            // SAFETY: the target has room for the longest key.
            unsafe { ptr::copy_nonoverlapping(secret.as_ptr(), key, secret.len()) };
            secret.len() as c_uint
        }
        _ => 0,
    }
}

pub(super) unsafe extern "C" fn on_client_psk(
    connection: Raw,
    hint: Text,
    identity: *mut c_char,
    identity_bytes_max: c_uint,
    key: Out,
    key_bytes_max: c_uint,
) -> c_uint {
    // SAFETY: the library passes a live connection, and null or a text that ends in NUL.
    let (state, hint) =
        unsafe { (state(connection), (!hint.is_null()).then(|| CStr::from_ptr(hint).to_string_lossy())) };
    let Some(state) = state else { return 0 };
    let question = Question::ClientPsk {
        hint: hint.as_deref(),
        identity_bytes_max: identity_bytes_max as usize,
        key_bytes_max: key_bytes_max as usize,
    };
    let Answer::Psk { identity: own, key: secret } = ask(state.ask, question) else { return 0 };
    if own.len() > identity_bytes_max as usize || own.contains('\0') || secret.len() > key_bytes_max as usize
    {
        return 0;
    }
    // SAFETY: the targets have room for the longest identity with its NUL, and the longest key.
    unsafe {
        ptr::copy_nonoverlapping(own.as_ptr(), identity.cast(), own.len());
        *identity.add(own.len()) = 0;
        ptr::copy_nonoverlapping(secret.as_ptr(), key, secret.len());
    }
    secret.len() as c_uint
}

/// Accepts every chain: the caller looks at the result of the verification after the handshake.
pub(super) unsafe extern "C" fn on_verify(_: c_int, _: Raw) -> c_int {
    1
}

fn ask(answerer: Option<NonNull<Ask<'static>>>, question: Question<'_>) -> Answer {
    // SAFETY: the pointer is set for the time of one call of the library, which this is in.
    answerer.map_or(Answer::None, |mut answerer| unsafe { answerer.as_mut()(question) })
}

unsafe fn bytes<'b>(first: In, count: usize) -> &'b [u8] {
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller guarantees the bytes for the time of the callback.
    unsafe { std::slice::from_raw_parts(first, count) }
}

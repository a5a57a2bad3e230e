//! C API of OpenSSL's libssl, declared by hand and loaded by name. In: the linker's search path.
//! Out: a table of function pointers, or why there is none.
//!
//! Sources: the manual pages of section 3 and the headers `ssl.h`, `tls1.h` of OpenSSL 3.0. All
//! functions are in every 3.x release; macros of the headers are calls of `SSL_ctrl` and
//! `SSL_CTX_ctrl`, whose numbers are in `tls/control.rs`.
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use std::sync::OnceLock;

use crate::error::CryptoError;
use crate::library::{explain, open};
use crate::symbols::{In, Out, Raw, Text, table};

const NAMES: [&CStr; 2] = [c"libssl.so.3", c"libssl.so"];

/// `OPENSSL_INIT_LOAD_SSL_STRINGS | NO_LOAD_CONFIG`.
const INIT_OPTIONS: u64 = 0x0020_0000 | 0x80;

pub type InfoCallback = unsafe extern "C" fn(Raw, c_int, c_int);
pub type NewSessionCallback = unsafe extern "C" fn(Raw, Raw) -> c_int;
pub type GetSessionCallback = unsafe extern "C" fn(Raw, In, c_int, *mut c_int) -> Raw;
pub type KeylogCallback = unsafe extern "C" fn(Raw, Text);
pub type ClientHelloCallback = unsafe extern "C" fn(Raw, *mut c_int, *mut c_void) -> c_int;
pub type AlpnCallback = unsafe extern "C" fn(Raw, *mut In, *mut u8, In, c_uint, *mut c_void) -> c_int;
pub type CertificateCallback = unsafe extern "C" fn(Raw, *mut c_void) -> c_int;
pub type VerifyCallback = unsafe extern "C" fn(c_int, Raw) -> c_int;
pub type TicketCallback = unsafe extern "C" fn(Raw, Out, Out, Raw, Raw, c_int) -> c_int;
pub type ServerPskCallback = unsafe extern "C" fn(Raw, Text, Out, c_uint) -> c_uint;
pub type ClientPskCallback = unsafe extern "C" fn(Raw, Text, *mut c_char, c_uint, Out, c_uint) -> c_uint;
/// Any function, for `SSL_CTX_callback_ctrl`.
pub type AnyCallback = unsafe extern "C" fn();
pub type TraceCallback = unsafe extern "C" fn(c_int, c_int, c_int, *const c_void, usize, Raw, *mut c_void);

static LIBRARY: OnceLock<Result<SslSymbols, String>> = OnceLock::new();

/// The function table. The first call opens the library.
pub(crate) fn open_ssl() -> Result<&'static SslSymbols, CryptoError> {
    open()?;
    LIBRARY.get_or_init(load).as_ref().map_err(|reason| CryptoError::Unavailable(reason.clone()))
}

/// The function table, where a value of the library exists already.
pub(crate) fn ssl() -> &'static SslSymbols {
    let opened = LIBRARY.get().and_then(|library| library.as_ref().ok());
    opened.expect("values of the library are made by functions that opened it")
}

fn load() -> Result<SslSymbols, String> {
    let opened = NAMES.iter().find_map(|name| {
        // SAFETY: the constructors that run are those of a system library.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        (!library.is_null()).then_some(library)
    });
    let Some(library) = opened else { return Err(explain("`libssl.so.3` is not installed")) };
    // SAFETY: the handle is open and never closed; the name ends in NUL.
    let find = |name: &CStr| -> *mut c_void { unsafe { libc::dlsym(library, name.as_ptr()) } };
    // SAFETY: the library is libssl by its name.
    let symbols = unsafe { SslSymbols::load(find) };
    let symbols = symbols.map_err(|name| explain(&format!("`libssl` has no function `{name}`")))?;
    // SAFETY: the options are flags of `crypto.h`; no settings are passed.
    unsafe { (symbols.OPENSSL_init_ssl)(INIT_OPTIONS, std::ptr::null_mut()) };
    Ok(symbols)
}

/// `SSL_trace`, which a library may be built without.
pub(crate) fn trace_function() -> Option<TraceCallback> {
    // SAFETY: the library is open already, so this adds a reference only.
    let library = unsafe { libc::dlopen(NAMES[0].as_ptr(), libc::RTLD_NOW | libc::RTLD_NOLOAD) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is open; the name ends in NUL.
    let address = unsafe { libc::dlsym(library, c"SSL_trace".as_ptr()) };
    // SAFETY: the function has this type in every 3.x release.
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, TraceCallback>(address) })
}

table! {
    SslSymbols;
    OPENSSL_init_ssl(u64, Raw) -> c_int;
    TLS_method() -> Raw;
    TLS_client_method() -> Raw;
    TLS_server_method() -> Raw;

    SSL_CTX_new(Raw) -> Raw;
    SSL_CTX_free(Raw);
    SSL_CTX_ctrl(Raw, c_int, c_long, *mut c_void) -> c_long;
    SSL_CTX_callback_ctrl(Raw, c_int, Option<AnyCallback>) -> c_long;
    SSL_CTX_set_options(Raw, u64) -> u64;
    SSL_CTX_set_cipher_list(Raw, Text) -> c_int;
    SSL_CTX_set_ciphersuites(Raw, Text) -> c_int;
    SSL_CTX_get_ciphers(Raw) -> Raw;
    SSL_CTX_set_session_id_context(Raw, In, c_uint) -> c_int;
    SSL_CTX_set_timeout(Raw, c_long) -> c_long;
    SSL_CTX_set_cert_store(Raw, Raw);
    SSL_CTX_get_cert_store(Raw) -> Raw;
    SSL_CTX_use_certificate(Raw, Raw) -> c_int;
    SSL_CTX_use_PrivateKey(Raw, Raw) -> c_int;
    SSL_CTX_get0_certificate(Raw) -> Raw;
    SSL_CTX_get0_privatekey(Raw) -> Raw;
    SSL_CTX_add_client_CA(Raw, Raw) -> c_int;
    SSL_CTX_get_client_CA_list(Raw) -> Raw;
    SSL_CTX_set0_tmp_dh_pkey(Raw, Raw) -> c_int;
    SSL_CTX_set_info_callback(Raw, InfoCallback);
    SSL_CTX_set_keylog_callback(Raw, KeylogCallback);
    SSL_CTX_set_client_hello_cb(Raw, ClientHelloCallback, *mut c_void);
    SSL_CTX_set_alpn_select_cb(Raw, AlpnCallback, *mut c_void);
    SSL_CTX_sess_set_new_cb(Raw, NewSessionCallback);
    SSL_CTX_sess_set_get_cb(Raw, GetSessionCallback);
    SSL_CTX_set_default_read_buffer_len(Raw, usize);
    SSL_CTX_get_security_level(Raw) -> c_int;
    SSL_CTX_set_tlsext_ticket_key_evp_cb(Raw, TicketCallback) -> c_int;

    SSL_new(Raw) -> Raw;
    SSL_free(Raw);
    SSL_ctrl(Raw, c_int, c_long, *mut c_void) -> c_long;
    SSL_get_SSL_CTX(Raw) -> Raw;
    SSL_set_ex_data(Raw, c_int, *mut c_void) -> c_int;
    SSL_get_ex_data(Raw, c_int) -> *mut c_void;
    SSL_set_bio(Raw, Raw, Raw);
    SSL_set_accept_state(Raw);
    SSL_set_connect_state(Raw);
    SSL_set_verify(Raw, c_int, VerifyCallback);
    SSL_get_verify_result(Raw) -> c_long;
    SSL_set_cert_cb(Raw, CertificateCallback, *mut c_void);
    SSL_set_psk_server_callback(Raw, ServerPskCallback);
    SSL_set_psk_client_callback(Raw, ClientPskCallback);
    SSL_use_psk_identity_hint(Raw, Text) -> c_int;
    SSL_set_msg_callback(Raw, TraceCallback);
    SSL_use_certificate(Raw, Raw) -> c_int;
    SSL_use_PrivateKey(Raw, Raw) -> c_int;
    SSL_set_client_CA_list(Raw, Raw);
    SSL_dup_CA_list(Raw) -> Raw;

    SSL_do_handshake(Raw) -> c_int;
    SSL_read(Raw, *mut c_void, c_int) -> c_int;
    SSL_write(Raw, *const c_void, c_int) -> c_int;
    SSL_shutdown(Raw) -> c_int;
    SSL_get_shutdown(Raw) -> c_int;
    SSL_get_error(Raw, c_int) -> c_int;
    SSL_is_init_finished(Raw) -> c_int;
    SSL_has_pending(Raw) -> c_int;
    SSL_renegotiate(Raw) -> c_int;
    SSL_renegotiate_pending(Raw) -> c_int;

    SSL_get_version(Raw) -> Text;
    SSL_get_current_cipher(Raw) -> Raw;
    SSL_CIPHER_get_name(Raw) -> Text;
    SSL_CIPHER_standard_name(Raw) -> Text;
    SSL_CIPHER_get_version(Raw) -> Text;
    SSL_CIPHER_get_auth_nid(Raw) -> c_int;
    SSL_get_finished(Raw, *mut c_void, usize) -> usize;
    SSL_get_peer_finished(Raw, *mut c_void, usize) -> usize;
    SSL_get_shared_sigalgs(Raw, c_int, *mut c_int, *mut c_int, *mut c_int, Out, Out) -> c_int;
    SSL_export_keying_material(Raw, Out, usize, Text, usize, In, usize, c_int) -> c_int;
    SSL_get1_peer_certificate(Raw) -> Raw;
    SSL_get_certificate(Raw) -> Raw;
    SSL_get_peer_cert_chain(Raw) -> Raw;
    SSL_get_servername(Raw, c_int) -> Text;
    SSL_set_alpn_protos(Raw, In, c_uint) -> c_int;
    SSL_get0_alpn_selected(Raw, *mut In, *mut c_uint);
    SSL_client_hello_get0_session_id(Raw, *mut In) -> usize;
    SSL_client_hello_get0_ext(Raw, c_uint, *mut In, *mut usize) -> c_int;

    SSL_get_session(Raw) -> Raw;
    SSL_set_session(Raw, Raw) -> c_int;
    SSL_session_reused(Raw) -> c_int;
    SSL_SESSION_dup(Raw) -> Raw;
    SSL_SESSION_free(Raw);
    SSL_SESSION_get_id(Raw, *mut c_uint) -> In;
    SSL_SESSION_get0_ticket(Raw, *mut In, *mut usize);
    SSL_SESSION_get_protocol_version(Raw) -> c_int;
    i2d_SSL_SESSION(Raw, *mut Out) -> c_int;
    d2i_SSL_SESSION(*mut Raw, *mut In, c_long) -> Raw;
}

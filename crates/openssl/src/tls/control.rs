//! Numbers of `SSL_ctrl` and `SSL_CTX_ctrl` (`ssl.h`), which the headers hide in macros.

use std::ffi::{c_int, c_long, c_void};
use std::ptr;

use super::symbols::ssl;
use crate::symbols::Raw;

pub const EXTRA_CHAIN_CERTIFICATES_CLEAR: c_int = 83;
pub const READ_AHEAD: c_int = 41;
pub const SESSION_CACHE_MODE: c_int = 44;
pub const MODE: c_int = 33;
pub const MAX_SEND_FRAGMENT: c_int = 52;
pub const HOST_NAME: c_int = 55;
pub const STATUS_CALLBACK: c_int = 63;
pub const STATUS_TYPE: c_int = 65;
pub const STATUS_RESPONSE: c_int = 70;
pub const STATUS_RESPONSE_SET: c_int = 71;
pub const CHAIN: c_int = 88;
pub const CHAIN_CERTIFICATE: c_int = 89;
pub const GROUPS_LIST: c_int = 92;
pub const SIGNATURE_ALGORITHMS_LIST: c_int = 98;
pub const VERIFY_STORE: c_int = 106;
pub const PEER_TEMPORARY_KEY: c_int = 109;
pub const CHAIN_CERTIFICATES: c_int = 115;
pub const DH_AUTO: c_int = 118;
pub const MIN_VERSION: c_int = 123;
pub const MAX_VERSION: c_int = 124;
pub const STATUS_TYPE_GET: c_int = 127;
pub const MIN_VERSION_GET: c_int = 130;
pub const MAX_VERSION_GET: c_int = 131;

/// A request of `SSL_CTX_ctrl` with a number alone.
pub fn context_number(context: Raw, request: c_int, number: c_long) -> c_long {
    // SAFETY: the caller has a live context; these requests read the number only.
    unsafe { (ssl().SSL_CTX_ctrl)(context, request, number, ptr::null_mut()) }
}

/// A request of `SSL_ctrl` with a number alone.
pub fn connection_number(connection: Raw, request: c_int, number: c_long) -> c_long {
    // SAFETY: the caller has a live connection; these requests read the number only.
    unsafe { (ssl().SSL_ctrl)(connection, request, number, ptr::null_mut()) }
}

/// The address of a value that the library reads or writes.
pub fn address<T>(value: &mut T) -> *mut c_void {
    (&raw mut *value).cast()
}

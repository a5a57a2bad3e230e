//! Protection of session tickets (RFC 5077, section 4) with keys that servers share. In: the keys,
//! in Node's form; tickets of clients, which are untrusted. Out: the cipher and the MAC of a
//! ticket. A resumed session keeps its ticket, as in Node. Absent: keys of the library itself,
//! which a context without keys uses.

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, OnceLock, RwLock};

use super::callbacks::state;
use super::symbols::ssl;
use crate::library::symbols;
use crate::params::Params;
use crate::secret::SecretBytes;
use crate::symbols::{Out, Raw};

/// Bytes of all keys: a name, a key of HMAC with SHA-256, a key of AES-128.
pub const TICKET_KEY_BYTES: usize = 48;
const PART_BYTES: usize = 16;

/// Results of the callback.
const FAILED: c_int = -1;
const UNKNOWN_KEY: c_int = 0;
const ACCEPTED: c_int = 1;

/// Keys of a context, which its connections see change. Empty: none were set.
pub(super) type TicketKeys = Arc<RwLock<SecretBytes>>;

/// Address of the cipher, which lives as long as the process.
static CIPHER: OnceLock<usize> = OnceLock::new();

/// From now on, tickets of that context's connections are protected with their keys.
pub(super) fn install(context: Raw) -> bool {
    // SAFETY: the context is alive, and the function lives as long as the process.
    unsafe { (ssl().SSL_CTX_set_tlsext_ticket_key_evp_cb)(context, on_ticket) == 1 }
}

unsafe extern "C" fn on_ticket(
    connection: Raw,
    name: Out,
    iv: Out,
    cipher: Raw,
    mac: Raw,
    encrypts: c_int,
) -> c_int {
    // SAFETY: the library passes a live connection.
    let Some(state) = (unsafe { state(connection) }) else { return FAILED };
    let Ok(keys) = state.ticket_keys.read() else { return FAILED };
    if keys.len() != TICKET_KEY_BYTES {
        return FAILED;
    }
    let (own_name, rest) = keys.split_at(PART_BYTES);
    let (mac_key, cipher_key) = rest.split_at(PART_BYTES);
    // SAFETY: name and initialization vector have 16 bytes each, by the library's manual.
    unsafe {
        if encrypts == 1 {
            ptr::copy_nonoverlapping(own_name.as_ptr(), name, PART_BYTES);
            if libc::getrandom(iv.cast(), PART_BYTES, 0) != PART_BYTES as isize {
                return FAILED;
            }
        } else if std::slice::from_raw_parts(name, PART_BYTES) != own_name {
            return UNKNOWN_KEY;
        }
    }
    let mut parameters = Params::new();
    parameters.text("digest", "SHA256");
    let method = *CIPHER.get_or_init(fetch_cipher);
    let settings = parameters.raw();
    // SAFETY: both contexts are alive, keys and vector have the sizes of the cipher; the settings
    // end with their mark.
    let is_ready = unsafe {
        let method = ptr::with_exposed_provenance_mut(method);
        (symbols().EVP_CipherInit_ex)(cipher, method, ptr::null_mut(), cipher_key.as_ptr(), iv, encrypts) == 1
            && (symbols().EVP_MAC_init)(mac, mac_key.as_ptr(), mac_key.len(), settings.as_ptr()) == 1
    };
    if is_ready { ACCEPTED } else { FAILED }
}

fn fetch_cipher() -> usize {
    // SAFETY: the name ends in NUL; null is the default library context and no property query.
    let cipher =
        unsafe { (symbols().EVP_CIPHER_fetch)(ptr::null_mut(), c"AES-128-CBC".as_ptr(), ptr::null()) };
    cipher.expose_provenance()
}

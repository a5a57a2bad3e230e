//! The BIO between a connection and its bytes: a method of our own that reads from the bytes of the
//! peer and appends to those for it. In: a connection's state. Out: a BIO that the connection owns.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::sync::OnceLock;

use super::callbacks::CallbackState;
use crate::error::CryptoError;
use crate::library::symbols;
use crate::symbols::Raw;

/// `BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY`, and those of a read to retry.
const RETRY_FLAGS: c_int = 0x0f;
const RETRY_READ: c_int = 0x01 | 0x08;
/// `BIO_CTRL_FLUSH`.
const CTRL_FLUSH: c_int = 11;
/// `BIO_TYPE_SOURCE_SINK`.
const SOURCE_SINK: c_int = 0x0400;

/// Address of the method, which lives as long as the process.
static METHOD: OnceLock<usize> = OnceLock::new();

/// A BIO over that state, which must outlive it.
pub(super) fn new_bio(state: *mut CallbackState) -> Result<Raw, CryptoError> {
    let symbols = symbols();
    let method = *METHOD.get_or_init(make_method);
    // SAFETY: the method was made by the library, or is null, which makes a null BIO.
    let bio = unsafe { (symbols.BIO_new)(std::ptr::with_exposed_provenance_mut(method)) };
    if bio.is_null() {
        return Err(CryptoError::take("out of memory"));
    }
    // SAFETY: the BIO is alive.
    unsafe {
        (symbols.BIO_set_data)(bio, state.cast());
        (symbols.BIO_set_init)(bio, 1);
    }
    Ok(bio)
}

fn make_method() -> usize {
    let symbols = symbols();
    // SAFETY: the name is static; the functions have the types of a method.
    unsafe {
        let kind = (symbols.BIO_get_new_index)() | SOURCE_SINK;
        let method = (symbols.BIO_meth_new)(kind, c"rusk".as_ptr());
        if !method.is_null() {
            (symbols.BIO_meth_set_read)(method, read);
            (symbols.BIO_meth_set_write)(method, write);
            (symbols.BIO_meth_set_ctrl)(method, control);
        }
        method.expose_provenance()
    }
}

unsafe extern "C" fn read(bio: Raw, target: *mut c_char, count: c_int) -> c_int {
    // SAFETY: the BIO is alive, and its data is the state of `new_bio`.
    let state = unsafe {
        (symbols().BIO_clear_flags)(bio, RETRY_FLAGS);
        &mut *(symbols().BIO_get_data)(bio).cast::<CallbackState>()
    };
    let input = &state.input[state.input_read..];
    let taken = input.len().min(count.max(0) as usize);
    if taken == 0 {
        // SAFETY: the BIO is alive.
        unsafe { (symbols().BIO_set_flags)(bio, RETRY_READ) };
        return -1;
    }
    // SAFETY: the target has `count` bytes.
    unsafe { std::ptr::copy_nonoverlapping(input.as_ptr(), target.cast(), taken) };
    state.input_read += taken;
    taken as c_int
}

unsafe extern "C" fn write(bio: Raw, source: *const c_char, count: c_int) -> c_int {
    let bytes = count.max(0) as usize;
    // SAFETY: as in `read`; the source has `count` bytes.
    unsafe {
        (symbols().BIO_clear_flags)(bio, RETRY_FLAGS);
        let state = &mut *(symbols().BIO_get_data)(bio).cast::<CallbackState>();
        state.output.extend_from_slice(std::slice::from_raw_parts(source.cast(), bytes));
    }
    count.max(0)
}

/// Flushing succeeds; nothing else is known.
unsafe extern "C" fn control(_: Raw, request: c_int, _: c_long, _: *mut c_void) -> c_long {
    c_long::from(request == CTRL_FLUSH)
}

//! Memory of the process by address. In: an address and what is there, by the word of the program.
//! Out: values, copies, lengths. Absent: checks; an address without memory ends the process.

use std::ffi::{CStr, c_void};

use rusk_jsc::{ArrayBuffer, Exception, Scope};

/// Reads up to eight bytes, extended with zeros.
pub fn read(address: usize, bytes: usize) -> u64 {
    let mut word = [0; 8];
    let bytes = bytes.min(word.len());
    // SAFETY: the program says that so many bytes are there; they may be unaligned.
    unsafe { std::ptr::copy_nonoverlapping(pointer::<u8>(address), word.as_mut_ptr(), bytes) };
    u64::from_le_bytes(word)
}

/// The bytes of a range.
pub fn copy(address: usize, bytes: usize) -> Vec<u8> {
    // SAFETY: the program says that so many bytes are there, and that they are not written now.
    unsafe { std::slice::from_raw_parts(pointer::<u8>(address), bytes) }.to_vec()
}

/// The number of bytes before the next NUL.
pub fn string_length(address: usize) -> usize {
    // SAFETY: the program says that a NUL-terminated string is there.
    unsafe { CStr::from_ptr(pointer(address)) }.count_bytes()
}

/// A pointer to an address that the program got from this process.
fn pointer<T>(address: usize) -> *const T {
    std::ptr::with_exposed_provenance(address)
}

/// An `ArrayBuffer` over memory. It is freed by the deallocator at an address, if that is not 0.
pub fn array_buffer<'s>(
    scope: &'s Scope,
    (address, bytes): (usize, usize),
    (deallocator, context): (usize, usize),
) -> Result<ArrayBuffer<'s>, Exception<'s>> {
    let first = pointer::<c_void>(address).cast_mut();
    let context = pointer::<c_void>(context).cast_mut();
    // SAFETY: the program says that the bytes are there as long as it uses the buffer, or until the
    // deallocator is called.
    unsafe { ArrayBuffer::over_foreign(scope, (first, bytes), self::deallocator(deallocator), context) }
}

/// A function of C that frees bytes, called with them and a context
/// (`JSTypedArrayBytesDeallocator`).
type Deallocator = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// The deallocator at an address; without an address, one that does nothing.
fn deallocator(address: usize) -> Deallocator {
    match address {
        0 => nothing,
        // SAFETY: the program says that such a function is there.
        _ => unsafe { std::mem::transmute::<*const c_void, Deallocator>(pointer(address)) },
    }
}

unsafe extern "C" fn nothing(_: *mut c_void, _: *mut c_void) {}

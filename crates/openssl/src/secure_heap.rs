//! The library's secure heap: memory for private keys that is neither swapped nor in core dumps.
//! In: its size, before the first key is made. Out: how much of it is used. Absent: keys as bytes
//! of our own (secret.rs).

use crate::error::CryptoError;
use crate::library::open;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecureHeap {
    Ready,
    /// There is one, but the kernel did not lock its memory.
    NotLocked,
    Failed,
}

/// Both are powers of 2. For the whole process, once.
pub fn start_secure_heap(bytes: usize, part_bytes_min: usize) -> Result<SecureHeap, CryptoError> {
    // SAFETY: any numbers may be passed; the library refuses wrong ones.
    match unsafe { (open()?.CRYPTO_secure_malloc_init)(bytes, part_bytes_min) } {
        1 => Ok(SecureHeap::Ready),
        2 => Ok(SecureHeap::NotLocked),
        _ => Ok(SecureHeap::Failed),
    }
}

/// In bytes.
pub fn secure_heap_used() -> Result<usize, CryptoError> {
    // SAFETY: the function takes no argument.
    Ok(unsafe { (open()?.CRYPTO_secure_used)() })
}

//! Copies ASCII and looks for anything else in the same pass. In: bytes. Out: their copy, and
//! whether all are ASCII.

/// Bytes that the compiler keeps in registers.
const PIECE: usize = 64;
/// From so many bytes on, `memcpy` is faster than our own stores, even after a pass that looks.
const LONG: usize = 1024;
/// Bytes that stay in the first cache between the two passes.
const PART: usize = 4096;

/// Copies bytes to the beginning of `target`; false: not all are ASCII, and only some were copied.
///
/// # Panics
/// If the target is shorter.
pub fn copy_ascii(source: &[u8], target: &mut [u8]) -> bool {
    assert!(source.len() <= target.len(), "the target is shorter");
    // SAFETY: a slice that is long enough, as asserted.
    unsafe { copy_ascii_to(source, target.as_mut_ptr()) }
}

/// The same for memory that is not initialized yet.
///
/// # Safety
/// There is room for all bytes, apart from the source.
pub unsafe fn copy_ascii_to(source: &[u8], target: *mut u8) -> bool {
    if source.len() >= LONG {
        // SAFETY: guaranteed by the caller.
        return unsafe { copy_long_to(source, target) };
    }
    let (pieces, rest) = source.as_chunks::<PIECE>();
    for (index, piece) in pieces.iter().enumerate() {
        // SAFETY: guaranteed by the caller.
        unsafe { target.add(index * PIECE).cast::<[u8; PIECE]>().write(*piece) };
        if piece.iter().fold(0, |all, byte| all | byte) >= 0x80 {
            return false;
        }
    }
    // SAFETY: as above.
    unsafe { target.add(source.len() - rest.len()).copy_from_nonoverlapping(rest.as_ptr(), rest.len()) };
    rest.is_ascii()
}

/// # Safety
/// As [`copy_ascii_to`].
unsafe fn copy_long_to(source: &[u8], target: *mut u8) -> bool {
    source.chunks(PART).enumerate().all(|(index, part)| {
        let is_ascii = part.is_ascii();
        if is_ascii {
            // SAFETY: guaranteed by the caller.
            unsafe { target.add(index * PART).copy_from_nonoverlapping(part.as_ptr(), part.len()) };
        }
        is_ascii
    })
}

#[cfg(test)]
mod tests;

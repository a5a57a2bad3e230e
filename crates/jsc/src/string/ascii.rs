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
#[inline]
pub fn copy_ascii(source: &[u8], target: &mut [u8]) -> bool {
    assert!(source.len() <= target.len(), "the target is shorter");
    if let Some(is_ascii) = is_short_ascii(source) {
        // SAFETY: a slice that is long enough, as asserted.
        unsafe { copy_short(source, target.as_mut_ptr()) };
        return is_ascii;
    }
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
    unsafe { copy_short(rest, target.add(source.len() - rest.len())) };
    rest.is_ascii()
}

/// Whether 4 to 32 bytes are ASCII, by their first and last ones, which may overlap; `None`: there
/// are fewer or more. The standard library has a loop for so few.
#[inline]
pub fn is_short_ascii(bytes: &[u8]) -> Option<bool> {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    // SAFETY: within the bytes, of whose count each case is sure.
    unsafe {
        let half = |at: usize| bytes.as_ptr().add(at).cast::<u32>().read_unaligned();
        let word = |at: usize| bytes.as_ptr().add(at).cast::<u64>().read_unaligned();
        match bytes.len() {
            count @ 4..=7 => Some((half(0) | half(count - 4)) & HIGH_BITS as u32 == 0),
            count @ 8..=16 => Some((word(0) | word(count - 8)) & HIGH_BITS == 0),
            count @ 17..=32 => {
                Some((word(0) | word(8) | word(count - 16) | word(count - 8)) & HIGH_BITS == 0)
            }
            _ => None,
        }
    }
}

/// Copies bytes; up to a [`PIECE`] without the call that `memcpy` is.
///
/// # Safety
/// There is room for all bytes, apart from the source.
#[inline]
pub unsafe fn copy_short(source: &[u8], target: *mut u8) {
    // SAFETY: guaranteed by the caller; each type is at most as long as the bytes.
    unsafe {
        match source.len() {
            0 => {}
            1 => target.write(source[0]),
            2..4 => copy_ends::<u16>(source, target),
            4..8 => copy_ends::<u32>(source, target),
            8..16 => copy_ends::<u64>(source, target),
            16..32 => copy_ends::<u128>(source, target),
            32..=PIECE => copy_ends::<[u128; 2]>(source, target),
            count => target.copy_from_nonoverlapping(source.as_ptr(), count),
        }
    }
}

/// Copies the first and the last bytes, which may overlap.
///
/// # Safety
/// As [`copy_short`], for at least one `T` and at most two.
#[inline]
unsafe fn copy_ends<T: Copy>(source: &[u8], target: *mut u8) {
    let last = source.len() - size_of::<T>();
    // SAFETY: guaranteed by the caller.
    unsafe {
        let ends = [0, last].map(|at| source.as_ptr().add(at).cast::<T>().read_unaligned());
        target.cast::<T>().write_unaligned(ends[0]);
        target.add(last).cast::<T>().write_unaligned(ends[1]);
    }
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

//! Tests of copying ASCII.

use super::{LONG, PART, PIECE, copy_ascii, copy_short, is_short_ascii};

#[test]
fn short_bytes_are_copied_and_no_others_are_written() {
    for length in 0..=PIECE + 1 {
        let source: Vec<u8> = (1..).take(length).collect();
        let mut target = vec![0; length + 1];
        // SAFETY: the target is longer.
        unsafe { copy_short(&source, target.as_mut_ptr()) };
        assert_eq!((&target[..length], target[length]), (&source[..], 0));
    }
}

#[test]
fn ascii_is_copied_and_anything_else_is_found_at_every_place() {
    for length in (0..40).chain([PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5, LONG, PART + LONG + 1]) {
        let source = vec![b'a'; length];
        let mut target = vec![0; length + 1];
        assert!(copy_ascii(&source, &mut target));
        assert_eq!((&target[..length], target[length]), (&source[..], 0));
        for at in 0..length {
            let mut source = source.clone();
            source[at] = 0x80;
            assert!(!copy_ascii(&source, &mut target), "{at} of {length}");
            assert!(is_short_ascii(&source) != Some(true), "{at} of {length}");
        }
    }
}

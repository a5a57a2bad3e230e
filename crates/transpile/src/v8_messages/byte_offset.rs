//! Conversion of positions to byte offsets.

use crate::position_map::SourcePosition;

/// The byte offset of a position; None after the end of the source text.
pub(super) fn byte_offset(source: &str, position: SourcePosition) -> Option<u32> {
    let mut start = 0;
    for _ in 0..position.line {
        start += source[start..].find('\n')? + 1;
    }
    let mut left = position.column as usize;
    for (at, character) in source[start..].char_indices() {
        if left == 0 {
            return u32::try_from(start + at).ok();
        }
        if character == '\n' {
            return None;
        }
        left = left.saturating_sub(character.len_utf16());
    }
    (left == 0).then_some(source.len() as u32)
}

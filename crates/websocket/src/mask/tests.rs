//! Tests of `mask`.

use super::*;

#[test]
fn masks_like_the_formula_of_the_rfc_at_every_length_and_offset() {
    let key = [1, 20, 40, 240];
    for length in 0..70 {
        for offset in 0..9 {
            let bytes: Vec<u8> = (0..length).collect();
            let formula = |(index, &byte): (usize, &u8)| byte ^ key[(index + offset) % 4];
            let expected: Vec<u8> = bytes.iter().enumerate().map(formula).collect();
            let mut found = bytes;
            apply_mask(&mut found, key, offset as u64);
            assert_eq!(found, expected, "{length} {offset}");
        }
    }
}

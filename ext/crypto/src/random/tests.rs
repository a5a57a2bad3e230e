//! Bytes that were given once are not given again.

use std::collections::HashSet;

use super::{POOL_BYTES, SMALL_MAX, fill};

#[test]
fn no_bytes_are_given_twice() {
    let mut seen = HashSet::new();
    for round in 0..1000 {
        // Of both ways, and of lengths that do not divide the pool.
        let mut target = vec![0; 16 + round % (SMALL_MAX + 1)];
        fill(&mut target).unwrap();
        for piece in target.chunks_exact(16) {
            assert!(seen.insert(piece.to_vec()), "{piece:?} in round {round}");
        }
    }
}

#[test]
fn all_of_a_room_is_filled() {
    for count in [1, 7, SMALL_MAX, SMALL_MAX + 1, POOL_BYTES, 3 * POOL_BYTES] {
        let is_filled = (0..64).fold(vec![false; count], |filled, _| {
            let mut target = vec![0; count];
            fill(&mut target).unwrap();
            filled.iter().zip(target).map(|(before, byte)| *before || byte != 0).collect()
        });
        assert!(is_filled.iter().all(|filled| *filled), "{count}");
    }
}

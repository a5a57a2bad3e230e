//! Bytes that were given once are not given again.

use std::collections::HashSet;

use super::{FEW, STORE, fill};

#[test]
fn no_bytes_are_given_twice() {
    let mut seen = HashSet::new();
    for round in 0..1000 {
        // Of both ways, and of lengths that do not divide the store.
        let mut room = vec![0; 16 + round % (FEW + 1)];
        fill(&mut room).unwrap();
        for piece in room.chunks_exact(16) {
            assert!(seen.insert(piece.to_vec()), "{piece:?} in round {round}");
        }
    }
}

#[test]
fn all_of_a_room_is_filled() {
    for count in [1, 7, FEW, FEW + 1, STORE, 3 * STORE] {
        let is_filled = (0..64).fold(vec![false; count], |filled, _| {
            let mut room = vec![0; count];
            fill(&mut room).unwrap();
            filled.iter().zip(room).map(|(before, byte)| *before || byte != 0).collect()
        });
        assert!(is_filled.iter().all(|filled| *filled), "{count}");
    }
}

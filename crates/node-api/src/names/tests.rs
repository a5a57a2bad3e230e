//! Places of names. In: addresses of constants. Out: no two share a place.

use super::{PLACES, place};

#[test]
fn neighbours_have_places_of_their_own() {
    for first in [0x5555_0000_1234_usize, 0x7f00_dead_0001] {
        let mut places: Vec<usize> = (0..PLACES / 2).map(|index| place(first + 2 * index)).collect();
        assert!(places.iter().all(|place| *place < PLACES));
        places.sort_unstable();
        places.dedup();
        assert!(places.len() > PLACES / 4, "{} places", places.len());
    }
}

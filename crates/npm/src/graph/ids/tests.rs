//! Pairs of small ids spread over both ends of a hash.

use std::hash::Hash;

use super::*;

#[test]
fn pairs_of_neighbours_meet_seldom() {
    let hash = |pair: (u32, u32)| {
        let mut hasher = IdHasher::default();
        pair.hash(&mut hasher);
        hasher.finish()
    };
    let pairs = (0..300).flat_map(|a| (0..300).map(move |b| (a, b)));
    let hashes: Vec<u64> = pairs.map(hash).collect();
    let distinct =
        |part: &dyn Fn(u64) -> u64| hashes.iter().map(|hash| part(*hash)).collect::<HashSet<_>>().len();
    assert_eq!(distinct(&|hash| hash), hashes.len());
    // Of 90,000 thrown at random into 2^17 boxes, some 65,000 are met.
    assert!(distinct(&|hash| hash & 0x1_ffff) > 60_000, "the lowest bits");
    assert_eq!(distinct(&|hash| hash >> 57), 128, "the highest bits");
}

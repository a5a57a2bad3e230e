//! Hashes of names. In: names that addons use. Out: no two are the same.

use std::hash::Hasher;

use super::NameHasher;

fn hash(name: &[u8]) -> u64 {
    let mut hasher = NameHasher::default();
    hasher.write_usize(name.len());
    hasher.write(name);
    hasher.finish()
}

#[test]
fn hashes_of_short_and_long_names_differ() {
    let names: Vec<Vec<u8>> = (b'a'..=b'z')
        .flat_map(|byte| {
            [vec![byte], vec![byte; 8], vec![byte; 9], [b"a long name of ", &[byte][..]].concat()]
        })
        .collect();
    let mut hashes: Vec<u64> = names.iter().map(|name| hash(name)).collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), names.len());
}

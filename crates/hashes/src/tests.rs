//! Every hash against what bun gives.

use super::{Digest, hash};

const VALUES: &str = include_str!("../../../fixtures/runtime/hashes/values.txt");

#[test]
fn hashes_are_those_of_bun() {
    let mut wrong = Vec::new();
    for line in VALUES.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut next = || words.next().expect("a line has a word for each hash");
        let count: usize = next().parse().expect("a length");
        let seed: u64 = next().parse().expect("a seed");
        let bytes: Vec<u8> = (0..count).map(|index| (index * 131 + (index >> 8) * 17 + 7) as u8).collect();
        for number in 0..12 {
            let expected = u64::from_str_radix(next(), 16).expect("a number");
            let found = match hash(number, &bytes, seed) {
                Some(Digest::Word(word)) => u64::from(word),
                Some(Digest::Long(long)) => long,
                None => panic!("there is a hash {number}"),
            };
            if found != expected {
                wrong.push(format!("hash {number} of {count} bytes with seed {seed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ, the first: {:?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

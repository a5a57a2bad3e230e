//! Hashes that no secret hangs on, by the names that `Bun.hash` gives them. In: bytes, a seed. Out:
//! a number of 32 or of 64 bits. All are published algorithms; which variant bun means by a name is
//! what `hashes/tests.rs` holds. Absent: anything to keep attackers off.

mod checksum;
mod city;
mod fold;
mod murmur;
pub mod wyhash;
mod xx;
mod xx3;

/// What a hash gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digest {
    Word(u32),
    Long(u64),
}

/// Names of the hashes, as members of `Bun.hash`, in the order of their numbers.
pub const NAMES: [&str; ALL.len()] = [
    "wyhash",
    "adler32",
    "crc32",
    "cityHash32",
    "cityHash64",
    "xxHash32",
    "xxHash64",
    "xxHash3",
    "murmur32v2",
    "murmur32v3",
    "murmur64v2",
    "rapidhash",
];

/// In the order of [`NAMES`].
const ALL: [fn(&[u8], u64) -> Digest; 12] = [
    |bytes, seed| Digest::Long(fold::wyhash(bytes, seed)),
    |bytes, _| Digest::Word(checksum::adler32(bytes)),
    |bytes, seed| Digest::Word(checksum::crc32(bytes, seed as u32)),
    |bytes, _| Digest::Word(city::city32(bytes)),
    |bytes, seed| Digest::Long(city::city64(bytes, seed)),
    |bytes, seed| Digest::Word(xx::xx32(bytes, seed as u32)),
    |bytes, seed| Digest::Long(xx::xx64(bytes, seed)),
    |bytes, seed| Digest::Long(xx3::xx3(bytes, u64::from(seed as u32))),
    |bytes, seed| Digest::Word(murmur::murmur32_v2(bytes, seed as u32)),
    |bytes, seed| Digest::Word(murmur::murmur32_v3(bytes, seed as u32)),
    |bytes, seed| Digest::Long(murmur::murmur64_v2(bytes, seed)),
    |bytes, seed| Digest::Long(fold::rapidhash(bytes, seed)),
];

pub use xx3::xx3;

/// The hash of this number; `None`: there is none.
pub fn hash(number: usize, bytes: &[u8], seed: u64) -> Option<Digest> {
    ALL.get(number).map(|hash| hash(bytes, seed))
}

/// The words of all of these hashes are little-endian.
fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

fn long(bytes: &[u8], at: usize) -> u64 {
    let mut long = [0; 8];
    long.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(long)
}

#[cfg(test)]
mod tests;

//! Store key of a package. In: its name, its version or source, its integrity. Out: the name of its
//! directory in the store.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sha2::{Digest, Sha256};

/// Hex digits of the hash in a directory name: 128 bits, so that no second package with the same
/// name can be constructed.
const HASH_DIGITS: usize = 32;
/// Bytes of name and of version shown in a directory name; the hash identifies the rest.
const SHOWN_BYTES_MAX: usize = 100;

/// Identifies a package in the store. Two keys are equal if name, version and proof are, and then
/// their directories are, too. Cloning shares the strings.
#[derive(Clone, Debug)]
pub struct Key {
    dir: Arc<str>,
    label: Arc<str>,
}

impl Key {
    /// `version`: a version, or a URL or path instead of one. `proof`: the integrity, or
    /// whatever else tells two tarballs of one version apart (a resolved commit, a file's hash);
    /// empty when nothing is known.
    pub fn new(name: &str, version: &str, proof: &str) -> Key {
        let mut hash = Sha256::new();
        for part in [name, version, proof] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut dir = String::with_capacity(name.len() + version.len() + HASH_DIGITS + 3);
        for part in [name, version] {
            push_shown(&mut dir, part);
            dir.push('@');
        }
        dir.push('@');
        for byte in &hash.finalize()[..HASH_DIGITS / 2] {
            let digit = |nibble| char::from_digit(u32::from(nibble), 16).expect("a nibble is a hex digit");
            dir.extend([digit(byte >> 4), digit(byte & 15)]);
        }
        Key { dir: dir.into(), label: [name, version].join("@").into() }
    }

    /// The directory's name: one path component, no leading dot.
    pub fn dir_name(&self) -> &str {
        &self.dir
    }

    /// `name@version`, for messages.
    pub fn label(&self) -> &str {
        &self.label
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.dir == other.dir
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.dir.hash(state);
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.dir.cmp(&other.dir)
    }
}

/// By the directory's name a key is found among others.
impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.dir
    }
}

/// The string with characters that are safe in a file name: `@babel/core` becomes `@babel+core`.
fn push_shown(dir: &mut String, text: &str) {
    let harmless = |(at, character): (usize, char)| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '-' | '_' | '+' => character,
        '.' if at > 0 => character,
        _ => '+',
    };
    dir.extend(text.chars().take(SHOWN_BYTES_MAX).enumerate().map(harmless));
}

#[cfg(test)]
mod tests;

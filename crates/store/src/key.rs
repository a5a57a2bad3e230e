//! What a stored package is found by. In: its name, its version or source, its integrity. Out: a folder name.

use sha2::{Digest, Sha256};

/// Hex digits of the hash in a folder name: 128 bits, so that nobody finds a second package for one name.
const HASH_DIGITS: usize = 32;
/// Bytes of name and of version shown in a folder name; the hash stands for the rest.
const SHOWN_BYTES_MAX: usize = 100;

/// Names one package in the store. Two keys are equal when name, version and proof are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    folder: String,
    label: String,
}

impl Key {
    /// `version`: a version, or the URL or path that stands for one. `proof`: the integrity, or whatever else tells
    /// two tarballs of one version apart (a resolved commit, a file's hash); empty when nothing is known.
    pub fn new(name: &str, version: &str, proof: &str) -> Key {
        let mut hash = Sha256::new();
        for part in [name, version, proof] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut folder = format!("{}@{}@@", shown(name), shown(version));
        for byte in &hash.finalize()[..HASH_DIGITS / 2] {
            folder.push_str(&format!("{byte:02x}"));
        }
        Key { folder, label: format!("{name}@{version}") }
    }

    /// The folder's name: one path component, no leading dot.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// `name@version`, for messages.
    pub fn label(&self) -> &str {
        &self.label
    }
}

/// The text in characters that are harmless in a file name: `@babel/core` reads `@babel+core`.
fn shown(text: &str) -> String {
    let harmless = |(at, character): (usize, char)| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '-' | '_' | '+' => character,
        '.' if at > 0 => character,
        _ => '+',
    };
    text.chars().take(SHOWN_BYTES_MAX).enumerate().map(harmless).collect()
}

#[cfg(test)]
mod tests;

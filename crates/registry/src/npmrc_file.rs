//! Changes of one key in a user's `.npmrc`. Other lines stay as they are. The file holds tokens, so
//! only its owner may read it.

use std::path::Path;

use rusk_base::{Result, files};

/// A larger file is refused.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Who may read the file afterwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    Owner,
    /// As the file is, or by the umask.
    All,
}

/// Sets a key in the user's file, or removes it.
pub fn set(file: &Path, key: &str, value: Option<&str>) -> Result<()> {
    set_for(file, key, value, Readers::Owner)
}

/// As [`set`], in any file.
pub fn set_for(file: &Path, key: &str, value: Option<&str>, readers: Readers) -> Result<()> {
    let text = files::find_string(file, FILE_BYTES_MAX)?.unwrap_or_default();
    let changed = with_key(&text, key, value);
    match changed == text {
        true => Ok(()),
        false if readers == Readers::All => files::write_atomically(file, changed.as_bytes()),
        false => files::write_private(file, changed.as_bytes()),
    }
}

/// The text with the key in its first place, or at the end.
fn with_key(text: &str, key: &str, value: Option<&str>) -> String {
    let is_key = |line: &str| line.split_once('=').is_some_and(|(name, _)| name.trim() == key);
    let mut lines: Vec<String> = Vec::new();
    let mut value = value.map(|value| format!("{key}={value}"));
    for line in text.lines() {
        match is_key(line) {
            true => lines.extend(value.take()),
            false => lines.push(line.to_owned()),
        }
    }
    lines.extend(value);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;

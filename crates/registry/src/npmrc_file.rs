//! Changes of one key in a user's `.npmrc`. Other lines stay as they are. The file holds tokens, so
//! only its owner may read it. A line that would be read as anything but its own key is refused: a
//! registry's response must not become settings of its own choice.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::npmrc::{Layer, Variables};

use crate::problem;

/// A larger file is refused.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Who may read the file afterwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    Owner,
    /// As the file is, or by the umask.
    All,
}

/// The longest known tokens, signed claims of some providers, have some kilobytes.
const TOKEN_BYTES_MAX: usize = 16 << 10;

/// Saves a registry's token for `//host/path/`.
pub fn set_token(file: &Path, prefix: &str, token: &str) -> Result<()> {
    match is_token(token) {
        true => set(file, &format!("{prefix}:_authToken"), Some(token)),
        false => Err(problem::bad_token(prefix)),
    }
}

/// `b68token` of RFC 6750, and colons, which some registries have in theirs. Neither an end of line
/// nor `${NAME}`, which would be replaced by a variable when the file is read.
pub fn is_token(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=:".contains(&byte);
    (1..=TOKEN_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_plain)
}

/// Sets a key in the user's file, or removes it.
pub fn set(file: &Path, key: &str, value: Option<&str>) -> Result<()> {
    set_for(file, key, value, Readers::Owner)
}

/// As [`set`], in any file.
pub fn set_for(file: &Path, key: &str, value: Option<&str>, readers: Readers) -> Result<()> {
    if value.is_some_and(|value| !is_setting(key, value)) {
        return Err(problem::bad_npmrc_line(key));
    }
    let text = files::find_string(file, FILE_BYTES_MAX)?.unwrap_or_default();
    let changed = with_key(&text, key, value);
    match changed == text {
        true => Ok(()),
        false if readers == Readers::All => files::write_through_links(file, changed.as_bytes()),
        false => files::write_private(file, changed.as_bytes()),
    }
}

/// Whether the line of a key and its value is read as that key.
fn is_setting(key: &str, value: &str) -> bool {
    let line = format!("{key}={value}");
    let name = key.strip_suffix("[]").unwrap_or(key);
    !line.contains(['\n', '\r', '\0']) && Layer::parse(&line, &Variables::new()).keys().eq([name])
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

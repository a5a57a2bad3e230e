//! Which words of yarn.lock are quoted. In: a word. Out: the word as it stands in the file.

use rusk_npm::json::quote_into;

/// As Yarn 1: what does not begin with an alphabetic character, or has a character of the syntax.
pub(super) fn classic(word: &str) -> String {
    let is_plain = word.starts_with(|first: char| first.is_ascii_alphabetic())
        && !word.starts_with("true")
        && !word.starts_with("false")
        && !word.contains(|it: char| it.is_whitespace() || matches!(it, ':' | '\\' | '"' | ',' | '[' | ']'));
    if is_plain { word.to_owned() } else { quoted(word) }
}

pub(super) fn quoted(word: &str) -> String {
    let mut out = String::with_capacity(word.len() + 2);
    quote_into(&mut out, word);
    out
}

/// As Yarn 2 and newer: what YAML would not read as a string.
pub(super) fn berry(word: &str) -> String {
    let is_special = |it: char| matches!(it, ',' | ']' | '[' | '{' | '}' | ':' | '#') || it.is_control();
    let is_first = |it: char| !is_special(it) && !"-?&*!|>'\"%@` \t".contains(it);
    let is_plain = word.starts_with(is_first) && !word.contains(is_special) && word.trim_end() == word;
    if is_plain { word.to_owned() } else { quoted(word) }
}

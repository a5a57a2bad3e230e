//! The order in which npm writes keys: `localeCompare` of JavaScript with the locale `en`, that is
//! the root collation of CLDR. In: two strings. Out: their order. Absent: characters outside ASCII,
//! which come last, in the order of their code points: names of packages have none.

use std::cmp::Ordering;

/// Punctuation in the order of the collation, before digits and alphabetic characters.
const PUNCTUATION: &[u8] = b" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

pub fn compare(a: &str, b: &str) -> Ordering {
    let primary = a.chars().map(weight).cmp(b.chars().map(weight));
    // Equal but for case: lower case comes first.
    let case = || a.chars().map(|c| c.is_ascii_uppercase()).cmp(b.chars().map(|c| c.is_ascii_uppercase()));
    primary.then_with(case)
}

fn weight(character: char) -> u32 {
    const DIGITS: u32 = 100;
    const ALPHABETIC: u32 = 200;
    match character {
        '0'..='9' => DIGITS + (character as u32 - '0' as u32),
        'a'..='z' | 'A'..='Z' => ALPHABETIC + (character.to_ascii_lowercase() as u32 - 'a' as u32),
        _ if character.is_ascii() => {
            let at = PUNCTUATION.iter().position(|&byte| char::from(byte) == character);
            at.map_or(0, |at| 1 + at as u32)
        }
        _ => 1000 + character as u32,
    }
}

#[cfg(test)]
mod tests;

//! NODE_OPTIONS. In: its text. Out: what of it begins a program: what is loaded first, conditions.
//! The program's own half reads the rest for itself. Absent: flags that only a command line may
//! have.

use rusk_base::Result;
use rusk_runtime::Preload;

use super::table::{Does, LIMITS, ROWS};
use super::{check_choice, name_of};
use crate::problem;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub preloads: Vec<Preload>,
    pub conditions: Vec<String>,
}

impl Options {
    /// Refuses what is refused on the command line, too.
    pub fn parse(text: &str) -> Result<Options> {
        let mut options = Options::default();
        let mut words = split(text).into_iter();
        while let Some(word) = words.next() {
            let name = name_of(&word);
            if LIMITS.contains(&name) {
                return Err(problem::no_permissions(name));
            }
            let Some(row) = ROWS.iter().find(|row| row.names.contains(&name)) else { continue };
            if row.takes.is_none() {
                continue;
            }
            let value = match word.split_once('=') {
                Some((_, value)) => value.to_owned(),
                None => words.next().ok_or_else(|| problem::program_value_missing(&word))?,
            };
            match row.does {
                Does::Preload(way) => options.preloads.push(Preload::new(way, value)),
                Does::Condition => options.conditions.push(value),
                Does::Choose(words) => check_choice(name, words, &value)?,
                _ => {}
            }
        }
        Ok(options)
    }
}

/// As Node does: blanks part words, quotation marks keep them, and a backslash between those keeps
/// what follows.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' if is_quoted => word.get_or_insert_default().extend(letters.next()),
            ' ' if !is_quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests;

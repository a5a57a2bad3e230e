//! Edits of pnpm-workspace.yaml that preserve the rest of the file. In: the text, an entry of a
//! catalog, or a patch. Out: the new text, which was read again and has the entry. Absent: maps in
//! braces, which are refused.

use rusk_base::Result;
use rusk_npm::json::{self, Dialect};

use super::FILE_NAME;
use crate::problem;

/// Indentation of a map that has no entry yet: that of pnpm.
const INDENT_DEFAULT: usize = 2;

/// Sets an entry of a catalog; the default one is the empty string. A new entry goes where its name
/// sorts, a new catalog to the end of the file.
pub fn set_catalog_entry(text: &str, catalog: &str, name: &str, literal: &str) -> Result<String> {
    let path: &[&str] = if catalog.is_empty() { &["catalog"] } else { &["catalogs", catalog] };
    set_entry(text, path, name, literal)
}

/// Sets the patch of a package.
pub fn set_patch(text: &str, package: &str, path: &str) -> Result<String> {
    set_entry(text, &[super::PATCHES], package, path)
}

fn set_entry(text: &str, path: &[&str], name: &str, literal: &str) -> Result<String> {
    let edited = Lines::of(text).set(path, name, literal);
    // What was written must say what was meant, whatever the file looked like.
    match edited.filter(|edited| entry(edited, path, name).as_deref() == Some(literal)) {
        Some(edited) => Ok(edited),
        None => Err(problem::pnpm_workspace_edit(FILE_NAME, path.last().copied().unwrap_or_default(), name)),
    }
}

/// The value at a path of keys.
fn entry(text: &str, path: &[&str], name: &str) -> Option<String> {
    let json = rusk_data_formats::yaml(text).ok()?;
    let document = json::parse(&json, Dialect::Strict).ok()?;
    let mut node = document.find("value")?;
    for key in path {
        node = node.find(key)?;
    }
    node.find(name)?.as_str().map(str::to_owned)
}

struct Lines<'t> {
    lines: Vec<&'t str>,
    newline: &'static str,
}

/// The lines of a map's entries.
struct Block {
    /// The first line after the key.
    start: usize,
    end: usize,
    indent: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        Lines { lines: text.lines().collect(), newline: if text.contains("\r\n") { "\r\n" } else { "\n" } }
    }

    /// `None` where a map is not written as lines.
    fn set(&self, path: &[&str], name: &str, literal: &str) -> Option<String> {
        let mut block = Block { start: 0, end: self.lines.len(), indent: 0 };
        for (depth, key) in path.iter().enumerate() {
            let Some(at) = self.find(&block, key) else {
                let new = new_block(&path[depth..], name, literal, block.indent);
                return Some(self.insert(self.last_line(&block), &new));
            };
            let (_, value) = split(self.lines[at])?;
            if !value.is_empty() && !value.starts_with('#') {
                return None;
            }
            block = self.inside(at, block.end, block.indent);
        }
        let line = format!("{}{}: {}", " ".repeat(block.indent), quoted(name), quoted(literal));
        if let Some(at) = self.find(&block, name) {
            let (_, value) = split(self.lines[at])?;
            let comment = value.find(" #").map_or("", |at| &value[at..]);
            return Some(self.replace(at, &format!("{line}{comment}")));
        }
        let entries = (block.start..block.end).filter(|&at| self.indent_of(at) == Some(block.indent));
        let next = entries.filter(|&at| split(self.lines[at]).is_some_and(|(key, _)| *key > *name)).min();
        Some(self.insert(next.unwrap_or_else(|| self.last_line(&block)), &[line]))
    }

    /// The line of a key in a block.
    fn find(&self, block: &Block, key: &str) -> Option<usize> {
        (block.start..block.end).find(|&at| {
            self.indent_of(at) == Some(block.indent)
                && split(self.lines[at]).is_some_and(|(found, _)| found == key)
        })
    }

    /// The lines below a key: those that are indented more.
    fn inside(&self, at: usize, end: usize, indent: usize) -> Block {
        let start = at + 1;
        let is_outside = |&line: &usize| self.indent_of(line).is_some_and(|found| found <= indent);
        let end = (start..end).find(is_outside).unwrap_or(end);
        let inner = (start..end).find_map(|line| self.indent_of(line));
        Block { start, end, indent: inner.unwrap_or(indent + INDENT_DEFAULT) }
    }

    /// After the last entry of a block, before blank lines and comments that follow it.
    fn last_line(&self, block: &Block) -> usize {
        (block.start..block.end)
            .rev()
            .find(|&at| self.indent_of(at).is_some())
            .map_or(block.start, |at| at + 1)
    }

    /// `None` for a blank line and a comment.
    fn indent_of(&self, at: usize) -> Option<usize> {
        let line = self.lines[at];
        let rest = line.trim_start_matches(' ');
        (!rest.is_empty() && !rest.starts_with('#')).then_some(line.len() - rest.len())
    }

    fn insert(&self, at: usize, new: &[String]) -> String {
        let (before, after) = self.lines.split_at(at.min(self.lines.len()));
        let all = before.iter().copied().chain(new.iter().map(String::as_str)).chain(after.iter().copied());
        self.join(all)
    }

    fn replace(&self, at: usize, new: &str) -> String {
        self.join(self.lines.iter().enumerate().map(|(line, text)| if line == at { new } else { text }))
    }

    fn join<'l>(&self, lines: impl Iterator<Item = &'l str>) -> String {
        lines.flat_map(|line| [line, self.newline]).collect()
    }
}

/// Lines of maps below one another, the last with one entry.
fn new_block(keys: &[&str], name: &str, literal: &str, indent: usize) -> Vec<String> {
    let line = |depth: usize, text: String| format!("{}{text}", " ".repeat(indent + depth * INDENT_DEFAULT));
    let mut lines: Vec<String> =
        keys.iter().enumerate().map(|(depth, key)| line(depth, format!("{}:", quoted(key)))).collect();
    lines.push(line(keys.len(), format!("{}: {}", quoted(name), quoted(literal))));
    lines
}

/// Key and value of a line, without quotes around the key.
fn split(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let quote = line.chars().next().filter(|first| matches!(first, '"' | '\''));
    let (key, rest) = match quote {
        Some(quote) => line[1..].split_once(quote)?,
        None => line.split_at(line.find(": ").or_else(|| line.strip_suffix(':').map(str::len))?),
    };
    Some((key, rest.trim_start().strip_prefix(':')?.trim()))
}

/// Words that YAML reads as something else than a string.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// A plain scalar where that means the same string, else one in single quotes.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./^~+".contains(letter);
    let starts_plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '^');
    let is_word = WORDS.contains(&text.to_ascii_lowercase().as_str());
    match (starts_plain || is_full_version(text)) && text.chars().all(is_plain) && !is_word {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "''")),
    }
}

/// `1.2.3` or `~1.2.3`: with two dots, it is no number.
fn is_full_version(text: &str) -> bool {
    let version = text.strip_prefix('~').unwrap_or(text);
    version.starts_with(|first: char| first.is_ascii_digit()) && version.split('.').count() == 3
}

#[cfg(test)]
mod tests;

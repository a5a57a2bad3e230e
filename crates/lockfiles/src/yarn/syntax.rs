//! The syntax of yarn.lock, of both generations: keys and values by indentation. Yarn 1 writes
//! `key value` and lists of keys, later versions write YAML with `key: value`. In: the text. Out:
//! blocks that borrow from it and know their lines. Absent: all other YAML.

use std::borrow::Cow;

use rusk_base::Result;
use rusk_npm::json::{self, Dialect};

use crate::problem;

pub(super) const FILE: &str = "yarn.lock";

/// Deeper blocks do not exist: entries have groups, and those have names.
const DEPTH_MAX: usize = 8;

/// Two blanks for each level.
const INDENT: usize = 2;

/// A key with its value or with the blocks below it.
#[derive(Clone, Debug)]
pub(super) struct Block<'t> {
    /// One, but for entries of Yarn 1.
    pub keys: Vec<Cow<'t, str>>,
    /// `None` for a block with others below it.
    pub value: Option<Cow<'t, str>>,
    pub children: Vec<Block<'t>>,
    pub line: usize,
    /// From its first line to the end of its last one, without the newline.
    pub start: usize,
    pub end: usize,
    /// Where the line after the keys begins.
    pub body: usize,
}

impl<'t> Block<'t> {
    pub fn find(&self, key: &str) -> Option<&Block<'t>> {
        self.children.iter().find(|child| child.key() == key)
    }

    /// The value of a key; empty values are none.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.find(key)?.value.as_deref().filter(|value| !value.is_empty())
    }

    pub fn key(&self) -> &str {
        self.keys.first().map_or("", |key| key)
    }

    /// Names and values below a key.
    pub fn pairs(&self, key: &str) -> impl Iterator<Item = (&str, &str)> {
        let children = self.find(key).map_or(&[][..], |group| &group.children);
        children.iter().filter_map(|child| Some((child.key(), child.value.as_deref()?)))
    }
}

pub(super) fn parse(text: &str) -> Result<Vec<Block<'_>>> {
    if let Some(line) = conflict(text) {
        return Err(problem::conflict(FILE, line));
    }
    // The block that is open at each level; the first is the file itself.
    let mut open: Vec<Block<'_>> = vec![file(text)];
    for line in Lines::of(text) {
        let content = line.text.trim_start_matches(' ');
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let depth = (line.text.len() - content.len()) / INDENT + 1;
        let error = |expected: &str| problem::entry(FILE, line.number, expected);
        // Long keys have a line of their own: `? "a, b"`, then `:` on the next line.
        let follows_key = |block: &Block<'_>| block.value.is_none() && block.body == line.start;
        if content == ":" && open.get(depth).is_some_and(follows_key) {
            open[depth].body = line.next;
            continue;
        }
        if depth > open.len() || depth > DEPTH_MAX || depth > 1 && open[depth - 1].value.is_some() {
            return Err(error("less indentation"));
        }
        close(&mut open, depth);
        let mut block = Scanner { rest: content.strip_prefix("? ").unwrap_or(content) }
            .block(content.starts_with("? "))
            .ok_or_else(|| error("`key value` or `key:`"))?;
        (block.line, block.start) = (line.number, line.start);
        (block.end, block.body) = (line.end, line.next);
        open.push(block);
        let end = line.end;
        open.iter_mut().for_each(|block| block.end = end);
    }
    close(&mut open, 1);
    Ok(open.pop().map(|file| file.children).unwrap_or_default())
}

fn file(text: &str) -> Block<'_> {
    Block { keys: vec![], value: None, children: vec![], line: 1, start: 0, end: text.len(), body: 0 }
}

/// Puts the open blocks from `depth` on below those that they are in.
fn close(open: &mut Vec<Block<'_>>, depth: usize) {
    while open.len() > depth {
        let block = open.pop().expect("one more than the file");
        open.last_mut().expect("the file stays open").children.push(block);
    }
}

/// git's marks lead to an error that would not say what happened.
fn conflict(text: &str) -> Option<usize> {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    let index = text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark)))?;
    Some(index + 1)
}

struct Line<'t> {
    text: &'t str,
    number: usize,
    start: usize,
    end: usize,
    /// Where the next line begins.
    next: usize,
}

struct Lines<'t> {
    text: &'t str,
    at: usize,
    number: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        Lines { text, at: 0, number: 0 }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        let start = self.at;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').unwrap_or(rest.len());
        self.at = (start + length + 1).min(self.text.len());
        self.number += 1;
        let text = rest[..length].trim_end_matches('\r');
        Some(Line { text, number: self.number, start, end: start + text.len(), next: self.at })
    }
}

/// Reads one line.
struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    fn block(mut self, is_key_alone: bool) -> Option<Block<'t>> {
        let mut block = file("");
        block.keys.push(self.key()?);
        while let Some(rest) = self.rest.strip_prefix(',') {
            self.rest = rest.trim_start();
            block.keys.push(self.key()?);
        }
        if is_key_alone && self.rest.is_empty() {
            return Some(block);
        }
        let has_colon = self.rest.starts_with(':');
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        if self.rest.trim().is_empty() {
            return has_colon.then_some(block);
        }
        self.rest = self.rest.strip_prefix(' ')?.trim();
        block.value = Some(match self.rest.starts_with('"') {
            true => self.quoted().filter(|_| self.rest.is_empty())?,
            false => Cow::Borrowed(self.rest),
        });
        Some(block)
    }

    fn key(&mut self) -> Option<Cow<'t, str>> {
        if self.rest.starts_with('"') {
            return self.quoted();
        }
        let is_end = |character: char| matches!(character, ':' | ',' | ' ' | '\t');
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let key = &self.rest[..end];
        self.rest = &self.rest[end..];
        (!key.is_empty()).then_some(Cow::Borrowed(key))
    }

    fn quoted(&mut self) -> Option<Cow<'t, str>> {
        let mut is_escaped = false;
        let end = self.rest.bytes().skip(1).position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        })?;
        let (quoted, rest) = self.rest.split_at(end + 2);
        self.rest = rest;
        let inner = &quoted[1..quoted.len() - 1];
        if !inner.contains('\\') {
            return Some(Cow::Borrowed(inner));
        }
        let parsed = json::parse(quoted, Dialect::Strict).ok()?;
        parsed.as_str().map(|text| Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;

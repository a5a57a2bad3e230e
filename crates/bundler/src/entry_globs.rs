//! Entry points that are patterns: `src/pages/*.html`. In: entry points as written. Out: files in
//! the order of their names. Absent: patterns of the shell, which has expanded its own.

use std::path::Path;

use crate::glob_import::searched_entries;

/// Directories below each other.
const DEPTH_MAX: usize = 64;

/// Files of one pattern.
const FILES_MAX: usize = 100_000;

/// Replaces patterns by the files that they match. Names of files that exist are no patterns, and
/// what matches nothing stays.
pub fn expand_entries(current_dir: &Path, entries: Vec<String>) -> Vec<String> {
    let mut expanded: Vec<String> = Vec::with_capacity(entries.len());
    for entry in entries {
        let matched = match is_pattern(&entry) && !current_dir.join(&entry).exists() {
            true => find_matches(current_dir, &entry),
            false => Vec::new(),
        };
        match matched.is_empty() {
            true => expanded.push(entry),
            false => expanded
                .extend(matched.into_iter().filter(|file| !expanded.contains(file)).collect::<Vec<_>>()),
        }
    }
    expanded
}

fn is_pattern(entry: &str) -> bool {
    entry.contains(['*', '?', '[', '{'])
}

fn find_matches(current_dir: &Path, pattern: &str) -> Vec<String> {
    // The directory before the first wildcard is where the walk begins.
    let fixed: Vec<&str> = pattern.split('/').take_while(|part| !is_pattern(part)).collect();
    let prefix = if fixed.is_empty() { String::new() } else { format!("{}/", fixed.join("/")) };
    let Some(rest) = pattern.strip_prefix(&prefix) else { return Vec::new() };
    let mut walk = EntrySearch { pattern: rest, prefix: &prefix, found: Vec::new() };
    walk.directory(&current_dir.join(&prefix), String::new(), DEPTH_MAX);
    walk.found.sort();
    walk.found
}

struct EntrySearch<'w> {
    pattern: &'w str,
    prefix: &'w str,
    found: Vec<String>,
}

impl EntrySearch<'_> {
    fn directory(&mut self, directory: &Path, relative: String, depth: usize) {
        for (name, entry) in searched_entries(directory) {
            let path = format!("{relative}{name}");
            let is_directory = entry.path().is_dir();
            if is_directory && depth > 0 && self.found.len() < FILES_MAX {
                self.directory(&entry.path(), format!("{path}/"), depth - 1);
            } else if !is_directory && fast_glob::glob_match(self.pattern, &path) {
                self.found.push(format!("{}{path}", self.prefix));
            }
        }
    }
}

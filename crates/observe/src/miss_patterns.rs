//! Patterns of failed lookups: a missing directory, or a directory whose entries could be listed
//! once instead. In: paths with their counts. Out: [`MissPattern`]s, the one that would save most
//! first. A directory counts as missing if nothing was found at or below it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::paths::{PathStats, Paths};

/// Failed lookups that one change would avoid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissPattern {
    /// A path, with `**` for any directories and `*` for any name.
    pub text: String,
    pub suggestion: Suggestion,
    pub misses: u64,
    /// Distinct paths that it matches.
    pub paths: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// The directory does not exist: one lookup of the directory is enough.
    Absent,
    /// A file of this name is missing in several directories.
    Name,
    /// The directory exists: its entries can be listed once.
    List,
}

/// A name that is missing in at least this many directories is a pattern of its own.
const SAME_NAME_MIN: usize = 3;

/// A single failed lookup is no pattern.
const MISSES_MIN: u64 = 2;

/// The first `count` patterns.
pub fn find(paths: &Paths, count: usize) -> Vec<MissPattern> {
    let existing = existing(paths);
    let mut absent: HashMap<&str, MissGroup<'_>> = HashMap::new();
    let mut names: HashMap<&str, MissGroup<'_>> = HashMap::new();
    let failed: Vec<(&str, u64)> =
        paths.iter().filter_map(|(path, stats)| Some((path, misses(stats)?))).collect();
    let mut in_directories = Vec::new();
    for (path, misses) in failed.into_iter().filter(|(path, _)| path.starts_with('/')) {
        match prefixes(path).find(|prefix| !existing.contains(prefix)) {
            Some(gone) if gone.len() < path.len() => absent.entry(last(gone)).or_default().add(gone, misses),
            _ => {
                names.entry(last(path)).or_default().add(parent(path), misses);
                in_directories.push((path, misses));
            }
        }
    }
    names.retain(|_, group| group.paths.len() >= SAME_NAME_MIN);
    let mut listed: HashMap<&str, MissGroup<'_>> = HashMap::new();
    for (path, misses) in in_directories.into_iter().filter(|(path, _)| !names.contains_key(last(path))) {
        listed.entry(parent(path)).or_default().add(path, misses);
    }
    let absent = absent.into_iter().map(|(name, group)| {
        let directories: BTreeSet<&str> = group.paths.iter().map(|directory| parent(directory)).collect();
        group.pattern(Suggestion::Absent, spread(&directories, name))
    });
    let names =
        names.into_iter().map(|(name, group)| group.pattern(Suggestion::Name, spread(&group.paths, name)));
    let listed =
        listed.into_iter().map(|(directory, group)| group.pattern(Suggestion::List, joined(directory, "*")));
    let mut patterns: Vec<MissPattern> = absent.chain(names).chain(listed).collect();
    patterns.retain(|pattern| pattern.misses >= MISSES_MIN);
    patterns.sort_by(|left, right| right.misses.cmp(&left.misses).then_with(|| left.text.cmp(&right.text)));
    patterns.truncate(count);
    patterns
}

#[derive(Default)]
struct MissGroup<'a> {
    misses: u64,
    paths: BTreeSet<&'a str>,
}

impl<'a> MissGroup<'a> {
    fn add(&mut self, place: &'a str, misses: u64) {
        self.misses += misses;
        self.paths.insert(place);
    }

    fn pattern(&self, suggestion: Suggestion, text: String) -> MissPattern {
        MissPattern { text, suggestion, misses: self.misses, paths: self.paths.len() }
    }
}

/// Every path where something was found, and its ancestors.
fn existing(paths: &Paths) -> HashSet<&str> {
    paths.iter().filter(|(_, stats)| stats.exists).flat_map(|(path, _)| prefixes(path)).collect()
}

/// The number of failed lookups; `None` if the path existed at any time.
fn misses(stats: &PathStats) -> Option<u64> {
    let misses: u64 = stats.failed.iter().sum();
    (misses > 0 && !stats.exists).then_some(misses)
}

/// The ancestors of a path and the path itself: `/a`, `/a/b` and so on.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    let path = path.trim_end_matches('/');
    let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
    ends.map(|end| &path[..end])
}

fn parent(path: &str) -> &str {
    path.trim_end_matches('/').rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// The pattern of a name in each of these directories.
fn spread(directories: &BTreeSet<&str>, name: &str) -> String {
    let shared = match (directories.first(), directories.last()) {
        (Some(first), Some(last)) if first != last => shared(first, last),
        (Some(only), _) => return joined(only, name),
        _ => "",
    };
    joined(&joined(shared, "**"), name)
}

/// The common ancestor of first and last; since they are sorted, it is that of all.
fn shared<'a>(first: &'a str, last: &str) -> &'a str {
    let same = first.split('/').zip(last.split('/')).take_while(|(left, right)| left == right);
    let bytes: usize = same.map(|(part, _)| part.len() + 1).sum();
    &first[..bytes.saturating_sub(1)]
}

fn joined(directory: &str, name: &str) -> String {
    format!("{directory}/{name}")
}

#[cfg(test)]
mod tests;

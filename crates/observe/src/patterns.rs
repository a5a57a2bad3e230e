//! What looks in vain have in common: the folder that is not there, or the folder whose names could
//! be read once. In: paths with their counts. Out: [`Pattern`]s, the one that would save most
//! first. A folder counts as absent when nothing was found at it or below it; of what nobody looked
//! at, nothing is known.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::paths::{Paths, Seen};

/// Misses that one change would remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// A path, with `**` for any folders between and `*` for any name.
    pub text: String,
    pub remedy: Remedy,
    pub misses: u64,
    /// Different places that it stands for.
    pub places: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The folder is not there: to look for it once is enough.
    Absent,
    /// A file of this name is not there, in several folders.
    Name,
    /// The folder is there: its names can be read once.
    List,
}

/// From so many folders on, a name that is in none of them is a pattern of its own.
const SAME_NAME_MIN: usize = 3;

/// One miss needs no pattern.
const MISSES_MIN: u64 = 2;

/// The first `count` patterns of what was looked for in vain.
pub fn find(paths: &Paths, count: usize) -> Vec<Pattern> {
    let existing = existing(paths);
    let mut absent: HashMap<&str, Group<'_>> = HashMap::new();
    let mut names: HashMap<&str, Group<'_>> = HashMap::new();
    let missed: Vec<(&str, u64)> =
        paths.iter().filter_map(|(path, seen)| Some((path, misses(seen)?))).collect();
    let mut in_folders = Vec::new();
    for (path, misses) in missed.into_iter().filter(|(path, _)| path.starts_with('/')) {
        match prefixes(path).find(|prefix| !existing.contains(prefix)) {
            Some(gone) if gone.len() < path.len() => absent.entry(last(gone)).or_default().add(gone, misses),
            _ => {
                names.entry(last(path)).or_default().add(parent(path), misses);
                in_folders.push((path, misses));
            }
        }
    }
    names.retain(|_, group| group.places.len() >= SAME_NAME_MIN);
    let mut listed: HashMap<&str, Group<'_>> = HashMap::new();
    for (path, misses) in in_folders.into_iter().filter(|(path, _)| !names.contains_key(last(path))) {
        listed.entry(parent(path)).or_default().add(path, misses);
    }
    let absent = absent.into_iter().map(|(name, group)| {
        let folders: BTreeSet<&str> = group.places.iter().map(|folder| parent(folder)).collect();
        group.pattern(Remedy::Absent, spread(&folders, name))
    });
    let names =
        names.into_iter().map(|(name, group)| group.pattern(Remedy::Name, spread(&group.places, name)));
    let listed = listed.into_iter().map(|(folder, group)| group.pattern(Remedy::List, joined(folder, "*")));
    let mut patterns: Vec<Pattern> = absent.chain(names).chain(listed).collect();
    patterns.retain(|pattern| pattern.misses >= MISSES_MIN);
    patterns.sort_by(|left, right| right.misses.cmp(&left.misses).then_with(|| left.text.cmp(&right.text)));
    patterns.truncate(count);
    patterns
}

#[derive(Default)]
struct Group<'a> {
    misses: u64,
    places: BTreeSet<&'a str>,
}

impl<'a> Group<'a> {
    fn add(&mut self, place: &'a str, misses: u64) {
        self.misses += misses;
        self.places.insert(place);
    }

    fn pattern(&self, remedy: Remedy, text: String) -> Pattern {
        Pattern { text, remedy, misses: self.misses, places: self.places.len() }
    }
}

/// Every path where something was found, and every folder above it.
fn existing(paths: &Paths) -> HashSet<&str> {
    paths.iter().filter(|(_, seen)| seen.exists).flat_map(|(path, _)| prefixes(path)).collect()
}

/// Looks for what is not there; `None` of what was found, also later.
fn misses(seen: &Seen) -> Option<u64> {
    let misses: u64 = seen.missed.iter().sum();
    (misses > 0 && !seen.exists).then_some(misses)
}

/// `/a`, `/a/b` and so on up to the path itself.
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

/// A name in each of these folders.
fn spread(folders: &BTreeSet<&str>, name: &str) -> String {
    let shared = match (folders.first(), folders.last()) {
        (Some(first), Some(last)) if first != last => shared(first, last),
        (Some(only), _) => return joined(only, name),
        _ => "",
    };
    joined(&joined(shared, "**"), name)
}

/// The folder that both lie in or are; sorted first and last, so it holds for all between.
fn shared<'a>(first: &'a str, last: &str) -> &'a str {
    let same = first.split('/').zip(last.split('/')).take_while(|(left, right)| left == right);
    let bytes: usize = same.map(|(part, _)| part.len() + 1).sum();
    &first[..bytes.saturating_sub(1)]
}

fn joined(folder: &str, name: &str) -> String {
    format!("{folder}/{name}")
}

#[cfg(test)]
mod tests;

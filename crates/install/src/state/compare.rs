//! Compares a record with the disk. In: a record, the project, open. Out: the part of it that is
//! certain. A directory that was complete when its fingerprint was taken, and has the same one, is
//! unchanged: its entries are not checked. So in an unchanged project only the directories of
//! locations are checked.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::os::fd::BorrowedFd;

use rusk_base::sys::statx_batch::StatxStrategy;

use super::file_stat::StatCache;
use super::{
    BY_DIRECTORY, CLOCK_STEP_NS, COMPLETE, EXACT, EntryFingerprint, HEAD, KIND, foreign_entries, is_ours,
    link_is_current, parents, parse_kind, state_dir,
};
use crate::layout::LayoutKind;
use crate::plan::{BinLinks, Completeness, InstalledTree};

pub fn compare(record: &state_dir::StateFile, project: BorrowedFd<'_>) -> InstalledTree {
    let Some((kind, lines)) = parse(&record.text) else { return InstalledTree::default() };
    let (mut locations, mut fingerprints) = (Vec::new(), HashMap::new());
    let (mut programs, mut unchanged) = (BinLinks::Unchanged, Vec::new());
    let mut changed: BTreeSet<&str> = BTreeSet::new();
    let mut links: Vec<(&str, &str)> = Vec::new();
    let stats = StatResults::take(project, &lines);
    // One directory has many lines, and its parents even more.
    let (mut dir, mut reached, mut is_reached) = ("", "", true);
    for line in &lines {
        if line.parent() != dir {
            dir = line.parent();
            is_reached = parents(line.path()).all(|dir| is_within(reached, dir) || stats.is_dir(dir));
            reached = if is_reached { dir } else { "" };
        }
        match *line {
            _ if !is_reached => {}
            RecordLine::Link { path, stamp } => links.push((path, stamp)),
            RecordLine::Location { path, stamp, fingerprint } => {
                if let Some(fingerprint) = EntryFingerprint::parse(fingerprint)
                    .filter(|fingerprint| stats.is_location(path, *fingerprint))
                {
                    locations.push((path.to_owned(), stamp.to_owned()));
                    fingerprints.insert(path.to_owned(), fingerprint);
                }
            }
            RecordLine::Directory { path, fingerprint, certainty } => {
                let found = stats.cache.directory_fingerprint(path);
                let is_old = || found.is_some_and(|found| found.time_ns + CLOCK_STEP_NS < record.written_ns);
                let sure =
                    stats.cache.find_unchanged(path, fingerprint).filter(|_| certainty != Certainty::Coarse);
                let is_same = sure.is_some() || certainty == Certainty::Coarse && found == Some(fingerprint);
                if path.ends_with("/.bin") {
                    programs = if is_same { programs } else { BinLinks::Changed };
                } else if is_same && (sure.is_some() || is_old()) {
                    unchanged.extend(sure.map(|found| (path.to_owned(), *found)));
                } else if stats.is_dir(path) {
                    changed.insert(path);
                }
            }
        }
    }
    for (path, stamp) in links {
        if !changed.contains(parent_of(path)) || link_is_current(project, path, stamp) {
            locations.push((path.to_owned(), stamp.to_owned()));
        }
    }
    // Collected at once: inserting one by one would compare long names with a common prefix.
    let mut locations: BTreeMap<String, String> = locations.into_iter().collect();
    for dir in changed {
        let found = foreign_entries(project, dir, &locations);
        locations.extend(found.into_iter().map(|(path, stamp)| (path, stamp.to_owned())));
    }
    let unchanged = unchanged.into_iter().collect();
    InstalledTree { locations, fingerprints, unchanged, programs, completeness: Completeness::Complete, kind }
}

/// Number of locations in a record; `None` if it is not complete.
pub fn count_locations(text: &str) -> Option<usize> {
    let (_, lines) = parse(text)?;
    Some(lines.iter().filter(|line| !matches!(line, RecordLine::Directory { .. })).count())
}

/// A line of the record.
enum RecordLine<'a> {
    Location {
        path: &'a str,
        stamp: &'a str,
        fingerprint: &'a str,
    },
    /// A link to another location.
    Link {
        path: &'a str,
        stamp: &'a str,
    },
    /// A directory of locations or programs.
    Directory {
        path: &'a str,
        fingerprint: EntryFingerprint,
        certainty: Certainty,
    },
}

/// What the fingerprint of a directory proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// Nothing was added or removed, if it was old enough when it was recorded.
    Coarse,
    /// Nothing was added or removed since it was recorded.
    Exact,
    /// Besides, all recorded locations were there.
    Complete,
}

impl<'a> RecordLine<'a> {
    /// `None` if the path is not in a node_modules.
    fn parse(line: &'a str) -> Option<RecordLine<'a>> {
        let mut fields = line.split('\t');
        let path = fields.next().filter(|path| is_ours(path))?;
        match (fields.next()?, fields.next(), fields.next()) {
            (stamp, Some(BY_DIRECTORY), None) => Some(RecordLine::Link { path, stamp }),
            (stamp, Some(fingerprint), None) => Some(RecordLine::Location { path, stamp, fingerprint }),
            (fingerprint, None, _) => {
                let (certainty, fingerprint) =
                    match (fingerprint.strip_prefix(COMPLETE), fingerprint.strip_prefix(EXACT)) {
                        (Some(fingerprint), _) => (Certainty::Complete, fingerprint),
                        (None, Some(fingerprint)) => (Certainty::Exact, fingerprint),
                        (None, None) => (Certainty::Coarse, fingerprint),
                    };
                Some(RecordLine::Directory {
                    path,
                    fingerprint: EntryFingerprint::parse(fingerprint)?,
                    certainty,
                })
            }
            _ => None,
        }
    }

    fn path(&self) -> &'a str {
        match self {
            RecordLine::Location { path, .. }
            | RecordLine::Link { path, .. }
            | RecordLine::Directory { path, .. } => path,
        }
    }

    fn parent(&self) -> &'a str {
        parent_of(self.path())
    }

    /// A complete directory, and its fingerprint.
    fn complete(&self) -> Option<(&'a str, EntryFingerprint)> {
        match *self {
            RecordLine::Directory { path, fingerprint, certainty: Certainty::Complete } => {
                Some((path, fingerprint))
            }
            _ => None,
        }
    }
}

/// The layout and the lines of a complete record.
fn parse(text: &str) -> Option<(LayoutKind, Vec<RecordLine<'_>>)> {
    let lines = text.strip_prefix(HEAD)?.strip_prefix('\n')?.strip_suffix("end\n")?.lines();
    let kind = lines.clone().find_map(|line| line.strip_prefix(KIND)?.strip_prefix('\t'));
    Some((kind.map_or(LayoutKind::default(), parse_kind), lines.filter_map(RecordLine::parse).collect()))
}

pub fn parent_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// Whether a path is `dir` or in it.
fn is_within(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Results of `stat`, and directories whose entries need no `stat`.
struct StatResults<'a> {
    cache: StatCache<'a>,
    /// Directories with unchanged contents.
    unchanged: HashSet<&'a str>,
}

impl<'a> StatResults<'a> {
    fn take(project: BorrowedFd<'_>, lines: &[RecordLine<'a>]) -> StatResults<'a> {
        let complete: HashMap<&str, EntryFingerprint> =
            lines.iter().filter_map(RecordLine::complete).collect();
        let mut cache = StatCache::default();
        cache.stat_all(
            project,
            paths_to_stat(lines, &|dir| complete.contains_key(dir)),
            StatxStrategy::LeastTime,
        );
        let is_unchanged = |(dir, fingerprint): (&&'a str, &EntryFingerprint)| {
            cache.find_unchanged(dir, *fingerprint).map(|_| *dir)
        };
        let unchanged: HashSet<&str> = complete.iter().filter_map(is_unchanged).collect();
        if unchanged.len() < complete.len() {
            let rest = paths_to_stat(lines, &|dir| unchanged.contains(dir));
            cache.stat_all(project, rest, StatxStrategy::LeastTime);
        }
        StatResults { cache, unchanged }
    }

    fn is_unchanged_dir(&self, dir: &str) -> bool {
        self.unchanged.contains(dir)
    }

    /// A path without a result is in an unchanged directory, or does not exist.
    fn is_dir(&self, path: &str) -> bool {
        if self.cache.has(path) { self.cache.is_dir(path) } else { self.is_unchanged_dir(parent_of(path)) }
    }

    fn is_location(&self, path: &str, fingerprint: EntryFingerprint) -> bool {
        match self.cache.has(path) {
            true => self.cache.package_fingerprint(path) == Some(fingerprint),
            false => self.is_unchanged_dir(parent_of(path)),
        }
    }
}

/// Every directory with a fingerprint; of locations, and of parent directories, those that are not
/// in a directory that is `known`.
fn paths_to_stat<'a>(lines: &[RecordLine<'a>], known: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let mut paths = Vec::new();
    let mut last = "";
    for line in lines {
        let dir = line.parent();
        if dir != last {
            let is_next = |parent: &&str| !is_within(last, parent) && !known(parent_of(parent));
            paths.extend(parents(line.path()).filter(is_next));
            last = dir;
        }
        match line {
            RecordLine::Directory { path, .. } => paths.push(*path),
            RecordLine::Location { path, .. } if !known(line.parent()) => paths.push(*path),
            RecordLine::Location { .. } | RecordLine::Link { .. } => {}
        }
    }
    paths
}

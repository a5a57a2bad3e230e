//! Discovery of test files, by bun's patterns: `*.test.ts`, `*_test.js`, `*.spec.tsx` and their
//! related names. In: the root directory, filters of the command line, patterns of paths to leave
//! out. Out: sorted paths. Ignored directories are not entered. Absent: reading the files.

use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::directory;
use rusk_base::sys::{self, FileType};

use crate::obsolete_snapshots::{DIRECTORY, test_file};

/// Suffixes of the name without its extension, in capitals or not.
const SUFFIXES: [&str; 4] = [".test", "_test", ".spec", "_spec"];

const EXTENSIONS: [&str; 8] = ["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];

/// Deeper directories are not entered: a loop of bind mounts has no end.
const DEPTH_MAX: usize = 64;

/// What is searched for, and where.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Absolute.
    pub root: PathBuf,
    /// Where relative paths of filters start.
    pub current_dir: PathBuf,
    /// Parts of paths, and paths that start with `./`, `../` or `/`; none: all test files.
    pub filters: Vec<String>,
    /// Globs, relative to the root.
    pub ignored: Vec<String>,
}

/// The test files found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFiles {
    /// Absolute, sorted.
    pub files: Vec<PathBuf>,
    /// Number of test files before the filters.
    pub searched: usize,
    /// Snapshot files below the directories that were searched.
    pub snapshots: Vec<PathBuf>,
}

/// Whether a file name is that of a test file.
pub fn is_test_file(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let stem = stem.to_ascii_lowercase();
    EXTENSIONS.contains(&extension) && SUFFIXES.iter().any(|suffix| stem.ends_with(suffix))
}

/// Finds the test files.
pub fn find(search: &Search) -> TestFiles {
    let (named, parts): (Vec<&String>, Vec<&String>) =
        search.filters.iter().partition(|filter| is_path(filter));
    let named: Vec<PathBuf> = named.into_iter().map(|path| normal(&search.current_dir.join(path))).collect();
    // A file that is named by its path runs whatever its name is.
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for path in named {
        match path.is_dir() {
            true => directories.push(path),
            false if path.is_file() => files.push(path),
            false => {}
        }
    }
    let (mut all, mut snapshots) = (Vec::new(), Vec::new());
    if search.filters.is_empty() || !parts.is_empty() || !directories.is_empty() {
        let mut walk = Walk { search, files: &mut all, snapshots: &mut snapshots };
        walk.directory(&search.root, 0);
        for directory in directories.iter().filter(|directory| !directory.starts_with(&search.root)) {
            walk.directory(directory, 0);
        }
    }
    let searched = all.len();
    let is_wanted = |path: &PathBuf| {
        let relative = path.strip_prefix(&search.root).unwrap_or(path).to_string_lossy().into_owned();
        search.filters.is_empty()
            || parts.iter().any(|part| relative.contains(part.as_str()))
            || directories.iter().any(|directory| path.starts_with(directory))
    };
    files.extend(all.into_iter().filter(is_wanted));
    files.sort();
    files.dedup();
    TestFiles { files, searched, snapshots }
}

/// Whether a filter is a path and not a part of one.
fn is_path(filter: &str) -> bool {
    filter.starts_with("./") || filter.starts_with("../") || filter.starts_with('/') || filter == "."
}

/// Removes `.` and `..`, without following links.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

struct Walk<'a> {
    search: &'a Search,
    files: &'a mut Vec<PathBuf>,
    snapshots: &'a mut Vec<PathBuf>,
}

impl Walk<'_> {
    fn directory(&mut self, path: &Path, depth: usize) {
        // Tests in a directory that cannot be read cannot run.
        let Ok(open) = sys::open_directory(sys::CWD, path) else { return };
        let mut entries = directory::entries(open.as_fd()).unwrap_or_default();
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        for directory::DirectoryEntry { name, kind } in entries {
            let path = path.join(OsStr::from_bytes(name.to_bytes()));
            let name = name.to_string_lossy();
            let kind =
                if kind == FileType::Unknown || kind == FileType::Symlink { target(&path) } else { kind };
            match kind {
                FileType::Directory
                    if depth < DEPTH_MAX && !is_excluded(&name) && !self.is_ignored(&path) =>
                {
                    self.directory(&path, depth + 1);
                }
                FileType::RegularFile if is_test_file(&name) && !self.is_ignored(&path) => {
                    self.files.push(path);
                }
                FileType::RegularFile if self.is_snapshot(&path) => self.snapshots.push(path),
                _ => {}
            }
        }
    }

    /// Whether a file is a snapshot file of a test file that is not ignored.
    fn is_snapshot(&self, path: &Path) -> bool {
        let is_in_directory = path.parent().is_some_and(|parent| parent.ends_with(DIRECTORY));
        is_in_directory && test_file(path).is_some_and(|test_file| !self.is_ignored(&test_file))
    }

    fn is_ignored(&self, path: &Path) -> bool {
        let relative = path.strip_prefix(&self.search.root).unwrap_or(path).to_string_lossy();
        self.search.ignored.iter().any(|pattern| matches_path(pattern, &relative))
    }
}

/// Whether a glob matches a path, or all that a directory contains.
pub fn matches_path(pattern: &str, relative: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
    fast_glob::glob_match(pattern, relative)
        || pattern.strip_suffix("/**").is_some_and(|directory| fast_glob::glob_match(directory, relative))
}

/// bun enters neither.
fn is_excluded(directory: &str) -> bool {
    directory == "node_modules" || directory.starts_with('.')
}

/// What a link points to; directories behind links are not entered, as they may contain the root.
fn target(path: &Path) -> FileType {
    let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
    match path.metadata() {
        Ok(data) if data.is_file() => FileType::RegularFile,
        Ok(data) if data.is_dir() && !is_link => FileType::Directory,
        _ => FileType::Unknown,
    }
}

#[cfg(test)]
mod tests;

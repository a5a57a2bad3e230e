//! What the last install left, kept in node_modules itself (see `folder`): every place, what it was
//! made from, and the mark it had; beside it the lockfile of that install. A place with another
//! mark was touched by somebody else and is made anew; what somebody else put beside our places
//! goes; a record that is damaged or missing makes everything anew. It is taken away before
//! node_modules is changed and written when all is done, so that a killed install leaves none.

mod clock;
mod compare;
mod file_stat;
mod state_dir;
mod tracked;

use std::collections::BTreeMap;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::statx_batch::StatxStrategy;
use rusk_base::sys::{self, FileType, directory};
use rusk_npm::bun_lock;

use crate::layout::Kind;
use crate::link::staging::FOREIGN_NAMES;
use crate::plan::{Completeness, InstalledTree, LOCATION_STAMP, Location, Origin, Plan, relative};

use compare::{compare, count_locations};

pub use clock::{Device, FileClock};
pub use file_stat::{EntryFingerprint, FileStat, nanoseconds, push_number};
pub use tracked::TrackedDirectory;

/// The names of the two files.
const RECORD: &str = "installed";
const LOCKFILE: &str = bun_lock::FILE_NAME;

/// The first line; another one is another format.
const HEAD: &str = "rusk installed 4";
/// How the line of the layout begins.
const KIND: &str = "layout";

/// A record larger than this is not believed: a project of 100,000 packages has one of 20 MB.
const BYTES_MAX: u64 = 256 << 20;

/// Times of files move in steps, of 10 ms where the kernel's clock is slowest. A folder that
/// changed so shortly before the record was written may have changed again within the same step.
pub const CLOCK_STEP_NS: i128 = 20_000_000;

/// Before a mark that tells every change after it; others do so only once they are
/// [`CLOCK_STEP_NS`] old.
const EXACT: &str = "!";
/// Before one of a folder of which, besides, every place was there as the record says when the mark
/// was taken.
const COMPLETE: &str = "!!";

/// The mark of a link to another place: who replaces one changes its folder, which has a mark.
const BY_DIRECTORY: &str = "=";

/// The stamp of what we did not make; no place has it.
const FOREIGN: &str = "";

/// Places that are looked at through a ring, which takes twice as long as a call each.
const IO_URING_LOCATIONS_MAX: usize = 1000;

/// Of the file system of node_modules, where we have a folder in it.
pub fn file_clock(project: BorrowedFd<'_>) -> FileClock {
    state_dir::open(project).map_or(FileClock::Coarse, |dir| FileClock::of(dir.as_fd()))
}

/// Where the cache keeps what is known about a project: the start of the names of its files.
pub fn cache_prefix(cache_dir: &Path, project: &Path) -> PathBuf {
    cache_dir.join("projects").join(rusk_store::Key::new("project", "", &project.to_string_lossy()).folder())
}

/// The size of the record, which is that of the work to compare it; 0 where there is none.
pub fn record_bytes(project: &Path) -> u64 {
    state_dir::size(project, RECORD)
}

/// What is certain about node_modules.
pub fn read(project: BorrowedFd<'_>) -> InstalledTree {
    state_dir::find(project, RECORD, BYTES_MAX)
        .map_or_else(InstalledTree::default, |found| compare(&found, project))
}

/// The lockfile that node_modules was made from, and what lies there, if that is all of it, as it
/// was made, and nothing else.
pub fn find_lockfile(project: BorrowedFd<'_>) -> Option<(String, InstalledTree)> {
    let record = state_dir::find(project, RECORD, BYTES_MAX)?;
    let text = state_dir::find(project, LOCKFILE, bun_lock::BYTES_MAX)?.text;
    let installed = compare(&record, project);
    let is_ours = |stamp: &String| stamp != FOREIGN;
    let recorded = count_locations(&record.text).filter(|&recorded| recorded > 0);
    let is_intact = recorded == Some(installed.locations.len()) && installed.locations.values().all(is_ours);
    is_intact.then_some((text, installed))
}

fn parse_kind(text: &str) -> Kind {
    [Kind::Isolated, Kind::Global].into_iter().find(|kind| kind_name(*kind) == text).unwrap_or_default()
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Hoisted => "hoisted",
        Kind::Isolated => "isolated",
        Kind::Global => "global",
    }
}

/// Whether a link is there that leads to the place that its stamp names.
fn link_is_current(project: BorrowedFd<'_>, path: &str, stamp: &str) -> bool {
    let target = stamp.strip_prefix(LOCATION_STAMP).map(|target| relative(path, target));
    let found = sys::readlinkat(project, path);
    target.zip(found.ok()).is_some_and(|(target, found)| found.to_bytes() == target.as_bytes())
}

/// Whether a path is a node_modules or lies in one: what a record names may be removed, so a
/// damaged or forged one must not reach out of the project, nor at the project's own files.
fn is_ours(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    path.split('/').all(is_plain) && path.split('/').any(|part| part == "node_modules")
}

/// The folders above a path, the topmost first.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// What packages were made from, as the record says; links have no such thing. Believed without a
/// look at the places.
pub fn stamps(project: BorrowedFd<'_>) -> Vec<String> {
    let Some(found) = state_dir::find(project, RECORD, BYTES_MAX) else { return Vec::new() };
    let stamp = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [_, stamp, _] if !is_link(stamp) => Some(stamp.to_owned()),
        _ => None,
    };
    found.text.lines().filter_map(stamp).collect()
}

fn is_link(stamp: &str) -> bool {
    [LOCATION_STAMP, "link:", "folder:"].iter().any(|start| stamp.starts_with(start))
}

/// Forgets what was installed.
pub fn remove_record(project: BorrowedFd<'_>) -> Result<()> {
    state_dir::remove(project)
}

/// Notes what is installed now: a line of path, stamp and mark for each place, one of path and mark
/// for each folder that holds places or links to programs; and the lockfile that says the same.
/// Gives the clock that they were noted by.
pub fn write(project: BorrowedFd<'_>, plan: &Plan, lockfile: Option<&str>) -> Result<FileClock> {
    // Made first, because it changes the mark of the folder around it.
    let Some(dir) = state_dir::make(project)? else { return Ok(FileClock::Coarse) };
    let clock = FileClock::of(dir.as_fd());
    if let Some(lockfile) = lockfile {
        state_dir::write(dir.as_fd(), LOCKFILE, lockfile.as_bytes())?;
    }
    let mut text = format!("{HEAD}\n{KIND}\t{}\n", kind_name(plan.kind));
    // A path or an address in a stamp stands as somebody wrote it.
    let is_one_line = |location: &Location| {
        !location.path.bytes().chain(location.stamp.bytes()).any(|byte| byte.is_ascii_control())
    };
    let dirs = tracked_directories(plan);
    let fingerprints: Vec<Option<EntryFingerprint>> =
        (0..plan.locations.len()).map(|index| plan.fingerprint_of(index)).collect();
    let is_new = |(location, fingerprint): &(&Location, &Option<EntryFingerprint>)| {
        !matches!(location.origin, Origin::Location(_)) && fingerprint.is_none()
    };
    let fingerprinted =
        plan.locations.iter().zip(&fingerprints).filter(is_new).map(|(location, _)| location.path.as_str());
    let touched = dirs.iter().filter(|dir| dir.stat.is_none());
    let paths = fingerprinted.chain(touched.map(|dir| dir.path.as_str()));
    let mut found = file_stat::stat_each(project, paths, stat_strategy(plan)).into_iter();
    for (location, fingerprint) in plan.locations.iter().zip(&fingerprints) {
        let fingerprint = match (&location.origin, fingerprint) {
            (Origin::Location(_), _) => None,
            (_, Some(fingerprint)) => Some(*fingerprint),
            _ => match found.next().flatten().and_then(|found| found.package_fingerprint()) {
                None => continue,
                fingerprint => fingerprint,
            },
        };
        if is_one_line(location) {
            text.extend([&location.path, "\t", &location.stamp, "\t"]);
            match fingerprint {
                Some(fingerprint) => fingerprint.write(&mut text),
                None => text.push_str(BY_DIRECTORY),
            }
            text.push('\n');
        }
    }
    // What stays was looked at before: in a folder that changed since then it may be another one by
    // now.
    let kept = plan.locations.iter().zip(&fingerprints).filter(|(_, fingerprint)| fingerprint.is_some());
    let mut with_kept_locations: Vec<&str> =
        kept.map(|(location, _)| compare::parent_of(&location.path)).collect();
    with_kept_locations.dedup();
    with_kept_locations.sort_unstable();
    for TrackedDirectory { path, stat } in dirs {
        if let Some(found) = stat {
            text.extend([path, "\t", COMPLETE]);
            found.change_fingerprint().write(&mut text);
            text.push('\n');
        } else if let Some(found) = found.next().flatten() {
            let had_fingerprint = |fingerprint| {
                plan.installed
                    .unchanged
                    .get(path)
                    .is_some_and(|stat| stat.has_change_fingerprint(fingerprint))
            };
            let is_complete = |fingerprint: EntryFingerprint| {
                with_kept_locations.binary_search(&path.as_str()).is_err() || had_fingerprint(fingerprint)
            };
            text.extend([path, "\t"]);
            push_directory_fingerprint(&mut text, &found, clock, &is_complete);
            text.push('\n');
        }
    }
    text.push_str("end\n");
    state_dir::write(dir.as_fd(), RECORD, text.as_bytes())?;
    Ok(clock)
}

/// Of what is no folder, nothing. `is_complete`: whether a folder of that mark held its places when it
/// was taken.
fn push_directory_fingerprint(
    out: &mut String,
    found: &FileStat,
    clock: FileClock,
    is_complete: &dyn Fn(EntryFingerprint) -> bool,
) {
    let exact = found.exact_directory_fingerprint(clock);
    out.push_str(match exact {
        Some(fingerprint) if is_complete(fingerprint) => COMPLETE,
        Some(_) => EXACT,
        None => "",
    });
    if let Some(fingerprint) = exact.or_else(|| found.directory_fingerprint()) {
        fingerprint.write(out);
    }
}

/// Notes that node_modules, as it is, comes from another lockfile than before.
pub fn write_lockfile(project: BorrowedFd<'_>, text: &str) -> Result<()> {
    write_file(project, LOCKFILE, text)
}

/// Writes another file beside the record, where there is a place for it; it goes when that is
/// forgotten.
pub fn write_file(project: BorrowedFd<'_>, name: &str, text: &str) -> Result<()> {
    match state_dir::open(project) {
        Some(dir) => state_dir::write(dir.as_fd(), name, text.as_bytes()),
        None => Ok(()),
    }
}

/// A file that was written beside the record.
pub fn read_file(project: BorrowedFd<'_>, name: &str, bytes_max: u64) -> Option<state_dir::StateFile> {
    state_dir::find_at_once(project, name, bytes_max)
}

/// Removes a file beside the record, if that may be done.
pub fn remove_file(project: BorrowedFd<'_>, name: &str) {
    if let Some(dir) = state_dir::open(project) {
        let _ = sys::unlinkat(dir.as_fd(), name);
    }
}

/// An install of what is not there is held to few calls beside those that make the tree. Where most
/// stands already, in a project of thousands of packages, and in an isolated one, which has the
/// most folders, time counts.
pub fn stat_strategy(plan: &Plan) -> StatxStrategy {
    let is_new = plan.completeness == Completeness::Unknown;
    match plan.kind {
        Kind::Hoisted | Kind::Global if is_new && plan.locations.len() <= IO_URING_LOCATIONS_MAX => {
            StatxStrategy::FewestCalls
        }
        _ => StatxStrategy::LeastTime,
    }
}

/// Every folder that holds places or links to programs, by path.
pub fn tracked_directories(plan: &Plan) -> &[TrackedDirectory] {
    plan.tracked.get_or_init(|| TrackedDirectory::all(plan))
}

/// What may stand in a folder of packages and must not stay unless it is ours: packages, scopes,
/// and what other package managers keep there. Tools' own folders (`.cache`) and plain files stay.
fn foreign_entries(project: BorrowedFd<'_>, dir: &str, locations: &BTreeMap<String, String>) -> Vec<String> {
    let Ok(opened) = sys::open_directory(project, dir) else { return Vec::new() };
    let Ok(entries) = directory::entries(opened.as_fd()) else { return Vec::new() };
    let has_locations = |path: &str| {
        let inside = format!("{path}/");
        locations.range(inside.clone()..).next().is_some_and(|(location, _)| location.starts_with(&inside))
    };
    let mut foreign_entries = Vec::new();
    for name in entries.into_iter().filter_map(|entry| entry.name.into_string().ok()) {
        let path = format!("{dir}/{name}");
        let may_stay = match name.as_bytes().first() {
            Some(b'.') => name == ".bin" || !FOREIGN_NAMES.contains(&name.as_str()) || has_locations(&path),
            // In the folder of entries their names begin so, too.
            Some(b'@') => has_locations(&path),
            _ => {
                locations.contains_key(&path)
                    || has_locations(&path)
                    || !is_dir_or_link(opened.as_fd(), &name)
            }
        };
        if !may_stay {
            foreign_entries.push(path);
        }
    }
    foreign_entries
}

fn is_dir_or_link(dir: BorrowedFd<'_>, name: &str) -> bool {
    let kind = sys::lstatat(dir, name).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Directory | FileType::Symlink))
}

#[cfg(test)]
mod tests;

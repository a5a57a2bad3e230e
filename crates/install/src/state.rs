//! State of the last install, stored in node_modules itself (see `state_dir`): every location, its
//! stamp and its fingerprint, and the lockfile of that install. A location with another fingerprint
//! was changed by another program and is made again; entries of other programs are removed; without
//! a valid record everything is made again. The record is removed before node_modules is changed
//! and written when all is done, so a killed install leaves none.

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

use crate::layout::LayoutKind;
use crate::link::staging::FOREIGN_NAMES;
use crate::member_entries;
use crate::plan::{Completeness, InstalledTree, LOCATION_STAMP, Origin, PackageLocation, Plan, relative};
use crate::virtual_store::VirtualStore;

use compare::{compare, count_locations};

pub use clock::{Device, FileClock};
pub use file_stat::{EntryFingerprint, FileStat, nanoseconds, push_number};
pub use tracked::TrackedDirectory;

/// Names of the two files.
const RECORD: &str = "installed";
const LOCKFILE: &str = bun_lock::FILE_NAME;

/// The first line; another one means another format.
const HEAD: &str = "rusk installed 4";
/// First field of the layout's line.
const KIND: &str = "layout";

/// A larger record is ignored: a project of 100,000 packages has one of 20 MB.
const BYTES_MAX: u64 = 256 << 20;

/// File times have a granularity, of 10 ms with the kernel's slowest clock. A directory that
/// changed so shortly before the record was written may have changed again within the same step.
pub const CLOCK_STEP_NS: i128 = 20_000_000;

/// Prefix of a fingerprint that changes with every modification; others are reliable only once they
/// are [`CLOCK_STEP_NS`] old.
const EXACT: &str = "!";
/// Prefix of a directory's fingerprint if, besides, every recorded location existed when it was
/// taken.
const COMPLETE: &str = "!!";

/// Fingerprint of a link to another location: replacing a link changes its directory, which has a
/// fingerprint.
const BY_DIRECTORY: &str = "=";

/// Stamp of an entry that we did not make; no location has it.
pub const FOREIGN: &str = "";

/// Stamp of an entry in a member's node_modules that may belong to the repository; see
/// `member_entries`.
pub const UNCLAIMED: &str = "?";

/// Whether we made what has this stamp.
pub fn is_recorded(stamp: &str) -> bool {
    stamp != FOREIGN && stamp != UNCLAIMED
}

/// Locations that are checked through io_uring, which takes twice as long as one system call each.
const IO_URING_LOCATIONS_MAX: usize = 1000;

/// The clock of node_modules' file system, probed in our directory there.
pub fn file_clock(project: BorrowedFd<'_>) -> FileClock {
    state_dir::open(project).map_or(FileClock::Coarse, |dir| FileClock::of(dir.as_fd()))
}

/// Prefix of the names of a project's files in the cache.
pub fn cache_prefix(cache_dir: &Path, project: &Path) -> PathBuf {
    cache_dir
        .join("projects")
        .join(rusk_store::Key::new("project", "", &project.to_string_lossy()).dir_name())
}

/// Size of the record, which is proportional to the time to compare it; 0 if there is none.
pub fn record_bytes(project: &Path) -> u64 {
    state_dir::size(project, RECORD)
}

/// The known contents of node_modules.
pub fn read(project: BorrowedFd<'_>) -> InstalledTree {
    state_dir::find(project, RECORD, BYTES_MAX)
        .map_or_else(InstalledTree::default, |found| compare(&found, project))
}

/// The lockfile that node_modules was made from, and its contents, if they are complete, unchanged,
/// and nothing else is there.
pub fn find_lockfile(project: BorrowedFd<'_>) -> Option<(String, InstalledTree)> {
    let record = state_dir::find(project, RECORD, BYTES_MAX)?;
    let text = state_dir::find(project, LOCKFILE, bun_lock::BYTES_MAX)?.text;
    let installed = compare(&record, project);
    let is_ours = |stamp: &String| is_recorded(stamp);
    let recorded = count_locations(&record.text).filter(|&recorded| recorded > 0);
    let is_intact = recorded == Some(installed.locations.len()) && installed.locations.values().all(is_ours);
    is_intact.then_some((text, installed))
}

fn parse_kind(text: &str) -> LayoutKind {
    VirtualStore::ALL
        .into_iter()
        .flat_map(|store| [LayoutKind::Isolated(store), LayoutKind::Global(store)])
        .find(|kind| kind_name(*kind) == text)
        .unwrap_or_default()
}

fn kind_name(kind: LayoutKind) -> &'static str {
    match kind {
        LayoutKind::Hoisted => "hoisted",
        LayoutKind::Isolated(VirtualStore::Bun) => "isolated",
        LayoutKind::Isolated(VirtualStore::Pnpm) => "isolated in .pnpm",
        LayoutKind::Global(VirtualStore::Bun) => "global",
        LayoutKind::Global(VirtualStore::Pnpm) => "global and .pnpm",
    }
}

/// Whether the link exists and points to the location in its stamp.
fn link_is_current(project: BorrowedFd<'_>, path: &str, stamp: &str) -> bool {
    let target = stamp.strip_prefix(LOCATION_STAMP).map(|target| relative(path, target));
    let found = sys::readlinkat(project, path);
    target.zip(found.ok()).is_some_and(|(target, found)| found.to_bytes() == target.as_bytes())
}

/// Whether a path is a node_modules or in one: recorded paths may be removed, so a damaged or
/// forged record must not point out of the project, nor at the project's own files.
fn is_ours(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    path.split('/').all(is_plain) && path.split('/').any(|part| part == "node_modules")
}

/// The parent directories of a path, topmost first.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Stamps of packages in the record, without those of links; the disk is not checked.
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

/// Removes the record.
pub fn remove_record(project: BorrowedFd<'_>) -> Result<()> {
    state_dir::remove(project)
}

/// Writes the record: a line of path, stamp and fingerprint for each location, one of path and
/// fingerprint for each directory of locations or programs; and the lockfile. Returns the clock of
/// the fingerprints.
pub fn write(project: BorrowedFd<'_>, plan: &Plan, lockfile: Option<&str>) -> Result<FileClock> {
    // Made first, because it changes the fingerprint of its parent directory.
    let Some(dir) = state_dir::make(project)? else { return Ok(FileClock::Coarse) };
    let clock = FileClock::of(dir.as_fd());
    if let Some(lockfile) = lockfile {
        state_dir::write(dir.as_fd(), LOCKFILE, lockfile.as_bytes())?;
    }
    let mut text = format!("{HEAD}\n{KIND}\t{}\n", kind_name(plan.kind));
    // A path or URL in a stamp may contain any characters.
    let is_one_line = |location: &PackageLocation| {
        !location.path.bytes().chain(location.stamp.bytes()).any(|byte| byte.is_ascii_control())
    };
    let dirs = tracked_directories(plan);
    let fingerprints: Vec<Option<EntryFingerprint>> =
        (0..plan.locations.len()).map(|index| plan.fingerprint_of(index)).collect();
    let is_new = |(location, fingerprint): &(&PackageLocation, &Option<EntryFingerprint>)| {
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
    // Kept locations were checked earlier: in a directory that changed since then they may have
    // been replaced.
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

/// Writes nothing for what is not a directory. `is_complete`: whether a directory with that
/// fingerprint had its locations when it was taken.
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

/// Replaces the lockfile in node_modules, when only the lockfile changed.
pub fn write_lockfile(project: BorrowedFd<'_>, text: &str) -> Result<()> {
    write_file(project, LOCKFILE, text)
}

/// Writes another file beside the record, if its directory exists; it is removed with the record.
pub fn write_file(project: BorrowedFd<'_>, name: &str, text: &str) -> Result<()> {
    match state_dir::open(project) {
        Some(dir) => state_dir::write(dir.as_fd(), name, text.as_bytes()),
        None => Ok(()),
    }
}

/// Reads a file beside the record.
pub fn read_file(project: BorrowedFd<'_>, name: &str, bytes_max: u64) -> Option<state_dir::StateFile> {
    state_dir::find_at_once(project, name, bytes_max)
}

/// Removes a file beside the record, ignoring errors.
pub fn remove_file(project: BorrowedFd<'_>, name: &str) {
    if let Some(dir) = state_dir::open(project) {
        let _ = sys::unlinkat(dir.as_fd(), name);
    }
}

/// A new install should need few system calls besides those that make the tree. When most locations
/// exist, in a project of thousands of packages, and in an isolated layout, which has the most
/// directories, time matters more.
pub fn stat_strategy(plan: &Plan) -> StatxStrategy {
    let is_new = plan.completeness == Completeness::Unknown;
    match plan.kind {
        LayoutKind::Hoisted | LayoutKind::Global(_)
            if is_new && plan.locations.len() <= IO_URING_LOCATIONS_MAX =>
        {
            StatxStrategy::FewestCalls
        }
        _ => StatxStrategy::LeastTime,
    }
}

/// Every directory of locations or programs, sorted by path.
pub fn tracked_directories(plan: &Plan) -> &[TrackedDirectory] {
    plan.tracked.get_or_init(|| TrackedDirectory::all(plan))
}

/// Entries in a directory of packages that are not ours, each with its stamp: packages, scopes, and
/// files of other package managers. Directories of tools (`.cache`) and plain files stay.
fn foreign_entries(
    project: BorrowedFd<'_>,
    dir: &str,
    locations: &BTreeMap<String, String>,
) -> Vec<(String, &'static str)> {
    let Ok(opened) = sys::open_directory(project, dir) else { return Vec::new() };
    let Ok(entries) = directory::entries(opened.as_fd()) else { return Vec::new() };
    let has_locations = |path: &str| {
        let inside = format!("{path}/");
        locations.range(inside.clone()..).next().is_some_and(|(location, _)| location.starts_with(&inside))
    };
    // pnpm has its record of what is installed in the virtual store: `lock.yaml`.
    let is_store = VirtualStore::ALL.iter().any(|store| store.path() == dir);
    let is_of_member = member_entries::is_of_member(dir);
    let mut foreign_entries = Vec::new();
    for name in entries.into_iter().filter_map(|entry| entry.name.into_string().ok()) {
        let path = format!("{dir}/{name}");
        let may_stay = match name.as_bytes().first() {
            Some(b'.') => name == ".bin" || !FOREIGN_NAMES.contains(&name.as_str()) || has_locations(&path),
            // In the directory of entries, names of entries start with it, too.
            Some(b'@') => has_locations(&path),
            _ => {
                locations.contains_key(&path)
                    || has_locations(&path)
                    || !(is_store || is_dir_or_link(opened.as_fd(), &name))
            }
        };
        if may_stay {
            continue;
        }
        let stamp = match is_of_member && !member_entries::is_leftover(opened.as_fd(), &name) {
            true => UNCLAIMED,
            false => FOREIGN,
        };
        match member_entries::names_in_scope(opened.as_fd(), &name).filter(|_| stamp == UNCLAIMED) {
            Some(names) => {
                foreign_entries.extend(names.into_iter().map(|name| (format!("{dir}/{name}"), stamp)));
            }
            None => foreign_entries.push((path, stamp)),
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

//! What the last install left, kept in node_modules itself (see `folder`): every place, what it was
//! made from, and the mark it had; beside it the lockfile of that install. A place with another
//! mark was touched by somebody else and is made anew; what somebody else put beside our places
//! goes; a record that is damaged or missing makes everything anew. It is taken away before
//! node_modules is changed and written when all is done, so that a killed install leaves none.

mod clock;
mod compare;
mod folder;
mod seen;
mod watched;

use std::collections::BTreeMap;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::sys::many::Means;
use rusk_base::sys::{self, FileType, directory};
use rusk_npm::bun_lock;

use crate::layout::Kind;
use crate::link::staging::FOREIGN;
use crate::plan::{Installed, Knowledge, Origin, PLACE_STAMP, Place, Plan, relative};

use compare::{compare, places_of};

pub use clock::{Device, FileClock};
pub use seen::{Found, Mark, nanoseconds, push_number};
pub use watched::Watched;

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
const SURE: &str = "!";
/// Before one of a folder of which, besides, every place was there as the record says when the mark
/// was taken.
const WHOLE: &str = "!!";

/// The mark of a link to another place: who replaces one changes its folder, which has a mark.
const AS_FOLDER: &str = "=";

/// The stamp of what we did not make; no place has it.
const STRANGER: &str = "";

/// Places that are looked at through a ring, which takes twice as long as a call each.
const PLACES_BY_RING_MAX: usize = 1000;

/// Of the file system of node_modules, where we have a folder in it.
pub fn clock_of(project: BorrowedFd<'_>) -> FileClock {
    folder::open(project).map_or(FileClock::Coarse, |folder| FileClock::of(folder.as_fd()))
}

/// Where the cache keeps what is known about a project: the start of the names of its files.
pub fn path(cache_dir: &Path, project: &Path) -> PathBuf {
    cache_dir.join("projects").join(rusk_store::Key::new("project", "", &project.to_string_lossy()).folder())
}

/// The size of the record, which is that of the work to compare it; 0 where there is none.
pub fn bytes(project: &Path) -> u64 {
    folder::size(project, RECORD)
}

/// What is certain about node_modules.
pub fn read(project: BorrowedFd<'_>) -> Installed {
    folder::find(project, RECORD, BYTES_MAX).map_or_else(Installed::default, |found| compare(&found, project))
}

/// The lockfile that node_modules was made from, and what lies there, if that is all of it, as it
/// was made, and nothing else.
pub fn find_lockfile(project: BorrowedFd<'_>) -> Option<(String, Installed)> {
    let record = folder::find(project, RECORD, BYTES_MAX)?;
    let text = folder::find(project, LOCKFILE, bun_lock::BYTES_MAX)?.text;
    let installed = compare(&record, project);
    let is_ours = |stamp: &String| stamp != STRANGER;
    let recorded = places_of(&record.text).filter(|&recorded| recorded > 0);
    let stands = recorded == Some(installed.places.len()) && installed.places.values().all(is_ours);
    stands.then_some((text, installed))
}

fn parse_kind(text: &str) -> Kind {
    [Kind::Isolated, Kind::Global].into_iter().find(|kind| text_of(*kind) == text).unwrap_or_default()
}

fn text_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Hoisted => "hoisted",
        Kind::Isolated => "isolated",
        Kind::Global => "global",
    }
}

/// Whether a link is there that leads to the place that its stamp names.
fn leads_there(project: BorrowedFd<'_>, path: &str, stamp: &str) -> bool {
    let target = stamp.strip_prefix(PLACE_STAMP).map(|target| relative(path, target));
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
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// What packages were made from, as the record says; links have no such thing. Believed without a
/// look at the places.
pub fn stamps(project: BorrowedFd<'_>) -> Vec<String> {
    let Some(found) = folder::find(project, RECORD, BYTES_MAX) else { return Vec::new() };
    let stamp = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [_, stamp, _] if !is_link(stamp) => Some(stamp.to_owned()),
        _ => None,
    };
    found.text.lines().filter_map(stamp).collect()
}

fn is_link(stamp: &str) -> bool {
    [PLACE_STAMP, "link:", "folder:"].iter().any(|start| stamp.starts_with(start))
}

/// Forgets what was installed.
pub fn forget(project: BorrowedFd<'_>) -> Result<()> {
    folder::remove(project)
}

/// Notes what is installed now: a line of path, stamp and mark for each place, one of path and mark
/// for each folder that holds places or links to programs; and the lockfile that says the same.
/// Gives the clock that they were noted by.
pub fn write(project: BorrowedFd<'_>, plan: &Plan, lockfile: Option<&str>) -> Result<FileClock> {
    // Made first, because it changes the mark of the folder around it.
    let Some(folder) = folder::make(project)? else { return Ok(FileClock::Coarse) };
    let clock = FileClock::of(folder.as_fd());
    if let Some(lockfile) = lockfile {
        folder::write(folder.as_fd(), LOCKFILE, lockfile.as_bytes())?;
    }
    let mut text = format!("{HEAD}\n{KIND}\t{}\n", text_of(plan.kind));
    // A path or an address in a stamp stands as somebody wrote it.
    let is_one_line =
        |place: &Place| !place.path.bytes().chain(place.stamp.bytes()).any(|byte| byte.is_ascii_control());
    let folders = watched(plan);
    let marks: Vec<Option<Mark>> = (0..plan.places.len()).map(|index| plan.mark_of(index)).collect();
    let is_new =
        |(place, mark): &(&Place, &Option<Mark>)| !matches!(place.origin, Origin::Place(_)) && mark.is_none();
    let marked = plan.places.iter().zip(&marks).filter(is_new).map(|(place, _)| place.path.as_str());
    let touched = folders.iter().filter(|folder| folder.seen.is_none());
    let paths = marked.chain(touched.map(|folder| folder.path.as_str()));
    let mut found = seen::look_at_each(project, paths, means(plan)).into_iter();
    for (place, mark) in plan.places.iter().zip(&marks) {
        let mark = match (&place.origin, mark) {
            (Origin::Place(_), _) => None,
            (_, Some(mark)) => Some(*mark),
            _ => match found.next().flatten().and_then(|found| found.mark_of_place()) {
                None => continue,
                mark => mark,
            },
        };
        if is_one_line(place) {
            text.extend([&place.path, "\t", &place.stamp, "\t"]);
            match mark {
                Some(mark) => mark.write(&mut text),
                None => text.push_str(AS_FOLDER),
            }
            text.push('\n');
        }
    }
    // What stays was looked at before: in a folder that changed since then it may be another one by
    // now.
    let staying = plan.places.iter().zip(&marks).filter(|(_, mark)| mark.is_some());
    let mut with_what_stays: Vec<&str> = staying.map(|(place, _)| compare::folder_of(&place.path)).collect();
    with_what_stays.dedup();
    with_what_stays.sort_unstable();
    for Watched { path, seen } in folders {
        if let Some(found) = seen {
            text.extend([path, "\t", WHOLE]);
            found.mark_of_change().write(&mut text);
            text.push('\n');
        } else if let Some(found) = found.next().flatten() {
            let was_seen = |mark| plan.installed.unchanged.get(path).is_some_and(|seen| seen.is_surely(mark));
            let is_whole =
                |mark: Mark| with_what_stays.binary_search(&path.as_str()).is_err() || was_seen(mark);
            text.extend([path, "\t"]);
            push_folder_mark(&mut text, &found, clock, &is_whole);
            text.push('\n');
        }
    }
    text.push_str("end\n");
    folder::write(folder.as_fd(), RECORD, text.as_bytes())?;
    Ok(clock)
}

/// Of what is no folder, nothing. `is_whole`: whether a folder of that mark held its places when it
/// was taken.
fn push_folder_mark(out: &mut String, found: &Found, clock: FileClock, is_whole: &dyn Fn(Mark) -> bool) {
    let sure = found.sure_mark_of_folder(clock);
    out.push_str(match sure {
        Some(mark) if is_whole(mark) => WHOLE,
        Some(_) => SURE,
        None => "",
    });
    if let Some(mark) = sure.or_else(|| found.mark_of_folder()) {
        mark.write(out);
    }
}

/// Notes that node_modules, as it is, comes from another lockfile than before.
pub fn write_lockfile(project: BorrowedFd<'_>, text: &str) -> Result<()> {
    write_beside(project, LOCKFILE, text)
}

/// Writes another file beside the record, where there is a place for it; it goes when that is
/// forgotten.
pub fn write_beside(project: BorrowedFd<'_>, name: &str, text: &str) -> Result<()> {
    match folder::open(project) {
        Some(folder) => folder::write(folder.as_fd(), name, text.as_bytes()),
        None => Ok(()),
    }
}

/// A file that was written beside the record.
pub fn find_beside(project: BorrowedFd<'_>, name: &str, bytes_max: u64) -> Option<folder::Found> {
    folder::find_at_once(project, name, bytes_max)
}

/// Removes a file beside the record, if that may be done.
pub fn remove_beside(project: BorrowedFd<'_>, name: &str) {
    if let Some(folder) = folder::open(project) {
        let _ = sys::unlinkat(folder.as_fd(), name);
    }
}

/// An install of what is not there is held to few calls beside those that make the tree. Where most
/// stands already, in a project of thousands of packages, and in an isolated one, which has the
/// most folders, time counts.
pub fn means(plan: &Plan) -> Means {
    let is_new = plan.knowledge == Knowledge::None;
    match plan.kind {
        Kind::Hoisted | Kind::Global if is_new && plan.places.len() <= PLACES_BY_RING_MAX => {
            Means::FewestCalls
        }
        _ => Means::LeastTime,
    }
}

/// Every folder that holds places or links to programs, by path.
pub fn watched(plan: &Plan) -> &[Watched] {
    plan.watched.get_or_init(|| Watched::all(plan))
}

/// What may stand in a folder of packages and must not stay unless it is ours: packages, scopes,
/// and what other package managers keep there. Tools' own folders (`.cache`) and plain files stay.
fn strangers(project: BorrowedFd<'_>, folder: &str, places: &BTreeMap<String, String>) -> Vec<String> {
    let Ok(opened) = sys::open_folder(project, folder) else { return Vec::new() };
    let Ok(entries) = directory::entries(opened.as_fd()) else { return Vec::new() };
    let holds_places = |path: &str| {
        let inside = format!("{path}/");
        places.range(inside.clone()..).next().is_some_and(|(place, _)| place.starts_with(&inside))
    };
    let mut strangers = Vec::new();
    for name in entries.into_iter().filter_map(|entry| entry.name.into_string().ok()) {
        let path = format!("{folder}/{name}");
        let may_stay = match name.as_bytes().first() {
            Some(b'.') => name == ".bin" || !FOREIGN.contains(&name.as_str()) || holds_places(&path),
            // In the folder of entries their names begin so, too.
            Some(b'@') => holds_places(&path),
            _ => {
                places.contains_key(&path) || holds_places(&path) || !is_folder_or_link(opened.as_fd(), &name)
            }
        };
        if !may_stay {
            strangers.push(path);
        }
    }
    strangers
}

fn is_folder_or_link(folder: BorrowedFd<'_>, name: &str) -> bool {
    let kind = sys::lstatat(folder, name).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Directory | FileType::Symlink))
}

#[cfg(test)]
mod tests;

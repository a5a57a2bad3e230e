//! Removes unused files from the cache. In: the cache's directory. Out: what was removed, and how
//! much disk space that freed. An existing project uses the packages of its record and the shared
//! entries of its closures; everything else is removed: first the file that refers to an entry,
//! then the entry, by one rename each. No install runs meanwhile. Absent: packuments, and the
//! projects of `x`.

use std::collections::BTreeSet;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files, sys};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::Store;

use crate::event::{InstallEvent, Reporter};
use crate::shared::entries::{CLOSURE_BYTES_MAX, CLOSURES, STAGING, closure_path, links_dir};
use crate::stored::{self, StoredPackage};
use crate::{closure_uses, problem, state};

/// Held shared by every install, and exclusively by a prune.
const LOCK_NAME: &str = "in-use.lock";
/// Longer than most installs take, and most prunes.
const LOCK_LIMIT: Duration = Duration::from_secs(600);

/// Packuments, programs of `x`, transpiled files, bytecode.
const CLEARED: [&str; 4] = ["packuments", "x", "scripts", "code"];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneSummary {
    /// Projects that no longer exist.
    pub projects: usize,
    pub shared_packages: usize,
    pub packages: usize,
    pub bytes: u64,
}

/// Waits for a prune to end, and prevents the next one.
pub(crate) fn lock_shared(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<FileLock> {
    let subject = "`rusk cache prune`";
    let wait = LockWait { subject, limit: LOCK_LIMIT };
    FileLock::share(&cache_dir.join(LOCK_NAME), wait, &mut |waited| {
        reporter.on_event(InstallEvent::Waiting { subject, waited });
    })
    .map_err(problem::cache_unwritable)
}

/// Waits for installs to end, and prevents new ones.
pub(crate) fn lock_alone(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<FileLock> {
    let subject = "an install";
    let wait = LockWait { subject, limit: LOCK_LIMIT };
    FileLock::acquire(&cache_dir.join(LOCK_NAME), wait, &mut |waited| {
        reporter.on_event(InstallEvent::Waiting { subject, waited });
    })
    .map_err(problem::cache_unwritable)
}

pub fn prune(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<PruneSummary> {
    let mut pruned = PruneSummary::default();
    if !cache_dir.is_dir() {
        return Ok(pruned);
    }
    let _alone = lock_alone(cache_dir, reporter)?;
    let used = UsedEntries::scan(&cache_dir.join("projects"), &mut pruned)?;
    let stamps = match &used.damaged {
        // Its project links to shared packages, which other closures may not have.
        Some(path) => {
            let path = path.display();
            let text = format!(
                "`{path}` is damaged, so shared packages stay: an install in its project writes it \
                 again; delete it if there is none"
            );
            reporter.on_event(InstallEvent::Warning(&text));
            BTreeSet::new()
        }
        None => prune_links(&links_dir(cache_dir), &used, &mut pruned)?,
    };
    prune_store(&cache_dir.join("store"), &used, &stamps, &mut pruned)?;
    Ok(pruned)
}

/// Removes everything that can be downloaded or made again and that no project links to: all
/// packages of the store, too, whose files in node_modules stay. Returns the packages.
pub fn clear(cache_dir: &Path, reporter: &mut dyn Reporter) -> Result<Vec<StoredPackage>> {
    prune(cache_dir, reporter)?;
    let removed = stored::remove(cache_dir, reporter, &|_| true)?;
    if cache_dir.is_dir() {
        let _alone = lock_alone(cache_dir, reporter)?;
        CLEARED.into_iter().try_for_each(|name| files::remove_tree(&cache_dir.join(name)))?;
    }
    Ok(removed)
}

/// What projects use.
#[derive(Default)]
struct UsedEntries {
    closures: BTreeSet<String>,
    /// Stamps of packages in projects.
    stamps: BTreeSet<String>,
    /// A file whose closures are unknown, because it is damaged.
    damaged: Option<PathBuf>,
}

impl UsedEntries {
    /// Reads the recorded uses of projects; removes those of projects that no longer exist.
    fn scan(projects: &Path, pruned: &mut PruneSummary) -> Result<UsedEntries> {
        let mut used = UsedEntries::default();
        let names = names(projects)?;
        let records: BTreeSet<PathBuf> =
            names.iter().map(|name| projects.join(name).with_extension("")).collect();
        for path in records {
            let uses_path = closure_uses::path(&path);
            let Some(uses) = closure_uses::read(&uses_path)? else {
                // A file without an owner stays.
                let is_damaged = std::fs::metadata(&uses_path).is_ok_and(|found| found.len() > 0);
                used.damaged = used.damaged.take().or(is_damaged.then_some(uses_path));
                continue;
            };
            if !uses.project.join(MANIFEST_NAME).exists() {
                pruned.projects += 1;
                remove_notes(projects, &names, &path)?;
                continue;
            }
            used.closures.extend(uses.closures);
            if let Ok(project) = sys::open_directory(sys::CWD, &uses.project) {
                used.stamps.extend(state::stamps(project.as_fd()));
            }
        }
        Ok(used)
    }
}

/// Removes all files of a project.
fn remove_notes(projects: &Path, names: &[String], record: &Path) -> Result<()> {
    let own = |name: &&String| {
        Path::new(name).with_extension("") == Path::new(record.file_name().unwrap_or_default())
    };
    names.iter().filter(own).try_for_each(|name| files::remove_file(&projects.join(name)))
}

/// Removes shared entries that are in no used closure; returns the stamps of the others.
fn prune_links(links_dir: &Path, used: &UsedEntries, pruned: &mut PruneSummary) -> Result<BTreeSet<String>> {
    let mut stamps = BTreeSet::new();
    if !links_dir.is_dir() {
        return Ok(stamps);
    }
    let mut entries = BTreeSet::new();
    for closure in names(&links_dir.join(CLOSURES))? {
        let path = closure_path(links_dir, &closure);
        if !used.closures.contains(&closure) {
            files::remove_file(&path)?;
            continue;
        }
        let Some(text) = files::find_cached_string(&path, CLOSURE_BYTES_MAX)? else {
            // Damaged: the next install of the closure writes it again.
            files::remove_file(&path)?;
            continue;
        };
        for (entry, stamp) in text.lines().filter_map(|line| line.split_once('\t')) {
            entries.insert(entry.to_owned());
            stamps.insert(stamp.to_owned());
        }
    }
    // A closure that was never finished: links may point to its entries.
    if used.closures.iter().any(|closure| !closure_path(links_dir, closure).is_file()) {
        return Ok(stamps);
    }
    let refused = |errno| files::problem::open_directory(links_dir, errno);
    let links = sys::open_directory(sys::CWD, links_dir).map_err(refused)?;
    files::create_directories_at(links.as_fd(), Path::new(STAGING))?;
    for entry in
        names(links_dir)?.into_iter().filter(|name| !name.starts_with('.') && !entries.contains(name))
    {
        sys::renameat(links.as_fd(), entry.as_str(), links.as_fd(), format!("{STAGING}/{entry}").as_str())
            .map_err(|errno| files::problem::remove(&links_dir.join(&entry), errno))?;
        pruned.shared_packages += 1;
    }
    // Includes files of killed installs: none runs now.
    pruned.bytes += bytes_of(&links_dir.join(STAGING));
    files::remove_tree_at(links.as_fd(), Path::new(STAGING))?;
    Ok(stamps)
}

fn prune_store(
    root: &Path,
    used: &UsedEntries,
    shared: &BTreeSet<String>,
    pruned: &mut PruneSummary,
) -> Result<()> {
    if !root.is_dir() {
        return Ok(());
    }
    let store = Store::open(root)?;
    let all: BTreeSet<&str> = used.stamps.iter().chain(shared).map(String::as_str).collect();
    let dirs = store.dirs()?;
    // Packages that are not from a registry have another name in the record than in the store: all
    // of that name stay.
    let is_known = |stamp: &&&str| dirs.iter().any(|dir| dir == **stamp);
    let (by_folder, by_name): (BTreeSet<&str>, BTreeSet<&str>) =
        all.iter().partition(|stamp| is_known(stamp));
    let names: BTreeSet<String> = by_name.into_iter().filter_map(name_of).collect();
    let stays = |dir: &String| {
        by_folder.contains(dir.as_str()) || name_of(dir).is_none_or(|name| names.contains(&name))
    };
    let unused: Vec<String> = dirs.iter().filter(|dir| !stays(dir)).cloned().collect();
    pruned.packages += unused.len();
    pruned.bytes += unused.iter().map(|dir| bytes_of(&root.join(dir))).sum::<u64>();
    if unused.is_empty() { Ok(()) } else { store.remove_dirs(&unused) }
}

/// `@scope+name`, from a directory of the store or from a stamp.
fn name_of(text: &str) -> Option<String> {
    let end = text.get(1..)?.find('@')? + 1;
    Some(text[..end].replace('/', "+"))
}

/// Names in a directory; none if it does not exist.
fn names(dir: &Path) -> Result<Vec<String>> {
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| problem::list(dir, error))?,
    };
    Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

/// The disk space that is freed with a directory; files with other hard links do not count.
fn bytes_of(dir: &Path) -> u64 {
    let mut bytes = 0;
    let mut dirs: Vec<PathBuf> = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => dirs.push(entry.path()),
                Ok(found) if found.is_file() && found.nlink() == 1 => bytes += found.len(),
                _ => {}
            }
        }
    }
    bytes
}

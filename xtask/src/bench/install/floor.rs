//! Lower bound of an install: a program that knows the result of rusk's install and creates it
//! again. It reads no manifest, lockfile or index, sends no request, makes no decision and writes
//! no state. What is left is hashing, inflating and the system calls, on as many threads as there
//! are processors. It takes part in the rounds as a tool does; its time shows whether a target can
//! be reached at all. In: a project directory, a home. Out: node_modules. Absent: workspaces,
//! packages that are not from a registry.

use super::registry;
use crate::process;
use rusk_base::sys::{self, Mode, OFlags, OwnedFd};
use rusk_npm::bun_lock;
use rusk_npm::graph::Source;
use rusk_store::{Key, Store, tarball};
use sha2::{Digest, Sha512};
use std::collections::{BTreeMap, HashMap};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arguments that `tool` passes: first record the recipe, then replay it.
pub const RECORD_STEP: &str = "learn";
pub const REPLAY_STEP: &str = "repeat";
/// The environment variable with the path of rusk.
pub const RUSK: &str = "RUSK";

/// Relative to the home.
const RUSK_STORE: &str = "cache/rusk/store";
const OWN_STORE: &str = "store";
/// State that rusk stores in node_modules; it is not part of the tree.
const RECORD: &str = "node_modules/.rusk";
const DIRECTORY_MODE: Mode = Mode::from_raw_mode(0o777);

/// What is created again.
#[derive(Default)]
struct Recipe {
    /// Tarballs with the store directory that each fills, largest first.
    tarballs: Vec<(PathBuf, String)>,
    /// Whether the directory that contains all entries of the isolated layout exists.
    has_entries: bool,
    /// Those with most steps first.
    tasks: Vec<EntryTask>,
}

/// An entry of node_modules. No other task writes to it.
struct EntryTask {
    path: String,
    /// Whether the entry is a directory; then the paths of the steps are relative to it.
    is_directory: bool,
    steps: Vec<FileStep>,
}

enum FileStep {
    Directory(String),
    /// A file of the store, and the path where it is linked.
    File(String, String),
    /// A symbolic link, and its target.
    Link(String, String),
}

pub fn run(arguments: &[String]) -> Result<(), String> {
    let project = std::env::current_dir().map_err(|error| format!("the current directory: {error}"))?;
    let home = std::env::var_os("HOME").map(PathBuf::from).ok_or("expected HOME")?;
    match arguments.split_first() {
        Some((word, rest)) if word == RECORD_STEP => record(&project, &home, rest),
        Some((word, _)) if word == REPLAY_STEP => replay(&project, &home),
        _ => Err(format!("expected `{RECORD_STEP}` or `{REPLAY_STEP}`")),
    }
}

/// Next to the home, because scenarios empty the home.
fn recipe_file(home: &Path) -> PathBuf {
    home.with_extension("tree")
}

/// Runs rusk's install, records the tree, and fills its own store.
fn record(project: &Path, home: &Path, flags: &[String]) -> Result<(), String> {
    let rusk = std::env::var_os(RUSK).ok_or("expected the variable RUSK")?;
    process::succeed(Command::new(rusk).args(["install", "--ignore-scripts"]).args(flags))?;
    let lockfile = read(&project.join("bun.lock"))?;
    let lockfile = bun_lock::parse(&lockfile).map_err(|error| format!("bun.lock: {error}"))?;
    let store = Store::open(&home.join(RUSK_STORE)).map_err(|problem| problem.to_string())?;
    let (mut files, mut tarballs) = (HashMap::new(), Vec::new());
    for id in lockfile.graph.package_ids() {
        let package = lockfile.graph.package(id);
        let (Source::Npm { version, .. }, Some(integrity)) = (&package.source, package.integrity) else {
            continue;
        };
        let name = lockfile.graph.package_name(id).as_str();
        let key = Key::new(name, &version.to_string(), &integrity.to_string());
        // Packages for other platforms are not in the store.
        let Some(stored) = store.find(&key).map_err(|problem| problem.to_string())? else { continue };
        record_files(&stored, &store, &mut files)?;
        let file = name.rsplit('/').next().unwrap_or(name);
        let tarball = registry::directory().join(format!("tarballs/{name}/-/{file}-{version}.tgz"));
        let bytes = std::fs::metadata(&tarball).map_err(io(&tarball))?.len();
        tarballs.push((bytes, format!("T\t{}\t{}\n", tarball.display(), key.dir_name())));
    }
    tarballs.sort();
    let mut text: String = tarballs.into_iter().rev().map(|(_, line)| line).collect();
    record_directory(project, "node_modules", &files, &mut text).map_err(io(project))?;
    let recipe = Recipe::read(&text)?;
    let own = home.join(OWN_STORE);
    // An earlier recording may have been of another tree.
    crate::files::remove(&own)?;
    std::fs::create_dir_all(&own).map_err(io(&own))?;
    recipe.fill(&open(&own)?)?;
    std::fs::write(recipe_file(home), text).map_err(io(home))
}

/// A package's files by inode, with the names that [`unpack`] uses.
fn record_files(
    stored: &rusk_store::Package,
    store: &Store,
    files: &mut HashMap<u64, String>,
) -> Result<(), String> {
    let listing = stored.index.listing().ok_or("an index of the store is damaged")?;
    let mut entries: Vec<_> = listing.files().collect();
    entries.sort_by_key(|entry| entry.path);
    for (number, entry) in entries.iter().enumerate() {
        let path = store.find_file(stored, entry.path).ok_or("the store has lost a file")?;
        let inode = std::fs::metadata(&path).map_err(io(&path))?.ino();
        files.insert(inode, format!("{}/{number}", stored.key.dir_name()));
    }
    Ok(())
}

/// A directory comes before its entries.
fn record_directory(
    project: &Path,
    path: &str,
    files: &HashMap<u64, String>,
    text: &mut String,
) -> std::io::Result<()> {
    text.push_str(&format!("D\t{path}\n"));
    for entry in std::fs::read_dir(project.join(path))? {
        let entry = entry?;
        let (kind, inside) = (entry.file_type()?, format!("{path}/{}", entry.file_name().to_string_lossy()));
        if kind.is_dir() {
            record_directory(project, &inside, files, text)?;
        } else if kind.is_symlink() {
            text.push_str(&format!("L\t{inside}\t{}\n", std::fs::read_link(entry.path())?.display()));
        } else if path != RECORD {
            let stored = files.get(&entry.metadata()?.ino());
            let stored =
                stored.ok_or_else(|| std::io::Error::other(format!("{inside} is no link to the store")))?;
            text.push_str(&format!("F\t{stored}\t{inside}\n"));
        }
    }
    Ok(())
}

fn replay(project: &Path, home: &Path) -> Result<(), String> {
    let recipe = Recipe::read(&read(&recipe_file(home))?)?;
    let store = home.join(OWN_STORE);
    let is_stored = store.is_dir();
    std::fs::create_dir_all(&store).map_err(io(&store))?;
    let (project, store) = (open(project)?, open(&store)?);
    if !is_stored {
        recipe.fill(&store)?;
    }
    recipe.create(&project, &store)
}

fn open(directory: &Path) -> Result<OwnedFd, String> {
    sys::open_directory(sys::CWD, directory).map_err(|errno| format!("{}: {errno}", directory.display()))
}

/// Calls `work` with each item, in order, on all processors.
fn on_every_core<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let all = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item)?;
        }
        Ok(())
    };
    let others = std::thread::available_parallelism().map_or(1, |count| count.get()) - 1;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..others).map(|_| scope.spawn(all)).collect();
        let own = all();
        threads.into_iter().fold(own, |done, thread| {
            done.and(thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned())))
        })
    })
}

/// Hashes a tarball, inflates it, and writes its files.
fn unpack(tarball: &Path, store: &OwnedFd, directory: &str) -> Result<(), String> {
    let describe = |errno: sys::Errno| format!("{directory}: {errno}");
    let bytes = std::fs::read(tarball).map_err(io(tarball))?;
    std::hint::black_box(Sha512::digest(&bytes));
    sys::mkdirat(store.as_fd(), directory, DIRECTORY_MODE).map_err(describe)?;
    let written = tarball::inflate::with_tar(&bytes, |tar| {
        for (number, file) in tarball::read_files(tar)?.iter().enumerate() {
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
            let mode = Mode::from_raw_mode(file.mode.into());
            let written = sys::openat(store.as_fd(), format!("{directory}/{number}"), flags, mode)
                .and_then(|opened| sys::write_all(opened.as_fd(), &file.body));
            if let Err(errno) = written {
                return Ok(Err(describe(errno)));
            }
        }
        Ok(Ok(()))
    });
    written.map_err(|problem| problem.to_string())?
}

impl Recipe {
    fn read(text: &str) -> Result<Recipe, String> {
        let mut recipe = Recipe::default();
        let mut tasks: BTreeMap<&str, EntryTask> = BTreeMap::new();
        for line in text.lines() {
            let mut arguments = line.split('\t');
            let (kind, first) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
            let second = arguments.next().unwrap_or_default();
            let path = if kind == "F" { second } else { first };
            match (kind, path) {
                ("T", _) => recipe.tarballs.push((PathBuf::from(first), second.to_owned())),
                ("D", "node_modules") => {}
                ("D", ENTRIES) => recipe.has_entries = true,
                ("D" | "F" | "L", _) => {
                    let entry = entry_of(path);
                    let task = tasks.entry(entry).or_insert_with(|| EntryTask {
                        path: entry.to_owned(),
                        is_directory: kind == "D",
                        steps: Vec::new(),
                    });
                    if let Some(step) = task.step(kind, first, second) {
                        task.steps.push(step);
                    }
                }
                _ => return Err(format!("expected a line that begins with T, D, F or L, found `{line}`")),
            }
        }
        recipe.tasks = tasks.into_values().collect();
        recipe.tasks.sort_by_key(|task| std::cmp::Reverse(task.steps.len()));
        Ok(recipe)
    }

    fn fill(&self, store: &OwnedFd) -> Result<(), String> {
        on_every_core(&self.tarballs, |(tarball, directory)| unpack(tarball, store, directory))
    }

    fn create(&self, project: &OwnedFd, store: &OwnedFd) -> Result<(), String> {
        for directory in ["node_modules"].into_iter().chain(self.has_entries.then_some(ENTRIES)) {
            sys::mkdirat(project.as_fd(), directory, DIRECTORY_MODE)
                .map_err(|errno| format!("{directory}: {errno}"))?;
        }
        on_every_core(&self.tasks, |task| task.create(project, store))
    }
}

impl EntryTask {
    /// Parses a line; `None` if the line is the entry's own directory.
    fn step(&self, kind: &str, first: &str, second: &str) -> Option<FileStep> {
        let inside = |path: &str| match self.is_directory {
            true => path.get(self.path.len() + 1..).map(str::to_owned),
            false => Some(path.to_owned()),
        };
        Some(match kind {
            "D" => FileStep::Directory(inside(first)?),
            "F" => FileStep::File(first.to_owned(), inside(second)?),
            _ => FileStep::Link(inside(first)?, second.to_owned()),
        })
    }

    fn create(&self, project: &OwnedFd, store: &OwnedFd) -> Result<(), String> {
        let describe = |errno: sys::Errno| format!("{}: {errno}", self.path);
        if !self.is_directory {
            return self.steps.iter().try_for_each(|step| step.create(project, store)).map_err(describe);
        }
        sys::mkdirat(project.as_fd(), self.path.as_str(), DIRECTORY_MODE).map_err(describe)?;
        let directory = sys::open_directory(project.as_fd(), self.path.as_str()).map_err(describe)?;
        self.steps.iter().try_for_each(|step| step.create(&directory, store)).map_err(describe)
    }
}

const ENTRIES: &str = "node_modules/.bun";

/// The entry of node_modules, or of `.bun` in it, that contains a path.
fn entry_of(path: &str) -> &str {
    let inside = match path.strip_prefix(ENTRIES) {
        Some(rest) if rest.starts_with('/') => ENTRIES.len() + 1,
        _ => "node_modules/".len(),
    };
    path[inside..].find('/').map_or(path, |at| &path[..inside + at])
}

impl FileStep {
    fn create(&self, directory: &OwnedFd, store: &OwnedFd) -> sys::Result<()> {
        let directory = directory.as_fd();
        match self {
            FileStep::Directory(path) => sys::mkdirat(directory, path.as_str(), DIRECTORY_MODE),
            FileStep::File(stored, path) => {
                sys::linkat(store.as_fd(), stored.as_str(), directory, path.as_str())
            }
            FileStep::Link(path, target) => sys::symlinkat(target.as_str(), directory, path.as_str()),
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(io(path))
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests;

//! Shared entries on disk: `links/NAME@VERSION@@HASH/node_modules/…` in the cache, on the store's
//! file system. An entry is built in `links/.staging` and renamed; if another install was first,
//! its entry is used. When all entries of a project exist, a file in `links/.closures` records that
//! and lists them for `prune`, with those that have install scripts: the next install checks that
//! file only.

use std::collections::{BTreeSet, HashSet};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::sys::{self, Errno, FileType};
use rusk_base::{Result, files};
use rusk_configuration::request::Reuse;
use rusk_npm::graph::{Constraints, Graph, PackageId};
use rusk_resolver::isolate::{IsolatedEntry, IsolatedGraph};
use rusk_store::Backend;

use super::SharedKeys;
use crate::dependency_scripts::own_scripts;
use crate::event::Reporter;
use crate::layout::{Layout, LayoutKind};
use crate::link::early::EarlyPackages;
use crate::link::staging::StagingDir;
use crate::link::{LinkContext, bins, build};
use crate::plan::{Origin, PackageLocation, Plan};
use crate::virtual_store::{VirtualStore, entry_of};

pub const STAGING: &str = ".staging";
pub const CLOSURES: &str = ".closures";
/// Before the name of an entry whose package has install scripts, in the file of a closure. Other
/// lines are the name of an entry, a tab, and the stamp of its package.
const SCRIPTED: &str = "scripts:";
/// The last line: all that have scripts are listed.
const END: &str = "end";
/// A larger list of entries is ignored.
pub const CLOSURE_BYTES_MAX: u64 = 64 << 20;

/// Represents the directory of shared entries in a plan.
const REPRESENTATION: VirtualStore = VirtualStore::Bun;
const ENTRIES: &str = REPRESENTATION.path();

/// Directory of shared entries.
pub fn links_dir(cache_dir: &Path) -> PathBuf {
    cache_dir.join("links")
}

/// The file that exists when all entries of a closure do.
pub fn closure_path(links_dir: &Path, closure: &str) -> PathBuf {
    links_dir.join(CLOSURES).join(closure)
}

/// A plan of all shared entries, as if `links` were in a project.
fn plan(
    graph: &Graph,
    isolated: &IsolatedGraph,
    keys: &SharedKeys,
    stamp: &dyn Fn(PackageId) -> String,
) -> Plan {
    let name = |id: usize, _: &IsolatedEntry| keys.find(id).map(|key| key.dir_name().to_owned());
    let mut layout = Layout { kind: LayoutKind::Isolated(REPRESENTATION), ..Layout::default() };
    layout.add_entries(graph, isolated, &name, &|_| None);
    Plan::of(graph, layout, stamp, Arc::default())
}

/// The entries that a project shares, and which of them are to be made.
#[derive(Clone, Debug, Default)]
pub struct SharedEntries {
    pub links_dir: PathBuf,
    pub closure: String,
    /// The packages that the project shares, and the names of their entries.
    pub packages: Vec<(PackageId, String)>,
    /// Packages for one platform, and their paths.
    pub native: Vec<(PackageId, String)>,
    /// Whether entries of the closure may be missing.
    pub is_incomplete: bool,
    /// All entries, in a directory that represents `links`; missing ones are to be made. Empty when
    /// the closure is complete.
    plan: Plan,
    reuse: Option<Reuse>,
}

impl SharedEntries {
    pub fn find(
        graph: &Graph,
        isolated: &IsolatedGraph,
        keys: &SharedKeys,
        stamp: &dyn Fn(PackageId) -> String,
        (cache_dir, reuse): (&Path, Reuse),
    ) -> SharedEntries {
        let links_dir = links_dir(cache_dir);
        let closure = keys.closure();
        let is_complete = reuse == Reuse::InstalledFiles
            && sys::lstatat(sys::CWD, closure_path(&links_dir, &closure)).is_ok();
        let plan = if is_complete { Plan::default() } else { plan(graph, isolated, keys, stamp) };
        let shared =
            isolated.entries.iter().enumerate().filter_map(|(id, entry)| Some((entry, keys.find(id)?)));
        let native = shared.clone().filter_map(|(entry, key)| {
            let is_native = graph.package(entry.package).constraints != Constraints::default();
            let name = graph.package_name(entry.package);
            let path = || Some(format!("{}/{}/node_modules/{name}", links_dir.to_str()?, key.dir_name()));
            is_native.then(path).flatten().map(|path| (entry.package, path))
        });
        let native = native.collect();
        let packages = shared.map(|(entry, key)| (entry.package, key.dir_name().to_owned())).collect();
        let mut shared = SharedEntries {
            links_dir,
            closure,
            packages,
            native,
            is_incomplete: !is_complete,
            plan,
            reuse: Some(reuse),
        };
        shared.skip_existing();
        shared
    }

    fn skip_existing(&mut self) {
        let (links_dir, reuse) = (&self.links_dir, self.reuse);
        let missing = |entry: &str| {
            let path = links_dir.join(entry.strip_prefix(ENTRIES).map_or(entry, |rest| &rest[1..]));
            let found = sys::lstatat(sys::CWD, path);
            reuse == Some(Reuse::Nothing)
                || !found.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
        };
        let mut last = (String::new(), false);
        let mut is_missing = |location: &PackageLocation| {
            let entry = entry_of(&location.path).unwrap_or_default();
            if last.0 != entry {
                last = (entry.to_owned(), missing(entry));
            }
            last.1
        };
        let Plan { locations, make, .. } = &mut self.plan;
        make.retain(|&index| is_missing(&locations[index]));
    }

    pub fn closure_path(&self) -> PathBuf {
        closure_path(&self.links_dir, &self.closure)
    }

    /// Packages to be made.
    pub fn missing_packages(&self) -> impl Iterator<Item = &PackageLocation> {
        self.plan.made().filter(|location| location.origin == Origin::Store)
    }

    /// Makes missing entries, and records that all exist.
    pub fn make(&self, context: &LinkContext<'_>, reporter: &mut dyn Reporter) -> Result<()> {
        if !self.is_incomplete {
            return Ok(());
        }
        let session = format!("{STAGING}/{}", files::unpredictable_name());
        files::create_directories(&self.links_dir.join(&session))?;
        files::create_directories(&self.links_dir.join(CLOSURES))?;
        let refused = |errno| files::problem::open_directory(&self.links_dir, errno);
        let links = sys::open_directory(sys::CWD, &self.links_dir).map_err(refused)?;
        let dir = sys::open_directory(links.as_fd(), session.as_str()).map_err(refused)?;
        // Best effort: only ext4 supports the flag.
        let _ = sys::set_top_of_hierarchy(dir.as_fd());
        let staging_dir = StagingDir::at(self.links_dir.join(&session), dir);
        let made =
            self.build(context, &staging_dir, reporter).and_then(|()| self.publish(links.as_fd(), &session));
        files::remove_tree_at(links.as_fd(), Path::new(&session))?;
        made?;
        let lines = self.plan.locations.iter().filter(|location| location.origin == Origin::Store);
        let line =
            |location: &PackageLocation| Some(format!("{}\t{}\n", entry_name_of(location)?, location.stamp));
        let text: String = lines.filter_map(line).collect();
        let scripted = self.scan_scripts(context.graph)?;
        let scripted = self.packages.iter().filter(|(id, _)| scripted.contains(id));
        let scripted: String = scripted.map(|(_, entry)| format!("{SCRIPTED}{entry}\n")).collect();
        files::write_atomically(&self.closure_path(), format!("{text}{scripted}{END}").as_bytes())
    }

    /// The packages with install scripts, of those whose entries exist. None of them is approved in
    /// this project: see the parent module.
    pub fn existing_scripted(&self, graph: &Graph) -> Result<BTreeSet<PackageId>> {
        let recorded = match self.is_incomplete {
            true => None,
            false => files::find_cached_string(&self.closure_path(), CLOSURE_BYTES_MAX)?,
        };
        // A closure of an earlier version does not say which have scripts.
        let Some(recorded) = recorded.as_deref().and_then(|text| text.strip_suffix(END)) else {
            return self.scan_scripts(graph);
        };
        let scripted: HashSet<&str> =
            recorded.lines().filter_map(|line| line.strip_prefix(SCRIPTED)).collect();
        let is_scripted = |entry: &String| scripted.contains(entry.as_str());
        Ok(self.packages.iter().filter(|(_, entry)| is_scripted(entry)).map(|(id, _)| *id).collect())
    }

    /// The same, from the entries themselves.
    fn scan_scripts(&self, graph: &Graph) -> Result<BTreeSet<PackageId>> {
        let mut scripted = BTreeSet::new();
        for (id, entry) in &self.packages {
            let name = graph.package_name(*id).as_str();
            let dir = self.links_dir.join(entry).join("node_modules").join(name);
            if own_scripts::has_scripts_in(graph, *id, &dir)? {
                scripted.insert(*id);
            }
        }
        Ok(scripted)
    }

    fn build(
        &self,
        context: &LinkContext<'_>,
        staging_dir: &StagingDir,
        reporter: &mut dyn Reporter,
    ) -> Result<()> {
        let backend = Backend::probe(context.store, &self.links_dir, None)?;
        let early = EarlyPackages::default();
        let context = LinkContext { backend, early: &early, ..context.copy() };
        let bins = bins::of(&self.plan, &context);
        let mut builds = build::BuildQueue::new(&bins, &self.plan.moves);
        for unit in self.plan.units() {
            builds.add(&unit, &format!("{ENTRIES}/"), "");
        }
        builds.make(&context, staging_dir, reporter)
    }

    /// Renames every entry to its final path. An existing one was made from the same packages, so
    /// it stays; with `--force` it is replaced.
    fn publish(&self, links: BorrowedFd<'_>, session: &str) -> Result<()> {
        for unit in self.plan.units() {
            let Some(name) = unit.root.strip_prefix(ENTRIES).map(|rest| &rest[1..]) else { continue };
            let staged = format!("{session}/{name}");
            let refused = |errno| files::problem::rename(&self.links_dir.join(name), errno);
            match sys::renameat(links, staged.as_str(), links, name) {
                Ok(()) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST) if self.reuse == Some(Reuse::InstalledFiles) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {
                    sys::renameat2(links, staged.as_str(), links, name, sys::RenameFlags::EXCHANGE)
                        .map_err(refused)?;
                }
                Err(errno) => return Err(refused(errno)),
            }
        }
        Ok(())
    }
}

/// The name of a location's entry.
fn entry_name_of(location: &PackageLocation) -> Option<&str> {
    entry_of(&location.path)?.strip_prefix(ENTRIES)?.strip_prefix('/')
}

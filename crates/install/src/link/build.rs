//! Builds packages in the staging directory, with one thread for each processor. In: units of a
//! plan and the programs of each directory. Out: the finished units, and which directories'
//! programs are still to be linked in place.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Result, sys};
use rusk_store::{Linked, Linker, Package};

use super::bins::BinLink;
use super::staging::StagingDir;
use super::{LinkContext, local};
use crate::event::{InstallEvent, Reporter};
use crate::plan::{BinLinks, Origin, PackageLocation, Plan, RenameUnit, relative};
use crate::problem;

pub struct BuildQueue<'a> {
    bins: &'a HashMap<String, Vec<BinLink>>,
    tasks: Vec<BuildTask<'a>>,
    /// Programs in directories that are complete when all tasks are done.
    last: Vec<(String, &'a [BinLink])>,
    /// Directories whose programs are linked here.
    linked: HashSet<String>,
    /// Where a package is made, and where it is now.
    moves: &'a BTreeMap<String, String>,
    moved: Vec<PackageMove<'a>>,
}

/// A package that is moved instead of made, once everything else is there.
struct PackageMove<'a> {
    from: &'a str,
    target: BuildTarget<'a>,
}

/// The work of one thread at a time.
struct BuildTask<'a> {
    /// The directory that the task makes for itself; `None` for a single location.
    root: Option<String>,
    targets: Vec<BuildTarget<'a>>,
    /// By directory in the staging directory.
    bins: Vec<(String, &'a [BinLink])>,
}

/// A location and where in the staging directory it is built.
struct BuildTarget<'a> {
    location: &'a PackageLocation,
    staged: String,
}

/// Directories that exist before any task starts.
#[derive(Default)]
struct OuterDirs {
    dirs: BTreeSet<String>,
    /// Those that are packages linked early, and how many files they have.
    partly_linked: HashMap<String, usize>,
}

impl<'a> BuildQueue<'a> {
    pub fn new(
        bins: &'a HashMap<String, Vec<BinLink>>,
        moves: &'a BTreeMap<String, String>,
    ) -> BuildQueue<'a> {
        let (tasks, last, moved, linked) = Default::default();
        BuildQueue { bins, tasks, last, linked, moves, moved }
    }

    /// Adds a unit; the project's directory `from` is built as `to`.
    pub fn add(&mut self, unit: &RenameUnit<'a>, from: &str, to: &str) {
        let target = |location: &'a PackageLocation| BuildTarget {
            location,
            staged: staged(&location.path, from, to),
        };
        let (moved, made): (Vec<&'a PackageLocation>, Vec<&'a PackageLocation>) =
            unit.locations.iter().partition(|location| self.moves.contains_key(&location.path));
        self.moved.extend(
            moved
                .into_iter()
                .map(|location| PackageMove { from: &self.moves[&location.path], target: target(location) }),
        );
        if !unit.is_dir() {
            let single =
                |location| BuildTask { root: None, targets: vec![target(location)], bins: Vec::new() };
            self.tasks.extend(made.into_iter().map(single));
            return;
        }
        let mut task =
            BuildTask { root: Some(staged(&unit.root, from, to)), targets: Vec::new(), bins: Vec::new() };
        for location in &unit.locations {
            let dir = location.node_modules_dir();
            if let Some(bins) = self.bins.get(dir)
                && self.linked.insert(dir.to_owned())
                && !bins.is_empty()
            {
                task.bins.push((staged(dir, from, to), bins));
            }
            if !self.moves.contains_key(&location.path) {
                task.targets.push(target(location));
            }
        }
        self.tasks.push(task);
    }

    /// Links the programs of every directory below `from` that no task links, when all is built.
    pub fn finish(&mut self, from: &str, to: &str) {
        let inside = format!("{from}/");
        for (dir, bins) in self.bins {
            let is_inside = dir == from || dir.starts_with(&inside);
            if is_inside && self.linked.insert(dir.clone()) {
                self.last.push((staged(dir, from, to), bins));
            }
        }
    }

    /// Runs all tasks, those with the most files first.
    pub fn make(
        &mut self,
        context: &LinkContext<'_>,
        staging_dir: &StagingDir,
        reporter: &mut dyn Reporter,
    ) -> Result<()> {
        for (above, _) in self.moved.iter().filter_map(|moved| moved.target.staged.rsplit_once('/')) {
            staging_dir.make_dir(above)?;
        }
        if self.tasks.is_empty() {
            return Ok(());
        }
        let total = self.tasks.iter().map(BuildTask::packages).sum();
        self.tasks.sort_by_cached_key(|task| std::cmp::Reverse(size(task, context)));
        let outer = self.make_outer(context, staging_dir)?;
        let tasks = &self.tasks;
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |show: &mut dyn FnMut(usize)| -> Result<()> {
            let linker = Linker::new(context.store, context.backend);
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                task.make(&linker, context, staging_dir, &outer)?;
                let made = task.packages();
                show(done.fetch_add(made, Ordering::Relaxed) + made);
            }
            Ok(())
        };
        let here = timeline::current();
        let beside = || {
            let _lane = here.enter("link");
            work(&mut |_| {})
        };
        let outcome = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..context.threads.max(1)).map(|_| scope.spawn(beside)).collect();
            let own = work(&mut |done| reporter.on_event(InstallEvent::Linking { done, total }));
            threads.into_iter().fold(own, |all, thread| {
                all.and(thread.join().unwrap_or_else(|_| Err(problem::linking_stopped())))
            })
        });
        reporter.on_event(InstallEvent::Linking { done: done.into_inner(), total });
        outcome?;
        self.last.iter().try_for_each(|(dir, bins)| link_bins(dir, bins, staging_dir))
    }

    /// Moves packages from locations that are removed. A package that was deleted meanwhile is
    /// linked again.
    pub fn move_packages(
        &self,
        context: &LinkContext<'_>,
        staging_dir: &StagingDir,
        project: BorrowedFd<'_>,
    ) -> Result<()> {
        let linker = Linker::new(context.store, context.backend);
        let nothing = OuterDirs::default();
        self.moved.iter().try_for_each(|PackageMove { from, target }| {
            match sys::renameat(project, *from, staging_dir.fd(), target.staged.as_str()) {
                Ok(()) => Ok(()),
                Err(_) => target.make(&linker, context, staging_dir, &nothing),
            }
        })
    }

    /// Makes the parent directories of single locations. Parents come first, so that a package
    /// linked early is moved to where nothing exists yet.
    fn make_outer(&self, context: &LinkContext<'_>, staging_dir: &StagingDir) -> Result<OuterDirs> {
        let mut outer = OuterDirs { dirs: self.outer_dirs(), partly_linked: HashMap::new() };
        if context.early.is_empty() {
            outer.dirs.iter().try_for_each(|dir| staging_dir.make_dir(dir))?;
            return Ok(outer);
        }
        let targets = self.tasks.iter().flat_map(|task| &task.targets);
        let packages: HashMap<&str, &Package> = targets
            .filter_map(|target| {
                Some((target.staged.as_str(), context.packages.get(&target.location.stamp)?))
            })
            .collect();
        context.early.remove_misplaced(&packages, staging_dir)?;
        for dir in &outer.dirs {
            let package = packages.get(dir.as_str());
            match package.and_then(|package| context.early.move_to(package, staging_dir, dir)) {
                Some(files) => drop(outer.partly_linked.insert(dir.clone(), files)),
                None => staging_dir.make_dir(dir)?,
            }
        }
        Ok(outer)
    }

    /// Every parent directory of a single location, parents first; made beforehand so that two
    /// threads do not make the same one.
    fn outer_dirs(&self) -> BTreeSet<String> {
        let single = self.tasks.iter().filter(|task| task.root.is_none());
        let paths = single.flat_map(|task| &task.targets).map(|target| target.staged.as_str());
        let holders: HashSet<&str> = paths.filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
        let above = |path: &str| {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            ends.map(|end| path[..end].to_owned()).collect::<Vec<_>>()
        };
        holders.into_iter().flat_map(above).collect()
    }

    /// The directories that existed before and whose packages changed, with their programs.
    pub fn existing_dirs(&self, plan: &Plan) -> Vec<(&'a String, &'a Vec<BinLink>)> {
        let touched = touched(plan);
        let mut existing_dirs: Vec<_> = self
            .bins
            .iter()
            .filter(|(dir, _)| !self.linked.contains(*dir))
            .filter(|(dir, _)| touched.as_ref().is_none_or(|touched| touched.contains(dir.as_str())))
            .collect();
        existing_dirs.sort();
        existing_dirs
    }
}

/// Directories in which a location is made or removed, or a link points to a package that is made;
/// `None` means all.
fn touched(plan: &Plan) -> Option<BTreeSet<&str>> {
    if plan.programs == BinLinks::Changed {
        return None;
    }
    let holder = |path: &'_ String| path.rfind("node_modules/").map(|at| at + "node_modules".len());
    let gone = plan.remove.iter().filter_map(|path| Some(&path[..holder(path)?]));
    let made: HashSet<&str> = plan.made().map(|location| location.path.as_str()).collect();
    let changes = |location: &&PackageLocation| match &location.origin {
        Origin::Location(target) => made.contains(target.as_str()) || made.contains(location.path.as_str()),
        Origin::Store => made.contains(location.path.as_str()),
        // Its programs may have changed.
        Origin::Link(_) | Origin::Directory(_) => true,
    };
    let changed = plan.locations.iter().filter(changes).map(PackageLocation::node_modules_dir);
    Some(gone.chain(changed).collect())
}

fn staged(path: &str, from: &str, to: &str) -> String {
    [to, path.strip_prefix(from).unwrap_or(path)].concat()
}

fn size(task: &BuildTask<'_>, context: &LinkContext<'_>) -> usize {
    let files = |target: &BuildTarget<'_>| {
        context.packages.get(&target.location.stamp).map_or(1, |package| package.index.file_count())
    };
    task.targets.iter().map(files).sum()
}

impl BuildTask<'_> {
    /// Packages as a user counts them: links to them and to members are not.
    fn packages(&self) -> usize {
        self.targets.iter().filter(|target| !target.location.is_link()).count()
    }

    fn make(
        &self,
        linker: &Linker<'_>,
        context: &LinkContext<'_>,
        staging_dir: &StagingDir,
        outer: &OuterDirs,
    ) -> Result<()> {
        let mut dirs =
            self.root.as_deref().map(|root| CreatedDirs { root, made: HashSet::new(), staging_dir });
        for target in &self.targets {
            if let Some(dirs) = &mut dirs {
                dirs.make_above(&target.staged)?;
            }
            let location = target.location;
            match &location.origin {
                Origin::Link(to) | Origin::Location(to) => {
                    staging_dir.link(&target.staged, &relative(&location.path, to))?;
                }
                Origin::Directory(source) => {
                    let source = context.project.join(source);
                    local::copy(&source, staging_dir, &target.staged, context.backend)?;
                }
                Origin::Store => target.make(linker, context, staging_dir, outer)?,
            }
        }
        self.bins.iter().try_for_each(|(dir, bins)| link_bins(dir, bins, staging_dir))
    }
}

impl BuildTarget<'_> {
    /// Links a package of the store.
    fn make(
        &self,
        linker: &Linker<'_>,
        context: &LinkContext<'_>,
        staging_dir: &StagingDir,
        outer: &OuterDirs,
    ) -> Result<()> {
        let is_there = outer.dirs.contains(&self.staged);
        let package = context.packages.get(&self.location.stamp);
        let package = package.ok_or_else(|| problem::not_in_store(&self.location.path))?;
        let partly_linked = match is_there {
            true => outer.partly_linked.get(&self.staged).copied(),
            false => context.early.move_to(package, staging_dir, &self.staged),
        };
        if partly_linked == Some(package.index.file_count()) {
            return Ok(());
        }
        let mut open = timeline::begin(SpanKind::Link).label(|| self.location.path.clone());
        open.note(|| package.key.label().to_owned());
        open.files(package.index.file_count());
        let dir = staging_dir.fd();
        let linked = match partly_linked {
            Some(files) => linker.link_rest(package, dir, &self.staged, files),
            None if is_there => linker.fill_dir(package, dir, &self.staged),
            None => linker.link_package(package, dir, &self.staged),
        };
        match linked? {
            Linked::Whole => Ok(()),
            Linked::StoreIncomplete => Err(problem::store_damaged(package.key.label())),
        }
    }
}

/// Links programs in the `.bin` of a directory that has none yet.
fn link_bins(dir: &str, bins: &[BinLink], staging_dir: &StagingDir) -> Result<()> {
    if bins.is_empty() {
        return Ok(());
    }
    staging_dir.make_dir(&format!("{dir}/.bin"))?;
    bins.iter().try_for_each(|(name, target)| staging_dir.link(&format!("{dir}/.bin/{name}"), target))
}

/// The directories that one task has made, so that none is made twice.
struct CreatedDirs<'a> {
    root: &'a str,
    made: HashSet<String>,
    staging_dir: &'a StagingDir,
}

impl CreatedDirs<'_> {
    fn make_above(&mut self, staged: &str) -> Result<()> {
        let ends = staged.match_indices('/').map(|(at, _)| at).filter(|&at| at >= self.root.len());
        for dir in ends.map(|at| &staged[..at]) {
            if self.made.insert(dir.to_owned()) {
                self.staging_dir.make_dir(dir)?;
            }
        }
        Ok(())
    }
}

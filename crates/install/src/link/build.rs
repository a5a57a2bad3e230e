//! Places built in the staging folder, by as many threads as compute at once. In: units of a plan
//! and the programs of each folder. Out: the units, whole, and which folders' programs are still to
//! be linked where they stand.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::timeline::{self, Kind};
use rusk_base::{Result, sys};
use rusk_store::{Linked, Linker, Package};

use super::bins::Bin;
use super::staging::Workbench;
use super::{Workshop, local};
use crate::event::{Event, Events};
use crate::plan::{Origin, Place, Plan, Programs, Unit, relative};
use crate::problem;

pub struct Builds<'a> {
    bins: &'a HashMap<String, Vec<Bin>>,
    tasks: Vec<Task<'a>>,
    /// Programs in folders that are complete when all tasks are done.
    last: Vec<(String, &'a [Bin])>,
    /// Folders whose programs are linked here.
    linked: HashSet<String>,
    /// By where a package is made, where it stands now.
    moves: &'a BTreeMap<String, String>,
    moved: Vec<Moved<'a>>,
}

/// A package that is moved rather than made, once all else is there.
struct Moved<'a> {
    from: &'a str,
    target: Target<'a>,
}

/// What one thread makes at a time.
struct Task<'a> {
    /// The folder that the task makes for itself; `None` for a place of its own.
    root: Option<String>,
    targets: Vec<Target<'a>>,
    /// By folder in the staging folder.
    bins: Vec<(String, &'a [Bin])>,
}

/// A place and where in the staging folder it is built.
struct Target<'a> {
    place: &'a Place,
    staged: String,
}

/// Folders that are there before any task begins.
#[derive(Default)]
struct Outer {
    folders: BTreeSet<String>,
    /// Those that are packages linked ahead, and how many files they have.
    begun: HashMap<String, usize>,
}

impl<'a> Builds<'a> {
    pub fn new(bins: &'a HashMap<String, Vec<Bin>>, moves: &'a BTreeMap<String, String>) -> Builds<'a> {
        let (tasks, last, moved, linked) = Default::default();
        Builds { bins, tasks, last, linked, moves, moved }
    }

    /// Adds a unit; the folder `from` of the project is built as `to`.
    pub fn add(&mut self, unit: &Unit<'a>, from: &str, to: &str) {
        let target = |place: &'a Place| Target { place, staged: staged(&place.path, from, to) };
        let (moved, made): (Vec<&'a Place>, Vec<&'a Place>) =
            unit.places.iter().partition(|place| self.moves.contains_key(&place.path));
        self.moved.extend(
            moved.into_iter().map(|place| Moved { from: &self.moves[&place.path], target: target(place) }),
        );
        if !unit.is_folder() {
            let single = |place| Task { root: None, targets: vec![target(place)], bins: Vec::new() };
            self.tasks.extend(made.into_iter().map(single));
            return;
        }
        let mut task =
            Task { root: Some(staged(&unit.root, from, to)), targets: Vec::new(), bins: Vec::new() };
        for place in &unit.places {
            let folder = place.folder();
            if let Some(bins) = self.bins.get(folder)
                && self.linked.insert(folder.to_owned())
                && !bins.is_empty()
            {
                task.bins.push((staged(folder, from, to), bins));
            }
            if !self.moves.contains_key(&place.path) {
                task.targets.push(target(place));
            }
        }
        self.tasks.push(task);
    }

    /// Links the programs of every folder below `from` that no task did, when all is there.
    pub fn finish(&mut self, from: &str, to: &str) {
        let inside = format!("{from}/");
        for (folder, bins) in self.bins {
            let is_inside = folder == from || folder.starts_with(&inside);
            if is_inside && self.linked.insert(folder.clone()) {
                self.last.push((staged(folder, from, to), bins));
            }
        }
    }

    /// Makes everything, what has most files first.
    pub fn make(
        &mut self,
        workshop: &Workshop<'_>,
        workbench: &Workbench,
        events: &mut dyn Events,
    ) -> Result<()> {
        for (above, _) in self.moved.iter().filter_map(|moved| moved.target.staged.rsplit_once('/')) {
            workbench.make_folder(above)?;
        }
        if self.tasks.is_empty() {
            return Ok(());
        }
        let total = self.tasks.iter().map(Task::packages).sum();
        self.tasks.sort_by_cached_key(|task| std::cmp::Reverse(size(task, workshop)));
        let outer = self.make_outer(workshop, workbench)?;
        let tasks = &self.tasks;
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |show: &mut dyn FnMut(usize)| -> Result<()> {
            let linker = Linker::new(workshop.store, workshop.backend);
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                task.make(&linker, workshop, workbench, &outer)?;
                let made = task.packages();
                show(done.fetch_add(made, Ordering::Relaxed) + made);
            }
            Ok(())
        };
        let here = timeline::here();
        let beside = || {
            let _lane = here.enter("link");
            work(&mut |_| {})
        };
        let outcome = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..workshop.threads.max(1)).map(|_| scope.spawn(beside)).collect();
            let own = work(&mut |done| events.event(Event::Linking { done, total }));
            threads.into_iter().fold(own, |all, thread| {
                all.and(thread.join().unwrap_or_else(|_| Err(problem::linking_stopped())))
            })
        });
        events.event(Event::Linking { done: done.into_inner(), total });
        outcome?;
        self.last.iter().try_for_each(|(folder, bins)| link_bins(folder, bins, workbench))
    }

    /// Moves packages from places that go. Whoever deleted one meanwhile finds it linked again.
    pub fn move_packages(
        &self,
        workshop: &Workshop<'_>,
        workbench: &Workbench,
        project: BorrowedFd<'_>,
    ) -> Result<()> {
        let linker = Linker::new(workshop.store, workshop.backend);
        let nothing = Outer::default();
        self.moved.iter().try_for_each(|Moved { from, target }| {
            match sys::renameat(project, *from, workbench.folder(), target.staged.as_str()) {
                Ok(()) => Ok(()),
                Err(_) => target.make(&linker, workshop, workbench, &nothing),
            }
        })
    }

    /// Makes the folders above places of their own. Parents come first, so that a package linked
    /// ahead is moved to where nothing is yet.
    fn make_outer(&self, workshop: &Workshop<'_>, workbench: &Workbench) -> Result<Outer> {
        let mut outer = Outer { folders: self.outer_folders(), begun: HashMap::new() };
        if workshop.ready.is_empty() {
            outer.folders.iter().try_for_each(|folder| workbench.make_folder(folder))?;
            return Ok(outer);
        }
        let targets = self.tasks.iter().flat_map(|task| &task.targets);
        let packages: HashMap<&str, &Package> = targets
            .filter_map(|target| Some((target.staged.as_str(), workshop.packages.get(&target.place.stamp)?)))
            .collect();
        workshop.ready.settle(&packages, workbench)?;
        for folder in &outer.folders {
            let package = packages.get(folder.as_str());
            match package.and_then(|package| workshop.ready.put(package, workbench, folder)) {
                Some(files) => drop(outer.begun.insert(folder.clone(), files)),
                None => workbench.make_folder(folder)?,
            }
        }
        Ok(outer)
    }

    /// Every folder above a place of its own, parents first: made beforehand, none is asked for in
    /// vain by two threads.
    fn outer_folders(&self) -> BTreeSet<String> {
        let single = self.tasks.iter().filter(|task| task.root.is_none());
        let paths = single.flat_map(|task| &task.targets).map(|target| target.staged.as_str());
        let holders: HashSet<&str> = paths.filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
        let above = |path: &str| {
            let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            ends.map(|end| path[..end].to_owned()).collect::<Vec<_>>()
        };
        holders.into_iter().flat_map(above).collect()
    }

    /// The folders that stood before and whose packages changed, with their programs.
    pub fn standing(&self, plan: &Plan) -> Vec<(&'a String, &'a Vec<Bin>)> {
        let touched = touched(plan);
        let mut standing: Vec<_> = self
            .bins
            .iter()
            .filter(|(folder, _)| !self.linked.contains(*folder))
            .filter(|(folder, _)| touched.as_ref().is_none_or(|touched| touched.contains(folder.as_str())))
            .collect();
        standing.sort();
        standing
    }
}

/// Folders in which a place is made or goes, or one leads to a package that is made; `None` is all.
fn touched(plan: &Plan) -> Option<BTreeSet<&str>> {
    if plan.programs == Programs::Changed {
        return None;
    }
    let holder = |path: &'_ String| path.rfind("node_modules/").map(|at| at + "node_modules".len());
    let gone = plan.remove.iter().filter_map(|path| Some(&path[..holder(path)?]));
    let made: HashSet<&str> = plan.made().map(|place| place.path.as_str()).collect();
    let changes = |place: &&Place| match &place.origin {
        Origin::Place(target) => made.contains(target.as_str()) || made.contains(place.path.as_str()),
        Origin::Store => made.contains(place.path.as_str()),
        // Its programs may be others than before.
        Origin::Link(_) | Origin::Folder(_) => true,
    };
    let changed = plan.places.iter().filter(changes).map(Place::folder);
    Some(gone.chain(changed).collect())
}

fn staged(path: &str, from: &str, to: &str) -> String {
    [to, path.strip_prefix(from).unwrap_or(path)].concat()
}

fn size(task: &Task<'_>, workshop: &Workshop<'_>) -> usize {
    let files = |target: &Target<'_>| {
        workshop.packages.get(&target.place.stamp).map_or(1, |package| package.index.file_count())
    };
    task.targets.iter().map(files).sum()
}

impl Task<'_> {
    /// What a user counts: links within node_modules are not.
    fn packages(&self) -> usize {
        self.targets.iter().filter(|target| !matches!(target.place.origin, Origin::Place(_))).count()
    }

    fn make(
        &self,
        linker: &Linker<'_>,
        workshop: &Workshop<'_>,
        workbench: &Workbench,
        outer: &Outer,
    ) -> Result<()> {
        let mut folders = self.root.as_deref().map(|root| Folders { root, made: HashSet::new(), workbench });
        for target in &self.targets {
            if let Some(folders) = &mut folders {
                folders.make_above(&target.staged)?;
            }
            let place = target.place;
            match &place.origin {
                Origin::Link(to) | Origin::Place(to) => {
                    workbench.link(&target.staged, &relative(&place.path, to))?;
                }
                Origin::Folder(source) => {
                    let source = workshop.project.join(source);
                    local::copy(&source, workbench, &target.staged, workshop.backend)?;
                }
                Origin::Store => target.make(linker, workshop, workbench, outer)?,
            }
        }
        self.bins.iter().try_for_each(|(folder, bins)| link_bins(folder, bins, workbench))
    }
}

impl Target<'_> {
    /// Makes a package of the store appear.
    fn make(
        &self,
        linker: &Linker<'_>,
        workshop: &Workshop<'_>,
        workbench: &Workbench,
        outer: &Outer,
    ) -> Result<()> {
        let is_there = outer.folders.contains(&self.staged);
        let package = workshop.packages.get(&self.place.stamp);
        let package = package.ok_or_else(|| problem::not_in_store(&self.place.path))?;
        let begun = match is_there {
            true => outer.begun.get(&self.staged).copied(),
            false => workshop.ready.put(package, workbench, &self.staged),
        };
        if begun == Some(package.index.file_count()) {
            return Ok(());
        }
        let mut open = timeline::begin(Kind::Link).label(|| self.place.path.clone());
        open.note(|| package.key.label().to_owned());
        open.files(package.index.file_count());
        let folder = workbench.folder();
        let linked = match begun {
            Some(files) => linker.link_rest(package, folder, &self.staged, files),
            None if is_there => linker.fill_folder(package, folder, &self.staged),
            None => linker.link_package(package, folder, &self.staged),
        };
        match linked? {
            Linked::Whole => Ok(()),
            Linked::StoreIncomplete => {
                workshop.store.remove(&package.key)?;
                Err(problem::store_incomplete(package.key.label()))
            }
        }
    }
}

/// `.bin` of a folder that has none yet.
fn link_bins(folder: &str, bins: &[Bin], workbench: &Workbench) -> Result<()> {
    if bins.is_empty() {
        return Ok(());
    }
    workbench.make_folder(&format!("{folder}/.bin"))?;
    bins.iter().try_for_each(|(name, target)| workbench.link(&format!("{folder}/.bin/{name}"), target))
}

/// The folders that one task has made, so that none is asked for twice.
struct Folders<'a> {
    root: &'a str,
    made: HashSet<String>,
    workbench: &'a Workbench,
}

impl Folders<'_> {
    fn make_above(&mut self, staged: &str) -> Result<()> {
        let ends = staged.match_indices('/').map(|(at, _)| at).filter(|&at| at >= self.root.len());
        for folder in ends.map(|at| &staged[..at]) {
            if self.made.insert(folder.to_owned()) {
                self.workbench.make_folder(folder)?;
            }
        }
        Ok(())
    }
}

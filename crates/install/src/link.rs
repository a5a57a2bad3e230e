//! A plan made true: packages linked out of sight, then put in place by one rename each; the whole of
//! node_modules by a single one when there was none. What goes is moved out of the way first and deleted last.

mod local;
pub(crate) mod staging;

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::timeline::{self, Kind};
use rusk_base::{Result, sys};
use rusk_npm::graph::{Constraints, Graph};
use rusk_store::bins::{link_bin, make_executable};
use rusk_store::{Backend, Linked, Linker, Package, Store};

use crate::event::{Event, Events};
use crate::plan::{Knowledge, Origin, Place, Plan, relative};
use crate::problem;
use staging::{Staging, Workbench};

/// What linking needs besides the plan.
pub struct Workshop<'a> {
    pub project: &'a Path,
    pub store: &'a Store,
    pub backend: Backend,
    pub graph: &'a Graph,
    /// By stamp.
    pub packages: &'a HashMap<String, Package>,
    /// The folders of workspaces, from the project.
    pub homes: Vec<String>,
    pub threads: usize,
}

/// Makes node_modules what the plan says. `commit` is called once, when all that takes space is built and
/// nothing is changed yet; after it there is no way back.
pub fn link(
    plan: &Plan,
    workshop: &Workshop<'_>,
    staging: &Staging<'_>,
    events: &mut dyn Events,
    commit: &mut dyn FnMut() -> Result<()>,
) -> Result<()> {
    let is_there = sys::lstatat(staging.project(), "node_modules").is_ok();
    let is_whole_made = plan.knowledge == Knowledge::None || !is_there;
    let (whole, single): (Vec<Vec<&Place>>, Vec<Vec<&Place>>) =
        plan.units().into_iter().partition(|unit| is_whole_made && unit[0].path.starts_with("node_modules/"));
    let mut built = targets(&whole, |path| path.replacen("node_modules", "new", 1));
    for (number, unit) in single.iter().enumerate() {
        let top = &unit[0].path;
        built.extend(targets(std::slice::from_ref(unit), |path| path.replacen(top, &number.to_string(), 1)));
    }
    if !whole.is_empty() {
        staging.make_folder("new")?;
    }
    timeline::phase("link packages", || fill(&built, workshop, staging.workbench(), events))?;
    timeline::phase("write files", &mut *commit)?;
    let placing = timeline::begin(Kind::Phase).label(|| "put in place".to_owned());
    take_away(plan, workshop, staging)?;
    if !whole.is_empty() {
        staging.keep_caches("node_modules", "new")?;
        staging.put("new", "node_modules")?;
    } else if is_whole_made {
        staging.take("node_modules")?;
    }
    for (number, unit) in single.iter().enumerate() {
        staging.put(&number.to_string(), &unit[0].path)?;
    }
    placing.end();
    timeline::phase("link programs", || link_bins(plan, workshop, staging.project()))
}

/// Takes away what is no longer wanted, deepest first; of a tree that we do not know, all that lies in workspaces.
fn take_away(plan: &Plan, workshop: &Workshop<'_>, staging: &Staging<'_>) -> Result<()> {
    match plan.knowledge {
        Knowledge::Whole => plan.remove.iter().rev().try_for_each(|path| staging.take(path)),
        Knowledge::None => {
            workshop.homes.iter().try_for_each(|home| staging.take(&format!("{home}/node_modules")))
        }
    }
}

/// A place and where in the staging folder it is built.
struct Target<'a> {
    place: &'a Place,
    staged: String,
}

fn targets<'a>(units: &[Vec<&'a Place>], staged: impl Fn(&str) -> String) -> Vec<Target<'a>> {
    let places = units.iter().flatten();
    places.map(|place| Target { place, staged: staged(&place.path) }).collect()
}

/// Links packages by as many threads as compute at once, those with most files first.
fn fill(
    targets: &[Target<'_>],
    workshop: &Workshop<'_>,
    workbench: &Workbench<'_>,
    events: &mut dyn Events,
) -> Result<()> {
    if targets.is_empty() {
        return Ok(());
    }
    let size = |target: &Target<'_>| {
        workshop.packages.get(&target.place.stamp).map_or(0, |package| package.index.files().len())
    };
    let mut order: Vec<&Target<'_>> = targets.iter().collect();
    order.sort_by_key(|target| std::cmp::Reverse(size(target)));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = |show: &mut dyn FnMut(usize)| -> Result<()> {
        let linker = Linker::new(workshop.store, workshop.backend);
        while let Some(target) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            make(target, &linker, workshop, workbench)?;
            show(done.fetch_add(1, Ordering::Relaxed) + 1);
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
        let own = work(&mut |done| events.event(Event::Linking { done, total: targets.len() }));
        threads.into_iter().fold(own, |all, thread| {
            all.and(thread.join().unwrap_or_else(|_| Err(problem::linking_stopped())))
        })
    });
    events.event(Event::Linking { done: done.into_inner(), total: targets.len() });
    outcome
}

fn make(
    target: &Target<'_>,
    linker: &Linker<'_>,
    workshop: &Workshop<'_>,
    workbench: &Workbench<'_>,
) -> Result<()> {
    let mut open = timeline::begin(Kind::Link).label(|| target.place.path.clone());
    match &target.place.origin {
        Origin::Link(to) => workbench.link(&target.staged, &relative(&target.place.path, to)),
        Origin::Folder(source) => {
            local::copy(&workshop.project.join(source), workbench, &target.staged, workshop.backend)
        }
        Origin::Store => {
            let package = workshop.packages.get(&target.place.stamp);
            let package = package.ok_or_else(|| problem::not_in_store(&target.place.path))?;
            open.note(|| package.key.label().to_owned());
            open.files(package.index.files().len());
            match linker.link_package(package, workbench.folder(), &target.staged)? {
                Linked::Whole => Ok(()),
                Linked::StoreIncomplete => {
                    workshop.store.remove(&package.key)?;
                    Err(problem::store_incomplete(package.key.label()))
                }
            }
        }
    }
}

/// `.bin` of every folder: of packages that offer one name, those that the project asks for come first, then the
/// first by its own name has it.
fn link_bins(plan: &Plan, workshop: &Workshop<'_>, project: BorrowedFd<'_>) -> Result<()> {
    for folder in &plan.folders {
        let inside = plan.places.iter().filter(|place| {
            place.path.strip_prefix(folder.as_str()).and_then(|rest| rest.strip_prefix('/'))
                == Some(&place.alias)
        });
        let mut inside: Vec<&Place> = inside.collect();
        inside.sort_by_key(|place| place.wanted_by);
        let mut bins: Vec<(String, String)> = Vec::new();
        for place in inside {
            for (name, file) in programs(place, workshop, project)? {
                if !bins.iter().any(|(other, _)| *other == name) {
                    let home = native_home(place, &file, folder, plan, workshop);
                    bins.push((name, format!("../{}/{file}", home.unwrap_or(&place.alias))));
                }
            }
        }
        link_folder_bins(project, folder, &bins)?;
    }
    for folder in plan.emptied_folders() {
        link_folder_bins(project, folder, &[])?;
        // Stays where tools keep things in it.
        let _ = sys::rmdirat(project, folder);
    }
    Ok(())
}

fn link_folder_bins(project: BorrowedFd<'_>, folder: &str, bins: &[(String, String)]) -> Result<()> {
    let Some(node_modules) = staging::open_for_bins(project, folder)? else { return Ok(()) };
    for (name, target) in bins {
        link_bin(node_modules.as_fd(), name, target)?;
    }
    staging::remove_other_bins(node_modules.as_fd(), bins)
}

/// Packages whose program is a shim for the same file of the optional dependency made for this platform. Their
/// install script would put that file in place of the shim.
const SHIMS: [&str; 1] = ["esbuild"];

/// The package beside a shim that has the real program.
fn native_home<'p>(
    place: &Place,
    file: &str,
    folder: &str,
    plan: &'p Plan,
    workshop: &Workshop<'_>,
) -> Option<&'p str> {
    let graph = workshop.graph;
    if !SHIMS.contains(&graph.package_name(place.package).as_str()) {
        return None;
    }
    let optional = graph.dependencies_of(place.package).filter_map(|id| graph.binding(id));
    let native: Vec<_> =
        optional.filter(|&id| graph.package(id).constraints != Constraints::default()).collect();
    plan.places
        .iter()
        .filter(|other| native.contains(&other.package) && other.path == format!("{folder}/{}", other.alias))
        .find(|other| workshop.packages.get(&other.stamp).is_some_and(|package| package.index.has_file(file)))
        .map(|other| other.alias.as_str())
}

/// The programs of a package: their names and files.
fn programs(
    place: &Place,
    workshop: &Workshop<'_>,
    project: BorrowedFd<'_>,
) -> Result<Vec<(String, String)>> {
    match &place.origin {
        Origin::Store => {
            let Some(package) = workshop.packages.get(&place.stamp) else { return Ok(Vec::new()) };
            let bins = package.index.manifest.bins.iter();
            Ok(bins.map(|bin| (bin.name_in(&place.alias).to_owned(), bin.path.clone())).collect())
        }
        Origin::Link(home) | Origin::Folder(home) => {
            let package = workshop.graph.package_name(place.package).as_str();
            let bins = local::programs(&workshop.graph.package(place.package).bin, package, &place.alias);
            for (_, file) in &bins {
                make_executable(project, &format!("{home}/{file}"))?;
            }
            Ok(bins)
        }
    }
}

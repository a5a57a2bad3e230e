//! Which programs each node_modules folder offers in its `.bin`, and the links to them. In: a plan
//! and the packages. Out: names and the links' texts, by folder.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::{Result, sys};
use rusk_npm::graph::Constraints;
use rusk_store::bins::{link_bin, make_executable};

use super::{Workshop, local, staging};
use crate::layout::Kind;
use crate::plan::{Origin, Place, Plan, relative};

/// A program's name and where its link leads, from `.bin`.
pub type Bin = (String, String);

/// Of every folder: of packages that offer one name, those that the project asks for come first,
/// then the first by its own name has it.
pub fn of(plan: &Plan, workshop: &Workshop<'_>) -> HashMap<String, Vec<Bin>> {
    let mut inside: HashMap<&str, Vec<&Place>> = HashMap::new();
    for place in &plan.places {
        inside.entry(place.folder()).or_default().push(place);
    }
    let mut all = HashMap::new();
    for folder in &plan.folders {
        let mut places = inside.remove(folder.as_str()).unwrap_or_default();
        places.sort_by_key(|place| place.wanted_by);
        let mut bins: Vec<Bin> = Vec::new();
        for place in places {
            for (name, file) in programs(place, &place.alias, plan, workshop) {
                if !bins.iter().any(|(other, _)| *other == name) {
                    let target = native_home(place, &file, plan, workshop);
                    let target = target.map_or_else(
                        || format!("../{}/{file}", place.alias),
                        |home| relative(&format!("{folder}/.bin/{name}"), &format!("{home}/{file}")),
                    );
                    bins.push((name, target));
                }
            }
        }
        all.insert(folder.clone(), bins);
    }
    all
}

/// Links the programs of folders that stood before.
pub fn link(
    plan: &Plan,
    workshop: &Workshop<'_>,
    project: BorrowedFd<'_>,
    bins: &[(&String, &Vec<Bin>)],
) -> Result<()> {
    for place in &plan.places {
        if let Origin::Link(home) | Origin::Folder(home) = &place.origin {
            for (_, file) in programs(place, &place.alias, plan, workshop) {
                make_executable(project, &format!("{home}/{file}"))?;
            }
        }
    }
    for &(folder, bins) in bins {
        link_folder(project, folder, bins)?;
    }
    for folder in plan.emptied_folders() {
        link_folder(project, folder, &[])?;
        // Stays where tools keep things in it.
        let _ = sys::rmdirat(project, folder);
    }
    Ok(())
}

fn link_folder(project: BorrowedFd<'_>, folder: &str, bins: &[Bin]) -> Result<()> {
    let Some(node_modules) = staging::open_for_bins(project, folder)? else { return Ok(()) };
    for (name, target) in bins {
        link_bin(node_modules.as_fd(), name, target)?;
    }
    staging::remove_other_bins(node_modules.as_fd(), bins)
}

/// Packages whose program is a shim for the same file of the optional dependency made for this
/// platform. Their install script would put that file in place of the shim.
const SHIMS: [&str; 1] = ["esbuild"];

/// The folder that has a shim's real program, from the project.
fn native_home(place: &Place, file: &str, plan: &Plan, workshop: &Workshop<'_>) -> Option<String> {
    let graph = workshop.graph;
    if !SHIMS.contains(&graph.package_name(place.package).as_str()) {
        return None;
    }
    let optional = graph.dependencies_of(place.package).filter_map(|id| graph.binding(id));
    let native: Vec<_> =
        optional.filter(|&id| graph.package(id).constraints != Constraints::default()).collect();
    let is_native = |other: &&Place| other.origin == Origin::Store && native.contains(&other.package);
    if let Some(shared) = &plan.shared
        && let Some((_, path)) = shared.native.iter().find(|(package, _)| native.contains(package))
    {
        return Some(path.clone());
    }
    let has_file =
        |package: &rusk_store::Package| package.index.listing().is_some_and(|listing| listing.has_file(file));
    let is_near = |other: &&Place| plan.kind != Kind::Hoisted || other.folder() == place.folder();
    plan.places
        .iter()
        .filter(is_native)
        .filter(is_near)
        .find(|other| workshop.packages.get(&other.stamp).is_none_or(has_file))
        .map(|other| other.path.clone())
}

/// The programs of a package, as a place of this name offers them: their names and files.
fn programs(place: &Place, alias: &str, plan: &Plan, workshop: &Workshop<'_>) -> Vec<(String, String)> {
    match &place.origin {
        Origin::Place(target) => {
            // A place that leads to another one holds no program of its own; one that is shared is
            // not in the plan.
            match plan.find(target) {
                Some(target) if target.is_link() => Vec::new(),
                Some(target) => programs(target, alias, plan, workshop),
                None => locked_programs(place, alias, workshop),
            }
        }
        Origin::Store => {
            let Some(package) = workshop.packages.get(&place.stamp) else {
                return locked_programs(place, alias, workshop);
            };
            let bins = package.index.manifest.bins.iter();
            bins.map(|bin| (bin.name_in(alias).to_owned(), bin.path.clone())).collect()
        }
        Origin::Link(_) | Origin::Folder(_) => locked_programs(place, alias, workshop),
    }
}

/// The programs that the lockfile names.
fn locked_programs(place: &Place, alias: &str, workshop: &Workshop<'_>) -> Vec<(String, String)> {
    let package = workshop.graph.package_name(place.package).as_str();
    local::programs(&workshop.graph.package(place.package).bin, package, alias)
}

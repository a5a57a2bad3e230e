//! Links of programs in the `.bin` of each node_modules directory. In: a plan and the packages.
//! Out: names and targets of links, by directory.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::{Result, sys};
use rusk_npm::graph::Constraints;
use rusk_store::bins::{link_bin, make_executable};
use rusk_store::manifest::bin_name;

use super::{LinkContext, local, staging};
use crate::layout::LayoutKind;
use crate::plan::{Origin, PackageLocation, Plan, relative};

/// A program's name and the target of its link, relative to `.bin`.
pub type BinLink = (String, String);

/// For every directory. Of packages with a program of the same name, direct dependencies of the
/// project win, then the first by path.
pub fn of(plan: &Plan, context: &LinkContext<'_>) -> HashMap<String, Vec<BinLink>> {
    let mut inside: HashMap<&str, Vec<&PackageLocation>> = HashMap::new();
    for location in &plan.locations {
        inside.entry(location.node_modules_dir()).or_default().push(location);
    }
    let mut all = HashMap::new();
    for dir in &plan.dirs {
        let mut locations = inside.remove(dir.as_str()).unwrap_or_default();
        locations.sort_by_key(|location| location.required_by);
        let mut bins: Vec<BinLink> = Vec::new();
        for location in locations {
            for (name, file) in programs(location, &location.alias, plan, context) {
                if !bins.iter().any(|(other, _)| *other == name) {
                    let target = native_package_dir(location, &file, plan, context);
                    let target = target.map_or_else(
                        || format!("../{}/{file}", location.alias),
                        |package_dir| {
                            relative(&format!("{dir}/.bin/{name}"), &format!("{package_dir}/{file}"))
                        },
                    );
                    bins.push((name, target));
                }
            }
        }
        all.insert(dir.clone(), bins);
    }
    all
}

/// Links the programs of directories that existed before.
pub fn link(
    plan: &Plan,
    context: &LinkContext<'_>,
    project: BorrowedFd<'_>,
    bins: &[(&String, &Vec<BinLink>)],
) -> Result<()> {
    for location in &plan.locations {
        if let Origin::Link(package_dir) | Origin::Directory(package_dir) = &location.origin {
            let Ok(package) = sys::open_directory(project, package_dir.as_str()) else { continue };
            for (_, file) in programs(location, &location.alias, plan, context) {
                make_executable(package.as_fd(), &file)?;
            }
        }
    }
    for &(dir, bins) in bins {
        link_dir(project, dir, bins)?;
    }
    for dir in plan.emptied_dirs() {
        link_dir(project, dir, &[])?;
        // Fails, as it should, when tools have files in it.
        let _ = sys::rmdirat(project, dir);
    }
    Ok(())
}

fn link_dir(project: BorrowedFd<'_>, dir: &str, bins: &[BinLink]) -> Result<()> {
    let Some(node_modules) = staging::open_for_bins(project, dir)? else { return Ok(()) };
    for (name, target) in bins {
        link_bin(node_modules.as_fd(), name, target)?;
    }
    staging::remove_other_bins(node_modules.as_fd(), bins)
}

/// Packages whose program is a shim for the same file of the optional dependency for this platform.
/// Their install script would replace the shim with that file.
const SHIMS: [&str; 1] = ["esbuild"];

/// The directory of the shim's real program, relative to the project.
fn native_package_dir(
    location: &PackageLocation,
    file: &str,
    plan: &Plan,
    context: &LinkContext<'_>,
) -> Option<String> {
    let graph = context.graph;
    if !SHIMS.contains(&graph.package_name(location.package).as_str()) {
        return None;
    }
    let optional = graph.dependencies_of(location.package).filter_map(|id| graph.binding(id));
    let native: Vec<_> =
        optional.filter(|&id| graph.package(id).constraints != Constraints::default()).collect();
    let is_native =
        |other: &&PackageLocation| other.origin == Origin::Store && native.contains(&other.package);
    if let Some(shared) = &plan.shared
        && let Some((_, path)) = shared.native.iter().find(|(package, _)| native.contains(package))
    {
        return Some(path.clone());
    }
    let has_file =
        |package: &rusk_store::Package| package.index.listing().is_some_and(|listing| listing.has_file(file));
    let find = |is_near: &dyn Fn(&PackageLocation) -> bool| {
        let near = plan.locations.iter().filter(is_native).filter(|other| is_near(other));
        let found = near.clone().find(|other| context.packages.get(&other.stamp).is_none_or(has_file));
        found.map(|other| other.path.clone())
    };
    if plan.kind != LayoutKind::Hoisted {
        return find(&|_| true);
    }
    // A nested package's own is nested in it, where the project has another version.
    let inner = format!("{}/node_modules", location.path);
    let own = find(&|other| other.node_modules_dir() == inner);
    own.or_else(|| find(&|other| other.node_modules_dir() == location.node_modules_dir()))
}

/// The programs of a package at a location with this name: their names and files.
fn programs(
    location: &PackageLocation,
    alias: &str,
    plan: &Plan,
    context: &LinkContext<'_>,
) -> Vec<(String, String)> {
    match &location.origin {
        Origin::Location(target) => {
            // A location that links to another link has no programs; a shared one is not in the
            // plan.
            match plan.find(target) {
                Some(target) if target.is_link() => Vec::new(),
                Some(target) => programs(target, alias, plan, context),
                None => locked_programs(location, alias, context),
            }
        }
        Origin::Store => {
            let Some(package) = context.packages.get(&location.stamp) else {
                return locked_programs(location, alias, context);
            };
            let manifest = &package.index.manifest;
            let named = manifest.bins.iter().map(|bin| (bin.name_in(alias), &bin.path));
            // By the name that the dependent chose, and for what an older store has.
            let is_free = |(name, _): &(&str, &String)| bin_name(name, &manifest.name).is_some();
            named.filter(is_free).map(|(name, path)| (name.to_owned(), path.clone())).collect()
        }
        Origin::Link(_) | Origin::Directory(_) => locked_programs(location, alias, context),
    }
}

/// The programs that the lockfile names.
fn locked_programs(
    location: &PackageLocation,
    alias: &str,
    context: &LinkContext<'_>,
) -> Vec<(String, String)> {
    let package = context.graph.package_name(location.package).as_str();
    local::programs(&context.graph.package(location.package).bin, package, alias)
}

//! `packageExtensions` of the project, and overrides that take dependencies away, applied to the
//! packages of a graph. In: the rules of the project, a graph. Out: packages with the dependencies
//! that are added to them, and without those that are taken away.

use rusk_base::Result;
use rusk_lockfiles::{FormatDetails, Lockfile};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Dependency, Graph, NameId, Package, PackageId};
use rusk_npm::name::PackageName;
use rusk_npm::package_extensions::PackageExtensions;
use rusk_npm::semver::Version;

use crate::problem;
use crate::restored::RestoredDependency;
use crate::rules::drop_removed;

/// Adds to the dependencies of a release. True if any was missing.
pub fn extend(
    extensions: &PackageExtensions,
    graph: &mut Graph,
    name: &PackageName,
    version: &Version,
    dependencies: &mut Vec<Dependency>,
) -> Result<bool> {
    extensions
        .extend(graph, name, version, dependencies)
        .map_err(|wrong| problem::dependency_name(&format!("the extension of {name}"), &wrong))
}

/// Copies a package of the lockfile as the project's rules change it; what it lacks is unbound, and
/// resolved anew.
pub fn copy_changed(
    graph: &mut Graph,
    old: &Graph,
    id: PackageId,
    rules: &Rules,
    restored: Option<&Vec<RestoredDependency>>,
) -> Result<PackageId> {
    let version = old.package(id).source.npm_version();
    let is_extended = version.is_some() && !rules.extensions.is_empty();
    if !is_extended && !rules.overrides.remove_some() && restored.is_none() {
        return Ok(graph.copy(old, id));
    }
    let mut dependencies = Vec::new();
    for dependency in old.dependencies_of(id).map(|id| old.dependency(id)) {
        let name = intern(graph, old.name(dependency.name));
        dependencies.push(Dependency { name, ..dependency.clone() });
    }
    for RestoredDependency { name, literal, role } in restored.into_iter().flatten() {
        let name = intern(graph, name);
        if !dependencies.iter().any(|known: &Dependency| known.name == name) {
            dependencies.push(Dependency { name, literal: literal.clone(), role: *role, bundled: false });
        }
    }
    if let Some(version) = version {
        extend(&rules.extensions, graph, old.package_name(id), version, &mut dependencies)?;
    }
    drop_removed(rules, graph, (old.package_name(id), version), &mut dependencies);
    let name = intern(graph, old.package_name(id));
    Ok(graph.add(Package { name, ..old.package(id).clone() }, dependencies))
}

fn intern(graph: &mut Graph, name: &PackageName) -> NameId {
    graph.intern(name.as_str()).expect("it was a package name in the other graph")
}

/// Why a lockfile does not match: pnpm's has a checksum of the extensions; in others, a package
/// lacks a dependency.
pub fn find_mismatch(lockfile: &Lockfile, rules: &Rules) -> Option<String> {
    let recorded = lockfile.rules.as_ref().and_then(|rules| rules.extensions_checksum.as_ref());
    if matches!(lockfile.details, FormatDetails::Pnpm(_)) && recorded != rules.extensions_checksum.as_ref() {
        return Some("`packageExtensions` differ".to_owned());
    }
    if rules.extensions.is_empty() {
        return None;
    }
    let mut graph = lockfile.graph.clone();
    lockfile.graph.package_ids().find_map(|id| {
        let version = lockfile.graph.package(id).source.npm_version()?;
        let known = lockfile.graph.dependencies_of(id).map(|id| lockfile.graph.dependency(id).clone());
        let mut dependencies: Vec<Dependency> = known.collect();
        let name = lockfile.graph.package_name(id);
        let is_changed = rules.extensions.extend(&mut graph, name, version, &mut dependencies);
        let label = lockfile.graph.label(id);
        (is_changed == Ok(true)).then(|| format!("`packageExtensions` change the dependencies of `{label}`"))
    })
}

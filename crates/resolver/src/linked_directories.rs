//! Directories that a project links, as npm does with `file:`. In: package.json of such a
//! directory, the lockfile. Out: the package with the dependencies that are the project's to
//! install: all of a directory in the project, as of a member, and none of one outside. Absent:
//! members of the workspace, and the directories that bun, pnpm and Yarn link.

use std::collections::HashSet;

use rusk_base::Result;
use rusk_lockfiles::locations::is_inside;
use rusk_lockfiles::{FormatDetails, Lockfile};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Graph, PackageId, Role, Source};

use crate::{MetadataSource, non_registry};

/// `links`: [`MetadataSource::follows_npm`].
pub fn linked(source: Source, links: bool) -> Source {
    match source {
        Source::Directory { path } if links => Source::Link { path },
        source => source,
    }
}

/// Whether the project installs the dependencies of a directory.
pub fn is_followed(source: &Source, links: bool) -> bool {
    links && matches!(source, Source::Link { path } if is_inside(path))
}

/// Adds a linked directory of the lockfile with what its package.json says now. `None` for any
/// other package, and for a directory that is not there.
pub fn copy(
    graph: &mut Graph,
    lockfile: &Lockfile,
    id: PackageId,
    rules: &Rules,
    metadata: &mut dyn MetadataSource,
) -> Result<Option<PackageId>> {
    if !is_linked(lockfile, id) {
        return Ok(None);
    }
    let old = &lockfile.graph;
    let source = &old.package(id).source;
    let Ok(found) = metadata.fetch_manifest(source) else { return Ok(None) };
    let alias = graph.intern(old.package_name(id).as_str()).expect("it was a name in the other graph");
    non_registry::add_package(graph, alias, found, is_followed(source, true), rules).map(Some)
}

/// The first linked directory of a lockfile whose dependencies are others now.
pub fn find_mismatch(
    lockfile: &Lockfile,
    rules: &Rules,
    metadata: &mut dyn MetadataSource,
) -> Result<Option<String>> {
    for id in lockfile.graph.package_ids().filter(|&id| is_linked(lockfile, id)) {
        let mut graph = Graph::default();
        let Some(now) = copy(&mut graph, lockfile, id, rules, metadata)? else { continue };
        if declared(&lockfile.graph, id) != declared(&graph, now) {
            let Source::Link { path } = &lockfile.graph.package(id).source else { continue };
            return Ok(Some(format!("the dependencies in `{path}/package.json` changed")));
        }
    }
    Ok(None)
}

fn is_linked(lockfile: &Lockfile, id: PackageId) -> bool {
    matches!(lockfile.details, FormatDetails::Npm)
        && matches!(lockfile.graph.package(id).source, Source::Link { .. })
}

fn declared(graph: &Graph, id: PackageId) -> HashSet<(&str, &str, Role)> {
    let dependencies = graph.dependencies_of(id).map(|id| graph.dependency(id));
    dependencies.map(|it| (graph.name(it.name).as_str(), &*it.literal, it.role)).collect()
}

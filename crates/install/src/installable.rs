//! The graph of a lockfile as this host installs it. In: what the lockfile says. Out: the same
//! graph with what its format leaves to the install: platforms, peers of Yarn, optional packages
//! for another version of Node. Absent: `bun.lock`, which has no `engines`; bun does not check
//! them.

use std::collections::HashSet;

use rusk_base::Result;
use rusk_lockfiles::Lockfile;
use rusk_npm::engines::unmet;
use rusk_npm::graph::{Constraints, Graph, PackageId, Platform, Role};

use crate::engines::{NODE, NodeVersion};
use crate::event::InstallEvent;
use crate::package_provider::PackageProvider;
use crate::unstated;

pub fn graph(lockfile: &Lockfile, platform: &Platform, provider: &mut PackageProvider<'_>) -> Result<Graph> {
    let mut graph = lockfile.graph.clone();
    lockfile.bind_own_peers(&mut graph);
    if lockfile.omits_platforms() {
        unstated::complete(&mut graph, provider)?;
    }
    for package in for_other_engines(&graph, platform, &mut provider.node) {
        let text = format!("{} is for another version of node, and optional", graph.label(package));
        provider.reporter.on_event(InstallEvent::Detail(&text));
        graph.package_mut(package).constraints = Constraints::unsatisfiable();
    }
    Ok(graph)
}

/// Packages that only optional dependencies need, and whose range of Node does not match: npm and
/// pnpm leave them out.
fn for_other_engines(graph: &Graph, platform: &Platform, node: &mut NodeVersion<'_>) -> Vec<PackageId> {
    let states_node = |id: &PackageId| {
        let package = graph.package(*id);
        package.node.is_some() && package.constraints.admits(platform)
    };
    let (mut optional, mut needed) = (HashSet::new(), HashSet::new());
    for id in graph.package_ids().flat_map(|package| graph.dependencies_of(package)) {
        let Some(package) = graph.binding(id).filter(states_node) else { continue };
        match graph.dependency(id).role {
            Role::Optional => optional.insert(package),
            _ => needed.insert(package),
        };
    }
    let mut optional: Vec<PackageId> = optional.difference(&needed).copied().collect();
    if optional.is_empty() {
        return optional;
    }
    let Some(version) = node.version() else { return Vec::new() };
    optional.retain(|&id| {
        let range = graph.package(id).node.as_deref().unwrap_or_default();
        !unmet(&[(NODE.to_owned(), range.to_owned())], &[(NODE, &version)]).is_empty()
    });
    optional.sort_unstable();
    optional
}

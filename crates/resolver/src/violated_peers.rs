//! Warnings about required peers whose range does not contain the version they are bound to. In: a
//! bound graph. Out: a line for each, with the shortest chain of dependents.

use std::collections::BTreeMap;

use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, IdMap, PackageId, Role};
use rusk_npm::specifier::Specifier;

use super::clean::breadth_first;
use super::rules::effective_literal;

/// Longer chains are cut in messages.
const CHAIN_MAX: usize = 12;

/// A required peer and the package that does not fit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedPeer {
    /// Who requires it.
    pub owner: PackageId,
    /// What it is bound to.
    pub bound: PackageId,
    /// `ui wants left ^2`
    pub short: String,
    /// The whole line of a warning.
    pub line: String,
}

/// Each peer out of range, sorted by its name and the chain of dependents.
pub fn violated_peers(graph: &Graph, rules: &Rules) -> Vec<ViolatedPeer> {
    let order = breadth_first(graph);
    let mut dependents: IdMap<PackageId, PackageId> = IdMap::default();
    let mut lines = BTreeMap::new();
    for &package in &order {
        for id in graph.dependencies_of(package) {
            if let Some(target) = graph.binding(id) {
                dependents.entry(target).or_insert(package);
            }
        }
    }
    for &package in &order {
        for id in graph.dependencies_of(package) {
            if let (Some((wanted, found)), Some(bound)) =
                (violated_range(graph, rules, package, id), graph.binding(id))
            {
                let name = graph.name(graph.dependency(id).name).to_string();
                let chain = required_by(graph, &dependents, package, &name);
                let owner = graph.package_name(package);
                let line =
                    format!("`{owner}` requires the peer `{name}` at `{wanted}`, found {found} ({chain})");
                let short = format!("{owner} wants {name} {wanted}");
                lines.insert((name, chain), ViolatedPeer { owner: package, bound, short, line });
            }
        }
    }
    lines.into_values().collect()
}

/// The range of a required peer, and the release outside of it that the peer is bound to.
fn violated_range(
    graph: &Graph,
    rules: &Rules,
    owner: PackageId,
    id: DependencyId,
) -> Option<(String, String)> {
    let dependency = graph.dependency(id);
    if dependency.role != Role::Peer {
        return None;
    }
    let bound = graph.binding(id)?;
    let version = graph.package(bound).source.npm_version()?;
    let name = graph.name(dependency.name);
    let literal = effective_literal(rules, graph, owner, name, &dependency.literal);
    match Specifier::parse(name.as_str(), &literal) {
        Ok(Specifier::Npm { range, .. }) if !range.contains(version) && !range.is_any() => {
            let aliased = literal.strip_prefix("npm:").map(|it| it.rsplit_once('@').map_or("*", |it| it.1));
            Some((aliased.unwrap_or(&literal).to_owned(), graph.label(bound)))
        }
        _ => None,
    }
}

/// `wanted by app > ui > left`
fn required_by(
    graph: &Graph,
    dependents: &IdMap<PackageId, PackageId>,
    owner: PackageId,
    name: &str,
) -> String {
    let mut names = vec![name.to_owned()];
    let mut at = Some(owner);
    while let Some(package) = at.filter(|_| names.len() < CHAIN_MAX) {
        let is_project = package == PackageId(0);
        match &graph.project_name {
            Some(name) if is_project => names.push(name.to_string()),
            _ => names.push(graph.package_name(package).to_string()),
        }
        at = dependents.get(&package).copied().filter(|_| !is_project);
    }
    names.reverse();
    format!("wanted by {}", names.join(" > "))
}

//! Entries of catalogs that an update moves. In: the project, and a dependency of `catalog:`. Out:
//! the entry that waits for the version that is chosen. Absent: entries that no updated dependency
//! uses.

use rusk_base::Result;
use rusk_npm::graph::Graph;
use rusk_npm::manifest::{self, Manifest};
use rusk_resolver::members::Members;

use super::pending_range::{PendingRange, latest_range};
use super::{find_dependencies_in, raise};

/// An entry that waits for a version.
#[derive(Debug)]
pub struct PendingEntry {
    /// Empty: the default catalog.
    pub catalog: String,
    pub range: PendingRange,
}

/// What an update does with the entry that a dependency of `member` names.
pub fn moved_entry(
    project: &Manifest,
    (group, name, literal): (manifest::Group, &str, &str),
) -> Option<PendingEntry> {
    let (catalog, entry) = find_entry(project, name, literal)?;
    let range = latest_range(name, group, entry)?;
    Some(PendingEntry { catalog: catalog.to_owned(), range })
}

/// The same for an update within the range.
pub fn raised_entries(
    project: &Manifest,
    member: &Manifest,
    is_wanted: &dyn Fn(manifest::Group, &String) -> bool,
) -> Vec<PendingEntry> {
    let mut raised = Vec::new();
    for (group, dependencies) in member.groups() {
        for (name, literal) in dependencies {
            let is_simple = |range: &PendingRange| {
                find_entry(project, name, literal)
                    .is_some_and(|(_, entry)| raise::is_simple(entry, &range.prefix))
            };
            let entry = moved_entry(project, (group, name, literal)).filter(|entry| is_simple(&entry.range));
            raised.extend(entry.filter(|_| group != manifest::Group::Peer && is_wanted(group, name)));
        }
    }
    raised
}

/// The catalog that `catalog:NAME` means, and its entry.
fn find_entry<'a>(project: &'a Manifest, name: &str, literal: &'a str) -> Option<(&'a str, &'a str)> {
    let catalog = literal.strip_prefix("catalog:")?.trim();
    let named = || project.catalogs.iter().find(|(own, _)| own == catalog).map(|(_, entries)| entries);
    let entries = if catalog.is_empty() { Some(&project.catalog) } else { named() };
    let (_, entry) = entries?.iter().find(|(own, _)| own == name)?;
    Some((catalog, entry))
}

/// Writes the ranges of the versions that dependencies of the member at `path` have now.
pub fn finalize(pending: &[PendingEntry], path: &str, members: &mut Members, graph: &Graph) -> Result<()> {
    for PendingEntry { catalog, range } in pending {
        let bound = find_dependencies_in(graph, path, range).into_iter().find_map(|id| graph.binding(id));
        let version = bound.and_then(|package| graph.package(package).source.npm_version());
        if let Some(version) = version {
            let literal = format!("{}{}{version}", range.prefix, range.operator);
            members.project = members.project.with_catalog_entry(catalog, &range.name, &literal)?;
        }
    }
    Ok(())
}

//! Entries that projects share: which entries of an isolated layout can be shared, and their names
//! in `links` beside the store. In: a graph, its entries, the stamp of each package. Out: a key for
//! every shared entry. A key includes everything that an entry links to, so equal keys mean equal
//! trees; packages in a dependency cycle have one description. No I/O; see `entries`.
//!
//! Not shared are packages that may be written to (patched, or with approved scripts), those
//! without integrity, those in the project, and all that depend on any of these.

pub mod entries;
pub mod incompatible_tools;

use std::collections::{BTreeSet, HashSet};

use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_resolver::isolate::{IsolatedEntry, IsolatedGraph};
use rusk_store::Key;

/// Keys of shared entries, by entry.
#[derive(Clone, Debug, Default)]
pub struct SharedKeys {
    keys: Vec<Option<Key>>,
}

impl SharedKeys {
    /// `stamp`: what a package is made from. `mutable`: own names of packages that may be written
    /// to after installation.
    pub fn of(
        graph: &Graph,
        isolated: &IsolatedGraph,
        stamp: &dyn Fn(PackageId) -> String,
        mutable: &BTreeSet<String>,
    ) -> SharedKeys {
        let may_be_shared = sharable(graph, &isolated.entries, mutable);
        let mut keys = SharedKeys { keys: vec![None; isolated.entries.len()] };
        for cycle in cycles(&isolated.entries, &may_be_shared) {
            let one = render_cycle(graph, &isolated.entries, &cycle, &keys, stamp);
            for &member in &cycle {
                let entry = &isolated.entries[member];
                let name = graph.package_name(entry.package).as_str();
                let version = graph.package(entry.package).source.text();
                // The members of a cycle share one description; the name distinguishes them.
                let proof = format!("{}\n{one}", entry.name);
                keys.keys[member] = Some(Key::new(name, &version, &proof));
            }
        }
        keys
    }

    pub fn find(&self, entry: usize) -> Option<&Key> {
        self.keys.get(entry)?.as_ref()
    }

    /// A name for the set of entries that one project shares.
    pub fn closure(&self) -> String {
        let dirs: BTreeSet<&str> = self.keys.iter().flatten().map(Key::dir_name).collect();
        Key::new("closure", "", &dirs.into_iter().collect::<Vec<_>>().join("\n")).dir_name().to_owned()
    }
}

/// Which entries are the same in every project.
fn sharable(graph: &Graph, entries: &[IsolatedEntry], mutable: &BTreeSet<String>) -> Vec<bool> {
    let is_fixed = |entry: &IsolatedEntry| {
        let package = graph.package(entry.package);
        let is_fetched = matches!(
            package.source,
            Source::Npm { .. }
                | Source::Git { .. }
                | Source::Github { .. }
                | Source::LocalTarball { .. }
                | Source::RemoteTarball { .. }
        );
        is_fetched
            && package.integrity.is_some()
            && !mutable.contains(graph.package_name(entry.package).as_str())
    };
    let mut sharable: Vec<bool> = entries.iter().map(is_fixed).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (id, entry) in entries.iter().enumerate() {
        entry.links.values().for_each(|link| dependents[link.0].push(id));
    }
    let mut unsharable: Vec<usize> = (0..entries.len()).filter(|&id| !sharable[id]).collect();
    while let Some(id) = unsharable.pop() {
        for &dependent in &dependents[id] {
            if std::mem::replace(&mut sharable[dependent], false) {
                unsharable.push(dependent);
            }
        }
    }
    sharable
}

/// Tarjan's strongly connected components of the shared entries, dependencies before dependents.
fn cycles(entries: &[IsolatedEntry], includes: &[bool]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let links: Vec<Vec<usize>> =
        entries.iter().map(|entry| entry.links.values().map(|link| link.0).collect()).collect();
    let (mut number, mut lowest) = (vec![UNSEEN; entries.len()], vec![UNSEEN; entries.len()]);
    let mut is_open = vec![false; entries.len()];
    let (mut open, mut found, mut visited) = (Vec::new(), Vec::new(), 0);
    for start in (0..entries.len()).filter(|&id| includes[id]) {
        let mut path: Vec<(usize, usize)> =
            if number[start] == UNSEEN { vec![(start, 0)] } else { Vec::new() };
        while let Some(&(id, next)) = path.last() {
            if next == 0 && number[id] == UNSEEN {
                (number[id], lowest[id], is_open[id]) = (visited, visited, true);
                visited += 1;
                open.push(id);
            }
            if let Some(&link) = links[id].get(next) {
                path.last_mut().expect("the loop condition").1 += 1;
                if number[link] == UNSEEN {
                    path.push((link, 0));
                } else if is_open[link] {
                    lowest[id] = lowest[id].min(number[link]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                lowest[above] = lowest[above].min(lowest[id]);
            }
            if lowest[id] == number[id] {
                let first = open.iter().rposition(|&other| other == id).expect("it was opened");
                let cycle = open.split_off(first);
                cycle.iter().for_each(|&member| is_open[member] = false);
                found.push(cycle);
            }
        }
    }
    found
}

/// Description of a cycle: its members and what they link to. Most cycles have one member.
fn render_cycle(
    graph: &Graph,
    entries: &[IsolatedEntry],
    cycle: &[usize],
    keys: &SharedKeys,
    stamp: &dyn Fn(PackageId) -> String,
) -> String {
    let inside: HashSet<usize> = cycle.iter().copied().collect();
    let mut members: Vec<&IsolatedEntry> = cycle.iter().map(|&id| &entries[id]).collect();
    members.sort_by(|a, b| a.name.cmp(&b.name));
    let mut text = String::new();
    for member in members {
        text.push_str(&format!("{}\t{}\n", member.name, stamp(member.package)));
        let mut links: Vec<String> = member
            .links
            .iter()
            .map(|(&name, link)| {
                let target = match inside.contains(&link.0) {
                    true => entries[link.0].name.as_str(),
                    false => keys.find(link.0).expect("what a shared entry links to is shared").dir_name(),
                };
                format!("\t{}\t{target}\n", graph.name(name))
            })
            .collect();
        links.sort();
        text.push_str(&links.concat());
    }
    text
}

#[cfg(test)]
mod tests;

//! What has to change in node_modules: the layout to be, compared with what the last install left. Values in,
//! values out; looking at the disk is the caller's work, who hands the [`Installed`] over.

use std::collections::{BTreeMap, BTreeSet};

use rusk_npm::graph::{Graph, PackageId, Role, Source};

use crate::layout::Layout;

/// What lies at each path, by what it was made from; only what is certain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installed {
    pub places: BTreeMap<String, String>,
    pub programs: Programs,
    /// Whether `places` is all that is there.
    pub knowledge: Knowledge,
}

/// The links in `.bin`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    #[default]
    AsLinked,
    Changed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knowledge {
    /// There is no node_modules, or none that we know.
    #[default]
    None,
    Whole,
}

/// One place to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// From the project.
    pub path: String,
    pub package: PackageId,
    /// The folder's name in node_modules, which names a program without a name of its own.
    pub alias: String,
    /// What it is made from; equal stamps are equal trees.
    pub stamp: String,
    pub origin: Origin,
    pub wanted_by: WantedBy,
}

/// Who asks for a package; of two that offer a program of one name, the project's own choice has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WantedBy {
    /// The project or a member of it, by this name, and not as a peer.
    Project,
    /// Other packages alone.
    Packages,
}

/// What a place is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A package of the store.
    Store,
    /// A link to a folder, from the project.
    Link(String),
    /// The files of a folder, from the project.
    Folder(String),
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Every place, parents before what is nested in them.
    pub places: Vec<Place>,
    /// Indices of the places to be made anew; what is nested in one of them is made anew as well.
    pub make: BTreeSet<usize>,
    /// Paths that go.
    pub remove: Vec<String>,
    /// Every node_modules folder that has places.
    pub folders: Vec<String>,
    pub knowledge: Knowledge,
    programs: Programs,
    /// Paths where something lay.
    before: BTreeSet<String>,
}

impl Plan {
    pub fn of(
        graph: &Graph,
        layout: &Layout,
        stamp: &dyn Fn(PackageId) -> String,
        installed: &Installed,
    ) -> Plan {
        let chosen = chosen(graph);
        let mut places: Vec<Place> = layout
            .placements
            .iter()
            .map(|placement| {
                let path = layout.path(graph, placement);
                let alias = graph.name(graph.dependency(placement.via).name).to_string();
                let is_chosen = chosen.contains(&(alias.clone(), placement.package));
                let wanted_by = if is_chosen { WantedBy::Project } else { WantedBy::Packages };
                let (origin, stamp) = origin(graph, placement.package, stamp);
                Place { path, package: placement.package, alias, stamp, origin, wanted_by }
            })
            .collect();
        places.sort_by(|a, b| a.path.cmp(&b.path));
        places.dedup_by(|a, b| a.path == b.path);
        let make = to_make(&places, installed);
        let wanted: BTreeSet<&str> = places.iter().map(|place| place.path.as_str()).collect();
        let gone = installed.places.keys().filter(|path| !wanted.contains(path.as_str()));
        let remove = gone.cloned().collect();
        let before = installed.places.keys().cloned().collect();
        let mut folders: Vec<String> = layout.folders.iter().map(|folder| folder.path.clone()).collect();
        folders.sort();
        folders.dedup();
        Plan {
            places,
            make,
            remove,
            folders,
            knowledge: installed.knowledge,
            programs: installed.programs,
            before,
        }
    }

    /// Whether another tree lay at this path.
    pub fn was_there(&self, path: &str) -> bool {
        self.before.contains(path)
    }

    /// Whether a link to this member of the project is made.
    pub fn links_anew(&self, member: &str) -> bool {
        let made = self.make.iter().map(|&index| &self.places[index]);
        made.into_iter().any(|place| place.origin == Origin::Link(member.to_owned()))
    }

    pub fn is_empty(&self) -> bool {
        self.make.is_empty() && self.remove.is_empty() && self.programs == Programs::AsLinked
    }

    /// Every node_modules folder whose last place goes.
    pub fn emptied_folders(&self) -> BTreeSet<&str> {
        let holder = |path: &'_ String| path.rfind("node_modules/").map(|at| at + "node_modules".len());
        let holders = self.remove.iter().filter_map(|path| Some(&path[..holder(path)?]));
        holders.filter(|folder| !self.folders.iter().any(|kept| kept == folder)).collect()
    }

    /// Places to be made that are not nested in another one, with all that is nested in them.
    pub fn units(&self) -> Vec<Vec<&Place>> {
        let mut units: Vec<Vec<&Place>> = Vec::new();
        for &index in &self.make {
            let place = &self.places[index];
            match units.last_mut() {
                Some(unit) if is_below(&place.path, &unit[0].path) => unit.push(place),
                _ => units.push(vec![place]),
            }
        }
        units
    }
}

/// What differs, and everything nested in it: a place is replaced as a whole.
fn to_make(places: &[Place], installed: &Installed) -> BTreeSet<usize> {
    let mut make = BTreeSet::new();
    let mut replaced: Option<&str> = None;
    for (index, place) in places.iter().enumerate() {
        let inside = replaced.is_some_and(|above| is_below(&place.path, above));
        if inside || installed.places.get(&place.path) != Some(&place.stamp) {
            make.insert(index);
            replaced = if inside { replaced } else { Some(&place.path) };
        }
    }
    make
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// What the project and its members name in their manifests, peers aside.
fn chosen(graph: &Graph) -> BTreeSet<(String, PackageId)> {
    let is_member =
        |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
    let wishes = graph.package_ids().filter(is_member).flat_map(|id| graph.dependencies_of(id));
    let own = wishes.filter(|&id| !matches!(graph.dependency(id).role, Role::Peer | Role::OptionalPeer));
    own.filter_map(|id| Some((graph.name(graph.dependency(id).name).to_string(), graph.binding(id)?)))
        .collect()
}

/// What a package's place is filled with, and from what.
fn origin(graph: &Graph, package: PackageId, stamp: &dyn Fn(PackageId) -> String) -> (Origin, String) {
    let origin = match &graph.package(package).source {
        Source::Root => Origin::Link(".".to_owned()),
        Source::Workspace { path, .. } | Source::Link { path } => Origin::Link(path.to_string()),
        Source::Folder { path } => Origin::Folder(path.to_string()),
        _ => Origin::Store,
    };
    let stamp = match &origin {
        Origin::Store => stamp(package),
        Origin::Link(target) => format!("link:{target}"),
        Origin::Folder(source) => format!("folder:{source}"),
    };
    (origin, stamp)
}

/// The text of a link at `path` to `target`, both from the project.
pub fn relative(path: &str, target: &str) -> String {
    let from: Vec<&str> = path.split('/').collect();
    let to: Vec<&str> = target.split('/').filter(|part| *part != ".").collect();
    let from = &from[..from.len() - 1];
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    let parts: Vec<&str> = up.chain(to[common..].iter().copied()).collect();
    if target.starts_with('/') { target.to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests;

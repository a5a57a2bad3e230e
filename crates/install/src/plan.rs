//! What has to change in node_modules: the layout to be, compared with what the last install left.
//! Values in, values out; looking at the disk is the caller's work, who hands the [`InstalledTree`]
//! over.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use rusk_npm::graph::{Bin, Graph, PackageId, Role, Source};

use crate::layout::{Kind, Layout, Placement, entry_of};
use crate::shared::entries::SharedEntries;
use crate::state::{EntryFingerprint, FileStat, TrackedDirectory};

/// What lies at each path, by what it was made from; only what is certain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledTree {
    pub locations: BTreeMap<String, String>,
    /// Of those that are no links to other places, by what they were told from others.
    pub fingerprints: HashMap<String, EntryFingerprint>,
    /// Folders that hold what they held when the record was written, as they were seen.
    pub unchanged: BTreeMap<String, FileStat>,
    pub programs: BinLinks,
    /// Whether `locations` is all that is there.
    pub completeness: Completeness,
    pub kind: Kind,
}

/// The links in `.bin`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinLinks {
    #[default]
    Unchanged,
    Changed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completeness {
    /// There is no node_modules, or none that we know.
    #[default]
    Unknown,
    Complete,
}

/// One place to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// From the project.
    pub path: String,
    pub package: PackageId,
    /// The folder's name in node_modules, which names a program without a name of its own.
    pub alias: String,
    /// What it is made from; equal stamps are equal trees.
    pub stamp: String,
    pub origin: Origin,
    pub required_by: RequiredBy,
}

/// Who asks for a package; of two that offer a program of one name, the first kind has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequiredBy {
    /// The project or a member of it, by this name, and not as a peer; or nobody, because the
    /// folder is the package's own.
    Project,
    /// Other packages alone.
    Packages,
}

/// What a place is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A package of the store.
    Store,
    /// A link to another place, from the project.
    Location(String),
    /// A link to a folder that is not in node_modules, from the project.
    Link(String),
    /// The files of a folder, from the project.
    Directory(String),
}

impl Location {
    pub fn is_link(&self) -> bool {
        matches!(self.origin, Origin::Link(_) | Origin::Location(_))
    }

    /// The node_modules folder that the place belongs to.
    pub fn node_modules_dir(&self) -> &str {
        self.path.strip_suffix(&self.alias).map_or("", |dir| dir.trim_end_matches('/'))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub kind: Kind,
    /// Every place, parents before what is nested in them.
    pub locations: Vec<Location>,
    /// Indices of the places to be made anew; what is nested in one of them is made anew as well.
    pub make: BTreeSet<usize>,
    /// Paths that go; an entry of which nothing stays goes as one.
    pub remove: Vec<String>,
    /// Packages to be made that stand in a place that goes: where they are made, and where they
    /// stand. An entry of the isolated layout goes when only its peers are others.
    pub moves: BTreeMap<String, String>,
    /// How many packages and links to folders go with them.
    pub removed: usize,
    /// Every node_modules folder whose places' programs are linked.
    pub dirs: Vec<String>,
    /// Those among them with a package that has any, as far as the lockfile says.
    pub dirs_with_bins: BTreeSet<String>,
    pub completeness: Completeness,
    pub programs: BinLinks,
    /// What lies in the folder that projects share.
    pub shared: Option<Box<SharedEntries>>,
    /// Why it is not shared, where that was asked for.
    pub note: Option<String>,
    /// What it was compared with.
    pub installed: Arc<InstalledTree>,
    /// Every folder that holds places or links to programs, once it was asked for.
    pub tracked: OnceLock<Vec<TrackedDirectory>>,
}

/// Places that are built together and put in place by one rename.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameUnit<'a> {
    /// What is renamed: a place, or a folder of places in which nothing stands.
    pub root: String,
    pub locations: Vec<&'a Location>,
}

impl RenameUnit<'_> {
    /// Whether it is a folder made for its places alone.
    pub fn is_dir(&self) -> bool {
        self.locations.first().is_some_and(|first| first.path != self.root)
    }
}

impl Plan {
    pub fn of(
        graph: &Graph,
        layout: Layout,
        stamp: &dyn Fn(PackageId) -> String,
        installed: Arc<InstalledTree>,
    ) -> Plan {
        // The kinds have hardly a folder in common: another one goes as a whole.
        let installed = if layout.kind == installed.kind { installed } else { Arc::default() };
        let Layout { kind, mut dirs, placements } = layout;
        let mut locations = locations(graph, kind, placements, stamp);
        locations.sort_by(|a, b| a.path.cmp(&b.path));
        locations.dedup_by(|a, b| a.path == b.path);
        let make = locations_to_make(&locations, &installed);
        let obsolete = obsolete(&locations, &installed);
        let removed = obsolete
            .iter()
            .filter(|path| !installed.locations[path.as_str()].starts_with(LOCATION_STAMP))
            .count();
        let remove = collapse_entries(&obsolete, &|start| {
            let next = locations.partition_point(|location| location.path.as_str() < start);
            locations.get(next).is_some_and(|location| location.path.starts_with(start))
        });
        let moves = match kind {
            Kind::Isolated => moves(&locations, &make, &obsolete, &installed),
            Kind::Hoisted | Kind::Global => BTreeMap::new(),
        };
        let has_programs = |location: &&Location| graph.package(location.package).bin != Bin::None;
        let dirs_with_bins = locations
            .iter()
            .filter(has_programs)
            .map(|location| location.node_modules_dir().to_owned())
            .collect();
        dirs.sort();
        dirs.dedup();
        Plan {
            kind,
            locations,
            make,
            remove,
            moves,
            removed,
            dirs,
            dirs_with_bins,
            completeness: installed.completeness,
            programs: installed.programs,
            shared: None,
            note: None,
            installed,
            tracked: OnceLock::new(),
        }
    }

    /// Whether another tree lay at this path.
    pub fn was_installed(&self, path: &str) -> bool {
        self.installed.locations.contains_key(path)
    }

    /// Whether this member of the project is new to it, or has other packages than before.
    pub fn relinks_member(&self, member: &str) -> bool {
        let within = format!("{member}/node_modules/");
        let is_its = |location: &Location| match self.kind {
            Kind::Hoisted => location.origin == Origin::Link(member.to_owned()),
            Kind::Isolated | Kind::Global => {
                location.origin == Origin::Link(member.to_owned()) || location.path.starts_with(&within)
            }
        };
        let is_first = self.kind != Kind::Hoisted && self.completeness == Completeness::Unknown;
        is_first || self.made().any(is_its)
    }

    /// The mark of a place that stays, as it was when it was decided that it does: who changes one
    /// after that is noticed.
    pub fn fingerprint_of(&self, index: usize) -> Option<EntryFingerprint> {
        let stays = !self.installed.fingerprints.is_empty() && !self.make.contains(&index);
        if stays { self.installed.fingerprints.get(&self.locations[index].path).copied() } else { None }
    }

    pub fn made(&self) -> impl Iterator<Item = &Location> {
        self.make.iter().map(|&index| &self.locations[index])
    }

    /// The place at a path.
    pub fn find(&self, path: &str) -> Option<&Location> {
        let found = self.locations.binary_search_by(|location| location.path.as_str().cmp(path));
        found.ok().map(|index| &self.locations[index])
    }

    pub fn is_empty(&self) -> bool {
        let is_incomplete = self.shared.as_ref().is_some_and(|shared| shared.is_incomplete);
        self.make.is_empty()
            && self.remove.is_empty()
            && self.programs == BinLinks::Unchanged
            && !is_incomplete
    }

    /// Every node_modules folder whose last place goes.
    pub fn emptied_dirs(&self) -> BTreeSet<&str> {
        let holder = |path: &'_ String| path.rfind("node_modules/").map(|at| at + "node_modules".len());
        let holders = self.remove.iter().filter_map(|path| Some(&path[..holder(path)?]));
        holders.filter(|dir| !self.dirs.iter().any(|kept| kept == dir)).collect()
    }

    /// Places to be made that are not nested in another one, with all that is nested in them; an
    /// entry of which nothing stands is one unit, and so is a member's folder while nothing is
    /// known.
    pub fn units(&self) -> Vec<RenameUnit<'_>> {
        let mut units: Vec<RenameUnit<'_>> = Vec::new();
        for location in self.made() {
            match units.last_mut() {
                Some(unit) if is_below(&location.path, &unit.root) => unit.locations.push(location),
                _ => units.push(RenameUnit { root: self.find_root(location), locations: vec![location] }),
            }
        }
        units
    }

    fn was_below(&self, start: &str) -> bool {
        let next =
            self.installed.locations.range::<str, _>((Bound::Included(start), Bound::Unbounded)).next();
        next.is_some_and(|(path, _)| path.starts_with(start))
    }

    fn find_root(&self, location: &Location) -> String {
        if let Some(entry) = entry_of(&location.path) {
            let inside = format!("{entry}/");
            let is_new = self.completeness == Completeness::Unknown || !self.was_below(&inside);
            return if is_new { entry.to_owned() } else { location.path.clone() };
        }
        let member = location.path.split_once("/node_modules/").map(|(member, _)| member);
        match member.filter(|_| {
            self.completeness == Completeness::Unknown && !location.path.starts_with("node_modules/")
        }) {
            Some(member) => format!("{member}/node_modules"),
            None => location.path.clone(),
        }
    }
}

/// How the stamp of a link to another place begins.
pub const LOCATION_STAMP: &str = "place:";

fn locations(
    graph: &Graph,
    kind: Kind,
    placements: Vec<Placement>,
    stamp: &dyn Fn(PackageId) -> String,
) -> Vec<Location> {
    let direct_dependencies = direct_dependencies(graph);
    let location = |Placement { path, alias, package, target }: Placement| {
        let is_first = match kind {
            Kind::Hoisted => direct_dependencies.contains(&(alias.as_str(), package)),
            // In a folder of the isolated layout all is asked for by one package, which stands
            // there itself.
            Kind::Isolated | Kind::Global => target.is_none() && entry_of(&path).is_some(),
        };
        let required_by = if is_first { RequiredBy::Project } else { RequiredBy::Packages };
        let (origin, stamp) = match target {
            Some(target) => {
                let stamp = format!("{LOCATION_STAMP}{target}");
                (Origin::Location(target), stamp)
            }
            None => origin(graph, package, stamp),
        };
        Location { path, package, alias, stamp, origin, required_by }
    };
    placements.into_iter().map(location).collect()
}

/// What stands and is not wanted.
fn obsolete<'a>(locations: &[Location], installed: &'a InstalledTree) -> Vec<&'a String> {
    // Both are sorted by path.
    let mut wanted = locations.iter().map(|location| &location.path).peekable();
    let is_obsolete = |path: &&String| {
        while wanted.next_if(|wanted| *wanted < *path).is_some() {}
        wanted.peek() != Some(path)
    };
    installed.locations.keys().filter(is_obsolete).collect()
}

/// Paths that go; those of an entry that nothing is wanted of, as that entry.
fn collapse_entries(obsolete: &[&String], is_required: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut remove: Vec<String> = Vec::new();
    for path in obsolete {
        let entry = entry_of(path).filter(|entry| !is_required(&format!("{entry}/")));
        let path = entry.unwrap_or(path);
        if remove.last().is_none_or(|last| last != path) {
            remove.push(path.to_owned());
        }
    }
    remove
}

/// Packages in places that go, each for a place that is to be made from the same. None of them has
/// another place below.
fn moves(
    locations: &[Location],
    make: &BTreeSet<usize>,
    obsolete: &[&String],
    installed: &InstalledTree,
) -> BTreeMap<String, String> {
    let is_bare = |path: &str| {
        let inside = format!("{path}/");
        let below = installed.locations.range(inside.clone()..).next();
        !below.is_some_and(|(path, _)| path.starts_with(&inside))
    };
    let mut installed_: HashMap<&str, Vec<&String>> = HashMap::new();
    for &path in obsolete.iter().rev().filter(|path| is_bare(path)) {
        installed_.entry(&installed.locations[path]).or_default().push(path);
    }
    let stays_bare = |path: &str| {
        let inside = format!("{path}/");
        let next = locations.partition_point(|location| location.path < inside);
        !locations.get(next).is_some_and(|location| location.path.starts_with(&inside))
    };
    let mut moves = BTreeMap::new();
    for location in make.iter().map(|&index| &locations[index]) {
        if location.origin == Origin::Store
            && stays_bare(&location.path)
            && let Some(old) = installed_.get_mut(location.stamp.as_str()).and_then(Vec::pop)
        {
            moves.insert(location.path.clone(), old.clone());
        }
    }
    moves
}

/// What differs, and everything nested in it: a place is replaced as a whole.
fn locations_to_make(locations: &[Location], installed: &InstalledTree) -> BTreeSet<usize> {
    if installed.locations.is_empty() {
        return (0..locations.len()).collect();
    }
    let (mut make, mut replaced) = (BTreeSet::new(), HashSet::new());
    // Both are sorted by path.
    let mut installed_ = installed.locations.iter().peekable();
    for (index, location) in locations.iter().enumerate() {
        while installed_.next_if(|(path, _)| **path < location.path).is_some() {}
        let is_current = installed_
            .next_if(|(path, _)| **path == location.path)
            .is_some_and(|(_, stamp)| *stamp == location.stamp);
        // What is above comes before, but need not come right before: `a-b` stands between `a` and
        // `a/node_modules`.
        let mut above = location.path.match_indices("/node_modules/").map(|(at, _)| &location.path[..at]);
        if !is_current || (!replaced.is_empty() && above.any(|above| replaced.contains(above))) {
            make.insert(index);
            replaced.insert(location.path.as_str());
        }
    }
    make
}

fn is_below(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// What the project and its members name in their manifests, peers aside.
fn direct_dependencies(graph: &Graph) -> HashSet<(&str, PackageId)> {
    let is_member =
        |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
    let dependencies = graph.package_ids().filter(is_member).flat_map(|id| graph.dependencies_of(id));
    let own =
        dependencies.filter(|&id| !matches!(graph.dependency(id).role, Role::Peer | Role::OptionalPeer));
    own.filter_map(|id| Some((graph.name(graph.dependency(id).name).as_str(), graph.binding(id)?))).collect()
}

/// What a package's place is filled with, and from what.
fn origin(graph: &Graph, package: PackageId, stamp: &dyn Fn(PackageId) -> String) -> (Origin, String) {
    let origin = match &graph.package(package).source {
        Source::Root => Origin::Link(".".to_owned()),
        Source::Workspace { path, .. } | Source::Link { path } => Origin::Link(path.to_string()),
        Source::Folder { path } => Origin::Directory(path.to_string()),
        _ => Origin::Store,
    };
    let stamp = match &origin {
        Origin::Store | Origin::Location(_) => stamp(package),
        Origin::Link(target) => format!("link:{target}"),
        Origin::Directory(source) => format!("folder:{source}"),
    };
    (origin, stamp)
}

/// The text of a link at `path` to `target`, both from the project.
pub fn relative(path: &str, target: &str) -> String {
    if target.starts_with('/') {
        return target.to_owned();
    }
    let plain: String;
    let target = match target.split('/').any(|part| part == ".") {
        true => {
            plain = target.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/");
            plain.as_str()
        }
        false => target,
    };
    // With its last slash; of both, the folders that are the same.
    let from = &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let same = from.bytes().zip(target.bytes().chain([b'/'])).take_while(|(a, b)| a == b).count();
    let same = from[..same].rfind('/').map_or(0, |at| at + 1);
    let rest = target.get(same..).unwrap_or_default();
    let up = "../".repeat(from[same..].matches('/').count());
    let text = up + rest;
    if rest.is_empty() { text.trim_end_matches('/').to_owned() } else { text }
}

#[cfg(test)]
mod tests;

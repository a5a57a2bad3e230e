//! Plan of the changes to node_modules: the new layout, compared with what the last install left.
//! Values in, values out; the caller reads the disk and passes the [`InstalledTree`].

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use rusk_npm::graph::{Bin, Graph, PackageId, Role, Source};

use crate::layout::{Layout, LayoutKind, Placement};
use crate::member_entries::{RequestedNames, name_in_member};
use crate::shared::entries::SharedEntries;
use crate::state::{EntryFingerprint, FileStat, TrackedDirectory, UNCLAIMED, is_recorded};
use crate::virtual_store::entry_of;

/// The known contents of node_modules: each path with its stamp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledTree {
    pub locations: BTreeMap<String, String>,
    /// Fingerprints of those that are no links to other locations.
    pub fingerprints: HashMap<String, EntryFingerprint>,
    /// Directories whose contents are unchanged since the record was written, with their status.
    pub unchanged: BTreeMap<String, FileStat>,
    pub programs: BinLinks,
    /// Whether `locations` lists everything.
    pub completeness: Completeness,
    pub kind: LayoutKind,
}

impl InstalledTree {
    /// Paths of packages and links that an install made for members, in their own node_modules.
    pub fn packages_of_members(&self) -> Vec<String> {
        let is_member_package =
            |(path, stamp): &(&String, &String)| is_recorded(stamp) && name_in_member(path).is_some();
        self.locations.iter().filter(is_member_package).map(|(path, _)| path.clone()).collect()
    }
}

/// State of the links in `.bin`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinLinks {
    #[default]
    Unchanged,
    Changed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Completeness {
    /// There is no node_modules, or an unknown one.
    #[default]
    Unknown,
    Complete,
}

/// One path in node_modules, and what belongs there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageLocation {
    /// Relative to the project.
    pub path: String,
    pub package: PackageId,
    /// The directory's name in node_modules, which names a program without a name of its own.
    pub alias: String,
    /// What it is made from; equal stamps mean equal trees.
    pub stamp: String,
    pub origin: Origin,
    pub required_by: RequiredBy,
}

/// Who depends on a package. Of two packages with a program of one name, the first kind wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequiredBy {
    /// The project or a member of it, by this name, and not as a peer; also a package in its own
    /// entry.
    Project,
    /// Only other packages.
    Packages,
}

/// What a location contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A package of the store.
    Store,
    /// A link to another location, relative to the project.
    Location(String),
    /// A link to a directory outside of node_modules, relative to the project.
    Link(String),
    /// A copy of a directory's files, relative to the project.
    Directory(String),
}

impl PackageLocation {
    pub fn is_link(&self) -> bool {
        matches!(self.origin, Origin::Link(_) | Origin::Location(_))
    }

    /// The node_modules directory of the location.
    pub fn node_modules_dir(&self) -> &str {
        self.path.strip_suffix(&self.alias).map_or("", |dir| dir.trim_end_matches('/'))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub kind: LayoutKind,
    /// Every location, parents before nested ones.
    pub locations: Vec<PackageLocation>,
    /// Indices of the locations to make; nested ones are made with them.
    pub make: BTreeSet<usize>,
    /// Paths to remove; an entry of which nothing stays is one path.
    pub remove: Vec<String>,
    /// Packages to make that exist at a location to be removed: the new path, and the old one. An
    /// entry of the isolated layout is replaced when only its peers changed.
    pub moves: BTreeMap<String, String>,
    /// How many packages and links to directories are removed.
    pub removed: usize,
    /// Every node_modules directory whose programs are linked.
    pub dirs: Vec<String>,
    /// Those among them with a package that has programs, according to the lockfile.
    pub dirs_with_bins: BTreeSet<String>,
    pub completeness: Completeness,
    pub programs: BinLinks,
    /// Packages of members that an earlier install made, in a tree that is replaced as a whole.
    pub replaced: Vec<String>,
    /// Entries in the directory that projects share.
    pub shared: Option<Box<SharedEntries>>,
    /// Why packages are not shared, where that was requested.
    pub note: Option<String>,
    /// What the layout was compared with.
    pub installed: Arc<InstalledTree>,
    /// Every directory of locations or programs, computed when first needed.
    pub tracked: OnceLock<Vec<TrackedDirectory>>,
}

/// Locations that are built together and published by one rename.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameUnit<'a> {
    /// What is renamed: a location, or a new directory of locations.
    pub root: String,
    pub locations: Vec<&'a PackageLocation>,
}

impl RenameUnit<'_> {
    /// Whether it is a directory made for its locations.
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
        // The layout kinds share hardly any directory: a tree of another kind is replaced as a
        // whole.
        let (installed, replaced) = match layout.kind == installed.kind {
            true => (without_kept_entries(graph, installed), Vec::new()),
            false => (Arc::default(), installed.packages_of_members()),
        };
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
            LayoutKind::Isolated(_) => moves(&locations, &make, &obsolete, &installed),
            LayoutKind::Hoisted | LayoutKind::Global(_) => BTreeMap::new(),
        };
        let has_programs = |location: &&PackageLocation| graph.package(location.package).bin != Bin::None;
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
            replaced,
            shared: None,
            note: None,
            installed,
            tracked: OnceLock::new(),
        }
    }

    /// Packages and links to directories that are removed, by their paths.
    pub fn removed_locations(&self) -> impl Iterator<Item = &str> {
        let known = self.installed.locations.iter();
        let packages = known.filter(|(_, stamp)| !stamp.starts_with(LOCATION_STAMP));
        packages.map(|(path, _)| path.as_str()).filter(move |path| self.find(path).is_none())
    }

    /// Whether something was installed at this path.
    pub fn was_installed(&self, path: &str) -> bool {
        self.installed.locations.contains_key(path)
    }

    /// Whether this member of the project is new, or has other packages than before.
    pub fn relinks_member(&self, member: &str) -> bool {
        let within = format!("{member}/node_modules/");
        let is_its = |location: &PackageLocation| match self.kind {
            LayoutKind::Hoisted => location.origin == Origin::Link(member.to_owned()),
            LayoutKind::Isolated(_) | LayoutKind::Global(_) => {
                location.origin == Origin::Link(member.to_owned()) || location.path.starts_with(&within)
            }
        };
        let is_first = self.kind != LayoutKind::Hoisted && self.completeness == Completeness::Unknown;
        is_first || self.made().any(is_its)
    }

    /// The fingerprint of a location that stays, from the time of the comparison: a later change is
    /// noticed.
    pub fn fingerprint_of(&self, index: usize) -> Option<EntryFingerprint> {
        let stays = !self.installed.fingerprints.is_empty() && !self.make.contains(&index);
        if stays { self.installed.fingerprints.get(&self.locations[index].path).copied() } else { None }
    }

    pub fn made(&self) -> impl Iterator<Item = &PackageLocation> {
        self.make.iter().map(|&index| &self.locations[index])
    }

    /// The location with a path.
    pub fn find(&self, path: &str) -> Option<&PackageLocation> {
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

    /// Every node_modules directory whose last location is removed.
    pub fn emptied_dirs(&self) -> BTreeSet<&str> {
        let holder = |path: &'_ String| path.rfind("node_modules/").map(|at| at + "node_modules".len());
        let holders = self.remove.iter().filter_map(|path| Some(&path[..holder(path)?]));
        holders.filter(|dir| !self.dirs.iter().any(|kept| kept == dir)).collect()
    }

    /// Locations to make that are not nested in another one, with those nested in them. A new entry
    /// is one unit, and so is a member's directory while nothing is known.
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

    fn find_root(&self, location: &PackageLocation) -> String {
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

/// Prefix of the stamp of a link to another location.
pub const LOCATION_STAMP: &str = "place:";

fn locations(
    graph: &Graph,
    kind: LayoutKind,
    placements: Vec<Placement>,
    stamp: &dyn Fn(PackageId) -> String,
) -> Vec<PackageLocation> {
    let direct_dependencies = direct_dependencies(graph);
    let location = |Placement { path, alias, package, target }: Placement| {
        let is_first = match kind {
            LayoutKind::Hoisted => direct_dependencies.contains(&(alias.as_str(), package)),
            // In a directory of the isolated layout everything is a dependency of one package,
            // which is in the directory itself.
            LayoutKind::Isolated(_) | LayoutKind::Global(_) => target.is_none() && entry_of(&path).is_some(),
        };
        let required_by = if is_first { RequiredBy::Project } else { RequiredBy::Packages };
        let (origin, stamp) = match target {
            Some(target) => {
                let stamp = format!("{LOCATION_STAMP}{target}");
                (Origin::Location(target), stamp)
            }
            None => origin(graph, package, stamp),
        };
        PackageLocation { path, package, alias, stamp, origin, required_by }
    };
    placements.into_iter().map(location).collect()
}

/// The tree without what members may have of their own: entries whose name nothing asks for.
fn without_kept_entries(graph: &Graph, installed: Arc<InstalledTree>) -> Arc<InstalledTree> {
    if !installed.locations.values().any(|stamp| stamp == UNCLAIMED) {
        return installed;
    }
    let requested = RequestedNames::of(graph);
    let is_requested = |path: &str| name_in_member(path).is_some_and(|name| requested.contains(name));
    let mut installed = Arc::unwrap_or_clone(installed);
    installed.locations.retain(|path, stamp| stamp != UNCLAIMED || is_requested(path));
    Arc::new(installed)
}

/// Installed paths that are not required any more.
fn obsolete<'a>(locations: &[PackageLocation], installed: &'a InstalledTree) -> Vec<&'a String> {
    // Both are sorted by path.
    let mut wanted = locations.iter().map(|location| &location.path).peekable();
    let is_obsolete = |path: &&String| {
        while wanted.next_if(|wanted| *wanted < *path).is_some() {}
        wanted.peek() != Some(path)
    };
    installed.locations.keys().filter(is_obsolete).collect()
}

/// Paths to remove; those of an entry that is not required at all as that entry.
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

/// Packages at locations to be removed, each for a location to be made from the same stamp. None of
/// them has another location nested in it.
fn moves(
    locations: &[PackageLocation],
    make: &BTreeSet<usize>,
    obsolete: &[&String],
    installed: &InstalledTree,
) -> BTreeMap<String, String> {
    let is_bare = |path: &str| {
        let inside = format!("{path}/");
        let below = installed.locations.range(inside.clone()..).next();
        !below.is_some_and(|(path, _)| path.starts_with(&inside))
    };
    let mut by_stamp: HashMap<&str, Vec<&String>> = HashMap::new();
    for &path in obsolete.iter().rev().filter(|path| is_bare(path)) {
        by_stamp.entry(&installed.locations[path]).or_default().push(path);
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
            && let Some(old) = by_stamp.get_mut(location.stamp.as_str()).and_then(Vec::pop)
        {
            moves.insert(location.path.clone(), old.clone());
        }
    }
    moves
}

/// Locations that differ, and everything nested in them: a location is replaced as a whole.
fn locations_to_make(locations: &[PackageLocation], installed: &InstalledTree) -> BTreeSet<usize> {
    if installed.locations.is_empty() {
        return (0..locations.len()).collect();
    }
    let (mut make, mut replaced) = (BTreeSet::new(), HashSet::new());
    // Both are sorted by path.
    let mut remaining = installed.locations.iter().peekable();
    for (index, location) in locations.iter().enumerate() {
        while remaining.next_if(|(path, _)| **path < location.path).is_some() {}
        let is_current = remaining
            .next_if(|(path, _)| **path == location.path)
            .is_some_and(|(_, stamp)| *stamp == location.stamp);
        // A parent comes before, but not necessarily right before: `a-b` sorts between `a` and
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

/// Direct dependencies of the project and its members, without peers.
fn direct_dependencies(graph: &Graph) -> HashSet<(&str, PackageId)> {
    let is_member =
        |id: &PackageId| matches!(graph.package(*id).source, Source::Root | Source::Workspace { .. });
    let dependencies = graph.package_ids().filter(is_member).flat_map(|id| graph.dependencies_of(id));
    let own =
        dependencies.filter(|&id| !matches!(graph.dependency(id).role, Role::Peer | Role::OptionalPeer));
    own.filter_map(|id| Some((graph.name(graph.dependency(id).name).as_str(), graph.binding(id)?))).collect()
}

/// What a package's location contains, and its stamp.
fn origin(graph: &Graph, package: PackageId, stamp: &dyn Fn(PackageId) -> String) -> (Origin, String) {
    let origin = match &graph.package(package).source {
        Source::Root => Origin::Link(".".to_owned()),
        Source::Workspace { path, .. } | Source::Link { path } => Origin::Link(path.to_string()),
        Source::Directory { path } => Origin::Directory(path.to_string()),
        _ => Origin::Store,
    };
    let stamp = match &origin {
        Origin::Store | Origin::Location(_) => stamp(package),
        Origin::Link(target) => format!("link:{target}"),
        Origin::Directory(source) => format!("folder:{source}"),
    };
    (origin, stamp)
}

/// The target of a symbolic link at `path` to `target`, both relative to the project.
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
    // Includes the last slash; finds the directories that both have in common.
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

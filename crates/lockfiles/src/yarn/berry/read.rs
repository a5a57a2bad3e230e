//! Reads yarn.lock of Yarn 2 and newer into a graph. In: its entries, and the package.json files.
//! Out: what the project reaches. A peer is bound to what the first dependent has or is given.
//! Where the file and a package.json declare different dependencies, the graph has those of the
//! file. Absent: entries that nothing reaches; those of patches: a dependency is bound to the
//! package without its patch.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rusk_base::Result;
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{
    Dependency, DependencyId, Graph, Package, PackageId, Role, Source, Text, VERSIONS_MAX,
};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::overrides::Rule;
use rusk_npm::package_extensions::PackageExtensions;
use rusk_npm::yarn_patch::YarnPatch;

use super::super::syntax::{Block, FILE};
use super::super::{descriptor, members};
use super::entry;
use super::format::{BerryVersion, bound, parameter};
use super::own_peers::BerryDetails;
use super::table::BerryTable;
use crate::{FormatDetails, Lockfile, MemberText, problem};

/// Rounds in which peers are handed down; deeper chains of peers stay unbound.
const PEER_ROUNDS_MAX: usize = 16;

pub(in super::super) fn read(
    version: BerryVersion,
    blocks: &[Block<'_>],
    members: &[MemberText<'_>],
) -> Result<Lockfile> {
    let table = BerryTable::of(blocks)?;
    let homes: HashMap<&str, usize> = table
        .entries
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((entry::workspace(entry)?, index)))
        .collect();
    // A member that the file does not have is left out, and the difference is found.
    let known: Vec<MemberText<'_>> =
        members.iter().copied().filter(|it| it.path.is_empty() || homes.contains_key(it.path)).collect();
    let mut graph = Graph::default();
    let entries: Vec<Option<&Block<'_>>> =
        known.iter().map(|member| homes.get(member.path).map(|&index| table.entries[index])).collect();
    let importers = members::add(&mut graph, &known, &MemberEntries(entries))?;
    let mut gone: Vec<&str> =
        homes.keys().copied().filter(|path| !members.iter().any(|member| member.path == *path)).collect();
    gone.sort_unstable();
    for path in gone {
        let (name, _) = entry::locator(table.entries[homes[path]]);
        let name = graph
            .intern(name)
            .map_err(|_| problem::entry(FILE, table.entries[homes[path]].line, "a member's name"))?;
        graph.add(Package::new(name, Source::Workspace { path: path.into(), version: None }), Vec::new());
    }
    let locator = |index: usize| table.entries[index].text("resolution").unwrap_or_default().to_owned();
    let locators = homes.iter().map(|(path, &index)| ((*path).to_owned(), locator(index))).collect();
    let project = importers.manifests.first();
    let rules = project.map(|manifest| manifest.overrides.rules.clone());
    let catalogs = project.map(catalogs_of).unwrap_or_default();
    let mut reader = Reader {
        table: &table,
        graph,
        importers: importers.ids.clone(),
        locators,
        rules: rules.unwrap_or_default(),
        catalogs,
        extensions: project.map(|manifest| Arc::clone(&manifest.package_extensions)).unwrap_or_default(),
        open: importers.ids.into(),
        of_entries: HashMap::new(),
        own_peers: Vec::new(),
    };
    while let Some(package) = reader.open.pop_front() {
        for id in reader.graph.dependencies_of(package) {
            let bound = reader.find(package, id)?;
            reader.graph.bind(id, bound);
        }
    }
    bind_peers(&mut reader.graph);
    let details = FormatDetails::YarnBerry(BerryDetails { version, own_peers: reader.own_peers });
    Ok(Lockfile { graph: reader.graph, rules: None, tree: None, instances: None, details })
}

fn catalogs_of(manifest: &Manifest) -> Rules {
    let texts = |pairs: &Pairs| -> Vec<(Text, Text)> {
        pairs.iter().map(|(name, range)| (name.as_str().into(), range.as_str().into())).collect()
    };
    let catalogs = manifest.catalogs.iter().map(|(name, pairs)| (name.as_str().into(), texts(pairs)));
    Rules { catalog: texts(&manifest.catalog), catalogs: catalogs.collect(), ..Rules::default() }
}

/// The entries of the members.
struct MemberEntries<'b, 't>(Vec<Option<&'b Block<'t>>>);

impl members::LockedMembers for MemberEntries<'_, '_> {
    fn keeps(&self, member: usize, name: &str, literal: &str, role: Role) -> bool {
        let group = if role.is_peer() { "peerDependencies" } else { "dependencies" };
        let group = self.0[member].and_then(|entry| entry.find(group));
        let range = group.and_then(|group| group.find(name)?.value.as_deref());
        range.is_some_and(|range| {
            let is_patched = || YarnPatch::parse(name, range).is_some_and(|patch| patch.literal == literal);
            range == literal || range == bound(literal) || is_patched()
        })
    }

    fn listed(&self, member: usize) -> Vec<(&str, &str)> {
        let Some(entry) = self.0[member] else { return Vec::new() };
        entry.pairs("dependencies").chain(entry.pairs("peerDependencies")).collect()
    }
}

struct Reader<'a, 'b, 't> {
    table: &'a BerryTable<'b, 't>,
    graph: Graph,
    importers: Vec<PackageId>,
    /// By path of a member: its locator.
    locators: HashMap<String, String>,
    rules: Vec<Rule>,
    /// Only its catalogs.
    catalogs: Rules,
    extensions: Arc<PackageExtensions>,
    /// Packages whose dependencies are still to be bound.
    open: VecDeque<PackageId>,
    /// By index of the entry.
    of_entries: HashMap<usize, PackageId>,
    /// Dependencies that are peers of their package, too.
    own_peers: Vec<DependencyId>,
}

impl Reader<'_, '_, '_> {
    fn find(&mut self, owner: PackageId, id: DependencyId) -> Result<Option<PackageId>> {
        let Dependency { name, literal, role, .. } = self.graph.dependency(id).clone();
        if role == Role::Workspace {
            return Ok(self.importer(&literal));
        }
        if role.is_peer() {
            return Ok(None);
        }
        let name = self.graph.name(name).clone();
        let Some(index) = self.entry(owner, name.as_str(), &literal) else { return Ok(None) };
        let entry = self.table.entries[index];
        if let Some(path) = entry::workspace(entry) {
            return Ok(self.importer(path));
        }
        let base = descriptor::base_of(&self.graph, owner);
        let (own_name, source) = entry::identity(entry, base.as_deref())?;
        let package = self.package(entry, &own_name, source)?;
        // Yarn has an entry for each directory that a path is relative to.
        if *self.of_entries.entry(index).or_insert(package) != package {
            return Err(problem::entry(FILE, entry.line, "a local path of one member"));
        }
        Ok(Some(package))
    }

    fn importer(&self, path: &str) -> Option<PackageId> {
        self.importers.iter().copied().find(|&id| match &self.graph.package(id).source {
            Source::Root => path.is_empty(),
            Source::Workspace { path: own, .. } => **own == *path,
            _ => false,
        })
    }

    /// The entry of a dependency.
    fn entry(&self, owner: PackageId, name: &str, literal: &str) -> Option<usize> {
        let parent = self.graph.package_name(owner).as_str();
        let mut ranges = descriptor::ranges(&self.rules, parent, name, literal);
        ranges.find_map(|range| self.descriptor(owner, name, self.catalogs.catalog_literal(name, range)))
    }

    fn descriptor(&self, owner: PackageId, name: &str, range: &str) -> Option<usize> {
        let plain = self.table.find(&format!("{name}@{}", bound(range)));
        let plain = plain.or_else(|| self.table.find(&format!("{name}@{range}")));
        plain.or_else(|| {
            let path = descriptor::base_of(&self.graph, owner)?;
            let locator = self.locators.get(&*path)?;
            self.table.find(&format!("{name}@{range}::locator={}", parameter(locator)))
        })
    }

    fn package(&mut self, entry: &Block<'_>, name: &str, source: Source) -> Result<PackageId> {
        let error = |expected: &str| problem::entry(FILE, entry.line, expected);
        let intern = |graph: &mut Graph, name: &str| {
            graph.intern(name).map_err(|_| error(&format!("a package name, found `{name}`")))
        };
        let name = intern(&mut self.graph, name)?;
        if let Some(known) = self.graph.find(name, &source) {
            return Ok(known);
        }
        if self.graph.packages_named(name).len() >= VERSIONS_MAX {
            return Err(error(&format!("at most {VERSIONS_MAX} packages of one name")));
        }
        let mut dependencies = Vec::new();
        for declared in entry::dependencies(entry)? {
            let name = intern(&mut self.graph, declared.name)?;
            let literal = declared.literal.into();
            dependencies.push(Dependency { name, literal, role: declared.role, bundled: false });
        }
        if let Source::Npm { version, .. } = &source {
            let own_name = self.graph.name(name).clone();
            // Entries have what packages declare themselves.
            let extended = self.extensions.extend(&mut self.graph, &own_name, version, &mut dependencies);
            extended.map_err(|wrong| error(&format!("a package name in an extension, found `{wrong}`")))?;
        }
        let mut package = Package::new(name, source);
        package.bin = entry::bin(entry);
        package.constraints = entry::constraints(entry);
        let id = self.graph.add(package, dependencies);
        let is_own_peer = |id: &DependencyId| {
            let Dependency { name, role, .. } = self.graph.dependency(*id);
            !role.is_peer() && entry::has_peer(entry, self.graph.name(*name).as_str())
        };
        self.own_peers.extend(self.graph.dependencies_of(id).filter(is_own_peer));
        self.open.push_back(id);
        Ok(id)
    }
}

/// Binds peers to what a dependent has under that name, or is given itself.
fn bind_peers(graph: &mut Graph) {
    for _ in 0..PEER_ROUNDS_MAX {
        let mut found: Vec<(DependencyId, PackageId)> = Vec::new();
        let mut known: HashSet<DependencyId> = HashSet::new();
        for owner in graph.package_ids() {
            for id in graph.dependencies_of(owner) {
                let Some(package) = graph.binding(id).filter(|_| !graph.dependency(id).role.is_peer()) else {
                    continue;
                };
                for peer in graph.dependencies_of(package) {
                    let wanted = graph.dependency(peer);
                    if !wanted.role.is_peer() || graph.binding(peer).is_some() {
                        continue;
                    }
                    let given = graph.dependencies_of(owner).find_map(|own| {
                        let is_it = graph.dependency(own).name == wanted.name;
                        graph.binding(own).filter(|_| is_it)
                    });
                    if let Some(given) = given.filter(|_| known.insert(peer)) {
                        found.push((peer, given));
                    }
                }
            }
        }
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(|(peer, given)| graph.bind(peer, Some(given)));
    }
}

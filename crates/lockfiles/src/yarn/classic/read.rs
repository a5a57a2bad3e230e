//! Reads yarn.lock of Yarn 1 into a graph. In: its entries, and the package.json files, whose
//! dependencies the file does not repeat. Out: what the project reaches. Absent: entries that
//! nothing reaches, which Yarn removes too; peers, which Yarn 1 does not bind.

use std::collections::{HashSet, VecDeque};

use rusk_base::Result;
use rusk_npm::graph::{Bin, Dependency, DependencyId, Graph, Package, PackageId, Role, Source, VERSIONS_MAX};
use rusk_npm::overrides::Rule;
use rusk_npm::specifier::Specifier;

use super::super::syntax::{Block, FILE};
use super::super::{descriptor, members};
use super::table::{self, ClassicTable};
use crate::{FormatDetails, Lockfile, MemberText, problem};

/// Dependencies of one package; the largest ever published have some hundreds.
const DEPENDENCIES_MAX: usize = 20_000;

pub(in super::super) fn read(entries: &[Block<'_>], members: &[MemberText<'_>]) -> Result<Lockfile> {
    let table = ClassicTable::of(entries)?;
    let mut graph = Graph::default();
    let importers = members::add(&mut graph, members, &table)?;
    let rules = importers.manifests.first().map(|manifest| manifest.overrides.rules.clone());
    let mut reader = Reader {
        table: &table,
        graph,
        members: importers.ids[1..].to_vec(),
        rules: rules.unwrap_or_default(),
        open: importers.ids.into(),
    };
    while let Some(package) = reader.open.pop_front() {
        for id in reader.graph.dependencies_of(package) {
            let bound = reader.find(package, id)?;
            reader.graph.bind(id, bound);
        }
    }
    Ok(Lockfile {
        graph: reader.graph,
        rules: None,
        tree: None,
        instances: None,
        details: FormatDetails::YarnClassic,
    })
}

impl members::LockedMembers for ClassicTable<'_, '_> {
    /// An optional dependency without an entry is a difference, as it may be a new one.
    fn keeps(&self, _: usize, name: &str, literal: &str, role: Role) -> bool {
        role != Role::Optional || self.find(name, literal).is_some()
    }

    fn listed(&self, _: usize) -> Vec<(&str, &str)> {
        Vec::new()
    }
}

struct Reader<'a, 'b, 't> {
    table: &'a ClassicTable<'b, 't>,
    graph: Graph,
    members: Vec<PackageId>,
    rules: Vec<Rule>,
    /// Packages whose dependencies are still to be bound.
    open: VecDeque<PackageId>,
}

impl Reader<'_, '_, '_> {
    fn find(&mut self, owner: PackageId, id: DependencyId) -> Result<Option<PackageId>> {
        let Dependency { name, literal, role, .. } = self.graph.dependency(id).clone();
        if role == Role::Workspace {
            let is_it = |&id: &PackageId| match &self.graph.package(id).source {
                Source::Workspace { path, .. } => *path == literal,
                _ => false,
            };
            return Ok(self.members.iter().copied().find(is_it));
        }
        if role.is_peer() {
            return Ok(None);
        }
        let name = self.graph.name(name).clone();
        let Some((entry, range)) = self.entry(owner, name.as_str(), &literal) else {
            return Ok(self.member(name.as_str(), &literal));
        };
        let base = descriptor::base_of(&self.graph, owner);
        let block = &self.table.entries[entry];
        let (own_name, source) = table::identity(block, name.as_str(), &range, base.as_deref())?;
        self.package(block, &own_name, source).map(Some)
    }

    /// The entry, and the range that leads to it.
    fn entry(&self, owner: PackageId, name: &str, literal: &str) -> Option<(usize, String)> {
        let parent = self.graph.package_name(owner).as_str();
        let mut ranges = descriptor::ranges(&self.rules, parent, name, literal);
        ranges.find_map(|range| Some((self.table.find(name, range)?, range.to_owned())))
    }

    /// A member that a range is satisfied by has no entry.
    fn member(&self, name: &str, literal: &str) -> Option<PackageId> {
        self.members.iter().copied().find(|&id| {
            let Source::Workspace { version, .. } = &self.graph.package(id).source else { return false };
            self.graph.package_name(id).as_str() == name
                && match Specifier::parse(name, literal) {
                    Ok(Specifier::Npm { range, .. }) => {
                        range.is_any() || version.as_ref().is_some_and(|version| range.contains(version))
                    }
                    Ok(Specifier::Workspace(_)) => true,
                    _ => false,
                }
        })
    }

    fn package(&mut self, entry: &Block<'_>, name: &str, source: Source) -> Result<PackageId> {
        let error = |expected: &str| problem::entry(FILE, entry.line, expected);
        let intern = |graph: &mut Graph, name: &str| {
            graph.intern(name).map_err(|_| error(&format!("a package name, found `{name}`")))
        };
        let name_id = intern(&mut self.graph, name)?;
        if let Some(known) = self.graph.find(name_id, &source) {
            return Ok(known);
        }
        if self.graph.packages_named(name_id).len() >= VERSIONS_MAX {
            return Err(error(&format!("at most {VERSIONS_MAX} packages of one name")));
        }
        let (mut dependencies, mut known) = (Vec::new(), HashSet::new());
        for (group, role) in [("optionalDependencies", Role::Optional), ("dependencies", Role::Production)] {
            for (name, literal) in entry.pairs(group) {
                let name = intern(&mut self.graph, name)?;
                if known.insert(name) {
                    dependencies.push(Dependency { name, literal: literal.into(), role, bundled: false });
                }
                if dependencies.len() > DEPENDENCIES_MAX {
                    return Err(error(&format!("at most {DEPENDENCIES_MAX} dependencies of one package")));
                }
            }
        }
        let mut package = Package::new(name_id, source);
        package.integrity = table::integrity(entry, &package.source);
        // The file does not say which programs there are; the package itself does.
        package.bin = Bin::Named(Vec::new());
        let id = self.graph.add(package, dependencies);
        self.open.push_back(id);
        Ok(id)
    }
}

//! Binds dependencies to packages by the paths of a lockfile: the file lists the location of each
//! package, but not which package satisfies a dependency. As with `require`, a dependency of the
//! package at `a/b` is searched at `a/b/name`, then at `a/name`, then at `name`. Peers are bound by
//! version instead: a peer has no path of its own if an ancestor directory already has a
//! satisfying version.

use std::collections::{HashMap, HashSet};

use super::Rules;
use crate::graph::{Dependency, DependencyId, Graph, NameId, PackageId, Role, Source};
use crate::name::PackageName;
use crate::specifier::Specifier;

/// One line of `packages`, or a workspace under its name.
#[derive(Debug)]
pub(super) struct LockfileEntry {
    pub path: String,
    pub package: PackageId,
    pub bundled: bool,
    /// Names that stay without a package.
    pub unresolved: Vec<String>,
    /// Offset of the entry in the file.
    pub offset: usize,
}

/// A required dependency that no package satisfies.
pub(super) struct Unbound {
    pub dependency: String,
    pub dependent: String,
    /// The package that the file has instead, if it does not satisfy the dependency.
    pub found: Option<String>,
    /// Offset of the dependent's entry.
    pub offset: usize,
}

/// Binds every dependency of every package.
pub(super) fn bind(graph: &mut Graph, entries: &[LockfileEntry], rules: &Rules) -> Result<(), Unbound> {
    let index = Index {
        packages: entries.iter().map(|entry| (entry.path.as_str(), entry.package)).collect(),
        bundled: entries.iter().filter(|entry| entry.bundled).map(|entry| entry.path.as_str()).collect(),
        aliases: aliases(graph, entries, rules),
    };
    let project = LockfileEntry {
        path: String::new(),
        package: PackageId(0),
        bundled: false,
        unresolved: Vec::new(),
        offset: 0,
    };
    let mut path = String::new();
    for entry in std::iter::once(&project).chain(entries) {
        for id in graph.dependencies_of(entry.package) {
            bind_one(graph, &index, rules, entry, id, &mut path)?;
        }
    }
    Ok(())
}

struct Index<'p> {
    packages: HashMap<&'p str, PackageId>,
    bundled: HashSet<&'p str>,
    /// Aliases of the project and its members: name, and the package that it refers to. They apply
    /// to all dependents of that name.
    aliases: HashSet<(NameId, PackageName)>,
}

fn aliases(graph: &Graph, entries: &[LockfileEntry], rules: &Rules) -> HashSet<(NameId, PackageName)> {
    let members = entries.iter().map(|entry| entry.package);
    let members = members.filter(|&id| matches!(graph.package(id).source, Source::Workspace { .. }));
    let dependencies = std::iter::once(PackageId(0)).chain(members).flat_map(|id| graph.dependencies_of(id));
    let wanted =
        dependencies.filter_map(|id| Some((graph.dependency(id).name, registry_name(graph, rules, id)?)));
    wanted.filter(|(name, wanted)| graph.name(*name) != wanted).collect()
}

/// The registry name of a dependency's package; its own name may be an alias.
fn registry_name(graph: &Graph, rules: &Rules, id: DependencyId) -> Option<PackageName> {
    let dependency = graph.dependency(id);
    let name = graph.name(dependency.name).as_str();
    Specifier::parse(name, rules.catalog_literal(name, &dependency.literal)).ok()?.registry_name().cloned()
}

/// `path`: a buffer for lookups; its content is overwritten.
fn bind_one(
    graph: &mut Graph,
    index: &Index<'_>,
    rules: &Rules,
    entry: &LockfileEntry,
    id: DependencyId,
    path: &mut String,
) -> Result<(), Unbound> {
    let dependency = graph.dependency(id);
    let name = graph.name(dependency.name).clone();
    let role = dependency.role;
    let bundled = !entry.path.is_empty()
        && !index.bundled.is_empty()
        && index.bundled.contains(joined(path, &entry.path, name.as_str()));
    let found = match entry.unresolved.iter().any(|unresolved| unresolved == name.as_str()) {
        true => None,
        false => bind_peer(graph, rules, entry.package, dependency)
            .or_else(|| index.find(graph, entry, name.as_str(), role, path)),
    };
    if bundled {
        graph.mark_bundled(id);
    }
    let dependent = || if entry.path.is_empty() { "the project" } else { &entry.path }.to_owned();
    if let Some(found) = found.filter(|&found| !answers(graph, index, rules, id, found)) {
        let found = Some(graph.label(found));
        let dependency = name.to_string();
        return Err(Unbound { dependency, dependent: dependent(), found, offset: entry.offset });
    }
    if found.is_none() && !role.may_stay_unbound() && !is_nothing(graph, id) {
        let dependency = name.to_string();
        return Err(Unbound { dependency, dependent: dependent(), found: None, offset: entry.offset });
    }
    graph.bind(id, found);
    Ok(())
}

/// Whether a package satisfies a dependency on a registry version: a registry package or a member
/// of that name, or an alias of the project. Otherwise an edited lockfile could substitute any
/// package for any other. Peers accept every package in scope, and an override may refer to any
/// package.
fn answers(graph: &Graph, index: &Index<'_>, rules: &Rules, id: DependencyId, found: PackageId) -> bool {
    let dependency = graph.dependency(id);
    match dependency.role {
        Role::Peer | Role::OptionalPeer => return true,
        // Otherwise the member and its dependencies would not be installed.
        Role::Workspace => return matches!(graph.package(found).source, Source::Workspace { .. }),
        _ => {}
    }
    // Nearly all: a package of that name, from the registry or a member, without an alias.
    let package = graph.package(found);
    let may_be_wanted = matches!(package.source, Source::Npm { .. } | Source::Workspace { .. });
    if may_be_wanted && package.name == dependency.name && !dependency.literal.contains(':') {
        return true;
    }
    let name = graph.name(dependency.name).as_str();
    let Some(wanted) = registry_name(graph, rules, id) else { return true };
    if rules.names_override(name) || rules.names_override(wanted.as_str()) {
        return true;
    }
    match package.source {
        Source::Npm { .. } | Source::Workspace { .. } => {
            let found = graph.package_name(found);
            *found == wanted || index.aliases.contains(&(dependency.name, found.clone()))
        }
        Source::Root => true,
        _ => false,
    }
}

/// Whether it is a `catalog:` of a published package: it has no meaning, and is never installed.
fn is_nothing(graph: &Graph, id: DependencyId) -> bool {
    graph.dependency(id).literal.starts_with("catalog:")
}

/// A required peer with a range is bound to the highest satisfying version in the file, or to the
/// highest of all if none satisfies it. Overridden names are bound by path, because the path shows
/// the effect of the override; so are names on which the package also depends, because they have
/// one entry in its directory.
fn bind_peer(graph: &Graph, rules: &Rules, owner: PackageId, dependency: &Dependency) -> Option<PackageId> {
    if dependency.role != Role::Peer {
        return None;
    }
    let mut own = graph.dependencies_of(owner).map(|id| graph.dependency(id));
    if own.any(|other| other.name == dependency.name && !other.role.is_peer()) {
        return None;
    }
    let name = graph.name(dependency.name);
    let literal = rules.catalog_literal(name.as_str(), &dependency.literal);
    let Ok(Specifier::Npm { name: real_name, range, .. }) = Specifier::parse(name.as_str(), literal) else {
        return None;
    };
    if range.is_any() || rules.names_override(real_name.as_str()) {
        return None;
    }
    let candidates = graph.packages_named(graph.find_name(real_name.as_str())?);
    let releases = || {
        candidates.iter().filter_map(|&id| match &graph.package(id).source {
            Source::Npm { version, .. } => Some((version, id)),
            _ => None,
        })
    };
    let satisfying = releases().filter(|(version, _)| range.contains(version)).max();
    satisfying.or_else(|| releases().max()).map(|(_, id)| id)
}

impl Index<'_> {
    fn find(
        &self,
        graph: &Graph,
        entry: &LockfileEntry,
        name: &str,
        role: Role,
        path: &mut String,
    ) -> Option<PackageId> {
        let mut from = entry.path.as_str();
        if matches!(graph.package(entry.package).source, Source::Workspace { .. }) {
            from = graph.package_name(entry.package).as_str();
        }
        loop {
            if let Some(&package) = self.packages.get(joined(path, from, name)) {
                return Some(package);
            }
            // Packages in a tarball do not see optional peers outside it.
            if from.is_empty() || role == Role::OptionalPeer && self.bundled.contains(from) {
                return None;
            }
            from = parent(from);
        }
    }
}

/// Writes `from/name` to `path`, or `name` if `from` is empty.
fn joined<'p>(path: &'p mut String, from: &str, name: &str) -> &'p str {
    path.clear();
    if !from.is_empty() {
        path.push_str(from);
        path.push('/');
    }
    path.push_str(name);
    path
}

/// The paths at which a dependency of the package at `from` is searched, nearest first.
pub(super) fn lookups<'a>(from: &'a str, name: &'a str) -> impl Iterator<Item = String> + use<'a> {
    let dirs = std::iter::successors(Some(from), |from| (!from.is_empty()).then(|| parent(from)));
    dirs.map(move |from| if from.is_empty() { name.to_owned() } else { format!("{from}/{name}") })
}

/// The path without its last package name.
fn parent(path: &str) -> &str {
    let Some(cut) = path.rfind('/') else { return "" };
    let start = path[..cut].rfind('/').map_or(0, |slash| slash + 1);
    match path[start..cut].starts_with('@') {
        true => path[..start].trim_end_matches('/'),
        false => &path[..cut],
    }
}

/// The package names of a path; `None` when a scope has no name after it.
pub(super) fn segments(path: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut rest = path;
    loop {
        let from = if rest.starts_with('@') { rest.find('/')? + 1 } else { 0 };
        match rest[from..].find('/') {
            Some(slash) => {
                names.push(&rest[..from + slash]);
                rest = &rest[from + slash + 1..];
            }
            None => {
                names.push(rest);
                return Some(names);
            }
        }
    }
}

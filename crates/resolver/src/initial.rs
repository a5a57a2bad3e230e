//! Initial graph of a resolution: the lockfile's graph, with the project's own packages replaced
//! according to package.json. A dependency that did not change stays bound; the rest is unbound.

use std::collections::{BTreeSet, HashSet};

use rusk_base::Result;
use rusk_lockfiles::{FormatDetails, Lockfile};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{
    Bin, Constraints, Dependency, DependencyId, Graph, NameId, Package, PackageId, Role, Source, Text,
};
use rusk_npm::manifest::{Bundled, Group, Manifest};
use rusk_npm::semver::Version;

use super::restored::{self, RestoredDependencies};
use super::{MetadataSource, collapse, extensions, linked_directories, locked, rules};
use crate::members::{MemberLinkRule, Members, PeerRule, ProjectMember};
use crate::problem;

/// Which dependencies an update unbinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Update {
    #[default]
    Nothing,
    /// These packages, as direct dependencies.
    Direct(Vec<String>),
    /// The same, also where the lockfile fits.
    Importers(Vec<String>),
    /// These packages, as dependencies of any package.
    Names(Vec<String>),
    Everything,
    /// No package: versions of the lockfile are moved onto each other where the ranges allow it.
    Deduplicate,
}

impl Update {
    fn unlocks(&self, name: &str) -> bool {
        match self {
            Update::Nothing | Update::Direct(_) | Update::Deduplicate => false,
            Update::Importers(names) | Update::Names(names) => names.iter().any(|wanted| wanted == name),
            Update::Everything => true,
        }
    }
}

/// The graph that resolution starts from.
pub struct InitialGraph {
    pub graph: Graph,
    pub rules: Rules,
    /// Packages below this id are importers or come from the lockfile.
    pub settled: u32,
    /// The project and its members.
    pub importers: Vec<PackageId>,
    /// By package: the package of the lockfile that it is.
    pub locked_ids: Vec<Option<PackageId>>,
    /// Optional dependencies of packages that the lockfile has without a package for them: npm left
    /// them out when it wrote the file, and does not try again.
    pub absent: Vec<DependencyId>,
    pub update: Update,
    pub link_rule: MemberLinkRule,
    pub peer_rule: PeerRule,
}

/// Builds the initial graph.
pub fn initial_graph(
    members: &Members,
    lockfile: Option<&Lockfile>,
    update: &Update,
    metadata: &mut dyn MetadataSource,
) -> Result<InitialGraph> {
    let rules = rules::of_manifest(&members.project.manifest);
    let mut graph = Graph::default();
    graph.project_name = members.project.manifest.name.as_deref().map(Text::from);
    let installs_peers = lockfile.is_some_and(Lockfile::installs_peers);
    let importers = add_importers(&mut graph, members, installs_peers, &rules)?;
    let mut locked_ids = Vec::new();
    let mut absent = Vec::new();
    if let Some(old) = lockfile.filter(|_| *update != Update::Everything) {
        let restored = restored::find(old, &rules, metadata)?;
        let changes = PackageChanges { rules: &rules, restored, metadata };
        let new_ids = copy_packages(&mut graph, old, &importers, changes)?;
        absent = copy_bindings(&mut graph, old, &new_ids, &importers);
        unbind_replaced_by_members(&mut graph);
        if let Some(old_rules) = &old.rules {
            unbind_overridden(&mut graph, old_rules, &rules);
        }
        if let Some(extent) = locked::Extent::of(&old.details) {
            locked::unbind_unsatisfied(&mut graph, &rules, extent);
        }
        locked_ids = vec![None; graph.len()];
        for (before, now) in old.graph.package_ids().zip(&new_ids) {
            if let Some(now) = now {
                locked_ids[now.0 as usize] = Some(before);
            }
        }
    }
    unbind_updated(&mut graph, update, &importers);
    let settled = u32::try_from(graph.len()).expect("bounded by the lockfile's size");
    let (update, link_rule, peer_rule) = (update.clone(), members.link_rule, members.peer_rule);
    Ok(InitialGraph { graph, rules, settled, importers, locked_ids, absent, update, link_rule, peer_rule })
}

/// Why a lockfile does not match the manifests; `None` when it does.
pub fn find_mismatch(members: &Members, lockfile: &Lockfile) -> Result<Option<String>> {
    let rules = rules::of_manifest(&members.project.manifest);
    let mut graph = Graph::default();
    let importers = add_importers(&mut graph, members, lockfile.installs_peers(), &rules)?;
    let old = &lockfile.graph;
    let is_member =
        |id: &PackageId| matches!(old.package(*id).source, Source::Root | Source::Workspace { .. });
    let importers = linked_or_locked(&graph, importers, old);
    if old.package_ids().filter(is_member).count() != importers.len() {
        return Ok(Some("the workspaces differ".to_owned()));
    }
    if let Some(before) = &lockfile.rules {
        if rules.overrides != before.overrides {
            return Ok(Some("`overrides` differ".to_owned()));
        }
        if rules::catalogs_differ(&rules, before) {
            return Ok(Some("catalogs differ".to_owned()));
        }
        if matches!(lockfile.details, FormatDetails::Bun(_)) && patches_differ(&rules, before, old) {
            return Ok(Some("`patchedDependencies` differ".to_owned()));
        }
    }
    if let Some(reason) = extensions::find_mismatch(lockfile, &rules) {
        return Ok(Some(reason));
    }
    let is_same_member = match &lockfile.details {
        FormatDetails::Bun(_) => is_same_member,
        _ => is_same_name,
    };
    for importer in importers {
        let package = graph.package(importer);
        let same =
            old.package_ids().filter(is_member).find(|&id| old.package(id).source.is_same(&package.source));
        let Some(before) = same.filter(|&id| is_same_member(old, id, &graph, importer)) else {
            return Ok(Some(format!("the workspace `{}` changed", graph.package_name(importer))));
        };
        if let Some(name) = first_difference(old, before, &graph, importer) {
            return Ok(Some(format!(
                "the dependency of `{}` on `{name}` changed",
                graph.package_name(importer)
            )));
        }
    }
    Ok(locked::Extent::of(&lockfile.details).and_then(|extent| locked::find_unsatisfied(old, &rules, extent)))
}

/// The project and its members. A member that a direct dependency replaces is not in the lockfile.
fn linked_or_locked(graph: &Graph, importers: Vec<PackageId>, old: &Graph) -> Vec<PackageId> {
    let listed: Vec<&Dependency> =
        graph.dependencies_of(importers[0]).map(|id| graph.dependency(id)).collect();
    let is_kept = |id: &PackageId| match &graph.package(*id).source {
        Source::Workspace { path, .. } => {
            listed.iter().any(|it| it.role == Role::Workspace && *it.literal == **path)
                || old.package_ids().any(|it| old.package(it).source.is_same(&graph.package(*id).source))
        }
        _ => true,
    };
    importers.into_iter().filter(is_kept).collect()
}

/// bun.lock repeats the patches of packages that it has.
fn patches_differ(rules: &Rules, before: &Rules, old: &Graph) -> bool {
    if rules.patched.is_empty() && before.patched.is_empty() {
        return false;
    }
    let labels: BTreeSet<String> = old.package_ids().map(|id| old.label(id)).collect();
    let is_locked = |patch: &&(Text, Text)| labels.contains(&*patch.0);
    let mut wanted: Vec<_> = rules.patched.iter().filter(is_locked).collect();
    let mut found: Vec<_> = before.patched.iter().collect();
    wanted.sort_unstable();
    found.sort_unstable();
    wanted != found
}

/// Yarn, npm and pnpm write programs in another form or not at all, and versions of members late.
fn is_same_name(old: &Graph, before: PackageId, new: &Graph, now: PackageId) -> bool {
    new.package(now).source == Source::Root || old.package_name(before) == new.package_name(now)
}

fn is_same_member(old: &Graph, before: PackageId, new: &Graph, now: PackageId) -> bool {
    let (a, b) = (old.package(before), new.package(now));
    match (&a.source, &b.source) {
        (Source::Root, Source::Root) => true,
        _ => a.source == b.source && a.bin == b.bin && old.package_name(before) == new.package_name(now),
    }
}

/// A dependency that one of two packages declares and the other does not. Members are compared by
/// themselves.
fn first_difference(old: &Graph, before: PackageId, new: &Graph, now: PackageId) -> Option<String> {
    type Declared<'g> = (&'g str, &'g str, Role);
    fn declared(graph: &Graph, id: PackageId) -> Vec<Declared<'_>> {
        let dependencies = graph.dependencies_of(id).map(|id| graph.dependency(id));
        let declared = dependencies.filter(|it| it.role != Role::Workspace);
        declared.map(|it| (graph.name(it.name).as_str(), &*it.literal, it.role)).collect()
    }
    let (a, b) = (declared(old, before), declared(new, now));
    let differing = |a: &[Declared<'_>], b: &[Declared<'_>]| {
        let known: HashSet<&Declared<'_>> = b.iter().collect();
        a.iter().find(|entry| !known.contains(entry)).map(|(name, ..)| (*name).to_owned())
    };
    differing(&b, &a).or_else(|| differing(&a, &b))
}

/// What changes the lockfile's packages on the way.
struct PackageChanges<'a> {
    rules: &'a Rules,
    restored: RestoredDependencies,
    metadata: &'a mut dyn MetadataSource,
}

/// Copies the lockfile's packages. Returns the new id of each old one; `None` for a removed member.
fn copy_packages(
    graph: &mut Graph,
    lockfile: &Lockfile,
    importers: &[PackageId],
    changes: PackageChanges<'_>,
) -> Result<Vec<Option<PackageId>>> {
    let PackageChanges { rules, restored, metadata } = changes;
    let old = &lockfile.graph;
    let mut new_ids = Vec::with_capacity(old.len());
    for id in old.package_ids() {
        let package = old.package(id);
        let new_id = match package.source {
            Source::Root | Source::Workspace { .. } => {
                importers.iter().copied().find(|&new| graph.package(new).source.is_same(&package.source))
            }
            _ => match linked_directories::copy(graph, lockfile, id, rules, metadata)? {
                Some(linked) => Some(linked),
                None => Some(extensions::copy_changed(graph, old, id, rules, restored.get(&id))?),
            },
        };
        new_ids.push(new_id);
    }
    Ok(new_ids)
}

/// Binds every copied package as before. An unchanged dependency of an importer stays bound.
/// Optional peers are left to hoisting, which finds them by their location; where the lockfile
/// binds them for good, a package that nothing else leads to stays. Returns the optional
/// dependencies of packages for which the lockfile has nothing.
fn copy_bindings(
    graph: &mut Graph,
    lockfile: &Lockfile,
    new_ids: &[Option<PackageId>],
    importers: &[PackageId],
) -> Vec<DependencyId> {
    let mut absent = Vec::new();
    let old = &lockfile.graph;
    let reached = lockfile.instances.as_ref().map(|_| collapse::reached(old, old.bindings()));
    let is_kept = |bound: PackageId| reached.as_ref().is_some_and(|reached| !reached.contains(&bound));
    for before in old.package_ids() {
        let Some(now) = new_ids[before.0 as usize] else { continue };
        for id in graph.dependencies_of(now) {
            let declared = graph.dependency(id);
            let name = graph.name(declared.name);
            let same = old.dependencies_of(before).find(|&other| {
                let other = old.dependency(other);
                old.name(other.name) == name
                    && other.literal == declared.literal
                    && (!importers.contains(&now) && other.role == declared.role
                        || other.role.is_peer() == declared.role.is_peer())
            });
            let bound = same.and_then(|same| old.binding(same));
            let is_optional = declared.role == Role::Optional && !importers.contains(&now);
            if is_optional && same.is_some() && bound.is_none() {
                absent.push(id);
            }
            let bound = bound.filter(|&bound| declared.role != Role::OptionalPeer || is_kept(bound));
            graph.bind(id, bound.and_then(|bound| new_ids[bound.0 as usize]));
        }
    }
    absent
}

/// A direct dependency of the project cannot stay at a release where a member of its name is new:
/// both would be one directory.
fn unbind_replaced_by_members(graph: &mut Graph) {
    let project = PackageId(0);
    let names: BTreeSet<NameId> = graph
        .dependencies_of(project)
        .map(|id| graph.dependency(id))
        .filter(|dependency| dependency.role == Role::Workspace)
        .map(|dependency| dependency.name)
        .collect();
    for id in graph.dependencies_of(project) {
        let dependency = graph.dependency(id);
        let bound = graph.binding(id).and_then(|bound| graph.package(bound).source.npm_version());
        if bound.is_some() && names.contains(&dependency.name) && !dependency.role.is_peer() {
            graph.bind(id, None);
        }
    }
}

/// Adds the project first, which becomes package 0 of the graph, then its members by path.
/// `installs_peers`: their optional peers are required; see [`Lockfile::installs_peers`].
fn add_importers(
    graph: &mut Graph,
    members: &Members,
    installs_peers: bool,
    rules: &Rules,
) -> Result<Vec<PackageId>> {
    let with_peers = |mut dependencies: Vec<Dependency>| {
        let optional = dependencies.iter_mut().filter(|it| installs_peers && it.role == Role::OptionalPeer);
        optional.for_each(|dependency| dependency.role = Role::Peer);
        dependencies
    };
    let mut importers = Vec::new();
    let name = members.project.manifest.name.as_deref().and_then(|name| graph.intern(name).ok());
    let name = name.unwrap_or_else(|| graph.intern("project").expect("a valid name"));
    let mut dependencies = Vec::new();
    for member in &members.workspaces {
        let name = member_name(graph, member)?;
        let literal = member.path.as_str().into();
        dependencies.push(Dependency { name, literal, role: Role::Workspace, bundled: false });
    }
    dependencies.extend(with_peers(declared_dependencies(graph, &members.project.manifest, "package.json")?));
    drop_shadowed_members(graph, members, &mut dependencies);
    rules::drop_removed(rules, graph, (graph.name(name), None), &mut dependencies);
    let mut project = Package::new(name, Source::Root);
    project.bin = bin(&members.project.manifest);
    importers.push(graph.add(project, dependencies));
    for member in &members.workspaces {
        let name = member_name(graph, member)?;
        let version = member.manifest.version.as_deref().and_then(Version::parse);
        let source = Source::Workspace { path: member.path.as_str().into(), version };
        let mut package = Package::new(name, source);
        package.bin = bin(&member.manifest);
        let mut dependencies =
            declared_dependencies(graph, &member.manifest, &format!("{}/package.json", member.path))?;
        rules::drop_removed(rules, graph, (graph.name(name), None), &mut dependencies);
        importers.push(graph.add(package, with_peers(dependencies)));
    }
    Ok(importers)
}

fn member_name(graph: &mut Graph, member: &ProjectMember) -> Result<NameId> {
    let name = member.manifest.name.as_deref().expect("a member has a name");
    graph.intern(name).map_err(|_| problem::member_name(&member.path, name))
}

/// A direct dependency replaces the member of its name when it excludes the member's version.
fn drop_shadowed_members(graph: &Graph, members: &Members, dependencies: &mut Vec<Dependency>) {
    let shadowed: Vec<NameId> = members
        .workspaces
        .iter()
        .filter_map(|member| {
            let name = graph.find_name(member.manifest.name.as_deref()?)?;
            let version = member.manifest.version.as_deref().and_then(Version::parse)?;
            let direct = dependencies.iter().find(|dependency| {
                dependency.name == name && matches!(dependency.role, Role::Production | Role::Development)
            })?;
            let is_shadowed = match members.link_rule {
                MemberLinkRule::Linked => rules::is_range_without(graph, direct, &version),
                MemberLinkRule::FromRegistry => rules::is_range(graph, direct),
            };
            is_shadowed.then_some(name)
        })
        .collect();
    dependencies
        .retain(|dependency| dependency.role != Role::Workspace || !shadowed.contains(&dependency.name));
}

/// The dependencies in a local package.json. A name in `optionalDependencies` is not also in
/// `dependencies`.
pub fn declared_dependencies(graph: &mut Graph, manifest: &Manifest, file: &str) -> Result<Vec<Dependency>> {
    let mut dependencies = Vec::new();
    for (group, entries) in manifest.groups() {
        for (name, literal) in entries {
            let is_optional =
                |name: &String| manifest.optional_dependencies.iter().any(|(other, _)| other == name);
            if group == Group::Production && is_optional(name) {
                continue;
            }
            let role = match group {
                Group::Production => Role::Production,
                Group::Development => Role::Development,
                Group::Optional => Role::Optional,
                Group::Peer if manifest.optional_peers.contains(name) => Role::OptionalPeer,
                Group::Peer => Role::Peer,
            };
            let bundled = match &manifest.bundled {
                Bundled::None => false,
                Bundled::All => true,
                Bundled::Names(names) => names.contains(name),
            };
            let id = graph.intern(name).map_err(|_| problem::dependency_name(file, name))?;
            dependencies.push(Dependency { name: id, literal: literal.as_str().into(), role, bundled });
        }
    }
    Ok(dependencies)
}

pub fn bin(manifest: &Manifest) -> Bin {
    Bin::from(&manifest.bin)
}

pub fn constraints(manifest: &Manifest) -> Constraints {
    Constraints::of(&manifest.os, &manifest.cpu, &manifest.libc)
}

/// Dependencies whose override or catalog entry changed are resolved again.
fn unbind_overridden(graph: &mut Graph, before: &Rules, after: &Rules) {
    let changed = rules::changed_names(before, after);
    let catalogs_differ = rules::catalogs_differ(before, after);
    if changed.is_empty() && !catalogs_differ {
        return;
    }
    let owners = graph.package_ids().collect();
    unbind(graph, owners, |graph, id| {
        let dependency = graph.dependency(id);
        let bound = graph.binding(id).map(|bound| graph.package_name(bound).as_str());
        let has_other_range = || {
            let name = graph.name(dependency.name).as_str();
            let range = |rules: &Rules| rules.catalog_literal(name, &dependency.literal).to_string();
            dependency.literal.starts_with("catalog:") && range(before) != range(after)
        };
        changed.contains(graph.name(dependency.name).as_str())
            || bound.is_some_and(|name| changed.contains(name))
            || catalogs_differ && has_other_range()
    });
}

fn unbind_updated(graph: &mut Graph, update: &Update, importers: &[PackageId]) {
    let owners = match update {
        Update::Nothing | Update::Direct(_) => return,
        Update::Importers(_) => importers.to_vec(),
        _ => graph.package_ids().collect(),
    };
    unbind(graph, owners, |graph, id| {
        let bound = graph.binding(id).map(|bound| graph.package(bound));
        let is_release = bound.is_none_or(|package| package.source.npm_version().is_some());
        is_release && update.unlocks(graph.name(graph.dependency(id).name).as_str())
    });
}

fn unbind(graph: &mut Graph, owners: Vec<PackageId>, open: impl Fn(&Graph, DependencyId) -> bool) {
    for package in owners {
        for id in graph.dependencies_of(package) {
            if open(graph, id) {
                graph.bind(id, None);
            }
        }
    }
}

//! The project and its members as packages of the graph. In: their package.json files. Out: package
//! 0, then the members, with their dependencies, unbound. Yarn 1 repeats nothing of them.

use rusk_base::Result;
use rusk_npm::graph::{Bin, Dependency, Graph, NameId, Package, PackageId, Role, Source, Text};
use rusk_npm::manifest::{self, Group, Manifest};
use rusk_npm::semver::Version;
use rusk_npm::specifier::{Naming, Specifier};

use super::syntax::FILE;
use crate::{MemberText, problem};

pub(super) struct Importers {
    pub ids: Vec<PackageId>,
    pub manifests: Vec<Manifest>,
}

/// What a lockfile says of the dependencies of a member, which is known by its position.
pub(super) trait LockedMembers {
    /// Whether a dependency of package.json is taken over: name and literal.
    fn keeps(&self, member: usize, name: &str, literal: &str, role: Role) -> bool;

    /// Dependencies that the lockfile lists: names and literals.
    fn listed(&self, member: usize) -> Vec<(&str, &str)>;
}

pub(super) fn add(
    graph: &mut Graph,
    members: &[MemberText<'_>],
    locked: &dyn LockedMembers,
) -> Result<Importers> {
    // The given one has the catalogs of `.yarnrc.yml`, too.
    let manifest = |member: &MemberText<'_>| match member.manifest {
        Some(manifest) => Ok(manifest.clone()),
        None => Manifest::parse(member.text),
    };
    let manifests: Vec<Manifest> = members.iter().map(manifest).collect::<Result<_>>()?;
    let mut ids = Vec::new();
    for (index, manifest) in manifests.iter().enumerate() {
        let path = members[index].path;
        let mut dependencies =
            declared(graph, manifest, &|name, literal, role| locked.keeps(index, name, literal, role))?;
        for (name, literal) in locked.listed(index) {
            let is_declared =
                manifest.groups().iter().any(|(_, group)| group.iter().any(|(own, _)| own == name));
            if !is_declared {
                dependencies.push(dependency(graph, name, literal, Role::Production)?);
            }
        }
        let mut package = if path.is_empty() {
            graph.project_name = manifest.name.as_deref().map(Text::from);
            let implied = workspaces(graph, members, &manifests, &dependencies)?;
            dependencies.extend(implied);
            let name = manifest.name.as_deref().and_then(|name| graph.intern(name).ok());
            let name = name.unwrap_or_else(|| graph.intern("project").expect("a valid name"));
            Package::new(name, Source::Root)
        } else {
            let name = member_name(graph, manifest)?;
            let version = manifest.version.as_deref().and_then(Version::parse);
            Package::new(name, Source::Workspace { path: path.into(), version })
        };
        package.bin = bin(manifest);
        ids.push(graph.add(package, dependencies));
    }
    if ids.is_empty() {
        let name = graph.intern("project").expect("a valid name");
        ids.push(graph.add(Package::new(name, Source::Root), Vec::new()));
    }
    Ok(Importers { ids, manifests })
}

fn member_name(graph: &mut Graph, manifest: &Manifest) -> Result<NameId> {
    let name = manifest.name.as_deref().unwrap_or_default();
    graph.intern(name).map_err(|_| problem::entry(FILE, 1, &format!("a member's name, found `{name}`")))
}

/// The members, but for those that a dependency of the project excludes by its range.
fn workspaces(
    graph: &mut Graph,
    members: &[MemberText<'_>],
    manifests: &[Manifest],
    direct: &[Dependency],
) -> Result<Vec<Dependency>> {
    let mut implied = Vec::new();
    for (member, manifest) in members.iter().zip(manifests).filter(|(member, _)| !member.path.is_empty()) {
        let name = member_name(graph, manifest)?;
        let version = manifest.version.as_deref().and_then(Version::parse);
        let is_other = |dependency: &Dependency| {
            dependency.name == name
                && matches!(dependency.role, Role::Production | Role::Development)
                && version.as_ref().is_some_and(|version| excludes(graph, dependency, version))
        };
        if !direct.iter().any(is_other) {
            let literal = member.path.into();
            implied.push(Dependency { name, literal, role: Role::Workspace, bundled: false });
        }
    }
    Ok(implied)
}

fn excludes(graph: &Graph, dependency: &Dependency, version: &Version) -> bool {
    match Specifier::parse(graph.name(dependency.name).as_str(), &dependency.literal) {
        Ok(Specifier::Npm { naming: Naming::Own, range, .. }) => !range.contains(version) && !range.is_any(),
        _ => false,
    }
}

fn declared(
    graph: &mut Graph,
    manifest: &Manifest,
    keeps: &dyn Fn(&str, &str, Role) -> bool,
) -> Result<Vec<Dependency>> {
    let mut dependencies = Vec::new();
    for (group, entries) in manifest.groups() {
        for (name, literal) in entries {
            let is_optional = manifest.optional_dependencies.iter().any(|(other, _)| other == name);
            let role = match group {
                Group::Production if is_optional => continue,
                Group::Production => Role::Production,
                Group::Development => Role::Development,
                Group::Optional => Role::Optional,
                Group::Peer if manifest.optional_peers.contains(name) => Role::OptionalPeer,
                Group::Peer => Role::Peer,
            };
            if !keeps(name, literal, role) {
                continue;
            }
            dependencies.push(dependency(graph, name, literal, role)?);
        }
    }
    Ok(dependencies)
}

fn dependency(graph: &mut Graph, name: &str, literal: &str, role: Role) -> Result<Dependency> {
    let id = graph.intern(name);
    let id = id.map_err(|_| problem::entry(FILE, 1, &format!("a package name, found `{name}`")))?;
    Ok(Dependency { name: id, literal: literal.into(), role, bundled: false })
}

fn bin(manifest: &Manifest) -> Bin {
    match &manifest.bin {
        manifest::Bin::None => Bin::None,
        manifest::Bin::File(file) => Bin::File(file.as_str().into()),
        manifest::Bin::Directory(dir) => Bin::Directory(dir.as_str().into()),
        manifest::Bin::Map(files) => Bin::Named(
            files.iter().map(|(name, file)| (name.as_str().into(), file.as_str().into())).collect(),
        ),
    }
}

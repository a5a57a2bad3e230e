//! `importers`: the project and its members, and what their dependencies are bound to. In: the
//! parsed file, the package.json files. Out: members with their dependencies, in the roles that
//! package.json gives them. Absent: whether they match; an entry that package.json does not have
//! stays, so that the comparison finds it.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::graph::{Bin, Graph, Package, Role, Source};
use rusk_npm::manifest::{Group, Manifest};
use rusk_npm::overrides::is_removal;
use rusk_npm::semver::Version;
use rusk_npm::specifier::{Naming, Specifier};

use super::read::{BoundDependency, Declared, DependencyTarget, Member, error, intern, pairs};
use super::snapshots::{DEPENDENCIES_MAX, Snapshots};
use crate::npm::paths::normal;
use crate::yaml::YamlNode;

pub(super) struct Importer<'t> {
    /// Relative to the project; empty for the project.
    pub path: &'t str,
    line: usize,
    manifest: Option<&'t Manifest>,
    pub dependencies: Vec<BoundDependency<'t>>,
}

/// One entry of a group.
struct Entry<'t> {
    group: Group,
    name: &'t str,
    specifier: &'t str,
    target: DependencyTarget,
    line: usize,
}

/// The project first, then its members by path.
pub(super) fn read<'t>(
    root: &'t YamlNode<'t>,
    snapshots: &Snapshots<'t>,
    members: &[Member<'t>],
) -> Result<Vec<Importer<'t>>> {
    let found = root.find("importers").map(YamlNode::members).unwrap_or_default();
    let mut nodes: Vec<(&'t str, Option<&'t YamlNode<'t>>)> = Vec::new();
    for (path, node) in found {
        let path = if path == "." { "" } else { path.as_ref() };
        if normal(path).as_deref() != Some(path) || path.starts_with("..") {
            return Err(error(node.line, &format!("a directory of the project, found `{path}`")));
        }
        nodes.push((path, Some(node)));
    }
    nodes.sort_by_key(|(path, _)| *path);
    if nodes.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(error(root.line, "each directory once in `importers`"));
    }
    if nodes.first().is_none_or(|(path, _)| !path.is_empty()) {
        nodes.insert(0, ("", None));
    }
    // A member without a name is none: see `Members::unnamed`.
    let manifest = |path: &str| members.iter().find(|member| member.path == path).map(|it| it.manifest);
    nodes
        .retain(|(path, _)| path.is_empty() || manifest(path).is_none_or(|manifest| manifest.name.is_some()));
    let overrides = root.find("overrides").map_or_else(|| Ok(Vec::new()), pairs)?;
    let context = Context { overrides: &overrides, has_peers: has_peers(root) };
    let paths: Vec<&'t str> = nodes.iter().map(|(path, _)| *path).collect();
    let mut importers = Vec::new();
    for (path, node) in &nodes {
        let entries = match node {
            Some(node) => entries(node, snapshots, &paths, path)?,
            None => Vec::new(),
        };
        let manifest = manifest(path);
        let dependencies = match manifest {
            Some(manifest) => declared(manifest, entries, &context),
            None => entries.into_iter().map(Entry::into_dependency).collect(),
        };
        let line = node.map_or(root.line, |node| node.line);
        importers.push(Importer { path, line, manifest, dependencies });
    }
    let implied = implied_members(&importers);
    importers[0].dependencies.extend(implied);
    Ok(importers)
}

/// Whether the peers of members are among their dependencies.
pub(super) fn has_peers(root: &YamlNode<'_>) -> bool {
    root.find("settings").and_then(|it| it.find("autoInstallPeers")).is_some_and(YamlNode::is_true)
}

struct Context<'a> {
    overrides: &'a [(String, String)],
    /// See [`has_peers`]. pnpm installs optional ones, too.
    has_peers: bool,
}

fn entries<'t>(
    node: &'t YamlNode<'t>,
    snapshots: &Snapshots<'t>,
    paths: &[&'t str],
    dir: &str,
) -> Result<Vec<Entry<'t>>> {
    let mut entries: Vec<Entry<'t>> = Vec::new();
    for group in [Group::Production, Group::Development, Group::Optional] {
        for (name, value) in node.find(group.key()).map(YamlNode::members).unwrap_or_default() {
            let line = value.line;
            let field = |key: &str| {
                let text = value.find(key).and_then(YamlNode::as_str);
                text.ok_or_else(|| error(line, &format!("a `{key}` of `{name}`")))
            };
            let target = snapshots.target(paths, dir, name, field("version")?, line)?;
            if entries.len() >= DEPENDENCIES_MAX {
                return Err(error(line, &format!("at most {DEPENDENCIES_MAX} dependencies of one member")));
            }
            entries.push(Entry { group, name, specifier: field("specifier")?, target, line });
        }
    }
    Ok(entries)
}

/// What package.json declares, bound to the entries of the file; then the entries it does not have.
fn declared<'t>(
    manifest: &'t Manifest,
    entries: Vec<Entry<'t>>,
    context: &Context<'_>,
) -> Vec<BoundDependency<'t>> {
    let mut dependencies = Vec::new();
    let mut is_used = vec![false; entries.len()];
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::with_capacity(entries.len());
    entries.iter().enumerate().for_each(|(at, entry)| by_name.entry(entry.name).or_default().push(at));
    let declares = |group: Group, name: &str| manifest.group(group).iter().any(|(other, _)| other == name);
    for (group, declared) in manifest.groups() {
        for (name, literal) in declared {
            let is_twice = group == Group::Production && declares(Group::Optional, name);
            if is_twice || is_removed(context.overrides, manifest, name) {
                continue;
            }
            let is_optional =
                group == Group::Peer && !context.has_peers && manifest.optional_peers.contains(name);
            let role = if is_optional { Role::OptionalPeer } else { role(group) };
            let fits = |at: &usize| {
                let entry = &entries[*at];
                // One of a name is locked if several groups declare it.
                let is_of_group = group == entry.group || group == Group::Peer || declares(entry.group, name);
                let is_same = entry.specifier == literal
                    || group == Group::Peer && declares(entry.group, name)
                    || is_overridden(context.overrides, name, entry.specifier);
                is_of_group && is_same
            };
            let at = by_name.get(name.as_str()).and_then(|found| found.iter().copied().find(fits));
            if let Some(at) = at {
                is_used[at] = true;
            }
            let target = at.map(|at| entries[at].target.clone());
            let may_be_absent = group == Group::Peer && !context.has_peers;
            if target.is_some() || may_be_absent {
                let line = at.map_or(1, |at| entries[at].line);
                let declared = Declared { name, literal: literal.as_str().into(), role, line };
                dependencies.push(BoundDependency { declared, target });
            }
        }
    }
    let rest = entries.into_iter().zip(is_used).filter(|(_, is_used)| !is_used);
    dependencies.extend(rest.map(|(entry, _)| entry.into_dependency()));
    dependencies
}

/// The file has the literal of the override in the place of the one in package.json.
fn is_overridden(overrides: &[(String, String)], name: &str, specifier: &str) -> bool {
    overrides.iter().any(|(key, literal)| {
        let target = key.rsplit('>').next().unwrap_or(key);
        let is_target = target == name || target.strip_prefix(name).is_some_and(|rest| rest.starts_with('@'));
        is_target && literal == specifier
    })
}

/// Whether an override takes every dependency of this name away, or that of this member.
fn is_removed(overrides: &[(String, String)], manifest: &Manifest, name: &str) -> bool {
    let own = manifest.name.as_deref();
    overrides.iter().filter(|(_, literal)| is_removal(literal)).any(|(key, _)| match key.split_once('>') {
        Some((parent, target)) => target.trim() == name && Some(parent.trim()) == own,
        None => key == name,
    })
}

fn role(group: Group) -> Role {
    match group {
        Group::Production => Role::Production,
        Group::Development => Role::Development,
        Group::Optional => Role::Optional,
        Group::Peer => Role::Peer,
    }
}

impl<'t> Entry<'t> {
    fn into_dependency(self) -> BoundDependency<'t> {
        let Entry { group, name, specifier, target, line } = self;
        let declared = Declared { name, literal: specifier.into(), role: role(group), line };
        BoundDependency { declared, target: Some(target) }
    }
}

/// The project has its members as dependencies, unless it wants another version of one itself.
fn implied_members<'t>(importers: &[Importer<'t>]) -> Vec<BoundDependency<'t>> {
    let mut implied = Vec::new();
    for (at, importer) in importers.iter().enumerate().skip(1) {
        let Some(manifest) = importer.manifest else { continue };
        let Some(name) = manifest.name.as_deref() else { continue };
        let version = manifest.version.as_deref().and_then(Version::parse);
        let direct = importers[0].dependencies.iter().find(|dependency| {
            dependency.declared.name == name
                && matches!(dependency.declared.role, Role::Production | Role::Development)
        });
        let excludes = |version: &Version| {
            let literal = direct.map(|direct| &*direct.declared.literal)?;
            match Specifier::parse(name, literal) {
                Ok(Specifier::Npm { naming: Naming::Own, range, .. }) => {
                    Some(!range.contains(version) && !range.is_any())
                }
                _ => None,
            }
        };
        if version.as_ref().and_then(excludes) == Some(true) {
            continue;
        }
        let literal = importer.path.into();
        let declared = Declared { name, literal, role: Role::Workspace, line: importer.line };
        implied.push(BoundDependency { declared, target: Some(DependencyTarget::Importer(at)) });
    }
    implied
}

impl Importer<'_> {
    pub fn package(&self, graph: &mut Graph) -> Result<Package> {
        let name = self.manifest.and_then(|manifest| manifest.name.as_deref());
        if self.path.is_empty() {
            let name = name.and_then(|name| graph.intern(name).ok());
            let name = name.unwrap_or_else(|| graph.intern("project").expect("a valid name"));
            let mut package = Package::new(name, Source::Root);
            package.bin = self.manifest.map_or(Bin::None, |manifest| Bin::from(&manifest.bin));
            return Ok(package);
        }
        // A member that the project does not have any more: the comparison will say so.
        let base = self.path.rsplit('/').next().unwrap_or(self.path);
        let name = match name.or(Some(base)).and_then(|name| graph.intern(name).ok()) {
            Some(name) => name,
            None => intern(graph, self.line, "member")?,
        };
        let version = self.manifest.and_then(|manifest| manifest.version.as_deref());
        let source = Source::Workspace { path: self.path.into(), version: version.and_then(Version::parse) };
        let mut package = Package::new(name, source);
        package.bin = self.manifest.map_or(Bin::None, |manifest| Bin::from(&manifest.bin));
        Ok(package)
    }
}

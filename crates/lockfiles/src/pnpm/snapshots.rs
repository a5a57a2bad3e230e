//! `packages` and `snapshots`: what a package is, and what each instance of it is bound to. In: the
//! parsed file. Out: a package of the graph, and its dependencies. Absent: how pnpm chose them.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::graph::{Bin, Constraints, Graph, Package, Role, Source, Text};
use rusk_npm::integrity::Integrity;
use rusk_npm::semver::Version;

use super::dep_path::{DepPath, key_of};
use super::importers::Importer;
use super::read::{BoundDependency, Declared, DependencyTarget, error, intern};
use crate::npm::paths::normal;
use crate::yaml::YamlNode;

/// Dependencies of one package; the largest ever published have some hundreds.
pub(super) const DEPENDENCIES_MAX: usize = 20_000;

pub(super) struct Snapshots<'t> {
    pub list: Vec<Snapshot<'t>>,
    by_key: HashMap<&'t str, usize>,
    by_base: HashMap<&'t str, usize>,
}

pub(super) struct Snapshot<'t> {
    pub path: DepPath<'t>,
    pub node: &'t YamlNode<'t>,
    /// Its entry in `packages`.
    pub package: &'t YamlNode<'t>,
}

impl<'t> Snapshots<'t> {
    pub fn of(root: &'t YamlNode<'t>) -> Result<Snapshots<'t>> {
        let members = |key: &str| root.find(key).map(YamlNode::members).unwrap_or_default();
        let packages: HashMap<&str, &YamlNode<'t>> =
            members("packages").iter().map(|(key, node)| (key.as_ref(), node)).collect();
        let mut snapshots = Snapshots { list: Vec::new(), by_key: HashMap::new(), by_base: HashMap::new() };
        for (key, node) in members("snapshots") {
            let path = DepPath::parse(key)
                .ok_or_else(|| error(node.line, &format!("`name@version`, found `{key}`")))?;
            let package = packages.get(DepPath::base(key));
            let package =
                package.ok_or_else(|| error(node.line, &format!("an entry in `packages` for `{key}`")))?;
            if snapshots.by_key.insert(key, snapshots.list.len()).is_some() {
                return Err(error(node.line, &format!("`{key}` once")));
            }
            snapshots.by_base.insert(DepPath::base(key), snapshots.list.len());
            snapshots.list.push(Snapshot { path, node, package });
        }
        Ok(snapshots)
    }

    /// An instance by its key.
    pub fn find(&self, key: &str) -> Option<&'t YamlNode<'t>> {
        self.by_key.get(key).map(|&position| self.list[position].node)
    }

    /// An entry of `packages` that an instance has, by its key.
    pub fn package_of(&self, base: &str) -> Option<&'t YamlNode<'t>> {
        self.by_base.get(base).map(|&position| self.list[position].package)
    }

    /// Where the package of an instance comes from.
    pub fn source(&self, position: usize) -> Result<Source> {
        source(&self.list[position].path, self.list[position].package)
    }

    /// What a version means under a name. `dir`: the directory that a `link:` is relative to.
    pub fn target(
        &self,
        importers: &[&str],
        dir: &str,
        alias: &str,
        version: &str,
        line: usize,
    ) -> Result<DependencyTarget> {
        if let Some(path) = version.strip_prefix("link:") {
            let path = match (path.starts_with('/'), dir) {
                (true, _) => Some(path.to_owned()),
                (false, "") => normal(path),
                (false, dir) => normal(&format!("{dir}/{path}")),
            };
            let path = path.ok_or_else(|| error(line, &format!("a path, found `{version}`")))?;
            return Ok(match importers.iter().position(|importer| *importer == path) {
                Some(at) => DependencyTarget::Importer(at),
                None => DependencyTarget::Link(path),
            });
        }
        let key = key_of(alias, version);
        match self.by_key.get(key.as_str()) {
            Some(&position) => Ok(DependencyTarget::Snapshot(position)),
            None => Err(error(line, &format!("an entry in `snapshots` for `{key}`"))),
        }
    }

    /// The package of an instance.
    pub fn package(&self, graph: &mut Graph, position: usize) -> Result<Package> {
        let Snapshot { path, node, package } = &self.list[position];
        let name = intern(graph, node.line, path.name)?;
        let source = source(path, package)?;
        let mut found = Package::new(name, source);
        let list = |key: &str| -> Vec<String> {
            let node = package.find(key);
            let one = node.and_then(YamlNode::as_str);
            let many = node.map(YamlNode::elements).unwrap_or_default().iter().filter_map(YamlNode::as_str);
            one.into_iter().chain(many).map(str::to_owned).collect()
        };
        found.constraints = Constraints::of(&list("os"), &list("cpu"), &list("libc"));
        let engines = package.find("engines");
        found.node = engines.and_then(|it| it.find("node")).and_then(YamlNode::as_str).map(Text::from);
        let integrity = package.find("resolution").and_then(|it| it.find("integrity"));
        found.integrity = integrity.and_then(YamlNode::as_str).and_then(Integrity::parse);
        // Their names are in the package alone.
        if package.find("hasBin").is_some_and(YamlNode::is_true) {
            found.bin = Bin::Named(Vec::new());
        }
        Ok(found)
    }
}

fn source(path: &DepPath<'_>, package: &YamlNode<'_>) -> Result<Source> {
    let resolution = package.find("resolution");
    let resolution = resolution.ok_or_else(|| error(package.line, "a `resolution`"))?;
    let field = |key: &str| resolution.find(key).and_then(YamlNode::as_str);
    match field("type") {
        Some("directory") => {
            let dir = field("directory").and_then(normal);
            let dir = dir.ok_or_else(|| error(resolution.line, "a `directory` in the project"))?;
            return Ok(Source::Directory { path: dir.as_str().into() });
        }
        Some("git") => {
            let place = field("repo").zip(field("commit").filter(|commit| is_commit(commit)));
            let (repo, commit) = place.ok_or_else(|| error(resolution.line, "a `repo` and its `commit`"))?;
            let repo = repo.strip_prefix("git+").unwrap_or(repo);
            let repository = format!("{repo}#{commit}").as_str().into();
            return Ok(Source::Git { repository, tag: commit.into() });
        }
        Some(found) => {
            let expected = format!("`directory` or `git` as `type`, found `{found}`");
            return Err(error(resolution.line, &expected));
        }
        None => {}
    }
    let tarball = field("tarball");
    if let Some(version) = Version::parse(path.version) {
        return Ok(Source::Npm { version, tarball: tarball.unwrap_or_default().into() });
    }
    if let Some(file) = path.version.strip_prefix("file:") {
        return Ok(Source::LocalTarball { path: file.into() });
    }
    match tarball
        .or(Some(path.version))
        .filter(|url| url.starts_with("https://") || url.starts_with("http://"))
    {
        Some(url) => Ok(github(url).unwrap_or_else(|| Source::RemoteTarball { url: url.into() })),
        None => Err(error(package.line, &format!("a version, found `{}`", path.version))),
    }
}

fn is_commit(text: &str) -> bool {
    text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `https://codeload.HOST/OWNER/REPO/tar.gz/COMMIT`, which pnpm writes for a repository at GitHub.
fn github(url: &str) -> Option<Source> {
    let rest = url.strip_prefix("https://codeload.github.com/")?;
    let parts: Vec<&str> = rest.split('/').collect();
    let [owner, repo, "tar.gz", commit] = parts.as_slice() else { return None };
    let is_name = |text: &str| !text.is_empty() && !text.contains(['?', '#', '%']);
    if !is_name(owner) || !is_name(repo) || !is_commit(commit) {
        return None;
    }
    let repository = format!("{owner}/{repo}#{commit}").as_str().into();
    Some(Source::Github { repository, tag: format!("{owner}-{repo}-{}", &commit[..7]).as_str().into() })
}

/// The dependencies of an instance: those in its entry, and its peers, found or not.
pub(super) fn dependencies<'t>(
    snapshots: &Snapshots<'t>,
    importers: &[Importer<'t>],
    position: usize,
) -> Result<Vec<BoundDependency<'t>>> {
    let Snapshot { node, package, .. } = &snapshots.list[position];
    let paths: Vec<&str> = importers.iter().map(|importer| importer.path).collect();
    let mut peers: Vec<Declared<'t>> = peers(package)?;
    let mut found: Vec<BoundDependency<'t>> = Vec::new();
    for (group, role) in [("dependencies", Role::Production), ("optionalDependencies", Role::Optional)] {
        for (alias, value) in node.find(group).map(YamlNode::members).unwrap_or_default() {
            let version = value.as_str().ok_or_else(|| error(value.line, "a version"))?;
            if found.iter().any(|other| other.declared.name == alias) {
                return Err(error(value.line, &format!("`{alias}` once")));
            }
            if found.len() >= DEPENDENCIES_MAX {
                let expected = format!("at most {DEPENDENCIES_MAX} dependencies of one package");
                return Err(error(value.line, &expected));
            }
            let target = snapshots.target(&paths, "", alias, version, value.line)?;
            let declared = match peers.iter().position(|peer| peer.name == alias) {
                Some(at) => peers.swap_remove(at),
                None => Declared {
                    name: alias,
                    literal: literal(snapshots, &target, alias, version),
                    role,
                    line: value.line,
                },
            };
            found.push(BoundDependency { declared, target: Some(target) });
        }
    }
    found.extend(peers.into_iter().map(|declared| BoundDependency { declared, target: None }));
    Ok(found)
}

/// The specifier of exactly this package: the file does not repeat what its dependent asked for.
fn literal(snapshots: &Snapshots<'_>, target: &DependencyTarget, alias: &str, version: &str) -> Text {
    let DependencyTarget::Snapshot(position) = target else { return version.into() };
    let DepPath { name, version, .. } = snapshots.list[*position].path;
    if name == alias || Version::parse(version).is_none() {
        return version.into();
    }
    format!("npm:{name}@{version}").as_str().into()
}

fn peers<'t>(package: &'t YamlNode<'t>) -> Result<Vec<Declared<'t>>> {
    let meta = package.find("peerDependenciesMeta").map(YamlNode::members).unwrap_or_default();
    let is_optional = |name: &str| {
        let entry = meta.iter().find(|(other, _)| other == name);
        entry.and_then(|(_, entry)| entry.find("optional")).is_some_and(YamlNode::is_true)
    };
    let declared = package.find("peerDependencies").map(YamlNode::members).unwrap_or_default();
    let mut peers: Vec<Declared<'t>> = Vec::new();
    for (name, range) in declared {
        let literal = range.as_str().ok_or_else(|| error(range.line, "a range"))?.into();
        let role = if is_optional(name) { Role::OptionalPeer } else { Role::Peer };
        if peers.len() < DEPENDENCIES_MAX && !peers.iter().any(|other| other.name == name) {
            peers.push(Declared { name, literal, role, line: range.line });
        }
    }
    Ok(peers)
}

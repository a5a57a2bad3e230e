//! Renders pnpm-lock.yaml. In: the new graph, the old text. Out: the new text, in pnpm's order and
//! form. An entry of a package keeps what it says; of a package that is new, the entry has what the
//! graph and the packument say.

mod importers;
mod keys;
mod patches;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Bin, DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::manifest::Manifest;
use rusk_npm::overrides::is_removal;

use super::dep_path::DepPath;
use super::instances::{self, EdgeTarget, Instance, InstanceId, Instances};
use super::snapshots::Snapshots;
use crate::npm::facts_of_graph;
use crate::yaml::print::{Yaml, member_into};
use crate::yaml::{self, YamlNode};
use crate::{NewLockfile, Previous, extensions_checksum};

type Members = Vec<(String, Yaml)>;

/// Fields of a package that stand on one line.
const INLINE: [&str; 5] = ["resolution", "engines", "cpu", "os", "libc"];

/// Keys of the file, in pnpm's order; others follow.
const KEYS: [&str; 12] = [
    "lockfileVersion",
    "settings",
    "catalogs",
    "overrides",
    "packageExtensionsChecksum",
    "pnpmfileChecksum",
    "ignoredOptionalDependencies",
    "patchedDependencies",
    "importers",
    "packages",
    "snapshots",
    "time",
];

pub fn render(previous: Option<&Previous<'_>>, new: &mut NewLockfile<'_>) -> String {
    let documents = previous.and_then(|previous| yaml::parse(previous.text).ok()).unwrap_or_default();
    let root = documents.last();
    let instances = instances::resolve(new.graph, previous);
    let manifests: Vec<(String, Manifest)> = new
        .members
        .iter()
        .filter_map(|member| Some((member.path.to_owned(), Manifest::parse(member.text).ok()?)))
        .collect();
    let old = OldFile::of(root);
    let mut renderer = Renderer {
        graph: new.graph,
        rules: new.rules,
        previous,
        old: &old,
        instances: &instances,
        manifests: &manifests,
        keys: HashMap::new(),
    };
    let (packages, snapshots) = renderer.packages(new);
    let importers = renderer.importers();
    let mut sections: BTreeMap<usize, (String, Yaml)> = BTreeMap::new();
    let rank = |key: &str| KEYS.iter().position(|own| *own == key);
    for (at, (key, node)) in root.map(YamlNode::members).unwrap_or_default().iter().enumerate() {
        sections.insert(rank(key).unwrap_or(KEYS.len() + at), (key.to_string(), Yaml::of(node)));
    }
    let mut set = |key: &str, value: Yaml| {
        let at = rank(key).expect("it is one of the keys");
        match value {
            Yaml::Map(members) if members.is_empty() && key != "importers" => drop(sections.remove(&at)),
            value => drop(sections.insert(at, (key.to_owned(), value))),
        }
    };
    if root.is_none() {
        set("lockfileVersion", Yaml::text("9.0"));
        let settings = [("autoInstallPeers", "true"), ("excludeLinksFromLockfile", "false")];
        let settings = settings.map(|(key, value)| (key.to_owned(), Yaml::Plain(value.to_owned())));
        set("settings", Yaml::Map(settings.into()));
    }
    set("catalogs", renderer.catalogs());
    set("overrides", renderer.overrides());
    set(
        "packageExtensionsChecksum",
        match extensions_checksum(&new.rules.extensions) {
            Some(checksum) => Yaml::text(&checksum),
            None => Yaml::Map(Vec::new()),
        },
    );
    if let Some(patched) = renderer.patched_dependencies(root) {
        set("patchedDependencies", patched);
    }
    set("importers", Yaml::Map(importers));
    set("packages", Yaml::Map(packages));
    set("snapshots", Yaml::Map(snapshots));
    let text = file(sections.into_values());
    match previous {
        Some(previous) if documents.len() > 1 => format!("{}{text}", head(previous.text)),
        _ => text,
    }
}

/// The documents before the last one.
fn head(text: &str) -> &str {
    let at = text.rfind("\n---\n").map_or(0, |at| at + "\n---\n".len());
    let rest = &text[at..];
    let blank = rest.len() - rest.trim_start_matches('\n').len();
    &text[..at + blank]
}

/// A blank line between sections, and between the entries of the large ones.
fn file(sections: impl Iterator<Item = (String, Yaml)>) -> String {
    let mut out = String::new();
    for (key, value) in sections {
        out.push_str(if out.is_empty() { "" } else { "\n" });
        match (key.as_str(), value) {
            ("importers" | "packages" | "snapshots", Yaml::Map(members)) if !members.is_empty() => {
                out.push_str(&format!("{key}:\n"));
                for (key, value) in members {
                    out.push('\n');
                    member_into(&mut out, &key, &value, 1);
                }
            }
            (key, value) => member_into(&mut out, key, &value, 0),
        }
    }
    out
}

/// The file that is replaced.
struct OldFile<'t> {
    snapshots: Option<Snapshots<'t>>,
    importers: HashMap<&'t str, &'t YamlNode<'t>>,
    overrides: Vec<(String, String)>,
    /// Keys in `packages` of what is in no registry.
    keys: HashMap<(String, Source), String>,
    omits_tarballs: bool,
    has_peers: bool,
}

impl<'t> OldFile<'t> {
    fn of(root: Option<&'t YamlNode<'t>>) -> OldFile<'t> {
        let snapshots = root.and_then(|root| Snapshots::of(root).ok());
        let importers = root.and_then(|root| root.find("importers")).map(YamlNode::members);
        let importers =
            importers.unwrap_or_default().iter().map(|(path, node)| (path.as_ref(), node)).collect();
        let overrides = root.and_then(|root| root.find("overrides"));
        let overrides = overrides.and_then(|node| super::read::pairs(node).ok()).unwrap_or_default();
        let mut keys = HashMap::new();
        let mut omits_tarballs = true;
        for (at, snapshot) in snapshots.iter().flat_map(|all| all.list.iter().enumerate()) {
            let all = snapshots.as_ref().expect("it has a list");
            let Ok(source) = all.source(at) else { continue };
            match &source {
                Source::Npm { version, tarball } => {
                    omits_tarballs &= !is_conventional(tarball, snapshot.path.name, &version.to_string());
                }
                _ => {
                    let key = format!("{}@{}", snapshot.path.name, snapshot.path.version);
                    keys.insert((snapshot.path.name.to_owned(), source), key);
                }
            }
        }
        let setting = root.and_then(|root| root.find("settings")?.find("autoInstallPeers"));
        let has_peers = root.is_none() || setting.is_some_and(YamlNode::is_true);
        OldFile { snapshots, importers, overrides, keys, omits_tarballs, has_peers }
    }

    /// The entry of a package: any of its instances has it.
    fn package(&self, key: &str) -> Option<&'t YamlNode<'t>> {
        let snapshots = self.snapshots.as_ref()?;
        snapshots.package_of(key)
    }
}

/// Whether a tarball is where every registry keeps it.
fn is_conventional(url: &str, name: &str, version: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let version = version.split('+').next().unwrap_or(version);
    !url.is_empty() && url.ends_with(&format!("/{name}/-/{base}-{version}.tgz"))
}

struct Renderer<'a> {
    graph: &'a Graph,
    rules: &'a Rules,
    previous: Option<&'a Previous<'a>>,
    old: &'a OldFile<'a>,
    instances: &'a Instances,
    manifests: &'a [(String, Manifest)],
    keys: HashMap<InstanceId, String>,
}

impl Renderer<'_> {
    /// The sections `packages` and `snapshots`.
    fn packages(&mut self, new: &mut NewLockfile<'_>) -> (Members, Members) {
        let ids = || (0..self.instances.list.len()).map(InstanceId);
        let reached = self.reached();
        // What stays comes first: of two instances with one key it is the one that is written.
        let mut order: Vec<InstanceId> = ids().filter(|id| reached.contains_key(id)).collect();
        order.sort_by_key(|id| self.instances.list[id.0].old.is_none());
        let mut packages: BTreeMap<String, Yaml> = BTreeMap::new();
        let mut snapshots: BTreeMap<String, (Yaml, bool)> = BTreeMap::new();
        for id in order {
            let key = self.key(id);
            let is_optional = reached[&id];
            if let Some((_, optional)) = snapshots.get_mut(&key) {
                *optional &= is_optional;
                continue;
            }
            let snapshot = self.snapshot(id);
            snapshots.insert(key.clone(), (snapshot, is_optional));
            let base = DepPath::base(&key).to_owned();
            if let Entry::Vacant(vacant) = packages.entry(base) {
                let entry = self.package(self.instances.list[id.0].package, vacant.key(), new);
                vacant.insert(entry);
            }
        }
        let snapshots = snapshots.into_iter().map(|(key, (value, is_optional))| {
            let mut members = match value {
                Yaml::Map(members) => members,
                _ => Vec::new(),
            };
            if is_optional {
                members.push(("optional".to_owned(), Yaml::Plain("true".to_owned())));
            }
            (key, Yaml::Map(members))
        });
        (packages.into_iter().collect(), snapshots.collect())
    }

    /// What members reach, and whether by optional dependencies alone.
    fn reached(&self) -> HashMap<InstanceId, bool> {
        let mut reached: HashMap<InstanceId, bool> = HashMap::new();
        let mut queue: Vec<(InstanceId, bool)> = Vec::new();
        let visit = |edges: &[(DependencyId, EdgeTarget)], is_optional: bool, queue: &mut Vec<_>| {
            for &(dependency, found) in edges {
                let Some(EdgeTarget::Instance(id)) = self.instances.resolve(found) else { continue };
                let role = self.graph.dependency(dependency).role;
                queue.push((id, is_optional || matches!(role, Role::Optional | Role::OptionalPeer)));
            }
        };
        for edges in self.instances.importers.values() {
            visit(edges, false, &mut queue);
        }
        while let Some((id, is_optional)) = queue.pop() {
            let before = reached.get(&id).copied();
            if before == Some(false) || before == Some(is_optional) {
                continue;
            }
            reached.insert(id, is_optional);
            visit(&self.instances.list[id.0].edges, is_optional, &mut queue);
        }
        reached
    }

    fn snapshot(&mut self, id: InstanceId) -> Yaml {
        let Instance { package, edges, old, .. } = &self.instances.list[id.0];
        let mut groups = [BTreeMap::new(), BTreeMap::new()];
        for &(dependency, found) in edges {
            let own = self.graph.dependency(dependency);
            if own.bundled {
                continue;
            }
            let alias = self.graph.name(own.name).to_string();
            let Some(version) = self.version(&alias, found, "") else { continue };
            let group = usize::from(matches!(own.role, Role::Optional | Role::OptionalPeer));
            groups[group].insert(alias, Yaml::text(version));
        }
        let mut members: Members = Vec::new();
        for (key, group) in ["dependencies", "optionalDependencies"].into_iter().zip(groups) {
            if !group.is_empty() {
                members.push((key.to_owned(), Yaml::Map(group.into_iter().collect())));
            }
        }
        let kept = old.and_then(|_| self.old.snapshots.as_ref()?.find(&self.keys[&id]));
        match kept {
            Some(node) => {
                let skipped = ["dependencies", "optionalDependencies", "optional"];
                let others = node.members().iter().filter(|(key, _)| !skipped.contains(&key.as_ref()));
                members.extend(others.map(|(key, node)| (key.to_string(), Yaml::of(node))));
            }
            None => {
                let own: BTreeSet<&str> = self.peers(*package).map(|(name, ..)| name).collect();
                let names = self.instances.names[package.0 as usize].iter();
                let names: BTreeSet<&str> = names
                    .map(|&name| self.graph.name(name).as_str())
                    .filter(|name| !own.contains(name))
                    .collect();
                if !names.is_empty() {
                    members.push(("transitivePeerDependencies".to_owned(), Yaml::strings(names)));
                }
            }
        }
        Yaml::Map(members)
    }

    /// What a dependency is bound to: a version, or a whole key under another name. `dir`: of the
    /// member whose dependency it is.
    fn version(&mut self, alias: &str, found: EdgeTarget, dir: &str) -> Option<String> {
        match self.instances.resolve(found)? {
            EdgeTarget::Instance(id) => {
                let key = self.key(id);
                let name = self.graph.package_name(self.instances.list[id.0].package).as_str();
                Some(match key.strip_prefix(name).and_then(|rest| rest.strip_prefix('@')) {
                    Some(version) if name == alias => version.to_owned(),
                    _ => key,
                })
            }
            EdgeTarget::Local(package) => {
                let path = match &self.graph.package(package).source {
                    Source::Workspace { path, .. } | Source::Link { path } => path,
                    _ => "",
                };
                Some(format!("link:{}", relative(dir, path)))
            }
            EdgeTarget::Slot(_) => None,
        }
    }

    fn peers(&self, package: PackageId) -> impl Iterator<Item = (&str, &str, Role)> {
        let dependencies = self.graph.dependencies_of(package).map(|id| self.graph.dependency(id));
        let peers = dependencies.filter(|it| it.role.is_peer());
        peers.map(|it| (self.graph.name(it.name).as_str(), &*it.literal, it.role))
    }

    /// Whether an entry of `packages` has the peers of a package: overrides may take some away.
    fn has_same_peers(&self, package: PackageId, node: &YamlNode<'_>) -> bool {
        let removed_some = self.old.overrides.iter().any(|(_, literal)| is_removal(literal));
        if !self.rules.overrides.remove_some() && !removed_some {
            return true;
        }
        let found = node.find("peerDependencies").map(YamlNode::members).unwrap_or_default();
        let found: BTreeSet<&str> = found.iter().map(|(name, _)| name.as_ref()).collect();
        found == self.peers(package).map(|(name, ..)| name).collect()
    }

    /// An entry of `packages`.
    fn package(&self, id: PackageId, key: &str, new: &mut NewLockfile<'_>) -> Yaml {
        let inline = |key: &str, value: Yaml| if INLINE.contains(&key) { value.inline() } else { value };
        let package = self.graph.package(id);
        let is_same = |node: &&YamlNode<'_>| {
            let before = node.find("resolution").and_then(|it| it.find("integrity"));
            let before = before.and_then(YamlNode::as_str).and_then(Integrity::parse);
            before == package.integrity && self.has_same_peers(id, node)
        };
        if let Some(node) = self.old.package(key).filter(is_same) {
            let members = node.members().iter();
            return Yaml::Map(
                members.map(|(key, node)| (key.to_string(), inline(key, Yaml::of(node)))).collect(),
            );
        }
        let facts = (new.facts)(id).unwrap_or_else(|| facts_of_graph(self.graph, id));
        let mut members: Members = vec![("resolution".to_owned(), self.resolution(id).inline())];
        let mut add = |key: &str, value: Option<Yaml>| {
            members.extend(value.map(|value| (key.to_owned(), inline(key, value))));
        };
        if !matches!(package.source, Source::Npm { .. } | Source::Directory { .. }) {
            add("version", facts.version.map(Yaml::text));
        }
        let mut engines = facts.engines;
        engines.sort();
        add("engines", (!engines.is_empty()).then(|| Yaml::pairs(engines)));
        for (key, list) in [("cpu", &facts.cpu), ("os", &facts.os), ("libc", &facts.libc)] {
            add(key, (!list.is_empty()).then(|| Yaml::strings(list.iter().map(String::as_str))));
        }
        add("deprecated", facts.deprecated.map(Yaml::text));
        let has_bin = package.bin != Bin::None;
        add("hasBin", has_bin.then(|| Yaml::Plain("true".to_owned())));
        let dependencies = || self.graph.dependencies_of(id).map(|id| self.graph.dependency(id));
        let bundled = dependencies().filter(|it| it.bundled);
        let bundled: BTreeSet<&str> = bundled.map(|it| self.graph.name(it.name).as_str()).collect();
        add("bundledDependencies", (!bundled.is_empty()).then(|| Yaml::strings(bundled)));
        let peers: BTreeMap<&str, &str> = self.peers(id).map(|(name, literal, _)| (name, literal)).collect();
        add("peerDependencies", (!peers.is_empty()).then(|| Yaml::pairs(peers)));
        let optional = self.peers(id).filter(|(.., role)| *role == Role::OptionalPeer);
        let optional: BTreeSet<&str> = optional.map(|(name, ..)| name).collect();
        let flag = || Yaml::Map(vec![("optional".to_owned(), Yaml::Plain("true".to_owned()))]);
        let meta: Members = optional.into_iter().map(|name| (name.to_owned(), flag())).collect();
        add("peerDependenciesMeta", (!meta.is_empty()).then_some(Yaml::Map(meta)));
        Yaml::Map(members)
    }

    fn resolution(&self, id: PackageId) -> Yaml {
        let package = self.graph.package(id);
        let name = self.graph.package_name(id).as_str();
        let mut pairs: Vec<(&str, String)> = Vec::new();
        let is_directory = matches!(package.source, Source::Directory { .. });
        if let Some(integrity) = package.integrity.filter(|_| !is_directory) {
            pairs.push(("integrity", integrity.to_string()));
        }
        match &package.source {
            Source::Npm { version, tarball } => {
                let may_omit = self.old.omits_tarballs && package.integrity.is_some();
                let is_usual = is_conventional(tarball, name, &version.to_string());
                if !(tarball.is_empty() || may_omit && is_usual) {
                    pairs.push(("tarball", tarball.to_string()));
                }
            }
            Source::Directory { path } => {
                pairs.push(("directory", path.to_string()));
                pairs.push(("type", "directory".to_owned()));
            }
            Source::LocalTarball { path } => {
                pairs.push(("tarball", format!("file:{}", path.trim_start_matches("./"))))
            }
            Source::RemoteTarball { url } => pairs.push(("tarball", url.to_string())),
            Source::Git { repository, .. } => {
                let (repo, commit) = repository.rsplit_once('#').unwrap_or((repository, ""));
                pairs.push(("commit", commit.to_owned()));
                pairs.push(("repo", repo.to_owned()));
                pairs.push(("type", "git".to_owned()));
            }
            Source::Github { .. } => {
                let base = self.base(id);
                let url = base.strip_prefix(name).map_or("", |rest| rest.trim_start_matches('@'));
                pairs.push(("tarball", url.to_owned()));
            }
            Source::Root | Source::Workspace { .. } | Source::Link { .. } => {}
        }
        Yaml::pairs(pairs)
    }
}

/// From one directory of the project to another.
fn relative(from: &str, to: &str) -> String {
    if to.starts_with('/') {
        return to.to_owned();
    }
    let parts = |path: &'_ str| -> Vec<String> {
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (parts(from), parts(to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - common);
    up.chain(to[common..].iter().cloned()).collect::<Vec<_>>().join("/")
}

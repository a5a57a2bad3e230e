//! The entry of a package that the file did not have. In: the package, and what its packument says.
//! Out: the entry's members. Absent: license and funding where the registry's packuments do not
//! have them; npm accepts entries without them.

use rusk_npm::graph::{Bin, Graph, NameSet, Names, PackageId, Role, Source};
use rusk_npm::json::{self, Dialect, Node};

use super::entry::conventional_url;
use super::json::{Json, Members};
use super::manifest::{self, program_path};
use crate::ReleaseFacts;

pub(super) fn members(
    graph: &Graph,
    id: PackageId,
    facts: Option<ReleaseFacts>,
    omits_resolved: bool,
) -> Members {
    let package = graph.package(id);
    let facts = facts.unwrap_or_else(|| facts_of_graph(graph, id));
    let mut members: Members = Vec::new();
    let mut add = |key: &str, value: Option<Json>| {
        members.extend(value.map(|value| (key.to_owned(), value)));
    };
    let version = package.source.npm_version().map(ToString::to_string).or(facts.version);
    let name = graph.package_name(id).as_str();
    add("resolved", resolved(&package.source, name, omits_resolved).map(Json::Text));
    add("version", version.map(Json::Text));
    let is_installed = !matches!(package.source, Source::Directory { .. } | Source::Link { .. });
    let integrity = package.integrity.filter(|_| is_installed);
    add("integrity", integrity.map(|integrity| Json::Text(integrity.to_string())));
    add("license", facts.license.map(Json::Text));
    add("funding", facts.funding.as_deref().and_then(funding));
    for (group, roles) in GROUPS {
        let of_group = graph.dependencies_of(id).map(|id| graph.dependency(id));
        let of_group = of_group.filter(|dependency| roles.contains(&dependency.role));
        let pairs: Vec<(&str, &str)> =
            of_group.map(|it| (graph.name(it.name).as_str(), &*it.literal)).collect();
        add(group, (!pairs.is_empty()).then(|| Json::object(pairs)));
    }
    let optional = graph.dependencies_of(id).map(|id| graph.dependency(id));
    let optional = optional.filter(|dependency| dependency.role == Role::OptionalPeer);
    let is_optional = || Json::Object(vec![("optional".to_owned(), Json::True)]);
    let mut meta: Members = optional.map(|it| (graph.name(it.name).to_string(), is_optional())).collect();
    for name in facts.optional_peers {
        if !meta.iter().any(|(known, _)| *known == name) {
            meta.push((name, is_optional()));
        }
    }
    add("peerDependenciesMeta", (!meta.is_empty()).then_some(Json::Object(meta)));
    let bundled = graph.dependencies_of(id).map(|id| graph.dependency(id)).filter(|it| it.bundled);
    let bundled: Vec<&str> = bundled.map(|it| graph.name(it.name).as_str()).collect();
    add("bundleDependencies", (!bundled.is_empty()).then(|| Json::strings(bundled)));
    add("bin", bin(&package.bin, name));
    add("engines", (!facts.engines.is_empty()).then(|| Json::object(facts.engines)));
    for (key, list) in [("os", &facts.os), ("cpu", &facts.cpu), ("libc", &facts.libc)] {
        add(key, (!list.is_empty()).then(|| Json::strings(list.iter().map(String::as_str))));
    }
    add("hasInstallScript", package.has_install_script.then_some(Json::True));
    add("deprecated", facts.deprecated.map(Json::Text));
    members
}

const GROUPS: [(&str, &[Role]); 4] = [
    ("dependencies", &[Role::Production]),
    ("devDependencies", &[Role::Development]),
    ("optionalDependencies", &[Role::Optional]),
    ("peerDependencies", &[Role::Peer, Role::OptionalPeer]),
];

fn resolved(source: &Source, name: &str, omits_resolved: bool) -> Option<String> {
    match source {
        Source::Npm { .. } if omits_resolved => None,
        Source::Npm { version, tarball } if tarball.is_empty() => {
            Some(conventional_url(name, &version.to_string()))
        }
        Source::Npm { tarball, .. } => Some(tarball.to_string()),
        Source::RemoteTarball { url } => Some(url.to_string()),
        Source::LocalTarball { path } => Some(format!("file:{path}")),
        Source::Git { repository, .. } => Some(format!("git+{repository}")),
        Source::Github { repository, .. } => {
            let (place, commit) = repository.split_once('#')?;
            Some(format!("git+ssh://git@github.com/{place}.git#{commit}"))
        }
        Source::Directory { path } => Some(format!("file:{path}")),
        Source::Root | Source::Workspace { .. } | Source::Link { .. } => None,
    }
}

fn funding(text: &str) -> Option<Json> {
    manifest::funding(&json::parse(text, Dialect::Strict).ok()?)
}

/// npm writes every form of `bin` as names and files.
fn bin(bin: &Bin, name: &str) -> Option<Json> {
    let base = name.rsplit('/').next().unwrap_or(name);
    match bin {
        Bin::None | Bin::Directory(_) => None,
        Bin::File(file) => Some(Json::object([(base, program_path(file))])),
        Bin::Named(files) if files.is_empty() => None,
        Bin::Named(files) => {
            Some(Json::object(files.iter().map(|(name, file)| (&**name, program_path(file)))))
        }
    }
}

/// Without a packument: the platforms that the graph knows.
pub(crate) fn facts_of_graph(graph: &Graph, id: PackageId) -> ReleaseFacts {
    let constraints = graph.package(id).constraints;
    ReleaseFacts {
        os: list(constraints.os),
        cpu: list(constraints.cpu),
        libc: list(constraints.libc),
        ..ReleaseFacts::default()
    }
}

fn list<N: Names>(set: NameSet<N>) -> Vec<String> {
    if set.is_all() {
        return Vec::new();
    }
    let text = set.render();
    let Ok(node) = json::parse(&text, Dialect::Relaxed) else { return Vec::new() };
    let one = node.as_str().map(str::to_owned);
    one.into_iter().chain(node.elements().iter().filter_map(Node::as_str).map(str::to_owned)).collect()
}

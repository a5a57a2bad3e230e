//! `dependencies` of version 2: the tree once more, as npm 6 reads it. In: the locations, and the
//! members of each entry of `packages`. Out: the object. Absent: `from` of repositories that
//! package.json names by a shorter name.

use std::collections::HashMap;

use rusk_npm::graph::{Graph, Role, Source};
use rusk_npm::json::{self, Dialect, Node};

use super::json::{Json, Members};
use crate::locations::{LocationId, LocationPath, Locations, decides, is_inside};

pub(super) fn dependencies(
    graph: &Graph,
    locations: &Locations,
    paths: &[LocationPath],
    entries: &HashMap<String, Members>,
) -> Option<Json> {
    let mirror = Mirror { graph, locations, paths, entries };
    // Deepest first: the children of a location are ready before it is.
    let mut ready: HashMap<LocationId, Members> = HashMap::new();
    let all: Vec<LocationId> = locations.all().collect();
    for &id in all.iter().skip(1).rev() {
        let home = locations.home(id);
        let children = if home == id { ready.remove(&id) } else { None };
        let entry = mirror.entry(id, children);
        let location = locations.get(id);
        if let (Some(parent), Some(name)) = (location.parent, location.name) {
            ready.entry(parent).or_default().push((graph.name(name).to_string(), entry));
        }
    }
    ready.remove(&LocationId::PROJECT).map(Json::Object)
}

struct Mirror<'a> {
    graph: &'a Graph,
    locations: &'a Locations,
    paths: &'a [LocationPath],
    entries: &'a HashMap<String, Members>,
}

impl Mirror<'_> {
    fn entry(&self, id: LocationId, children: Option<Members>) -> Json {
        let location = self.locations.get(id);
        let path = &self.paths[id.index()];
        let package = self.graph.package(location.package);
        let no_members = Members::new();
        let entry = self.entries.get(&path.dir).unwrap_or(&no_members);
        let find = |key: &str| entry.iter().find(|(other, _)| other == key).map(|(_, value)| value.clone());
        let mut members: Members = Vec::new();
        let name = self.graph.package_name(location.package);
        let is_alias = location.name.is_some_and(|own| self.graph.name(own) != name);
        let version = match &package.source {
            _ if path.is_link() => Some(Json::Text(format!("file:{}", path.dir))),
            Source::Npm { version, .. } if is_alias => Some(Json::Text(format!("npm:{name}@{version}"))),
            Source::Npm { .. } => find("version"),
            _ => find("resolved"),
        };
        members.extend(version.map(|version| ("version".to_owned(), version)));
        let is_release = matches!(package.source, Source::Npm { .. });
        if let Some(resolved) = find("resolved").filter(|_| is_release) {
            members.push(("resolved".to_owned(), resolved));
        }
        if let Some(integrity) = find("integrity") {
            members.push(("integrity".to_owned(), integrity));
        }
        if find("inBundle").is_some() {
            members.push(("bundled".to_owned(), Json::True));
        }
        for key in ["peer", "devOptional", "dev", "optional"] {
            members.extend(find(key).map(|value| (key.to_owned(), value)));
        }
        if let Source::Git { .. } | Source::Github { .. } = package.source
            && let Some(via) = location.via
        {
            let dependency = self.graph.dependency(via);
            let from = format!("{}@{}", self.graph.name(dependency.name), dependency.literal);
            members.push(("from".to_owned(), Json::Text(from)));
        }
        let requires = match &package.source {
            Source::Link { path } if !is_inside(path) => stated(entry),
            _ => self.requires(id),
        };
        members.extend(requires.map(|requires| ("requires".to_owned(), requires)));
        if let Some(children) = children.filter(|children| !children.is_empty()) {
            members.push(("dependencies".to_owned(), Json::Object(children)));
        }
        Json::Object(members)
    }

    /// Everything but peers. An empty object stands where there are peers alone.
    fn requires(&self, id: LocationId) -> Option<Json> {
        let package = self.locations.get(id).package;
        let all: Vec<_> = self
            .graph
            .dependencies_of(package)
            .filter(|&dependency| decides(self.graph, package, dependency))
            .map(|dependency| self.graph.dependency(dependency))
            .collect();
        let own = all.iter().filter(|it| !it.role.is_peer() && it.role != Role::Workspace);
        (!all.is_empty())
            .then(|| Json::object(own.map(|it| (self.graph.name(it.name).as_str(), &*it.literal))))
    }
}

/// What a directory outside of the project needs: its dependencies are not in the graph.
fn stated(entry: &Members) -> Option<Json> {
    let mut requires = Members::new();
    for group in ["devDependencies", "optionalDependencies", "dependencies"] {
        let members = entry.iter().find(|(key, _)| key == group).map(|(_, value)| pairs(value));
        for (name, range) in members.unwrap_or_default() {
            if !requires.iter().any(|(known, _)| *known == name) {
                requires.push((name, range));
            }
        }
    }
    (!requires.is_empty()).then_some(Json::Object(requires))
}

fn pairs(value: &Json) -> Members {
    match value {
        Json::Object(members) => members.clone(),
        Json::Raw(text) => {
            let root = json::parse(text, Dialect::Strict).ok();
            let members = root.as_ref().map(Node::members).unwrap_or_default();
            members.iter().map(|member| (member.key.to_string(), Json::of(&member.node))).collect()
        }
        _ => Members::new(),
    }
}

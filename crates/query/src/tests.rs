//! Graphs for tests, from lines such as `app > ui@^1, dev tool@*`.

use rusk_npm::graph::{Dependency, Graph, Package, PackageId, Role, Source};
use rusk_npm::semver::Version;

/// The project, then packages: each line is `name version > dependencies`. The version of a
/// workspace is its path, as `workspace:packages/one`. A dependency is bound to the first package
/// of its name.
pub fn graph(lines: &[&str]) -> Graph {
    let mut graph = Graph::default();
    for line in lines {
        let (package, dependencies) = line.split_once(" > ").unwrap_or((line, ""));
        let (name, version) = package.split_once(' ').unwrap_or((package, ""));
        let name = graph.intern(name).unwrap();
        let source = match version.strip_prefix("workspace:") {
            Some(path) => Source::Workspace { path: path.into(), version: None },
            None if version.is_empty() => Source::Root,
            None => Source::Npm { version: Version::parse(version).unwrap(), tarball: "".into() },
        };
        let dependencies = dependencies.split(", ").filter(|text| !text.is_empty());
        let dependencies: Vec<Dependency> = dependencies.map(|text| dependency(&mut graph, text)).collect();
        graph.add(Package::new(name, source), dependencies);
    }
    for id in graph.package_ids() {
        for dependency in graph.dependencies_of(id) {
            let package = graph.packages_named(graph.dependency(dependency).name).first().copied();
            graph.bind(dependency, package);
        }
    }
    graph
}

fn dependency(graph: &mut Graph, text: &str) -> Dependency {
    let (role, text) = match text.split_once(' ') {
        Some(("dev", rest)) => (Role::Development, rest),
        Some(("optional", rest)) => (Role::Optional, rest),
        Some(("workspace", rest)) => (Role::Workspace, rest),
        _ => (Role::Production, text),
    };
    let (name, range) = text.split_once('@').unwrap_or((text, "*"));
    Dependency { name: graph.intern(name).unwrap(), literal: range.into(), role, bundled: false }
}

pub fn find(graph: &Graph, name: &str) -> PackageId {
    graph.packages_named(graph.find_name(name).unwrap())[0]
}

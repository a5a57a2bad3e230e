//! Packages with more dependencies than the lockfile gives them.

use rusk_npm::graph::{PackageId, Source};
use rusk_npm::semver::Version;

use super::*;

fn package(graph: &mut Graph, name: &str, dependencies: &[(&str, Role)]) -> PackageId {
    let dependency = |graph: &mut Graph, (name, role): (&str, Role)| {
        let name = graph.intern(name).expect(name);
        Dependency { name, literal: "^1".into(), role, bundled: false }
    };
    let dependencies = dependencies.iter().map(|it| dependency(graph, *it)).collect();
    let name = graph.intern(name).expect(name);
    let version = Version::parse("1.0.0").expect("a version");
    graph.add(Package::new(name, Source::Npm { version, tarball: "".into() }), dependencies)
}

fn described(graph: &Graph, id: PackageId) -> Vec<String> {
    let bound = |id| graph.binding(id).map_or_else(|| "-".to_owned(), |found| graph.label(found));
    let text = |id| {
        let dependency = graph.dependency(id);
        let name = graph.name(dependency.name);
        format!("{name} {} {:?} {}", dependency.literal, dependency.role, bound(id))
    };
    graph.dependencies_of(id).map(text).collect()
}

#[test]
fn peers_are_added_and_bindings_stay() {
    let mut graph = Graph::default();
    let own = [("z", Role::Optional), ("a", Role::Production), ("m", Role::Production)];
    let first = package(&mut graph, "first", &own);
    let second = package(&mut graph, "a", &[]);
    let m = graph.dependencies_of(first).nth(2).expect("three of them");
    graph.bind(m, Some(second));
    let pairs = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), ">=2".to_owned())).collect();
    let extended = with_peers(&graph, &[pairs(&["b", "m", "../x"]), pairs(&["first"])], Role::Peer);
    assert_eq!(
        described(&extended, first),
        ["z ^1 Optional -", "a ^1 Production -", "m ^1 Production a@1.0.0", "b >=2 Peer -"]
    );
    assert_eq!(described(&extended, second), ["first >=2 Peer -"]);
}

//! Tests of the comparison with newer versions.

use super::*;
use crate::members::members;
use crate::tests::graph;

fn names(lines: &[&str], omit: OmittedGroups, arguments: &[&str]) -> Vec<String> {
    let graph = graph(lines);
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let filter = PackageFilter::parse(&arguments).unwrap();
    let literal = |_, dependency| Some(graph.dependency(dependency).literal.to_string());
    let found = direct_dependencies(&graph, &members(&graph), omit, &filter, &literal);
    found.iter().map(|it| format!("{} {}", it.name, it.current)).collect()
}

const LINES: &[&str] = &[
    "app > a@^1, dev b@latest, workspace one",
    "one workspace:packages/one > c@npm:real@1, d@file:d.tgz",
    "a 1.0.0 > d@^1",
    "b 2.0.0",
    "c 3.0.0",
    "d 4.0.0",
];

#[test]
fn direct_dependencies_on_registries_are_compared() {
    assert_eq!(names(LINES, OmittedGroups::default(), &[]), ["a 1.0.0", "b 2.0.0", "real 3.0.0"]);
}

#[test]
fn groups_and_names_are_left_out() {
    let omit = OmittedGroups { development: true, ..OmittedGroups::default() };
    assert_eq!(names(LINES, omit, &[]), ["a 1.0.0", "real 3.0.0"]);
    assert_eq!(names(LINES, OmittedGroups::default(), &["!a", "!c"]), ["b 2.0.0"]);
}

#[test]
fn names_of_no_dependency_are_found() {
    let graph = graph(LINES);
    let arguments = ["a", "d", "one", "c*", "x*", "!y"].map(str::to_owned);
    assert_eq!(unmatched(&graph, &members(&graph)[..1], &arguments), ["d", "one", "c*", "x*"]);
    assert_eq!(unmatched(&graph, &members(&graph), &arguments), ["one", "x*"]);
}

#[test]
fn package_json_says_the_range() {
    let text = r#"{ "dependencies": { "a": "^2.0.0" }, "peerDependencies": { "a": ">=1" } }"#;
    let manifest = Manifest::parse(text).unwrap();
    assert_eq!(declared_literal(&manifest, Role::Development, "a"), Some("^2.0.0"));
    assert_eq!(declared_literal(&manifest, Role::Peer, "a"), Some(">=1"));
    assert_eq!(declared_literal(&manifest, Role::Production, "b"), None);
}

fn check(update: Option<&str>, latest: Option<&str>, expected: Option<(&str, &str)>) {
    let dependency = DirectDependency {
        member: PackageId(0),
        dependency: DependencyId(0),
        name: PackageName::parse("left").unwrap(),
        current: Version::parse("1.2.0").unwrap(),
        wanted: WantedVersion::DistTag("latest".into()),
    };
    let version = |text: Option<&str>| text.and_then(Version::parse);
    let row = dependency.compare(version(update), version(latest));
    let row = row.map(|row| (row.update.to_string(), row.latest.to_string()));
    let expected = expected.map(|(update, latest)| (update.to_owned(), latest.to_owned()));
    assert_eq!(row, expected, "{update:?} {latest:?}");
}

#[test]
fn a_newer_version_makes_a_dependency_outdated() {
    check(Some("1.2.0"), Some("1.2.0"), None);
    check(Some("1.3.0"), Some("1.3.0"), Some(("1.3.0", "1.3.0")));
    check(Some("1.2.0"), Some("2.0.0"), Some(("1.2.0", "2.0.0")));
    check(Some("1.1.0"), Some("1.0.0"), None);
    check(None, Some("2.0.0"), Some(("1.2.0", "2.0.0")));
    check(None, None, None);
}

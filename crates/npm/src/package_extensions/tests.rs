//! Which dependencies a package has with the project's extensions.

use super::*;
use crate::graph::Text;
use crate::json::{self, Dialect};

fn parse(text: &str) -> Result<PackageExtensions, String> {
    PackageExtensions::parse(&json::parse(text, Dialect::Relaxed).expect(text))
}

/// `declared`: `role name@literal` of what `left@1.5.0` has itself.
#[track_caller]
fn check(extensions: &str, declared: &[(&str, &str, Role)], expected: &[(&str, &str, Role)]) {
    let extensions = parse(extensions).expect(extensions);
    let mut graph = Graph::default();
    let mut dependencies: Vec<Dependency> = declared
        .iter()
        .map(|(name, literal, role)| {
            let name = graph.intern(name).unwrap();
            Dependency { name, literal: Text::from(*literal), role: *role, bundled: false }
        })
        .collect();
    let name = PackageName::parse("left").unwrap();
    let version = Version::parse("1.5.0").unwrap();
    let changed = extensions.extend(&mut graph, &name, &version, &mut dependencies).unwrap();
    let found: Vec<(&str, &str, Role)> =
        dependencies.iter().map(|it| (graph.name(it.name).as_str(), &*it.literal, it.role)).collect();
    assert_eq!(found, expected);
    assert_eq!(changed, found != declared);
}

#[test]
fn each_group_is_added() {
    check(
        r#"{"left": {
            "dependencies": {"a": "^1"}, "optionalDependencies": {"b": "2"},
            "peerDependencies": {"c": "*", "d": "3"}, "peerDependenciesMeta": {"d": {"optional": true}}
        }}"#,
        &[],
        &[
            ("a", "^1", Role::Production),
            ("b", "2", Role::Optional),
            ("c", "*", Role::Peer),
            ("d", "3", Role::OptionalPeer),
        ],
    );
}

#[test]
fn ranges_select_versions() {
    let added = &[("a", "1", Role::Production)];
    for (selector, expected) in [
        ("left@1", added.as_slice()),
        ("left@^1.5.0", added),
        ("left@>=1 <2", added),
        ("left@2", &[]),
        ("right", &[]),
        ("left@1.5.1", &[]),
    ] {
        check(&format!(r#"{{"{selector}": {{"dependencies": {{"a": "1"}}}}}}"#), &[], expected);
    }
}

#[test]
fn what_a_package_declares_itself_stays() {
    let own = &[("a", "^2", Role::Production), ("b", "^3", Role::Peer)];
    check(r#"{"left": {"dependencies": {"a": "^1"}, "peerDependencies": {"b": "^1"}}}"#, own, own);
}

#[test]
fn a_dependency_replaces_a_peer() {
    check(
        r#"{"left": {"dependencies": {"b": "^1"}}}"#,
        &[("b", "^3", Role::Peer)],
        &[("b", "^1", Role::Production)],
    );
}

#[test]
fn a_peer_becomes_optional() {
    check(
        r#"{"left": {"peerDependenciesMeta": {"b": {"optional": true}, "c": {"optional": true}, "d": {}}}}"#,
        &[("b", "^3", Role::Peer)],
        &[("b", "^3", Role::OptionalPeer), ("c", "*", Role::OptionalPeer)],
    );
}

#[test]
fn what_is_not_an_extension_is_refused() {
    for (text, expected) in [
        ("[]", "an object as `packageExtensions`, found an array"),
        (r#"{"left": 1}"#, "an object as the extension of `left`, found a number"),
        (r#"{"left@latest": {}}"#, "`name` or `name@range` in `packageExtensions`, found `left@latest`"),
        (r#"{"../left": {}}"#, "`name` or `name@range` in `packageExtensions`, found `../left`"),
        (
            r#"{"left": {"dependencies": {"../a": "1"}}}"#,
            "package names in the extension of `left`, found `../a`",
        ),
        (
            r#"{"left": {"peerDependencies": {"a": 1}}}"#,
            "names and ranges as `peerDependencies` of the extension of `left`, found a number",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err(), expected);
    }
}

#[test]
fn the_hashed_text_does_not_depend_on_the_order() {
    let text = "object:1:string:6:left@1:object:1:string:12:dependencies:\
                object:2:string:1:a:string:2:^1,string:1:b:string:1:2,,,";
    for written in [
        r#"{"left@1": {"dependencies": {"a": "^1", "b": "2"}}}"#,
        r#"{"left@1": {"dependencies": {"b": "2", "a": "^1"}}}"#,
    ] {
        assert_eq!(parse(written).unwrap().hash_text(), text);
    }
    assert_eq!(parse("{}").unwrap().hash_text(), "");
}

//! Lockfiles, and the keys of their shared packages.

use rusk_npm::bun_lock;
use rusk_resolver::hoist::AllDependencies;
use rusk_resolver::isolate::{HoistPatterns, isolate};

use super::*;

/// Keys of a project with the dependencies `wishes`, by name and version.
fn keys(wishes: &str, packages: &str, mutable: &[&str]) -> Vec<(String, Option<String>)> {
    let text = format!(
        r#"{{ "lockfileVersion": 1, "workspaces": {{ "": {{ "dependencies": {{ {wishes} }} }} }}, "packages": {{ {packages} }} }}"#
    );
    let graph = bun_lock::parse(&text).expect("a lockfile").graph;
    let isolated = isolate(&graph, &AllDependencies, &HoistPatterns::default()).expect("few packages");
    let mutable = mutable.iter().map(|&name| name.to_owned()).collect();
    let stamp = |id| format!("{} {:?}", graph.label(id), graph.package(id).integrity);
    let keys = SharedKeys::of(&graph, &isolated, &stamp, &mutable);
    let key = |id: usize| keys.find(id).map(|key| key.dir_name().to_owned());
    let entries = isolated.entries.iter().enumerate().skip(1);
    entries.map(|(id, entry)| (graph.label(entry.package), key(id))).collect()
}

const PROOF: [&str; 2] = ["AAAAAAAAAAAAAAAAAAAAAAAAAAA=", "BBBBBBBBBBBBBBBBBBBBBBBBBBA="];

fn npm(name: &str, proof: usize, dependencies: &str) -> String {
    let proof = PROOF[proof];
    format!(r#"["{name}@1.0.0", "", {{ "dependencies": {{ {dependencies} }} }}, "sha1-{proof}"]"#)
}

fn key_of(keys: &[(String, Option<String>)], label: &str) -> Option<String> {
    keys.iter().find(|(other, _)| other == label).expect("it is there").1.clone()
}

#[test]
fn a_key_depends_on_all_dependencies() {
    let of_a = |proof: usize, more: &str| {
        let packages = format!(
            r#""a": {}, "b": {}, "c": {}"#,
            npm("a", 0, r#""b": "1""#),
            npm("b", 0, r#""c": "1""#),
            npm("c", proof, ""),
        );
        key_of(&keys(&format!(r#""a": "1"{more}"#), &packages, &[]), "a@1.0.0")
    };
    assert!(of_a(0, "").is_some());
    assert_eq!(of_a(0, ""), of_a(0, r#", "c": "1""#), "the same, whatever else depends on it");
    assert_ne!(of_a(0, ""), of_a(1, ""), "another package far below");
}

#[test]
fn a_cycle_has_the_same_keys_from_every_entry_point() {
    let packages = format!(
        r#""a": {}, "b": {}, "c": {}"#,
        npm("a", 0, r#""b": "1""#),
        npm("b", 0, r#""c": "1""#),
        npm("c", 0, r#""a": "1""#),
    );
    let from = |name: &str| keys(&format!(r#""{name}": "1""#), &packages, &[]);
    for label in ["a@1.0.0", "b@1.0.0", "c@1.0.0"] {
        assert_eq!(key_of(&from("a"), label), key_of(&from("c"), label), "{label}");
    }
    assert_ne!(key_of(&from("a"), "a@1.0.0"), key_of(&from("a"), "b@1.0.0"));
}

#[test]
fn mutable_packages_and_their_dependents_are_not_shared() {
    let packages = format!(
        r#""a": {}, "b": {}, "c": {}, "bare": ["bare@1.0.0", "", {{}}, ""], "here": ["here@file:here", {{ "dependencies": {{ "c": "1" }} }}]"#,
        npm("a", 0, r#""b": "1""#),
        npm("b", 0, ""),
        npm("c", 0, ""),
    );
    let wishes = r#""a": "1", "c": "1", "bare": "1", "here": "file:here""#;
    let keys = keys(wishes, &packages, &["b"]);
    let shared: Vec<&str> =
        keys.iter().filter(|(_, key)| key.is_some()).map(|(label, _)| label.as_str()).collect();
    assert_eq!(shared, ["c@1.0.0"]);
}

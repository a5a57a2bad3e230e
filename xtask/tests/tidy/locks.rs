//! Lock files of workspaces besides ours (`bench/resolve`, `fuzz`), which no build of ours reads:
//! whether they are up to date. In: what cargo reads from the manifests. Out: what a lock file
//! lacks.

use std::collections::BTreeSet;

use rusk_npm::json::{Node, Value};

use super::{arrows, source};

/// What `cargo build --locked` would refuse: a dependency of one of our crates that is not in the
/// lock file.
pub fn stale(lock: &str) -> Vec<String> {
    let text = source::read(lock);
    let mut wrong = Vec::new();
    let metadata = arrows::metadata();
    for package in &arrows::packages(&metadata) {
        let name = arrows::text_of(package, "name");
        let Some(locked) = locked(&text, name) else { continue };
        let lacking = needed(package).into_iter().filter(|needed| !locked.contains(needed.as_str()));
        wrong.extend(lacking.map(|lacking| {
            let folder = lock.trim_end_matches("Cargo.lock");
            format!("{lock}:1: `{name}` uses `{lacking}`; write it anew: cargo update --workspace --manifest-path {folder}Cargo.toml")
        }));
    }
    wrong
}

/// The names that a crate's entry lists; none if the lock file has no such crate.
fn locked<'a>(text: &'a str, name: &str) -> Option<BTreeSet<&'a str>> {
    let entry = text.split("[[package]]").find(|entry| entry.contains(&format!("\nname = \"{name}\"\n")))?;
    let (_, list) = entry.split_once("dependencies = [").unwrap_or_default();
    // A version follows the name where there are two.
    Some(list.split('"').skip(1).step_by(2).filter_map(|used| used.split(' ').next()).collect())
}

/// What a build of the crate always uses: no dev-dependencies, no optional ones.
fn needed(package: &Node<'_>) -> Vec<String> {
    let all = package.find("dependencies").map(Node::elements).unwrap_or_default();
    let always = all.iter().filter(|dependency| {
        let is = |key: &str, value: &str| dependency.find(key).and_then(Node::as_str) == Some(value);
        let is_optional = dependency.find("optional").is_some_and(|said| said.value == Value::Bool(true));
        !is("kind", "dev") && !is_optional
    });
    always.map(|dependency| arrows::text_of(dependency, "name").to_owned()).collect()
}

//! Dependency rules between crates: the table in ARCHITECTURE.md compared with what cargo reads
//! from the manifests.

use super::source;
use rusk_npm::json::{self, Dialect, Node, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// A crate's name without `rusk-`, and the names it may use. `any` stands for all.
pub type Arrows = BTreeMap<String, BTreeSet<String>>;

/// What a manifest declares: normal and build dependencies, and dev-dependencies.
pub struct Used {
    pub manifest: String,
    pub normal: BTreeSet<String>,
    pub dev: BTreeSet<String>,
}

/// The lines `name -> name name` of ARCHITECTURE.md.
pub fn drawn() -> Arrows {
    let text = source::read("ARCHITECTURE.md");
    let rows = text.lines().filter(|line| line.starts_with("    ")).filter_map(|line| line.split_once("->"));
    let arrows: Arrows = rows
        .map(|(from, to)| (from.trim().to_owned(), to.split_whitespace().map(str::to_owned).collect()))
        .filter(|(from, _): &(String, _)| !from.contains(' '))
        .collect();
    assert!(!arrows.is_empty(), "ARCHITECTURE.md:1: no line of the form `    npm -> base`");
    arrows
}

/// What cargo reads from our manifests, as JSON. No network.
pub fn metadata() -> String {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version=1"])
        .current_dir(source::root())
        .output()
        .expect("cargo runs this test");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The packages of [`metadata`].
pub fn packages(metadata: &str) -> Vec<Node<'_>> {
    let metadata = json::parse(metadata, Dialect::Strict).expect("cargo writes JSON");
    let Value::Object(members) = &metadata.value else { panic!("cargo metadata: no object") };
    let packages = members.iter().find(|member| member.key == "packages").expect("metadata lists packages");
    packages.node.elements().to_vec()
}

/// Our crates and which of ours they use.
pub fn existing() -> BTreeMap<String, Used> {
    let metadata = metadata();
    packages(&metadata).iter().map(|package| (short(text_of(package, "name")), used(package))).collect()
}

fn used(package: &Node<'_>) -> Used {
    let all = package.find("dependencies").map(Node::elements).unwrap_or_default();
    let ours =
        all.iter().filter(|dependency| dependency.find("path").is_some_and(|path| path.as_str().is_some()));
    let (dev, normal): (Vec<_>, Vec<_>) =
        ours.partition(|dependency| dependency.find("kind").and_then(Node::as_str) == Some("dev"));
    let names = |list: Vec<&Node<'_>>| list.into_iter().map(|node| short(text_of(node, "name"))).collect();
    let root = format!("{}/", source::root().display());
    let manifest = text_of(package, "manifest_path").trim_start_matches(&root).to_owned();
    Used { manifest, normal: names(normal), dev: names(dev) }
}

/// The uses that no arrow allows. Tests may use `testkit` everywhere; `xtask` may use anything.
pub fn undrawn(drawn: &Arrows, existing: &BTreeMap<String, Used>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (from, used) in existing.iter().filter(|(from, _)| *from != "xtask") {
        let Some(allowed) = drawn.get(from) else { continue };
        // A crate that depends on itself enables its own features for its tests.
        let free = |to: &&String| *to != from && !allowed.contains(*to) && !allowed.contains("any");
        let undrawn =
            used.normal.iter().filter(free).chain(used.dev.iter().filter(free).filter(|to| *to != "testkit"));
        wrong.extend(undrawn.map(|to| {
            let manifest = &used.manifest;
            format!(
                "{manifest}:1: `{from}` -> `{to}` is no arrow; let `rusk` or `install` bring the two together"
            )
        }));
    }
    wrong
}

/// Line and name of each crate from outside in the root manifest.
pub fn outside_crates(manifest: &str) -> Vec<(usize, String)> {
    let lines =
        manifest.lines().enumerate().skip_while(|(_, line)| *line != "[workspace.dependencies]").skip(1);
    lines
        .take_while(|(_, line)| !line.starts_with('['))
        .filter_map(|(index, line)| Some((index + 1, line.split_once('=')?.0.trim().to_owned())))
        .filter(|(_, name)| !name.starts_with("rusk-") && !name.starts_with('#'))
        .collect()
}

pub fn text_of<'a>(node: &'a Node<'_>, key: &str) -> &'a str {
    node.find(key).and_then(Node::as_str).unwrap_or_else(|| panic!("cargo metadata: no `{key}`"))
}

fn short(name: &str) -> String {
    name.trim_start_matches("rusk-").to_owned()
}

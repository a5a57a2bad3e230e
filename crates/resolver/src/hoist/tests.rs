//! Graphs that need more locations than the limits allow.

use std::collections::HashMap;

use rusk_npm::graph::{Dependency, Package};

use super::*;

/// A graph whose package 0 is the project, from lines of `name version: dependency=name@version …`.
fn graph(lines: &[String]) -> Graph {
    let mut graph = Graph::default();
    let mut wanted = Vec::new();
    for line in lines {
        let (head, tail) = line.split_once(':').expect("a colon");
        let (name, version) = head.split_once(' ').expect("a name and a version");
        let name = graph.intern(name).expect("a name");
        let source = match wanted.is_empty() {
            true => Source::Root,
            false => Source::Npm { version: Version::parse(version).expect("a version"), tarball: "".into() },
        };
        let entries: Vec<(&str, &str)> =
            tail.split_whitespace().map(|entry| entry.split_once('=').expect("an entry")).collect();
        let mut dependencies = Vec::new();
        for (alias, _) in &entries {
            let name = graph.intern(alias).expect("a name");
            let role = Role::Production;
            dependencies.push(Dependency { name, literal: "*".into(), role, bundled: false });
        }
        let id = graph.add(Package::new(name, source), dependencies);
        wanted.push((id, entries.iter().map(|(_, target)| (*target).to_owned()).collect::<Vec<_>>()));
    }
    let labels: HashMap<String, PackageId> = graph.package_ids().map(|id| (graph.label(id), id)).collect();
    for (id, targets) in wanted {
        for (dependency, target) in graph.dependencies_of(id).zip(targets) {
            graph.bind(dependency, Some(labels[&target]));
        }
    }
    graph
}

fn problem_of(lines: &[String]) -> &'static str {
    hoist(&mut graph(lines), &AllDependencies).map(drop).expect_err("no room for it").code()
}

/// `a` 1 depends on `a` 2, which depends on `a` 3 …
fn chain(length: usize) -> Vec<String> {
    let project = "app 1.0.0: a=a@1.0.0".to_owned();
    let link = |number: usize| match number < length {
        true => format!("a {number}.0.0: a=a@{}.0.0", number + 1),
        false => format!("a {number}.0.0:"),
    };
    std::iter::once(project).chain((1..=length).map(link)).collect()
}

#[test]
fn a_chain_of_conflicts_is_limited_by_path_length() {
    assert!(hoist(&mut graph(&chain(200)), &AllDependencies).is_ok());
    assert_eq!(problem_of(&chain(10_000)), "tree-depth");
}

/// Each level is required at two versions, neither of which is the project's: the locations double
/// with each level.
fn doubling(levels: usize) -> Vec<String> {
    let names = (1..=levels).map(|level| format!("x{level}=x{level}@9.0.0 y{level}=x{level}@9.0.0"));
    let names: Vec<String> = names.collect();
    let mut lines = vec![format!("app 1.0.0: {} top=top@1.0.0", names.join(" "))];
    let pair = |level: usize| match level <= levels {
        true => format!(" x{level}=x{level}@1.0.0 y{level}=x{level}@2.0.0"),
        false => String::new(),
    };
    lines.push(format!("top 1.0.0:{}", pair(1)));
    for level in 1..=levels {
        lines.push(format!("x{level} 9.0.0:"));
        lines.extend(["1", "2"].map(|major| format!("x{level} {major}.0.0:{}", pair(level + 1))));
    }
    lines
}

#[test]
fn a_tree_that_doubles_with_each_level_is_refused() {
    let tree = hoist(&mut graph(&doubling(4)), &AllDependencies).expect("few enough");
    let occupied: usize = tree.dirs().map(|dir| tree.entries(dir).len()).sum();
    assert_eq!(occupied, 9 + 2 + 4 + 8 + 16, "the project's nine, and those that double");
    assert_eq!(problem_of(&doubling(40)), "tree-size");
}

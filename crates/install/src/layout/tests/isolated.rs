//! Lockfiles and the isolated layouts that bun 1.4 makes from them.

use rusk_npm::bun_lock;
use rusk_npm::graph::{Dependency, Graph, NameId, Package, Role, Source};
use rusk_npm::name_patterns::NamePatterns;
use rusk_resolver::hoist::AllDependencies;
use rusk_resolver::isolate::{HoistPatterns, isolate};

use crate::layout::Layout;
use crate::virtual_store::VirtualStore;

fn layout(workspaces: &str, packages: &str, hoisting: &HoistPatterns) -> Vec<String> {
    let text = format!(
        r#"{{ "lockfileVersion": 1, "workspaces": {{ {workspaces} }}, "packages": {{ {packages} }} }}"#
    );
    let graph = bun_lock::parse(&text).expect("a lockfile").graph;
    let isolated = isolate(&graph, &AllDependencies, hoisting).expect("few packages");
    let layout = Layout::isolated(&graph, &isolated, VirtualStore::Bun);
    let line = |path: &str| path.replace("node_modules/.bun/", "~");
    let lines = layout.placements.iter().map(|placement| match &placement.target {
        Some(target) => {
            let entry = line(target);
            format!("{} -> {}", line(&placement.path), entry.split('/').next().unwrap_or_default())
        }
        None => line(&placement.path),
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// Compares the layout, except for the hidden fallback directory, which has each name once.
#[track_caller]
fn check(workspaces: &str, packages: &str, expected: &[&str]) {
    let mut lines = layout(workspaces, packages, &HoistPatterns::default());
    lines.retain(|line| !line.starts_with("~node_modules/"));
    assert_eq!(lines, expected);
}

fn npm(name: &str, version: &str, more: &str) -> String {
    format!(r#"["{name}@{version}", "", {{ {more} }}, ""]"#)
}

const REACT: &str = r#""peerDependencies": { "react": "^18.0.0" }"#;

#[test]
fn a_package_is_beside_its_dependencies() {
    let packages = format!(
        r#""@s/a": {}, "b": {}"#,
        npm("@s/a", "1.0.0", r#""dependencies": { "b": "2.0.0" }"#),
        npm("b", "2.0.0", "")
    );
    check(
        r#""": { "dependencies": { "@s/a": "1.0.0" } }"#,
        &packages,
        &[
            "node_modules/@s/a -> ~@s+a@1.0.0",
            "~@s+a@1.0.0/node_modules/@s/a",
            "~@s+a@1.0.0/node_modules/b -> ~b@2.0.0",
            "~b@2.0.0/node_modules/b",
        ],
    );
}

#[test]
fn a_package_with_other_peers_is_another_entry() {
    let packages = format!(
        r#""react": {}, "store": {}, "c/react": {}, "b": ["b@workspace:b"], "c": ["c@workspace:c"]"#,
        npm("react", "18.2.0", ""),
        npm("store", "1.2.0", REACT),
        npm("react", "18.3.1", ""),
    );
    check(
        r#""": {},
           "b": { "name": "b", "dependencies": { "react": "18.2.0", "store": "1.2.0" } },
           "c": { "name": "c", "dependencies": { "react": "18.3.1", "store": "1.2.0" } }"#,
        &packages,
        &[
            "b/node_modules/react -> ~react@18.2.0",
            "b/node_modules/store -> ~store@1.2.0+5e44392892a7cd3e",
            "c/node_modules/react -> ~react@18.3.1",
            "c/node_modules/store -> ~store@1.2.0+f4eacebf2041cd4f",
            "~react@18.2.0/node_modules/react",
            "~react@18.3.1/node_modules/react",
            "~store@1.2.0+5e44392892a7cd3e/node_modules/react -> ~react@18.2.0",
            "~store@1.2.0+5e44392892a7cd3e/node_modules/store",
            "~store@1.2.0+f4eacebf2041cd4f/node_modules/react -> ~react@18.3.1",
            "~store@1.2.0+f4eacebf2041cd4f/node_modules/store",
        ],
    );
}

#[test]
fn peers_of_dependencies_are_peers_of_their_dependents() {
    let packages = format!(
        r#""react": {}, "outer": {}, "store": {}"#,
        npm("react", "18.2.0", ""),
        npm("outer", "1.0.0", r#""dependencies": { "store": "1.2.0" }"#),
        npm("store", "1.2.0", REACT),
    );
    check(
        r#""": { "dependencies": { "react": "18.2.0", "outer": "1.0.0" } }"#,
        &packages,
        &[
            "node_modules/outer -> ~outer@1.0.0+5e44392892a7cd3e",
            "node_modules/react -> ~react@18.2.0",
            "~outer@1.0.0+5e44392892a7cd3e/node_modules/outer",
            "~outer@1.0.0+5e44392892a7cd3e/node_modules/store -> ~store@1.2.0+5e44392892a7cd3e",
            "~react@18.2.0/node_modules/react",
            "~store@1.2.0+5e44392892a7cd3e/node_modules/react -> ~react@18.2.0",
            "~store@1.2.0+5e44392892a7cd3e/node_modules/store",
        ],
    );
}

#[test]
fn a_package_is_no_peer_of_itself() {
    let packages = format!(
        r#""core": {}, "plugin": {}"#,
        npm("core", "1.0.0", r#""dependencies": { "plugin": "1.0.0" }"#),
        npm("plugin", "1.0.0", r#""peerDependencies": { "core": "^1.0.0" }"#),
    );
    let lines =
        layout(r#""": { "dependencies": { "core": "1.0.0" } }"#, &packages, &HoistPatterns::default());
    assert!(lines.contains(&"~core@1.0.0/node_modules/core".to_owned()), "{lines:?}");
    let plugin =
        lines.iter().find(|line| line.starts_with("~core@1.0.0/node_modules/plugin")).expect("a link");
    assert!(plugin.contains("-> ~plugin@1.0.0+"), "{plugin}");
}

#[test]
fn a_dependency_named_like_its_dependent_is_nested_in_it() {
    let packages = format!(
        r#""fold": ["ms@file:fold", {{ "dependencies": {{ "ms": "2.1.3" }} }}], "ms": {}"#,
        npm("ms", "2.1.3", "")
    );
    check(
        r#""": { "dependencies": { "fold": "file:fold" } }"#,
        &packages,
        &[
            "node_modules/fold -> ~ms@file+fold",
            "~ms@2.1.3/node_modules/ms",
            "~ms@file+fold/node_modules/ms",
            "~ms@file+fold/node_modules/ms/node_modules/ms -> ~ms@2.1.3",
        ],
    );
}

#[test]
fn other_sources_have_names_of_one_component() {
    const SHA: &str =
        "sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA==";
    let check = |place: &str, integrity: Option<&str>, expected: &str| {
        let integrity = integrity.map_or_else(String::new, |text| format!(r#", "{text}""#));
        let packages = format!(r#""x": ["pad@{place}", {{}}{integrity}]"#);
        let workspaces = format!(r#""": {{ "dependencies": {{ "x": "{place}" }} }}"#);
        let lines = layout(&workspaces, &packages, &HoistPatterns::default());
        assert!(lines.contains(&format!("node_modules/x -> ~pad@{expected}")), "{place}: {lines:?}");
    };
    check("https://registry.test/pad-1.tgz", None, "https+++registry.test+pad-1.tgz");
    check("./t/pad.tgz", Some(SHA), ".+t+pad.tgz+5c8e4c3f354d0298");
    check("file:packages/pad", None, "file+packages+pad");
    let long = format!("./{}/pad.tgz", "0123456789".repeat(8));
    let cut = format!(".+{}", &"0123456789".repeat(8)[..61]);
    let lines = layout(
        &format!(r#""": {{ "dependencies": {{ "x": "{long}" }} }}"#),
        &format!(r#""x": ["pad@{long}", {{}}]"#),
        &HoistPatterns::default(),
    );
    let name = lines[0].split("-> ~pad@").nth(1).expect("a link");
    assert!(name.starts_with(&cut) && name.len() == 80, "{name}");
}

#[test]
fn undeclared_names_are_hoisted_by_pattern() {
    let packages = format!(
        r#""a": {}, "ms": {}, "left": {}"#,
        npm("a", "1.0.0", r#""dependencies": { "ms": "2.0.0", "left": "1.0.0" }"#),
        npm("ms", "2.0.0", ""),
        npm("left", "1.0.0", ""),
    );
    let check = |hidden: Option<&[&str]>, public: Option<&[&str]>, expected: &[&str]| {
        let patterns = |list: Option<&[&str]>| {
            list.map(|list| NamePatterns::new(list.iter().map(|&pattern| pattern.to_owned()).collect()))
        };
        let hoisting = HoistPatterns { hidden: patterns(hidden), public: patterns(public) };
        let mut lines = layout(r#""": { "dependencies": { "a": "1.0.0" } }"#, &packages, &hoisting);
        lines.retain(|line| line.starts_with("~node_modules/") || line.starts_with("node_modules/"));
        assert_eq!(lines, expected, "{hidden:?} {public:?}");
    };
    const A: &str = "node_modules/a -> ~a@1.0.0";
    const ALL: [&str; 3] =
        ["~node_modules/a -> ~a@1.0.0", "~node_modules/left -> ~left@1.0.0", "~node_modules/ms -> ~ms@2.0.0"];
    check(None, None, &[&[A], &ALL[..]].concat());
    check(Some(&[]), None, &[A]);
    check(Some(&["m*"]), Some(&["l*"]), &[A, "node_modules/left -> ~left@1.0.0", ALL[2]]);
}

#[test]
fn the_first_package_of_a_name_is_its_fallback() {
    let packages = format!(
        r#""a": {}, "b": {}, "ms": {}, "b/ms": {}"#,
        npm("a", "1.0.0", r#""dependencies": { "ms": "2.1.3" }"#),
        npm("b", "1.0.0", r#""dependencies": { "ms": "2.0.0" }"#),
        npm("ms", "2.1.3", ""),
        npm("ms", "2.0.0", ""),
    );
    let workspaces = r#""": { "dependencies": { "a": "1.0.0", "b": "1.0.0" } }"#;
    let lines = layout(workspaces, &packages, &HoistPatterns::default());
    assert!(lines.contains(&"~node_modules/ms -> ~ms@2.1.3".to_owned()), "{lines:?}");
}

#[test]
fn endless_names_are_refused() {
    // Each depends on the other by forty names, so the paths never end.
    let mut graph = Graph::default();
    let names: Vec<NameId> =
        (0..40).map(|number| graph.intern(&format!("n{number}")).expect("a name")).collect();
    let wishes = |role: Role| {
        let wish = move |&name: &NameId| Dependency { name, literal: "*".into(), role, bundled: false };
        names.iter().map(wish).collect::<Vec<_>>()
    };
    let project = graph.intern("app").expect("a name");
    let version = || rusk_npm::semver::Version::parse("1.0.0").expect("a version");
    let npm = || Source::Npm { version: version(), tarball: "".into() };
    let root = graph.add(Package::new(project, Source::Root), wishes(Role::Production));
    let x = graph.add(Package::new(names[0], npm()), wishes(Role::Production));
    let y = graph.add(Package::new(names[1], npm()), wishes(Role::Production));
    for (owner, target) in [(root, x), (x, y), (y, x)] {
        for wish in graph.dependencies_of(owner) {
            graph.bind(wish, Some(target));
        }
    }
    let problem = isolate(&graph, &AllDependencies, &HoistPatterns::default()).expect_err("endless");
    assert_eq!(problem.code(), "tree-size");
}

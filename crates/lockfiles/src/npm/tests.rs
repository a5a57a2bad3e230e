//! package-lock.json is read as npm's placement says, and written with the smallest difference.

use rusk_npm::graph::{Graph, PackageId, Role};

use crate::locations::Locations;
use crate::{Format, Lockfile, MemberText, NewLockfile, Previous, ReleaseFacts};

fn read(text: &str) -> Lockfile {
    crate::read(Format::NpmLock, text, &[]).expect(text)
}

/// `packages` of a lockfile, of entries on lines of their own.
fn file(packages: &str) -> String {
    let start =
        "{\n  \"name\": \"app\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {\n";
    format!("{start}    {packages}\n  }}\n}}\n")
}

/// `dependent > name = found`, for every dependency at every location.
fn edges(lockfile: &Lockfile) -> Vec<String> {
    let graph = &lockfile.graph;
    let locations = Locations::of(graph, lockfile.tree.as_ref().expect("npm records the tree"));
    let paths = locations.paths(graph);
    let mut edges = Vec::new();
    for id in locations.all() {
        for dependency in graph.dependencies_of(locations.get(id).package) {
            let bound = graph.binding(dependency).map(|package| graph.label(package));
            let found = locations.find_dependency(graph, id, dependency);
            let found = found.map(|found| graph.label(locations.get(found).package));
            assert_eq!(bound, found, "bound as the path says");
            let name = graph.name(graph.dependency(dependency).name);
            let dir = &paths[id.index()].dir;
            edges.push(format!("{dir} > {name} = {}", bound.as_deref().unwrap_or("nothing")));
        }
    }
    edges.sort();
    edges
}

#[track_caller]
fn check_edges(packages: &str, expected: &[&str]) {
    assert_eq!(edges(&read(&file(packages))), expected);
}

#[test]
fn two_keys_are_never_one_place() {
    for path in ["", "/node_modules/a", "/a", "b//node_modules/a"] {
        let packages = format!(
            r#""": {{ "dependencies": {{ "a": "1" }} }}, "node_modules/a": {{ "version": "1.0.0" }}, "b": {{}},
            "{path}": {{ "version": "2.0.0" }}"#
        );
        let error = crate::read(Format::NpmLock, &file(&packages), &[]).map(drop).expect_err(path);
        assert_eq!(error.code(), "lockfile-entry", "{path}");
    }
}

#[test]
fn a_dependency_finds_the_nearest_package() {
    check_edges(
        r#""": { "dependencies": { "a": "1", "b": "2" } },
        "node_modules/a": { "version": "1.0.0", "dependencies": { "b": "1" } },
        "node_modules/a/node_modules/b": { "version": "1.0.0", "dependencies": { "c": "1" } },
        "node_modules/b": { "version": "2.0.0" },
        "node_modules/c": { "version": "1.0.0", "dependencies": { "b": "2" } }"#,
        &[
            " > a = a@1.0.0",
            " > b = b@2.0.0",
            "node_modules/a > b = b@1.0.0",
            "node_modules/a/node_modules/b > c = c@1.0.0",
            "node_modules/c > b = b@2.0.0",
        ],
    );
}

#[test]
fn a_member_finds_its_own_packages_first() {
    check_edges(
        r#""": { "workspaces": ["packages/*"], "dependencies": { "a": "1" } },
        "node_modules/a": { "version": "1.0.0" },
        "node_modules/ui": { "resolved": "packages/ui", "link": true },
        "packages/ui": { "version": "1.0.0", "dependencies": { "a": "2" }, "devDependencies": { "c": "1" } },
        "packages/ui/node_modules/a": { "version": "2.0.0" },
        "node_modules/c": { "version": "1.0.0", "dev": true }"#,
        &[
            " > a = a@1.0.0",
            " > ui = ui@workspace:packages/ui",
            "packages/ui > a = a@2.0.0",
            "packages/ui > c = c@1.0.0",
        ],
    );
}

#[test]
fn a_linked_directory_finds_its_own_packages_first_and_one_outside_has_none() {
    check_edges(
        r#""": { "dependencies": { "a": "1", "copy": "file:../c", "far": "file:../far", "near": "file:near" } },
        "../far": { "version": "1.0.0", "dependencies": { "a": "2" } },
        "near": { "version": "1.0.0", "dependencies": { "a": "2" }, "devDependencies": { "d": "1" } },
        "near/node_modules/a": { "version": "2.0.0" },
        "node_modules/a": { "version": "1.0.0" },
        "node_modules/copy": { "version": "1.0.0", "resolved": "file:../c", "dependencies": { "a": "1" } },
        "node_modules/d": { "version": "1.0.0", "dev": true },
        "node_modules/far": { "resolved": "../far", "link": true },
        "node_modules/near": { "resolved": "near", "link": true }"#,
        &[
            " > a = a@1.0.0",
            " > copy = copy@file:../c",
            " > far = far@link:../far",
            " > near = near@link:near",
            "near > a = a@2.0.0",
            "near > d = d@1.0.0",
            "node_modules/copy > a = a@1.0.0",
        ],
    );
}

/// As in npm: what only `peerDependenciesMeta` names is no dependency.
#[test]
fn a_peer_that_only_the_meta_names_is_none() {
    check_edges(
        r#""": { "dependencies": { "a": "1" }, "devDependencies": { "b": "1" } },
        "node_modules/a": { "version": "1.0.0", "peerDependenciesMeta": { "b": { "optional": true } } },
        "node_modules/b": { "version": "1.0.0", "dev": true }"#,
        &[" > a = a@1.0.0", " > b = b@1.0.0"],
    );
}

#[test]
fn an_alias_is_the_package_that_it_names() {
    check_edges(
        r#""": { "dependencies": { "b": "npm:@s/x@^1" } },
        "node_modules/b": { "name": "@s/x", "version": "1.2.0" }"#,
        &[" > b = @s/x@1.2.0"],
    );
}

#[test]
fn equal_packages_that_find_others_are_two_packages() {
    let lockfile = read(&file(
        r#""": { "dependencies": { "a": "1", "b": "1", "c": "1", "d": "1" } },
        "node_modules/a": { "version": "1.0.0", "dependencies": { "c": "2" } },
        "node_modules/a/node_modules/c": { "version": "2.0.0", "dependencies": { "d": "*" } },
        "node_modules/b": { "version": "1.0.0", "dependencies": { "c": "2", "d": "2" } },
        "node_modules/b/node_modules/c": { "version": "2.0.0", "dependencies": { "d": "*" } },
        "node_modules/b/node_modules/d": { "version": "2.0.0" },
        "node_modules/c": { "version": "1.0.0" },
        "node_modules/d": { "version": "1.0.0" }"#,
    ));
    edges(&lockfile);
    let name = lockfile.graph.find_name("c").expect("it is there");
    assert_eq!(lockfile.graph.packages_named(name).len(), 3);
}

#[test]
fn what_nothing_reaches_is_left_out() {
    let lockfile = read(&file(
        r#""": {},
        "node_modules/a": { "version": "1.0.0", "extraneous": true }"#,
    ));
    assert_eq!(lockfile.graph.len(), 1);
}

/// npm does not list what the tarball of a package for another platform brings.
#[test]
fn what_a_tarball_brings_need_not_be_listed() {
    let text = file(
        r#""": { "optionalDependencies": { "a": "1" } },
        "node_modules/a": { "version": "1.0.0", "bundleDependencies": ["b"], "dependencies": { "b": "1" }, "optional": true }"#,
    );
    assert_eq!(edges(&read(&text)), [" > a = a@1.0.0", "node_modules/a > b = nothing"]);
    let manifest = r#"{ "name": "app", "optionalDependencies": { "a": "1" } }"#;
    let written = rewritten(&text, manifest, |graph| {
        // A resolver binds it to what the registry has.
        let b = new_release(graph, "b");
        let owner = graph.package_ids().find(|&id| graph.package_name(id).as_str() == "a").expect("a");
        let dependency = graph.dependencies_of(owner).next().expect("one");
        graph.bind(dependency, Some(b));
    });
    assert!(!written.contains("node_modules/b"), "{written}");
    assert!(!written.contains("a/node_modules"), "{written}");
}

#[test]
fn what_a_tarball_brings_is_bundled() {
    let lockfile = read(&file(
        r#""": { "dependencies": { "a": "1" } },
        "node_modules/a": { "version": "1.0.0", "bundleDependencies": ["b"], "dependencies": { "b": "1" } },
        "node_modules/a/node_modules/b": { "version": "1.0.0", "inBundle": true }"#,
    ));
    let bundled = |graph: &Graph, name: &str| {
        let id = graph.find_name(name).expect(name);
        let mut all = graph.package_ids().flat_map(|package| graph.dependencies_of(package));
        all.any(|dependency| graph.dependency(dependency).name == id && graph.dependency(dependency).bundled)
    };
    assert!(bundled(&lockfile.graph, "b"));
    assert!(!bundled(&lockfile.graph, "a"));
}

#[test]
fn a_new_entry_has_what_the_packument_says() {
    let text = file(r#""": { "dependencies": { "b": "1" } }"#);
    let manifest = r#"{ "dependencies": { "b": "1" } }"#;
    let facts = ReleaseFacts {
        license: Some("MIT".to_owned()),
        funding: Some(r#"[{ "url": "https://a.test" }, "https://b.test"]"#.to_owned()),
        ..ReleaseFacts::default()
    };
    let written = rewritten_with(&text, manifest, Some(&facts), |graph| {
        let b = new_release(graph, "b");
        let dependency = graph.dependencies_of(PackageId(0)).next().expect("one");
        graph.bind(dependency, Some(b));
    });
    let root = rusk_npm::json::parse(&written, rusk_npm::json::Dialect::Strict).expect(&written);
    let entry = root.find("packages").and_then(|all| all.find("node_modules/b")).expect(&written);
    let funding = entry.find("funding").expect(&written).elements();
    assert_eq!(entry.find("license").and_then(|node| node.as_str()), Some("MIT"), "{written}");
    assert_eq!(funding[0].find("url").and_then(|node| node.as_str()), Some("https://a.test"), "{written}");
    assert_eq!(funding[1].as_str(), Some("https://b.test"), "{written}");
}

fn new_release(graph: &mut Graph, name: &str) -> PackageId {
    let name = graph.intern(name).expect("a name");
    let version = rusk_npm::semver::Version::parse("1.0.0").expect("a version");
    let source = rusk_npm::graph::Source::Npm { version, tarball: "".into() };
    graph.add(rusk_npm::graph::Package::new(name, source), Vec::new())
}

/// Renders a changed graph; the origins are known by their positions.
fn rewritten(text: &str, manifest: &str, change: impl FnOnce(&mut Graph)) -> String {
    rewritten_with(text, manifest, None, change)
}

/// `facts`: of every new package.
fn rewritten_with(
    text: &str,
    manifest: &str,
    facts: Option<&ReleaseFacts>,
    change: impl FnOnce(&mut Graph),
) -> String {
    let lockfile = read(text);
    let mut graph = lockfile.graph.clone();
    let origins: Vec<Option<PackageId>> = graph.package_ids().map(Some).collect();
    change(&mut graph);
    let previous = Previous { text, lockfile: &lockfile, origins: &origins };
    let tree = crate::arrange(Format::NpmLock, Some(&previous), &mut graph).expect("it is small");
    let tree = tree.expect("npm records the tree");
    let members = [MemberText { path: "", text: manifest, manifest: None }];
    let mut new = NewLockfile {
        graph: &graph,
        rules: &Default::default(),
        tree: &tree,
        members: &members,
        facts: &mut |_| facts.cloned(),
    };
    crate::render(Format::NpmLock, Some(&previous), &mut new)
}

const NESTED: &str = r#"{
  "name": "app",
  "lockfileVersion": 3,
  "requires": true,
  "packages": {
    "": {
      "name": "app",
      "dependencies": {
        "a": "1",
        "b": "2"
      }
    },
    "node_modules/a": {
      "version": "1.0.0",
      "license": "MIT",
      "dependencies": {
        "b": "1"
      }
    },
    "node_modules/a/node_modules/b": {
      "version": "1.0.0"
    },
    "node_modules/b": {
      "version": "2.0.0",
      "engines": { "node": ">=1" }
    }
  }
}
"#;

#[test]
fn an_unchanged_graph_gives_the_same_text() {
    let manifest = r#"{ "name": "app", "dependencies": { "a": "1", "b": "2" } }"#;
    assert_eq!(rewritten(NESTED, manifest, |_| {}), NESTED);
    for other in [NESTED.replace('\n', "\r\n"), NESTED.replace("  ", "\t"), NESTED.trim_end().to_owned()] {
        assert_eq!(rewritten(&other, manifest, |_| {}), other);
    }
}

#[test]
fn a_key_that_stands_twice_is_written_once() {
    let manifest = r#"{ "name": "app", "dependencies": { "a": "1", "b": "2" } }"#;
    let twice = NESTED.replacen("  \"requires\": true,", "  \"requires\": false,\n  \"requires\": true,", 1);
    assert_eq!(rewritten(&twice, manifest, |_| {}), NESTED);
}

/// npm leaves a nested package where it is, too, when its place above becomes free.
#[test]
fn what_did_not_change_stays_where_it_is() {
    let manifest = r#"{ "name": "app", "dependencies": { "a": "1" } }"#;
    let text = rewritten(NESTED, manifest, |graph| {
        let dropped = graph
            .dependencies_of(PackageId(0))
            .find(|&id| graph.name(graph.dependency(id).name).as_str() == "b");
        graph.bind(dropped.expect("the project depends on it"), None);
    });
    assert!(
        text.contains("\"node_modules/a/node_modules/b\": {\n      \"version\": \"1.0.0\"\n    }\n  }"),
        "{text}"
    );
    assert!(!text.contains("\"node_modules/b\""), "{text}");
}

#[test]
fn flags_say_what_would_go_with_a_group() {
    let manifest = r#"{ "name": "app", "dependencies": { "p": "1" }, "devDependencies": { "d": "1" },
        "optionalDependencies": { "o": "1" }, "peerDependencies": { "e": "1" } }"#;
    let entry = |name: &str| format!("\"node_modules/{name}\": {{ \"version\": \"1.0.0\" }}");
    let with = |name: &str, dependency: &str| {
        format!("\"node_modules/{name}\": {{ \"version\": \"1.0.0\", \"dependencies\": {{ {dependency} }} }}")
    };
    let entries = [
        format!("\"\": {manifest}"),
        with("d", "\"both\": \"1\", \"only-dev\": \"1\", \"all\": \"1\""),
        with("o", "\"both\": \"1\""),
        with("p", "\"all\": \"1\""),
        entry("e"),
        entry("all"),
        entry("both"),
        entry("only-dev"),
    ];
    let text = rewritten(&file(&entries.join(",\n    ")), manifest, |_| {});
    let written = read(&text);
    let flags = |name: &str| {
        let root = rusk_npm::json::parse(&text, rusk_npm::json::Dialect::Strict).expect(&text);
        let entry = root.find("packages").and_then(|all| all.find(&format!("node_modules/{name}"))).cloned();
        let entry = entry.expect(name);
        let keys = ["dev", "optional", "devOptional", "peer"].into_iter();
        keys.filter(|key| entry.find(key).is_some()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(written.graph.len(), 8);
    let expected = [
        ("d", "dev"),
        ("o", "optional"),
        ("p", ""),
        ("e", "peer"),
        ("all", ""),
        ("both", "devOptional"),
        ("only-dev", "dev"),
    ];
    for (name, expected) in expected {
        assert_eq!(flags(name), expected, "{name}");
    }
}

#[test]
fn a_conflict_of_peers_is_placed_apart() {
    // The project has r 1; a wants p, whose peer is r 2, beside r 2.
    let text = file(
        r#""": { "dependencies": { "a": "1", "r": "1" } },
    "node_modules/a": { "version": "1.0.0", "dependencies": { "p": "1", "r": "2" } },
    "node_modules/a/node_modules/p": { "version": "1.0.0", "peerDependencies": { "r": "2" } },
    "node_modules/a/node_modules/r": { "version": "2.0.0" },
    "node_modules/r": { "version": "1.0.0" }"#,
    );
    let lockfile = read(&text);
    let mut graph = lockfile.graph.clone();
    // From nothing: no location is known.
    let tree =
        crate::arrange(Format::NpmLock, None, &mut graph).expect("it is small").expect("npm records it");
    let locations = Locations::of(&graph, &tree);
    let mut found = 0;
    for id in locations.all() {
        for dependency in graph.dependencies_of(locations.get(id).package) {
            let at = locations.find_dependency(&graph, id, dependency).expect("all are placed");
            assert_eq!(Some(locations.get(at).package), graph.binding(dependency));
            found += usize::from(graph.dependency(dependency).role == Role::Peer);
        }
    }
    assert_eq!(found, 1);
}

/// It is no link to the project itself.
#[test]
fn a_file_url_with_a_host_is_refused() {
    let text = file(
        r#""": { "dependencies": { "g": "1" } },
        "node_modules/g": { "version": "1.0.0", "resolved": "file://h.test/a" }"#,
    );
    let problem = crate::read(Format::NpmLock, &text, &[]).expect_err("no package is there");
    assert!(problem.to_string().contains("a relative path after `file:`"), "{problem}");
}

#[test]
fn a_copy_of_the_project_is_refused() {
    let text = file(
        r#""": { "dependencies": { "g": "1" } },
        "node_modules/g": { "version": "1.0.0", "resolved": "file:." }"#,
    );
    let problem = crate::read(Format::NpmLock, &text, &[]).expect_err("no package is there");
    assert!(problem.to_string().contains("a relative path after `file:`"), "{problem}");
}

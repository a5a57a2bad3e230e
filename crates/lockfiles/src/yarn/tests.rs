//! yarn.lock of Yarn 1 is read edge by edge, and written back with the smallest difference.

use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::tree::Tree;

use crate::{Format, Lockfile, MemberText, NewLockfile, Previous, ReleaseFacts};

const PROJECT: &str = r#"{ "name": "app", "dependencies": { "a": "^1.0.0", "x": "npm:@s/b@>=1 <2" },
    "optionalDependencies": { "o": "*", "gone": "1" }, "peerDependencies": { "p": "1" } }"#;

const CLASSIC: &str = r#"# yarn lockfile v1


a@^1.0.0:
  version "1.2.0"
  resolved "https://registry.test/a/-/a-1.2.0.tgz#0123456789012345678901234567890123456789"
  dependencies:
    "@s/b" "^1.1.0"
    local "^1.0.0"
  optionalDependencies:
    o "2"

o@*:
  version "3.0.0"
  resolved "https://registry.test/o/-/o-3.0.0.tgz"

o@2:
  version "2.0.0"
  resolved "https://registry.test/o/-/o-2.0.0.tgz"

"x@npm:@s/b@>=1 <2", "@s/b@^1.1.0":
  version "1.1.1"
  resolved "https://registry.test/@s/b/-/b-1.1.1.tgz"
"#;

fn members<'a>(project: &'a str, member: &'a str) -> Vec<MemberText<'a>> {
    vec![
        MemberText { path: "", text: project, manifest: None },
        MemberText { path: "packages/local", text: member, manifest: None },
    ]
}

fn read(text: &str, members: &[MemberText<'_>]) -> Lockfile {
    crate::read(Format::Yarn, text, members).expect(text)
}

/// `dependent > name = found` for every dependency.
pub(super) fn edges(graph: &Graph) -> Vec<String> {
    let mut edges = Vec::new();
    for package in graph.package_ids() {
        for dependency in graph.dependencies_of(package) {
            let name = graph.name(graph.dependency(dependency).name);
            let found = graph.binding(dependency).map_or("nothing".to_owned(), |found| graph.label(found));
            edges.push(format!("{} > {name} = {found}", graph.label(package)));
        }
    }
    edges.sort();
    edges
}

#[test]
fn every_edge_is_bound_by_its_descriptor() {
    let member = r#"{ "name": "local", "version": "1.0.0", "devDependencies": { "a": "^1.0.0", "o": "2" } }"#;
    let lockfile = read(CLASSIC, &members(PROJECT, member));
    let expected = [
        "a@1.2.0 > @s/b = @s/b@1.1.1",
        "a@1.2.0 > local = local@workspace:packages/local",
        "a@1.2.0 > o = o@2.0.0",
        "app@root: > a = a@1.2.0",
        "app@root: > local = local@workspace:packages/local",
        "app@root: > o = o@3.0.0",
        "app@root: > p = nothing",
        "app@root: > x = @s/b@1.1.1",
        "local@workspace:packages/local > a = a@1.2.0",
        "local@workspace:packages/local > o = o@2.0.0",
    ];
    assert_eq!(edges(&lockfile.graph), expected);
    let a = lockfile.graph.find_name("a").expect("it is there");
    let package = lockfile.graph.package(lockfile.graph.packages_named(a)[0]);
    assert!(package.integrity.is_some(), "the digest behind the URL");
}

#[test]
fn a_resolution_of_one_dependent_is_bound_there_alone() {
    let project = r#"{ "dependencies": { "a": "1", "c": "1" }, "resolutions": { "a/c": "2.0.0" } }"#;
    let text = "a@1:\n  version \"1.0.0\"\n  dependencies:\n    c \"1\"\n\nc@1:\n  version \"1.0.0\"\n\n\
                c@2.0.0:\n  version \"2.0.0\"\n";
    let lockfile = read(text, &[MemberText { path: "", text: project, manifest: None }]);
    let expected = ["a@1.0.0 > c = c@2.0.0", "project@root: > a = a@1.0.0", "project@root: > c = c@1.0.0"];
    assert_eq!(edges(&lockfile.graph), expected);
    assert_eq!(rewritten(text, project, |_| {}), text);
}

/// Renders a changed graph; new packages have this digest.
fn rewritten(text: &str, project: &str, change: impl FnOnce(&mut Graph)) -> String {
    let members = [MemberText { path: "", text: project, manifest: None }];
    let lockfile = read(text, &members);
    let mut graph = lockfile.graph.clone();
    let origins: Vec<Option<PackageId>> = graph.package_ids().map(Some).collect();
    change(&mut graph);
    let previous = Previous { text, lockfile: &lockfile, origins: &origins };
    let overrides = rusk_npm::manifest::Manifest::parse(project).expect(project).overrides;
    let rules = rusk_npm::bun_lock::Rules { overrides, ..rusk_npm::bun_lock::Rules::default() };
    let facts = ReleaseFacts { shasum: Some("ff".to_owned()), ..ReleaseFacts::default() };
    let mut new = NewLockfile {
        graph: &graph,
        rules: &rules,
        tree: &Tree::default(),
        members: &members,
        facts: &mut |_| Some(facts.clone()),
    };
    crate::render(Format::Yarn, Some(&previous), &mut new)
}

const SIMPLE: &str = r#"# yarn lockfile v1


a@^1.0.0:
  version "1.2.0"
  resolved "https://registry.test/a/-/a-1.2.0.tgz#ab"
  dependencies:
    b "^1.1.0"

b@^1.0.0, b@^1.1.0:
  version "1.1.1"
  other true
"#;

const BOTH: &str = r#"{ "dependencies": { "a": "^1.0.0", "b": "^1.0.0" } }"#;

#[test]
fn an_unchanged_graph_gives_the_same_text() {
    for text in [
        SIMPLE.to_owned(),
        SIMPLE.replace('\n', "\r\n"),
        SIMPLE.replace("b@^1.0.0, b@^1.1.0", "b@^1.1.0, b@^1.0.0"),
    ] {
        assert_eq!(rewritten(&text, BOTH, |_| {}), text);
    }
    assert_eq!(rewritten("# mine\n\n\n", "{}", |_| {}), "# mine\n\n\n");
}

#[test]
fn descriptors_that_nothing_has_any_more_go() {
    let text = rewritten(SIMPLE, BOTH, |graph| unbind(graph, "b"));
    assert_eq!(text, SIMPLE.replace("b@^1.0.0, b@^1.1.0", "b@^1.1.0"));
    let text = rewritten(SIMPLE, BOTH, |graph| unbind(graph, "a"));
    let b = SIMPLE.find("b@^1.0.0").expect("it is there");
    let a = SIMPLE.find("a@").expect("it is there");
    assert_eq!(text, format!("{}{}", &SIMPLE[..a], &SIMPLE[b..]).replace(", b@^1.1.0", ""));
}

/// Of the project.
fn unbind(graph: &mut Graph, name: &str) {
    let found = graph.dependencies_of(PackageId(0));
    let found = found.into_iter().find(|&id| graph.name(graph.dependency(id).name).as_str() == name);
    graph.bind(found.expect(name), None);
}

#[test]
fn a_new_package_is_an_entry_in_its_place() {
    let text = rewritten(SIMPLE, BOTH, |graph| {
        let name = graph.intern("b").expect("a name");
        let version = rusk_npm::semver::Version::parse("1.9.0").expect("a version");
        let tarball = "https://registry.test/b/-/b-1.9.0.tgz".into();
        let package = rusk_npm::graph::Package::new(name, Source::Npm { version, tarball });
        let new = graph.add(package, Vec::new());
        let direct = graph.dependencies_of(PackageId(0)).find(|&id| graph.dependency(id).name == name);
        graph.bind(direct.expect("it is direct"), Some(new));
    });
    let entry = "b@^1.0.0:\n  version \"1.9.0\"\n  resolved \"https://registry.test/b/-/b-1.9.0.tgz#ff\"\n\n";
    assert_eq!(text, SIMPLE.replace("b@^1.0.0, b@^1.1.0", &format!("{entry}b@^1.1.0")));
}

//! Bills of small projects. The whole documents are compared in `specs/sbom.txt`.

use rusk_npm::bun_lock;
use rusk_npm::graph::Role;
use rusk_npm::json::{self as npm_json, Dialect, Node};

use super::*;

const LOCKFILE: &str = r#"{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": { "@s/a": "1" }, "devDependencies": { "b": "1" }, "optionalDependencies": { "c": "1" } },
  },
  "packages": {
    "@s/a": ["@s/a@1.0.0", "", { "dependencies": { "d": "1" } }, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="],
    "b": ["b@1.0.0", "", { "dependencies": { "d": "1" }, "optionalDependencies": { "e": "1" } }, ""],
    "c": ["c@1.0.0", "", { "dependencies": { "f": "1" } }, ""],
    "d": ["d@1.0.0", "", {}, ""],
    "e": ["e@1.0.0", "", { "dependencies": { "f": "1" } }, ""],
    "f": ["f@1.0.0", "", {}, ""],
  }
}"#;

fn bill(format: SbomFormat, omit: OmittedGroups) -> String {
    let graph = bun_lock::parse(LOCKFILE).expect("a lockfile").graph;
    let mut tree = Tree::default();
    let root = tree.push(None, None);
    let all = graph.package_ids().flat_map(|id| graph.dependencies_of(id));
    let entries: Vec<DependencyId> = all.filter(|id| graph.dependency(*id).role != Role::Workspace).collect();
    tree.entries_mut(root).extend(entries);
    let materials = Materials {
        graph: &graph,
        tree: &tree,
        from: &members(&graph),
        omit,
        describe: &|_| Some(PackageDescription::default()),
        tarball_url: &|id| format!("http://registry.test/{}", graph.package_name(id)),
        project_name: "app",
        project_type: "application",
        facts: FactSource::NodeModules,
        tool_version: "1",
        timestamp: "2020-01-01T00:00:00.000Z",
    };
    render(&materials, format)
}

fn component<'n, 't>(root: &'n Node<'t>, name: &str) -> &'n Node<'t> {
    let all = root.find("components").expect("components").elements();
    all.iter().find(|one| one.find("name").and_then(Node::as_str) == Some(name)).expect(name)
}

#[test]
fn groups_are_npms_flags() {
    let text = bill(SbomFormat::CycloneDx, OmittedGroups::default());
    let root = npm_json::parse(&text, Dialect::Strict).unwrap();
    for (name, scope, is_development) in [
        ("@s/a", "required", false),
        ("b", "required", true),
        ("c", "optional", false),
        ("d", "required", false),
        ("e", "optional", true),
        ("f", "optional", false),
    ] {
        let one = component(&root, name);
        let found = one.find("scope").and_then(Node::as_str);
        let properties = one.find("properties").unwrap().elements().len();
        assert_eq!((found, properties), (Some(scope), usize::from(is_development)), "{name}");
    }
}

#[test]
fn package_urls_are_escaped() {
    let text = bill(SbomFormat::CycloneDx, OmittedGroups::default());
    let root = npm_json::parse(&text, Dialect::Strict).unwrap();
    let purl = component(&root, "@s/a").find("purl").and_then(Node::as_str);
    assert_eq!(purl, Some("pkg:npm/%40s/a@1.0.0"));
    assert_eq!(encoded("git+ssh://git@x.test/a b#1"), "git%2Bssh%3A%2F%2Fgit%40x.test%2Fa%20b%231");
}

#[test]
fn omitted_groups_are_not_in_it() {
    let omit = OmittedGroups { development: true, optional: true, peer: false };
    let text = bill(SbomFormat::Spdx, omit);
    let root = npm_json::parse(&text, Dialect::Strict).unwrap();
    let names = root.find("packages").unwrap().elements().iter();
    let names: Vec<&str> = names.filter_map(|one| one.find("name")?.as_str()).collect();
    assert_eq!(names, ["app", "@s/a", "d"]);
}

#[test]
fn the_number_depends_on_the_contents() {
    let number = |format| {
        let text = bill(format, OmittedGroups::default());
        let root = npm_json::parse(&text, Dialect::Strict).unwrap();
        let key = if format == SbomFormat::Spdx { "documentNamespace" } else { "serialNumber" };
        root.find(key).and_then(Node::as_str).unwrap().to_owned()
    };
    assert_eq!(number(SbomFormat::Spdx), number(SbomFormat::Spdx));
    let serial = number(SbomFormat::CycloneDx);
    assert_eq!((serial.len(), &serial[23..24]), (45, "8"), "{serial}");
}

#[test]
fn a_package_lock_has_licenses() {
    let text = r#"{"packages": {
        "": {"name": "app", "version": "1.0.0", "license": "ISC"},
        "node_modules/@s/a/node_modules/b": {"version": "2.0.0", "license": "MIT"},
        "node_modules/alias": {"name": "c", "version": "3.0.0", "license": "MIT"},
        "node_modules/d": {"version": "4.0.0"}
    }}"#;
    let found: Vec<String> = licenses_in_lockfile(text)
        .into_iter()
        .map(|((name, version), license)| format!("{name}@{version} {license}"))
        .collect();
    assert_eq!(found, ["app@1.0.0 ISC", "b@2.0.0 MIT", "c@3.0.0 MIT"]);
}

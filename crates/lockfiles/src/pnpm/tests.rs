//! Every edge of a small file, in the roles that package.json gives them, and parts of keys.

use rusk_npm::Manifest;
use rusk_npm::graph::{Graph, Role};

use super::dep_path::{DepPath, key_of};
use super::{read, render};
use crate::{MemberText, NewLockfile, Previous, ReleaseFacts};

fn manifest(text: &str) -> Manifest {
    Manifest::parse(text).expect(text)
}

/// `dependent role name > bound`, for each dependency.
fn edges(graph: &Graph, instances: &[rusk_npm::graph::Text]) -> Vec<String> {
    let label = |id: rusk_npm::graph::PackageId| format!("{}{}", graph.label(id), instances[id.0 as usize]);
    let mut edges = Vec::new();
    for owner in graph.package_ids() {
        for id in graph.dependencies_of(owner) {
            let dependency = graph.dependency(id);
            let role = match dependency.role {
                Role::Workspace => "workspace",
                Role::Development => "dev",
                Role::Optional => "optional",
                Role::Production => "prod",
                Role::Peer => "peer",
                Role::OptionalPeer => "optional-peer",
            };
            let bound = graph.binding(id).map_or("nothing".to_owned(), label);
            let (name, literal) = (graph.name(dependency.name), &dependency.literal);
            edges.push(format!("{} {role} {name}@{literal} > {bound}", label(owner)));
        }
    }
    edges
}

const LOCKFILE: &str = "
lockfileVersion: '9.0'
settings: {autoInstallPeers: true}
overrides: {c: 2.0.0}
importers:
  .:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(b@1.0.0)}
      b: {specifier: ^1.0.0, version: 1.0.0}
      c: {specifier: 2.0.0, version: 2.0.0}
  m/one:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(b@2.0.0)}
      far: {specifier: 'link:../far', version: link:../far}
    devDependencies:
      b: {specifier: 2.0.0, version: 2.0.0}
      root: {specifier: 'workspace:*', version: link:../..}
packages:
  a@1.0.0:
    resolution: {integrity: sha512-AAAA}
    peerDependencies: {b: '*', d: ^1.0.0}
    peerDependenciesMeta: {d: {optional: true}}
  b@1.0.0: {resolution: {tarball: 'http://registry.test/b.tgz'}, os: [linux]}
  b@2.0.0: {resolution: {integrity: sha512-AAAA}, hasBin: true}
  c@2.0.0: {resolution: {integrity: sha512-AAAA}}
snapshots:
  a@1.0.0(b@1.0.0):
    dependencies: {b: 1.0.0, alias: c@2.0.0}
  a@1.0.0(b@2.0.0):
    dependencies: {b: 2.0.0, alias: c@2.0.0}
  b@1.0.0: {}
  b@2.0.0: {}
  c@2.0.0: {}
";

#[test]
fn every_dependency_is_bound_as_the_file_says() {
    let root = manifest(
        r#"{"name":"root","dependencies":{"a":"^1.0.0","c":"^1.0.0"},"peerDependencies":{"b":"^1.0.0"},"overrides":{"c":"2.0.0"}}"#,
    );
    let one = manifest(
        r#"{"name":"one","version":"1.0.0","dependencies":{"a":"^1.0.0","far":"link:../far"},"devDependencies":{"b":"2.0.0","root":"workspace:*"},"peerDependencies":{"b":">=1"}}"#,
    );
    let members = [
        MemberText { path: "", text: "", manifest: Some(&root) },
        MemberText { path: "m/one", text: "", manifest: Some(&one) },
    ];
    let lockfile = read(LOCKFILE, &members).expect("a lockfile");
    let instances = lockfile.instances.expect("pnpm's has them");
    assert_eq!(
        edges(&lockfile.graph, &instances),
        [
            "root@root: workspace one@m/one > one@workspace:m/one",
            "root@root: prod a@^1.0.0 > a@1.0.0(b@1.0.0)",
            "root@root: prod c@^1.0.0 > c@2.0.0",
            "root@root: peer b@^1.0.0 > b@1.0.0",
            "one@workspace:m/one dev b@2.0.0 > b@2.0.0",
            "one@workspace:m/one dev root@workspace:* > root@root:",
            "one@workspace:m/one prod a@^1.0.0 > a@1.0.0(b@2.0.0)",
            "one@workspace:m/one prod far@link:../far > far@link:m/far",
            "one@workspace:m/one peer b@>=1 > b@2.0.0",
            "a@1.0.0(b@1.0.0) prod alias@npm:c@2.0.0 > c@2.0.0",
            "a@1.0.0(b@1.0.0) peer b@* > b@1.0.0",
            "a@1.0.0(b@1.0.0) optional-peer d@^1.0.0 > nothing",
            "a@1.0.0(b@2.0.0) prod alias@npm:c@2.0.0 > c@2.0.0",
            "a@1.0.0(b@2.0.0) peer b@* > b@2.0.0",
            "a@1.0.0(b@2.0.0) optional-peer d@^1.0.0 > nothing",
        ]
    );
    assert_eq!(lockfile.rules.expect("pnpm's has them").overrides, root.overrides);
}

#[test]
fn keys_have_a_name_a_version_and_peers() {
    let check = |key, name, version, suffix| {
        assert_eq!(DepPath::parse(key), Some(DepPath { name, version, suffix }), "{key}");
    };
    check("left@1.0.0", "left", "1.0.0", "");
    check("@a/b@1.0.0(c@1.0.0(d@1.0.0))(@e/f@2.0.0)", "@a/b", "1.0.0", "(c@1.0.0(d@1.0.0))(@e/f@2.0.0)");
    check("left@file:../a(b)/c", "left", "file:../a(b)/c", "");
    check("left@https://h.test/a@b.tgz", "left", "https://h.test/a@b.tgz", "");
    assert_eq!(DepPath::parse("left"), None);
    assert_eq!(DepPath::parse("left@"), None);
}

#[test]
fn a_version_may_be_a_whole_key() {
    assert_eq!(key_of("left", "1.0.0(a@1.0.0)"), "left@1.0.0(a@1.0.0)");
    assert_eq!(key_of("other", "left@1.0.0(a@1.0.0)"), "left@1.0.0(a@1.0.0)");
    assert_eq!(key_of("other", "@s/left@1.0.0"), "@s/left@1.0.0");
    assert_eq!(key_of("left", "file:a@b"), "left@file:a@b");
}

#[test]
fn hostile_files_are_refused() {
    let header = "lockfileVersion: '9.0'\n";
    for (rest, expected) in [
        ("importers: {../up: {}}", "a directory of the project"),
        ("importers: {/up: {}}", "a directory of the project"),
        ("importers: {.: {dependencies: {a: {specifier: a, version: 1.0.0}}}}", "for `a@1.0.0`"),
        ("snapshots: {a: {}}", "`name@version`"),
        ("snapshots: {a@1.0.0: {}}", "in `packages`"),
        (
            "importers: {.: {dependencies: {../a: {specifier: a, version: a@1.0.0}}}}\npackages: {a@1.0.0: {resolution: {}}}\nsnapshots: {a@1.0.0: {}}",
            "a package name",
        ),
        (
            "importers: {.: {dependencies: {a: {specifier: a, version: 1.0.0}}}}\npackages: {a@1.0.0: {resolution: {type: exe}}}\nsnapshots: {a@1.0.0: {}}",
            "`directory` or `git`",
        ),
    ] {
        let error = read(&format!("{header}{rest}\n"), &[]).expect_err(rest);
        assert!(error.message().contains(expected), "{rest}: {}", error.message());
    }
}

/// The text for the same graph, all of it known before, or none of it.
fn rendered(text: &str, manifests: &[(&str, &str)], is_known: bool) -> String {
    let parsed: Vec<Manifest> = manifests.iter().map(|(_, text)| manifest(text)).collect();
    let members: Vec<MemberText<'_>> = manifests
        .iter()
        .zip(&parsed)
        .map(|((path, text), manifest)| MemberText { path, text, manifest: Some(manifest) })
        .collect();
    let lockfile = read(text, &members).expect(text);
    let origins: Vec<_> = lockfile.graph.package_ids().map(|id| is_known.then_some(id)).collect();
    let previous = Previous { text, lockfile: &lockfile, origins: &origins };
    let texts: Vec<MemberText<'_>> =
        manifests.iter().map(|(path, text)| MemberText { path, text, manifest: None }).collect();
    let mut new = NewLockfile {
        graph: &lockfile.graph,
        rules: &lockfile.rules.clone().expect("pnpm's has them"),
        tree: &rusk_npm::tree::Tree::default(),
        members: &texts,
        facts: &mut |_| Some(ReleaseFacts::default()),
    };
    render(Some(&previous), &mut new)
}

const WORKSPACE: &str = "lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

catalogs:
  default:
    b:
      specifier: ^2.0.0
      version: 2.0.0

overrides:
  x>y: 1.0.0

patchedDependencies:
  z@2.0.0:
    hash: abc
    path: patches/z.patch

importers:

  .:
    dependencies:
      '@s/a':
        specifier: ^1.0.0
        version: 1.0.0(b@1.0.0)
      b:
        specifier: ^1.0.0
        version: 1.0.0
    optionalDependencies:
      g:
        specifier: git+https://h.test/g.git
        version: git+https://h.test/g.git#0123456789

  m/one:
    dependencies:
      '@s/a':
        specifier: ^1.0.0
        version: 1.0.0(b@2.0.0)
      alias:
        specifier: npm:b@^2.0.0
        version: b@2.0.0
      b:
        specifier: 'catalog:'
        version: 2.0.0
      far:
        specifier: link:../far
        version: link:../far
    dependenciesMeta:
      b:
        injected: true

packages:

  '@s/a@1.0.0':
    resolution: {integrity: sha512-AAAA}
    engines: {node: '>=4', npm: ^6 || ^7}
    deprecated: |-
      two

      lines
    peerDependencies:
      b: '*'

  b@1.0.0:
    resolution: {tarball: http://registry.test/b.tgz}
    cpu: [x64, '!arm']
    os: [linux]

  b@2.0.0:
    resolution: {integrity: sha512-AAAA}
    hasBin: true

  g@git+https://h.test/g.git#0123456789:
    resolution: {commit: 0123456789, repo: https://h.test/g.git, type: git}
    version: 1.0.0

snapshots:

  '@s/a@1.0.0(b@1.0.0)':
    dependencies:
      b: 1.0.0

  '@s/a@1.0.0(b@2.0.0)':
    dependencies:
      b: 2.0.0

  b@1.0.0: {}

  b@2.0.0: {}

  g@git+https://h.test/g.git#0123456789:
    optional: true
";

const WORKSPACE_MANIFESTS: [(&str, &str); 2] = [
    (
        "",
        r#"{"name":"root","dependencies":{"@s/a":"^1.0.0","b":"^1.0.0"},"optionalDependencies":{"g":"git+https://h.test/g.git"},"catalog":{"b":"^2.0.0"},"overrides":{"x>y":"1.0.0"}}"#,
    ),
    (
        "m/one",
        r#"{"name":"one","dependencies":{"@s/a":"^1.0.0","alias":"npm:b@^2.0.0","b":"catalog:","far":"link:../far"}}"#,
    ),
];

#[test]
fn what_did_not_change_keeps_its_bytes() {
    assert_eq!(rendered(WORKSPACE, &WORKSPACE_MANIFESTS, true), WORKSPACE);
}

#[test]
fn peers_are_resolved_anew_as_they_were() {
    assert_eq!(rendered(WORKSPACE, &WORKSPACE_MANIFESTS, false), WORKSPACE);
}

/// With autoInstallPeers, pnpm has the optional peers of members among their dependencies, and its
/// frozen install expects them there.
#[test]
fn optional_peers_of_members_are_their_dependencies() {
    let manifests = [
        WORKSPACE_MANIFESTS[0],
        (
            "m/one",
            r#"{"name":"one","dependencies":{"@s/a":"^1.0.0","alias":"npm:b@^2.0.0","far":"link:../far"},"peerDependencies":{"b":"catalog:"},"peerDependenciesMeta":{"b":{"optional":true}}}"#,
        ),
    ];
    for is_known in [true, false] {
        assert_eq!(rendered(WORKSPACE, &manifests, is_known), WORKSPACE);
    }
}

#[test]
fn a_key_stands_once_in_a_map() {
    for members in [1, 20] {
        let entries: String = (0..members).map(|number| format!("  k{number}: 1\n")).collect();
        let text = format!("lockfileVersion: '9.0'\nsettings:\n{entries}  k0: 2\n");
        let error = crate::read(crate::Format::Pnpm, &text, &[]).map(drop).expect_err("a repeated key");
        assert_eq!(error.code(), "lockfile-syntax");
    }
}

#[test]
fn a_key_has_the_hash_of_a_patch() {
    let text = "lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(patch_hash=old)(b@1.0.0)}
      b: {specifier: ^1.0.0, version: 1.0.0}
packages:
  a@1.0.0: {resolution: {integrity: sha512-AAAA}, peerDependencies: {b: '*'}}
  b@1.0.0: {resolution: {integrity: sha512-AAAA}}
snapshots:
  a@1.0.0(patch_hash=old)(b@1.0.0): {dependencies: {b: 1.0.0}}
  b@1.0.0: {}
";
    let members = [MemberText { path: "", text: "{}", manifest: None }];
    let lockfile = read(text, &members).expect(text);
    let with = |hashes: Option<Vec<(rusk_npm::graph::Text, rusk_npm::graph::Text)>>, is_known: bool| {
        let mut rules = lockfile.rules.clone().expect("pnpm's has them");
        rules.patched = hashes.iter().flatten().map(|(label, _)| (label.clone(), "a.patch".into())).collect();
        rules.patch_hashes = hashes;
        let origins: Vec<_> = lockfile.graph.package_ids().map(|id| is_known.then_some(id)).collect();
        let previous = Previous { text, lockfile: &lockfile, origins: &origins };
        let mut new = NewLockfile {
            graph: &lockfile.graph,
            rules: &rules,
            tree: &rusk_npm::tree::Tree::default(),
            members: &members,
            facts: &mut |_| Some(ReleaseFacts::default()),
        };
        render(Some(&previous), &mut new)
    };
    for is_known in [true, false] {
        for label in ["a@1.0.0", "a"] {
            let text = with(Some(vec![(label.into(), "new".into())]), is_known);
            assert!(text.contains("\n  a@1.0.0(patch_hash=new)(b@1.0.0):\n"), "{text}");
            assert!(text.contains("version: 1.0.0(patch_hash=new)(b@1.0.0)\n"), "{text}");
            assert!(text.contains(&format!("  {label}:\n    hash: new\n    path: a.patch\n")), "{text}");
        }
        let of_peer = with(Some(vec![("b@1.0.0".into(), "new".into())]), is_known);
        assert!(of_peer.contains("\n  a@1.0.0(b@1.0.0(patch_hash=new)):\n"), "{of_peer}");
        let dropped = with(Some(Vec::new()), is_known);
        assert!(dropped.contains("\n  a@1.0.0(b@1.0.0):\n") && !dropped.contains("patch"), "{dropped}");
    }
    assert!(with(None, true).contains("\n  a@1.0.0(patch_hash=old)(b@1.0.0):\n"));
}

//! Names of packages in a lockfile.

use super::*;
use crate::bun_lock;

const LOCK: &str = r#"{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "app", "dependencies": {
      "alias": "npm:left@1.0.0", "dir": "file:./dir", "far": "https://files.test/x.tgz" } },
    "member": { "name": "member", "dependencies": { "near": "file:./dir" } }
  },
  "packages": {
    "alias": ["left@1.0.0", "", { "dependencies": { "inner": "https://files.test/y.tgz" } }, "sha512-AAAA"],
    "dir": ["esbuild@file:dir", {}],
    "near": ["esbuild@file:dir", {}],
    "far": ["esbuild@https://files.test/x.tgz", {}],
    "inner": ["esbuild@https://files.test/y.tgz", {}],
    "member": ["member@workspace:member"]
  }
}"#;

#[test]
fn what_is_in_no_registry_has_the_keys_of_the_project() {
    let graph = bun_lock::parse(LOCK).expect("a lockfile").graph;
    let keys = DirectKeys::of(&graph, &|_| "https://registry.test/");
    let subjects: Vec<ApprovalSubject<'_>> = graph.package_ids().map(|id| keys.subject(id)).collect();
    let of = |version: &str| {
        subjects.iter().find(|subject| subject.version == version).unwrap_or_else(|| panic!("{version}"))
    };
    assert!(of("1.0.0").answers_to("left") && !of("1.0.0").is_called("alias"));
    let directory = of("file:dir");
    assert!(directory.answers_to("dir") && directory.answers_to("near"));
    assert!(!directory.answers_to("esbuild") && directory.is_called("esbuild"));
    assert!(of("https://files.test/x.tgz").answers_to("far"));
    let inner = of("https://files.test/y.tgz");
    assert!(!inner.answers_to("inner") && !inner.answers_to("esbuild"), "a key of another package");
}

#[test]
fn a_tarball_elsewhere_answers_to_no_name() {
    let of = |tarball: &str| {
        let lock = format!(
            r#"{{ "lockfileVersion": 1, "workspaces": {{ "": {{ "dependencies": {{ "left": "1" }} }} }},
            "packages": {{ "left": ["left@1.0.0", "{tarball}", {{}}, "sha512-AAAA"] }} }}"#
        );
        let graph = bun_lock::parse(&lock).expect("a lockfile").graph;
        let keys = DirectKeys::of(&graph, &|_| "https://registry.test/");
        let left = graph.package_ids().find(|id| graph.package_name(*id).as_str() == "left").expect("left");
        let subject = keys.subject(left);
        (subject.kind == SubjectKind::Release, subject.answers_to("left"), subject.is_called("left"))
    };
    assert_eq!(of(""), (true, true, true));
    assert_eq!(of("https://registry.test/left/-/left-1.0.0.tgz"), (true, true, true));
    assert_eq!(of("https://files.test/left/-/left-1.0.0.tgz"), (false, false, true));
}

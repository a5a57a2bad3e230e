//! Tests of the list of files: directories in, paths out, compared with npm.

use rusk_npm::json::{self, Dialect, Node};
use rusk_testkit::project::Project;

use super::{FileList, Surroundings, list};
use crate::published_manifest::PackageFields;

fn list_of(project: &Project, surroundings: &Surroundings) -> FileList {
    let fields = PackageFields::read(&project.path()).expect("the package.json of the test is valid");
    list(&project.path(), &fields, surroundings).expect("the directory is readable")
}

fn paths(list: &FileList) -> Vec<&str> {
    list.files.iter().map(|file| file.path.as_str()).collect()
}

/// `fixtures/pack/npm-lists.json`: generated directories, and what npm 11 publishes of them.
#[test]
fn the_files_are_those_that_npm_publishes() {
    let text = include_str!("../../../../fixtures/pack/npm-lists.json");
    let cases = json::parse(text, Dialect::Strict).expect("the fixture is JSON");
    assert!(cases.elements().len() >= 60, "the fixture has its cases");
    for case in cases.elements() {
        let project = Project::in_memory();
        for member in case.find("files").map(Node::members).unwrap_or_default() {
            project.write(&member.key, member.node.as_str().unwrap_or_default());
        }
        let expected = case.find("published").map(Node::elements).unwrap_or_default();
        let expected: Vec<&str> = expected.iter().filter_map(Node::as_str).collect();
        let list = list_of(&project, &Surroundings::default());
        let mut found = paths(&list);
        found.sort_unstable();
        assert_eq!(found, expected, "{}", &text[case.start..case.end]);
    }
}

#[test]
fn the_lockfile_of_bun_is_not_published() {
    let project = Project::with(&[("package.json", r#"{"files":["bun.lock"]}"#), ("bun.lock", "{}")]);
    assert_eq!(paths(&list_of(&project, &Surroundings::default())), ["package.json"]);
}

#[test]
fn members_of_the_workspace_are_packages_of_their_own() {
    let project = Project::with(&[("package.json", "{}"), ("a.js", ""), ("packages/x/package.json", "{}")]);
    let surroundings = Surroundings { member_dirs: vec!["packages/x".into()], ..Surroundings::default() };
    assert_eq!(paths(&list_of(&project, &surroundings)), ["package.json", "a.js"]);
}

#[test]
fn a_member_obeys_the_ignore_files_around_it() {
    let project = Project::with(&[("package.json", "{}"), ("a.js", ""), ("a.log", "")]);
    let surroundings = Surroundings { outer_ignore_files: vec!["*.log".into()], ..Surroundings::default() };
    assert_eq!(paths(&list_of(&project, &surroundings)), ["package.json", "a.js"]);
}

#[test]
fn bundled_dependencies_come_with_what_they_depend_on() {
    let project = Project::with(&[
        ("package.json", r#"{"dependencies":{"a":"1","c":"1"},"bundleDependencies":["a","missing"]}"#),
        ("node_modules/a/package.json", r#"{"dependencies":{"b":"1"},"devDependencies":{"c":"1"}}"#),
        ("node_modules/a/.gitignore", "index.js"),
        ("node_modules/a/index.js", ""),
        ("node_modules/a/node_modules/b/package.json", r#"{"dependencies":{"a":"1"}}"#),
        ("node_modules/b/package.json", "{}"),
        ("node_modules/c/package.json", "{}"),
    ]);
    let list = list_of(&project, &Surroundings::default());
    assert_eq!(list.bundled, ["a"]);
    let mut found = paths(&list);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "node_modules/a/.gitignore",
            "node_modules/a/index.js",
            "node_modules/a/node_modules/b/package.json",
            "node_modules/a/package.json",
            "package.json"
        ]
    );
}

#[test]
fn a_bundled_dependency_in_the_isolated_layout_is_refused() {
    let project = Project::with(&[
        ("package.json", r#"{"dependencies":{"a":"1"},"bundleDependencies":true}"#),
        ("node_modules/.bun/a@1.0.0/node_modules/a/package.json", "{}"),
    ]);
    std::os::unix::fs::symlink(".bun/a@1.0.0/node_modules/a", project.path().join("node_modules/a"))
        .expect("the directory is writable");
    let fields = PackageFields::read(&project.path()).expect("it is valid");
    let problem =
        list(&project.path(), &fields, &Surroundings::default()).expect_err("its files are elsewhere");
    assert_eq!(problem.code(), "pack-bundled");
}

#[test]
fn symbolic_links_and_names_with_a_star_are_left_out() {
    let project = Project::with(&[("package.json", "{}"), ("a*b.js", ""), ("c.js", "")]);
    std::os::unix::fs::symlink("c.js", project.path().join("d.js")).expect("the directory is writable");
    let list = list_of(&project, &Surroundings::default());
    assert_eq!(paths(&list), ["package.json", "c.js"]);
    assert_eq!(list.skipped, ["a*b.js"]);
}

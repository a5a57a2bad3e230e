//! Complete and incomplete trees.

use super::*;
use rusk_testkit::project::Project;

const ROOT: &str = r#"{"dependencies": {"left": "1.0.0"}, "optionalDependencies": {"absent": "1.0.0"}}"#;

#[track_caller]
fn check(files: &[(&str, &str)], expected: Result<u64, &str>) {
    let project = Project::with(files);
    let found = super::check(&project.path()).map(|tree| tree.packages);
    assert_eq!(found.as_ref().map_err(String::as_str), expected.as_ref().map_err(|message| *message));
}

#[test]
fn dependencies_are_found_where_node_looks() {
    let left = (
        "node_modules/left/package.json",
        r#"{"name": "left", "version": "1.0.0", "dependencies": {"right": "^1"}}"#,
    );
    let right = r#"{"name": "right", "version": "1.2.0"}"#;
    let root = ("package.json", ROOT);
    check(&[root, left, ("node_modules/right/package.json", right)], Ok(2));
    check(&[root, left, ("node_modules/left/node_modules/right/package.json", right)], Ok(2));
    check(&[root, left], Err("`right`, a dependency of `left`, is not there"));
    check(&[root], Err("`left`, a dependency of ``, is not there"));
}

#[test]
fn a_version_that_was_not_asked_for_is_an_error() {
    let left = ("node_modules/left/package.json", r#"{"name": "left", "version": "1.3.0"}"#);
    check(&[("package.json", ROOT), left], Err("`left` is installed as 1.3.0, expected 1.0.0"));
}

#[test]
fn members_are_checked_and_are_not_counted() {
    let files = [
        ("package.json", r#"{"workspaces": ["packages/*"]}"#),
        ("packages/app/package.json", r#"{"name": "app", "devDependencies": {"left": "1.0.0"}}"#),
    ];
    check(&files, Err("`left`, a dependency of `app`, is not there"));
    let left = ("packages/app/node_modules/left/package.json", r#"{"name": "left", "version": "1.0.0"}"#);
    check(&[files[0], files[1], left], Ok(1));
}

#[test]
fn what_was_made_is_counted() {
    let project = Project::with(&[
        ("package.json", "{}"),
        ("node_modules/left/lib/a.js", ""),
        ("node_modules/b.js", ""),
    ]);
    let tree = super::check(&project.path()).unwrap();
    assert_eq!(tree, Tree { packages: 0, files: 2, directories: 3, links: 0 });
}

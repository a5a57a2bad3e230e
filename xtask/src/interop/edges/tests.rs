//! A wrong version is found, wherever it lies.

use super::*;
use rusk_testkit::project::Project;

fn project(left: &str) -> Project {
    let project = Project::in_memory();
    project
        .write("package.json", r#"{"name":"app","dependencies":{"a":"1"},"devDependencies":{"left":"1"}}"#);
    project.write(
        "node_modules/a/package.json",
        r#"{"name":"a","version":"1.0.0","dependencies":{"left":"1"},"devDependencies":{"b":"1"},"peerDependencies":{"left":"^1.1.0"}}"#,
    );
    project.write(left, r#"{"name":"left","version":"1.0.0"}"#);
    project
}

#[test]
fn the_same_versions_in_other_directories_are_equal() {
    let first = project("node_modules/left/package.json");
    let edges = compare(&first.path(), &first.path(), &[String::new()]);
    assert_eq!((edges.count, edges.differences.len(), edges.violated_peers), (4, 0, [1, 1]));
}

#[test]
fn a_package_that_is_not_found_is_a_difference() {
    let first = project("node_modules/left/package.json");
    let second = project("node_modules/a/node_modules/left/package.json");
    let edges = compare(&first.path(), &second.path(), &[String::new()]);
    assert_eq!(edges.differences, ["app@ finds left@1.0.0 for left, expected nothing"]);
}

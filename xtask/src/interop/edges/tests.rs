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

#[test]
fn a_package_for_another_c_library_may_be_absent() {
    for (libc, differences) in [("musl", 0), ("glibc", 1)] {
        let first = project("nowhere/package.json");
        let second = project("node_modules/left/package.json");
        let manifest = format!(r#"{{"name":"left","version":"1.0.0","libc":["{libc}"]}}"#);
        second.write("node_modules/left/package.json", &manifest);
        let edges = compare(&first.path(), &second.path(), &["node_modules/a".to_owned()]);
        let counts = (edges.differences.len(), edges.peer_differences.len());
        assert_eq!(counts, (differences, differences), "{:?}", edges.differences);
    }
}

#[test]
fn packages_below_a_difference_are_not_compared() {
    let [first, second] = [project("node_modules/left/package.json"), project("nowhere/package.json")];
    first.write("node_modules/left/package.json", r#"{"name":"left","version":"2.0.0"}"#);
    second.write(
        "node_modules/left/package.json",
        r#"{"name":"left","version":"1.0.0","dependencies":{"a":"1"}}"#,
    );
    let edges = compare(&first.path(), &second.path(), &[String::new()]);
    let counts = (edges.count, edges.differences.len(), edges.peer_differences.len());
    assert_eq!(counts, (4, 2, 1), "{:?}", edges.differences);
}

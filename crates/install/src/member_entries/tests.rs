//! What an install may remove of a member's node_modules, in each kind of entry.

use std::os::unix::fs::symlink;

use rusk_npm::graph::Graph;
use rusk_testkit::project::Project;

use super::*;

fn find(files: &[&str], links: &[(&str, &str)], requested: &[&str]) -> Removable {
    let files: Vec<(&str, &str)> = files.iter().map(|file| (*file, "{}")).collect();
    let project = Project::with(&files);
    for (link, target) in links {
        symlink(target, project.path().join(link)).expect("linked");
    }
    let dir = sys::open_directory(sys::CWD, project.path()).expect("it is there");
    let mut found = Removable::find(dir.as_fd(), &RequestedNames(requested.iter().copied().collect()));
    if let Ok(Removable::Entries(names)) = &mut found {
        names.sort();
    }
    found.expect("it can be read")
}

fn entries(names: &[&str]) -> Removable {
    Removable::Entries(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn packages_that_nothing_asks_for_stay() {
    assert_eq!(find(&["own/index.js"], &[], &["left"]), entries(&[]));
    assert_eq!(find(&["own/index.js", "left/index.js", "file.js"], &[], &["left"]), entries(&["left"]));
    assert_eq!(find(&["left/index.js"], &[], &["left"]), Removable::Everything);
    assert_eq!(find(&[], &[], &[]), Removable::Everything);
}

#[test]
fn packages_of_a_scope_are_looked_at_one_by_one() {
    let files = ["@a/own/index.js", "@a/ui/index.js", "@b/ui/index.js"];
    assert_eq!(find(&files, &[], &["@a/ui", "@b/ui"]), entries(&["@a/ui", "@b"]));
}

#[test]
fn files_of_package_managers_and_links_into_node_modules_go() {
    let links =
        [("old", "../../node_modules/.pnpm/old@1.0.0/node_modules/old"), ("mine", "../elsewhere/mine")];
    let files = [".bin/program", ".modules.yaml", ".vite/cache"];
    assert_eq!(find(&files, &links, &[]), entries(&[".bin", ".modules.yaml", "old"]));
}

#[test]
fn a_scope_that_is_a_link_is_not_followed() {
    assert_eq!(find(&["own/index.js"], &[("@a", "own")], &["@a/index.js"]), entries(&[]));
}

#[test]
fn only_the_outer_node_modules_is_that_of_the_member() {
    assert_eq!(name_in_member("ui/node_modules/@a/left"), Some("@a/left"));
    for path in ["node_modules/left", "node_modules/a/node_modules/b", "ui/node_modules/a/node_modules/b"] {
        assert_eq!(name_in_member(path), None, "{path}");
    }
    for (dir, expected) in [
        ("ui/node_modules", true),
        ("ui/node_modules/@a", true),
        ("node_modules", false),
        ("node_modules/@a", false),
        ("node_modules/a/node_modules", false),
        ("ui/node_modules/a/node_modules", false),
        ("ui", false),
    ] {
        assert_eq!(is_of_member(dir), expected, "{dir}");
    }
    assert!(!RequestedNames::of(&Graph::default()).contains("left"));
}

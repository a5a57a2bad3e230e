//! Locations of nested packages.

mod isolated;

use rusk_npm::bun_lock;
use rusk_resolver::hoist::{AllDependencies, hoist};

use super::*;

/// The paths of a tree in which `x`, from this source, has a version of `left` that is not the
/// project's.
fn paths(place: &str) -> String {
    let text = format!(
        r#"{{ "lockfileVersion": 1, "workspaces": {{
            "": {{ "dependencies": {{ "x": "{place}", "left": "1.0.0" }} }}
        }}, "packages": {{
            "x": ["x@{place}", {{ "dependencies": {{ "left": "2.0.0" }} }}],
            "left": ["left@1.0.0", "", {{}}, ""],
            "x/left": ["left@2.0.0", "", {{}}, ""]
        }} }}"#
    );
    let mut graph = bun_lock::parse(&text).expect("a lockfile").graph;
    let tree = hoist(&mut graph, &AllDependencies).expect("few packages");
    let layout = Layout::hoisted(&graph, &tree);
    let paths = layout.placements.into_iter().map(|placement| placement.path);
    paths.collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_is_nested_in_a_linked_directory() {
    let check = |place: &str, expected: &str| {
        let paths = paths(place);
        let mut paths: Vec<&str> = paths.split(' ').collect();
        paths.sort_unstable();
        assert_eq!(paths.join(" "), expected, "{place}");
    };
    let own = "node_modules/left node_modules/x";
    check("file:../x", &format!("{own} node_modules/x/node_modules/left"));
    check("link:../x", own);
    check("link:/somewhere/x", own);
}

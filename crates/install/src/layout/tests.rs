//! Where nested packages lie.

use rusk_npm::bun_lock;

use super::*;
use crate::hoist::{Everything, hoist};

/// The paths of a tree in which `x`, from `entry`, has a version of `left` that is not the project's.
fn paths(entry: &str) -> String {
    let text = format!(
        r#"{{ "lockfileVersion": 1, "workspaces": {{
            "": {{ "dependencies": {{ "x": "*", "left": "1.0.0" }} }}
        }}, "packages": {{
            "x": [{entry}],
            "left": ["left@1.0.0", "", {{}}, ""],
            "x/left": ["left@2.0.0", "", {{}}, ""]
        }} }}"#
    );
    let mut graph = bun_lock::parse(&text).expect("a lockfile").graph;
    let tree = hoist(&mut graph, &Everything).expect("few packages");
    let layout = Layout::of(&graph, &tree);
    let paths = layout.placements.iter().map(|placement| layout.path(&graph, placement));
    paths.collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_is_nested_behind_a_link() {
    let facts = r#"{ "dependencies": { "left": "2.0.0" } }"#;
    let own = "node_modules/left node_modules/x";
    let nested = format!("{own} node_modules/x/node_modules/left");
    let check = |label: &str, expected: &str| {
        let mut paths: Vec<String> =
            paths(&format!("\"x@{label}, {facts}")).split(' ').map(str::to_owned).collect();
        paths.sort();
        assert_eq!(paths.join(" "), expected, "{label}");
    };
    check("file:../x\"", &nested);
    check("link:../x\"", own);
    check("link:/somewhere/x\"", own);
}

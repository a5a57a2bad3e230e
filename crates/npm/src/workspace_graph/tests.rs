//! Tests of the graph of members.

use super::*;

/// `path {manifest}` lines.
fn graph(members: &[(&str, &str)]) -> WorkspaceGraph {
    let parsed: Vec<(&str, Manifest)> =
        members.iter().map(|(path, text)| (*path, Manifest::parse(text).expect(text))).collect();
    WorkspaceGraph::new(parsed.iter().map(|(path, manifest)| (*path, manifest)))
}

fn check(literal: &str, is_edge: bool) {
    let from = format!(r#"{{ "name": "a", "dependencies": {{ "b": "{literal}" }} }}"#);
    let graph = graph(&[("", "{}"), ("p/a", &from), ("p/b", r#"{ "name": "b", "version": "1.2.0" }"#)]);
    assert_eq!(graph.dependencies(1), if is_edge { &[2][..] } else { &[] }, "{literal}");
    assert_eq!(graph.dependents(2), if is_edge { &[1][..] } else { &[] }, "{literal}");
}

#[test]
fn ranges_paths_and_the_workspace_protocol_are_edges() {
    check("workspace:*", true);
    check("workspace:^9", true);
    check("workspace:b@*", true);
    check("workspace:../b", true);
    check("^1.0.0", true);
    check("^2.0.0", false);
    check("*", true);
    check("npm:b@^1", true);
    check("npm:c@^1", false);
    check("catalog:", true);
    check("file:../b", true);
    check("link:../b", true);
    check("file:../../../b", false);
    check("latest", false);
    check("not a : specifier@@", false);
}

#[test]
fn an_order_passes_through_members_that_are_not_selected() {
    let graph = graph(&[
        ("a", r#"{ "name": "a", "dependencies": { "b": "*" } }"#),
        ("b", r#"{ "name": "b", "devDependencies": { "c": "*" } }"#),
        ("c", r#"{ "name": "c", "peerDependencies": { "a": "*" } }"#),
    ]);
    assert_eq!(graph.order(&[0, 2]), [vec![1], vec![0]]);
    assert_eq!(graph.order(&[0, 1, 2]), [vec![1], vec![2], vec![0]]);
    assert_eq!(graph.order(&[0]), [vec![0; 0]]);
}

#[test]
fn joined_paths_stay_in_the_project() {
    let check = |base, path, expected: Option<&str>| {
        assert_eq!(joined(base, path).as_deref(), expected, "{base} {path}");
    };
    check("p/a", "../b", Some("p/b"));
    check("", "./p/./a/", Some("p/a"));
    check("p", "..", Some(""));
    check("p", "../..", None);
}

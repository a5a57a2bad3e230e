//! Tests of trees of dependencies.

use super::*;
use crate::members::OmittedGroups;
use crate::tests::graph;

fn check(lines: &[&str], options: &ListOptions, expected: &str) {
    let graph = graph(lines);
    let nodes = list(&graph, PackageId(0), options);
    assert_eq!(nodes.iter().map(|node| text(&graph, node)).collect::<Vec<_>>().join(" "), expected);
}

/// `a(b c*)`: `a` with two dependencies, of which `c` is shown elsewhere.
fn text(graph: &Graph, node: &ListNode) -> String {
    let name = graph.name(graph.dependency(node.dependency).name);
    let missing = if node.package.is_none() { "?" } else { "" };
    let repeated = if node.repeated { "*" } else { "" };
    let children: Vec<String> = node.children.iter().map(|child| text(graph, child)).collect();
    let children = if children.is_empty() { String::new() } else { format!("({})", children.join(" ")) };
    format!("{name}{missing}{repeated}{children}")
}

const DIAMOND: &[&str] = &["app > b, a, dev d", "a 1.0.0 > c", "b 1.0.0 > c", "c 1.0.0 > d", "d 1.0.0"];

fn filtered(arguments: &[&str]) -> ListOptions {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    ListOptions { filter: PackageFilter::parse(&arguments).unwrap(), ..ListOptions::default() }
}

#[test]
fn a_package_is_shown_whole_where_it_is_nearest() {
    check(DIAMOND, &ListOptions::default(), "a(c(d)) b(c*) d");
    check(&["app > b", "b 1.0.0 > c", "c 1.0.0 > b"], &ListOptions::default(), "b(c(b*))");
}

#[test]
fn the_depth_limits_the_tree() {
    let depth = |depth| ListOptions { depth: Some(depth), ..ListOptions::default() };
    check(DIAMOND, &depth(0), "a b d");
    check(DIAMOND, &depth(1), "a(c) b(c) d");
}

#[test]
fn omitted_groups_are_not_shown() {
    let omit = OmittedGroups { development: true, ..OmittedGroups::default() };
    check(DIAMOND, &ListOptions { omit, depth: Some(0), ..ListOptions::default() }, "a b");
}

#[test]
fn a_filter_leaves_the_paths_to_what_it_selects() {
    check(DIAMOND, &filtered(&["c"]), "a(c) b(c)");
    check(DIAMOND, &filtered(&["d@^2"]), "");
}

#[test]
fn missing_packages_are_shown_unless_they_are_optional() {
    check(&["app > x, optional y"], &ListOptions::default(), "x?");
}

#[test]
fn workspaces_show_their_direct_dependencies() {
    let lines = &["app > workspace one, a", "one workspace:packages/one > b", "a 1.0.0 > b", "b 1.0.0"];
    check(lines, &ListOptions { depth: Some(0), ..ListOptions::default() }, "a one(b)");
}

#[test]
fn a_long_chain_of_dependencies_is_cut() {
    let names: Vec<String> = (0..20_000).map(|index| format!("p{index} 1.0.0 > p{}", index + 1)).collect();
    let lines: Vec<&str> = ["app > p0"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let graph = graph(&lines);
    let mut nodes = &list(&graph, PackageId(0), &ListOptions::default());
    let mut levels = 0;
    while let Some(node) = nodes.first() {
        nodes = &node.children;
        levels += 1;
    }
    assert_eq!(levels, DEPTH_MAX + 1);
}

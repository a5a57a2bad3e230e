//! Tests of the paths from a package to the project.

use super::*;
use crate::tests::{find, graph};

/// `a(b c*)`: `a` depends on the package, `b` and `c` depend on `a`, and the dependents of `c` are
/// shown elsewhere.
fn text(graph: &Graph, dependents: &[Dependent]) -> String {
    let one = |dependent: &Dependent| {
        let above = text(graph, &dependent.dependents);
        let above = if above.is_empty() { above } else { format!("({above})") };
        let repeated = if dependent.repeated { "*" } else { "" };
        format!("{}{repeated}{above}", graph.package_name(dependent.package))
    };
    dependents.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn check(lines: &[&str], name: &str, depth: Option<usize>, expected: &str) {
    let graph = graph(lines);
    let dependents = Dependents::of(&graph).explain(find(&graph, name), depth);
    assert_eq!(text(&graph, &dependents), expected);
}

const LINES: &[&str] = &[
    "app > a, b, d, workspace one",
    "one workspace:packages/one > c",
    "a 1.0.0 > c",
    "b 1.0.0 > c",
    "c 1.0.0 > d",
    "d 1.0.0 > a",
];

#[test]
fn every_path_to_the_project_is_shown_once() {
    check(LINES, "b", None, "app");
    check(LINES, "c", None, "one a(app d(app c*)) b(app)");
    check(LINES, "d", None, "app c(one a(app d*) b(app))");
}

#[test]
fn the_depth_limits_the_levels() {
    check(LINES, "d", Some(1), "app c");
    check(LINES, "d", Some(2), "app c(one a b)");
}

#[test]
fn direct_dependencies_that_lead_to_a_package() {
    let graph = graph(LINES);
    let direct = Dependents::of(&graph).direct_dependencies(find(&graph, "c"));
    let names: Vec<String> = direct
        .iter()
        .map(|it| {
            let name = graph.name(graph.dependency(it.dependency).name);
            format!("{}>{name}", graph.package_name(it.package))
        })
        .collect();
    assert_eq!(names, ["app>a", "app>b", "app>d", "one>c"]);
}

#[test]
fn the_shortest_path_leaves_out_its_ends() {
    let graph = graph(&["app > a, b", "a 1.0.0 > b", "b 1.0.0 > c", "c 1.0.0"]);
    let dependents = Dependents::of(&graph);
    let path = dependents.shortest_path(find(&graph, "c"));
    let names: Vec<String> = path.iter().map(|&id| graph.package_name(id).to_string()).collect();
    assert_eq!(names, ["b"]);
    assert!(dependents.shortest_path(find(&graph, "b")).is_empty());
}

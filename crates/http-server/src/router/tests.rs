//! Routes: which one a path finds.

use super::*;

const GET: usize = 0;
const HEAD: usize = 1;
const POST: usize = 2;

/// Routes with handlers numbered in order; the method after the path, if there is one.
fn table(routes: &[&str]) -> RouteTable {
    let mut table = RouteTable::default();
    for (number, route) in routes.iter().enumerate() {
        let (path, method) = route.split_once(' ').unwrap_or((route, ""));
        let method = METHODS.iter().position(|name| *name == method);
        table.add(Route { path, method, target: RouteTarget::Handler(number as u32) });
    }
    table
}

fn check(routes: &[&str], method: usize, path: &str, expected: Option<(u32, &[&str])>) {
    let (table, mut ranges) = (table(routes), Vec::new());
    let found = table.find(method, path.as_bytes(), &mut ranges).map(|target| match target {
        RouteTarget::Handler(number) => *number,
        _ => unreachable!("all are handlers"),
    });
    let parameters: Vec<&str> = ranges.iter().map(|range| &path[range.clone()]).collect();
    let parameters = if found.is_some() { parameters } else { Vec::new() };
    let (number, expected_parameters) = expected.map_or((None, &[][..]), |(n, p)| (Some(n), p));
    assert_eq!((found, parameters.as_slice()), (number, expected_parameters), "{routes:?} {path}");
}

#[test]
fn an_exact_path_comes_first_then_a_parameter_then_a_wildcard() {
    let routes = &["/*", "/api/users/:id", "/api/users/me", "/api/*"];
    check(routes, GET, "/api/users/me", Some((2, &[])));
    check(routes, GET, "/api/users/7", Some((1, &["7"])));
    check(routes, GET, "/api/users/7/x", Some((3, &[])));
    check(routes, GET, "/api/", Some((3, &[])));
    check(routes, GET, "/api", Some((0, &[])));
    check(routes, GET, "/", Some((0, &[])));
}

#[test]
fn parameters_are_whole_segments() {
    let routes = &["/orgs/:org/repos/:repo", "/orgs/:org"];
    check(routes, GET, "/orgs/a%20b/repos/c", Some((0, &["a%20b", "c"])));
    check(routes, GET, "/orgs/a", Some((1, &["a"])));
    check(routes, GET, "/orgs/", None);
    check(routes, GET, "/orgs/a/", None);
}

#[test]
fn slashes_at_the_begin_count_once() {
    let routes = &["/", "/a", "/w/*", "/u/:id"];
    for (path, number) in [("//", 0), ("///", 0), ("//a", 1), ("//w/x", 2)] {
        check(routes, GET, path, Some((number, &[])));
    }
    check(routes, GET, "///u/7", Some((3, &["7"])));
    check(routes, GET, "/a//", None);
    check(routes, GET, "/w//x", Some((2, &[])));
    check(routes, GET, "", None);
}

#[test]
fn a_parameter_is_given_back_if_the_rest_does_not_match() {
    let routes = &["/a/b/c", "/:x/b/d", "/a/:y/e"];
    check(routes, GET, "/a/b/d", Some((1, &["a"])));
    check(routes, GET, "/a/b/e", Some((2, &["b"])));
    check(routes, GET, "/a/b/f", None);
}

#[test]
fn a_route_without_the_method_is_passed_over() {
    let routes = &["/x GET", "/x POST", "/:any"];
    check(routes, GET, "/x", Some((0, &[])));
    check(routes, HEAD, "/x", Some((0, &[])));
    check(routes, POST, "/x", Some((1, &[])));
    check(routes, 3, "/x", Some((2, &["x"])));
}

#[test]
fn the_path_of_a_target_has_no_query_and_no_authority() {
    for (target, path) in [
        ("/a?b", "/a"),
        ("*", "*"),
        ("http://h/a?b", "/a"),
        ("http://h", "/"),
        ("http://h?b", "/"),
        ("/x?u=http://h/y", "/x"),
    ] {
        assert_eq!(path_of_target(target.as_bytes()), path.as_bytes(), "{target}");
    }
}

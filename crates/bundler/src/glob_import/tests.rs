//! Which files a path that is known in part may mean. In: patterns, paths. Out: whether they match.

use super::PathPattern;

fn check(parts: &[&str], specifier: &str, expected: bool) {
    let pattern = PathPattern { parts: parts.iter().map(|&part| part.to_owned()).collect() };
    assert_eq!(pattern.matches(specifier), expected, "{parts:?} {specifier}");
}

#[test]
fn wildcards_match_names() {
    check(&["./data/", ".js"], "./data/one.js", true);
    check(&["./data/", ".js"], "./data/one.ts", false);
    check(&["./data/", ".js"], "./data/.js", false);
    check(&["./data/x-", ".js"], "./data/x-one.js", true);
    check(&["./data/x-", ".js"], "./data/x-one/two.js", false);
    check(&["./", "/page-", ".js"], "./a/page-1.js", true);
    check(&["./", "/page-", ".js"], "./a/page-1/b.js", false);
}

#[test]
fn a_wildcard_after_a_slash_matches_directories() {
    check(&["./data/", ".js"], "./data/more/one.js", true);
    check(&["./", ""], "./a/b/c.json", true);
}

#[test]
fn a_file_is_known_without_its_extension_where_the_path_has_none() {
    let pattern = |end: &str| PathPattern { parts: vec!["./a/".to_owned(), end.to_owned()] };
    assert_eq!(pattern("").names_of("./a/x.y.js"), ["./a/x.y.js", "./a/x.y"]);
    assert_eq!(pattern(".js").names_of("./a/x.js"), ["./a/x.js"]);
}

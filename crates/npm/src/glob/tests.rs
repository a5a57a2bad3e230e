//! Which directories workspace globs match; every case as bun 1.4.5 takes it, but for links, which
//! the walk knows.

use super::*;

fn patterns(globs: &str) -> WorkspacePatterns {
    let globs: Vec<String> = globs.split_whitespace().map(str::to_owned).collect();
    WorkspacePatterns::parse(&globs).expect("patterns")
}

fn check(globs: &str, matched: &str, others: &str) {
    let patterns = patterns(globs);
    for dir in matched.split_whitespace() {
        assert!(patterns.matches(dir), "{globs} matches {dir}");
    }
    for dir in others.split_whitespace() {
        assert!(!patterns.matches(dir), "{globs} does not match {dir}");
    }
}

#[test]
fn wildcards_match_dirs() {
    check(
        "packages/*",
        "packages/a packages/b",
        "packages packages/a/b lib packages/.h packages/node_modules",
    );
    check("./packages/*/", "packages/a", "packages/a/b");
    check("packages/**", "packages packages/a packages/a/b", "lib packages/.h/a packages/a/node_modules/q");
    check("apps/**/*", "apps/x apps/x/y", "apps");
    check("**", "a a/b", ".h node_modules/a");
    check("packages/?", "packages/a", "packages/ab");
    check("packages/[ab]", "packages/a packages/b", "packages/c");
    check("packages/.*", "packages/.hidden", "packages/a");
    check("packages/{a,b}/*", "packages/a/x packages/b/x", "packages/c/x");
    check("{apps/*,libs/{a,b}}", "apps/x libs/a libs/b", "libs/c apps");
}

#[test]
fn exclamation_marks_take_away_wherever_they_stand() {
    check("packages/* !packages/b", "packages/a", "packages/b");
    check("!packages/b packages/*", "packages/a", "packages/b");
    check("packages/** !**/a", "packages/b packages/a/test", "packages/a");
    check("packages/* !packages/b packages/b", "packages/a packages/b", "");
    check("!packages/a", "", "packages/a packages/b");
}

#[test]
fn paths_without_wildcards_are_named() {
    assert_eq!(patterns("lib ./a/b/ packages/* {x,y}").paths(), ["lib", "a/b", "x", "y"]);
    assert!(patterns(". ./").is_empty());
}

#[test]
fn links_are_matched_by_name_only() {
    assert!(patterns("packages/*").matches_link("packages/a"));
    assert!(!patterns("packages/**").matches_link("packages/a"));
    assert!(patterns("lib").matches_link("lib"));
}

#[test]
fn dirs_that_hold_nothing_need_no_visit() {
    let patterns = patterns("packages/* apps/**/web lib");
    for dir in ["", "packages", "apps", "apps/x/y"] {
        assert!(patterns.may_contain(dir), "{dir}");
    }
    for dir in ["lib", "packages/a", "other", "apps/node_modules", "apps/.git"] {
        assert!(!patterns.may_contain(dir), "{dir}");
    }
}

#[test]
fn patterns_stay_inside_the_project_and_small() {
    let many = "{a,b}".repeat(9);
    for glob in ["/a", "../a", "a/../b", "a\\b", "packages/!(b)", "!../a", &many, &"a/".repeat(65)] {
        let problem = WorkspacePatterns::parse(&[glob.to_owned()]).expect_err(glob);
        assert_eq!(problem.code(), "workspace-glob");
    }
}

#[test]
fn many_stars_take_no_long() {
    let globs = ["**/a/".repeat(30) + "b"];
    let patterns = WorkspacePatterns::parse(&globs).expect("patterns");
    assert!(!patterns.matches(&"a/".repeat(60)));
}

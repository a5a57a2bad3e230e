//! Lists of patterns and the names they match.

use super::*;

#[test]
fn the_last_matching_pattern_wins() {
    let check = |patterns: &[&str], taken: &[&str], left: &[&str]| {
        let list = NamePatterns::new(patterns.iter().map(|&pattern| pattern.to_owned()).collect());
        taken.iter().for_each(|name| assert!(list.matches(name), "{patterns:?} takes {name}"));
        left.iter().for_each(|name| assert!(!list.matches(name), "{patterns:?} leaves {name}"));
    };
    check(&["*"], &["ms", "@s/x"], &[]);
    check(&["m*", "l*", "!lru*"], &["ms", "lodash"], &["lru-cache", "am"]);
    check(&["!ms", "m*"], &["ms"], &["debug"]);
    check(&["!ms"], &["debug"], &["ms"]);
    check(&["@babel/*", "*eslint*"], &["@babel/core", "eslint", "my-eslint-x"], &["@types/node"]);
    check(&["a*b*c"], &["abc", "aXbYc"], &["acb", "ab"]);
    check(&["ab*ba"], &["abba", "ab-ba"], &["aba"]);
    check(&[], &[], &["ms"]);
}

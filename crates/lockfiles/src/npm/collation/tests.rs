//! The order of keys, compared with that of Node.

use super::compare;

/// Each list is in the order of `[...].sort((a, b) => a.localeCompare(b, "en"))` in Node 25.
#[track_caller]
fn check(sorted: &[&str]) {
    let mut list = sorted.to_vec();
    list.reverse();
    list.sort_by(|a, b| compare(a, b));
    assert_eq!(list, sorted);
}

#[test]
fn keys_are_in_the_order_of_npm() {
    check(&["a_b", "a-b", "a.b", "a@b", "a/b", "a1", "aa", "ab"]);
    check(&["node_modules/@a/b", "node_modules/a", "node_modules/a-b", "node_modules/a/node_modules/c"]);
    check(&["jsonstream", "JSONStream", "JSONStream2", "jsx"]);
    check(&["ansi-styles", "ansi-styles-2", "ansistyles"]);
    check(&["10", "2", "a"]);
}

//! Tests of lists in warnings.

use super::*;

fn check(items: &[&str], expected: &str) {
    assert_eq!(listed(items.iter().copied()), expected);
}

#[test]
fn three_are_named_and_the_rest_counted() {
    check(&["a"], "a");
    check(&["a", "b"], "a and b");
    check(&["a", "b", "c"], "a, b and c");
    check(&["a", "b", "c", "d"], "a, b, c and 1 more");
    check(&["a", "b", "c", "d", "e"], "a, b, c and 2 more");
}

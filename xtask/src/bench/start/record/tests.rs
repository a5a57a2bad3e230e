//! Parsing, and the bound.

use super::*;

#[test]
fn a_cost_is_held_to_a_share_of_a_null_call() {
    assert!(check(&parse("130.0 131.0 189.0\n").expect("three numbers")).is_ok());
    assert!(check(&parse("130.0 131.0 192.0\n").expect("three numbers")).is_err());
    assert!(parse("130.0 131.0\n").is_err());
}

//! The examples print what they should.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[allow(dead_code, reason = "an example's main is not called here")]
#[path = "../examples/at_once.rs"]
mod at_once;
#[allow(dead_code, reason = "an example's main is not called here")]
#[path = "../examples/in_turn.rs"]
mod in_turn;

#[test]
fn three_programs_run_in_turn() {
    let mut out = Vec::new();
    in_turn::run(&mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "one\ntwo\nthree\n");
}

#[test]
fn a_hundred_programs_run_at_once() {
    let mut out = Vec::new();
    at_once::run(&mut out).unwrap();
    let wanted: String = (0..100).map(|number| format!("{number}: I am {number}\n")).collect();
    assert_eq!(String::from_utf8(out).unwrap(), wanted);
}

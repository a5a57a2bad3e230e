//! A child that ends, and one that does not.

use super::*;

#[test]
fn a_scanner_that_does_not_end_is_killed() {
    let mut child = Command::new("sleep").arg("600").spawn().expect("started");
    let mut waits = Vec::new();
    let (limit, step) = (Duration::from_millis(50), Duration::from_millis(20));
    let ended = has_ended(&mut child, limit, step, &mut |waited| waits.push(waited)).expect("waited");
    assert!(!ended);
    assert!(!waits.is_empty() && waits.is_sorted(), "{waits:?}");
    assert!(child.try_wait().expect("reaped").is_some());
}

#[test]
fn the_end_of_a_scanner_is_not_waited_for_longer_than_it_takes() {
    let mut child = Command::new("true").spawn().expect("started");
    let limit = Duration::from_secs(600);
    let ended = has_ended(&mut child, limit, limit, &mut |_| panic!("nothing to wait for"));
    assert!(ended.expect("waited"));
}

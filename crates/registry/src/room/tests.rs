//! Who gets room, and who has to wait.

use super::*;

const ALL: Need = Need::Bytes(BYTES_MAX as u64);

#[test]
fn room_is_given_back_with_the_body() {
    let room = Room::default();
    let taken = room.try_take(ALL).expect("nobody has any");
    assert!(room.try_take(Need::Bytes(1)).is_none());
    drop(Body::new(Vec::new(), taken));
    assert!(room.try_take(ALL).is_some());
}

#[test]
fn one_large_body_at_a_time_is_let_in_beside_the_others() {
    let room = Room::default();
    let _all = room.try_take(ALL).expect("nobody has any");
    let large = Need::of(Some(BYTES_MAX as u64 + 1));
    assert_eq!(large, Need::Large);
    let first = room.try_take(large).expect("there is none");
    assert!(room.try_take(large).is_none());
    assert!(first.covers(ALL) && first.bytes() > BYTES_MAX);
}

#[test]
fn a_body_of_unknown_length_begins_as_a_small_one() {
    let need = Need::of(None);
    assert_eq!(need, Need::Bytes(UNKNOWN_BYTES));
    let taken = Room::default().try_take(need).expect("nobody has any");
    assert!(taken.covers(Need::of(Some(1000))) && !taken.covers(Need::Large));
}

//! String conversions with the unstable ABI.

use crate::support::options;
use rusk_jsc::Engine;

#[path = "../round_trips/mod.rs"]
mod round_trips;

#[test]
fn strings_survive_a_round_trip() {
    round_trips::check(&options());
}

#[test]
fn code_units_are_borrowed_in_place() {
    round_trips::check_code_units(&options());
}

#[test]
fn primitives_are_decoded_from_their_word() {
    round_trips::check_primitives(&options());
}

#[test]
fn the_unstable_abi_is_used_in_reviewed_releases() {
    let engine = Engine::load(&options()).expect("it is installed");
    let version = engine.version();
    let is_known = version.major == 2 && (50..=52).contains(&version.minor);
    assert_eq!(engine.uses_unstable_abi(), is_known, "{version}");
}

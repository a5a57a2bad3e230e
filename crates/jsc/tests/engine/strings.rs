//! Texts both ways, where the engine's own layout may be used.

use crate::support::options;
use rusk_jsc::Engine;

#[path = "../round_trips/mod.rs"]
mod round_trips;

#[test]
fn texts_survive_the_way_in_and_out() {
    round_trips::check(&options());
}

#[test]
fn letters_are_lent_where_they_lie() {
    round_trips::check_letters(&options());
}

#[test]
fn words_that_are_no_cells_are_read_as_they_are() {
    round_trips::check_words(&options());
}

#[test]
fn the_short_way_is_taken_in_releases_that_were_looked_at() {
    let engine = Engine::load(&options()).expect("it is installed");
    let version = engine.version();
    let is_known = version.major == 2 && (50..=52).contains(&version.minor);
    assert_eq!(engine.uses_unstable_abi(), is_known, "{version}");
}

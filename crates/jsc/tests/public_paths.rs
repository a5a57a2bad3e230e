//! The way of texts through the public functions alone, in a process of its own: the first one to load the engine decides.

mod machine;
mod round_trips;

use rusk_jsc::{Engine, Options, PrivatePaths};

#[test]
fn texts_survive_the_public_way() {
    let options = Options { private_paths: PrivatePaths::Never, ..machine::options() };
    round_trips::check(&options);
    assert!(!Engine::load(&options).expect("it is loaded").uses_private_paths());
}

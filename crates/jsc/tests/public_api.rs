//! Texts and bytes through the public functions alone, in a process of its own: the first one to
//! load the engine decides.

mod round_trips;
mod support;
mod views;

use rusk_jsc::{Engine, Options, UnstableAbi};

#[test]
fn texts_survive_the_public_way() {
    let options = options();
    round_trips::check(&options);
    assert!(!Engine::load(&options).expect("it is loaded").uses_unstable_abi());
}

#[test]
fn letters_are_lent_by_the_public_way() {
    round_trips::check_letters(&options());
}

#[test]
fn words_are_the_same_by_the_public_way() {
    round_trips::check_words(&options());
}

#[test]
fn bytes_are_lent_by_the_public_way() {
    views::check(&options());
}

#[test]
fn kinds_are_not_told_by_the_public_way() {
    support::vm_with(&options()).turn(|scope| assert_eq!(scope.object_kind(scope.global()), None));
}

#[test]
fn memory_is_not_given_away_by_the_public_way() {
    support::vm_with(&options()).turn(|scope| {
        let buffer = scope.evaluate("new ArrayBuffer(8)", "test.js", 1).expect("a buffer");
        assert!(rusk_jsc::BufferContents::of_array_buffer(scope, buffer).is_none());
        assert_eq!(
            buffer.as_object(scope).and_then(|buffer| buffer
                .property(scope, "byteLength")
                .ok()?
                .to_number(scope)
                .ok()),
            Some(8.0)
        );
    });
}

#[test]
fn letters_are_copied_into_the_other_vm_by_the_public_way() {
    support::vm_with(&options()).turn(|scope| {
        let value = scope.evaluate("'ü'.repeat(1 << 16)", "test.js", 1).expect("a string");
        let text = rusk_jsc::SharedString::of(scope, value).expect("a string");
        assert!(text.clone_ref().is_none());
        let copy = text.into_value(scope, Box::new(()));
        assert_eq!(copy.to_rust_string(scope).expect("a string"), "ü".repeat(1 << 16));
    });
}

#[test]
fn no_script_can_be_ended_by_the_public_way() {
    support::vm_with(&options()).turn(|scope| assert!(!scope.can_limit_execution()));
}

/// Where it ends within its turn is the engine's to say, so the loop has no end of its own.
#[test]
fn a_whole_vm_is_ended_by_the_public_way() {
    let vm = support::vm_with(&options());
    let termination = vm.termination_handle();
    let run = |script: &str| vm.turn(|scope| support::text_of(scope, script));
    assert_eq!(run("let n = 0; while (n < 1e7) n++; n"), "10000000");
    let other = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        termination.terminate();
    });
    assert_eq!(run("try { for (;;); } finally { n = 1 }"), "thrown: JavaScript execution terminated.");
    other.join().expect("it ends well");
    assert_eq!(run("n"), "10000000");
}

fn options() -> Options {
    Options { unstable_abi: UnstableAbi::Never, ..support::options() }
}

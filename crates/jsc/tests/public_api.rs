//! Strings and bytes through the public functions alone. In a process of its own, because the first
//! load of the engine decides.

mod round_trips;
mod support;
mod views;

use rusk_jsc::{Engine, Options, UnstableAbi};

#[test]
fn strings_survive_the_public_functions() {
    let options = options();
    round_trips::check(&options);
    assert!(!Engine::load(&options).expect("it is loaded").uses_unstable_abi());
}

#[test]
fn code_units_are_borrowed_by_the_public_functions() {
    round_trips::check_code_units(&options());
}

#[test]
fn primitives_are_the_same_by_the_public_functions() {
    round_trips::check_primitives(&options());
}

#[test]
fn bytes_are_borrowed_by_the_public_functions() {
    views::check(&options());
}

#[test]
fn kinds_are_unknown_to_the_public_functions() {
    support::vm_with(&options()).turn(|scope| assert_eq!(scope.object_kind(scope.global()), None));
}

#[test]
fn memory_is_not_transferred_by_the_public_functions() {
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
fn strings_are_copied_into_the_other_vm_by_the_public_functions() {
    support::vm_with(&options()).turn(|scope| {
        let value = scope.evaluate("'ü'.repeat(1 << 16)", "test.js", 1).expect("a string");
        let text = rusk_jsc::SharedString::of(scope, value).expect("a string");
        assert!(text.clone_ref().is_none());
        let copy = text.into_value(scope, Box::new(()));
        assert_eq!(copy.to_rust_string(scope).expect("a string"), "ü".repeat(1 << 16));
    });
}

#[test]
fn no_single_script_is_terminated_by_the_public_functions() {
    support::vm_with(&options()).turn(|scope| assert!(!scope.can_limit_execution()));
}

/// The engine may end it at any time within its turn, so the loop is endless.
#[test]
fn a_vm_is_terminated_by_the_public_watchdog() {
    let vm = support::vm_with(&options());
    let termination = vm.termination_handle();
    let run = |script: &str| vm.turn(|scope| support::text_of(scope, script));
    assert_eq!(run("let n = 0; while (n < 1e7) n++; n"), "10000000");
    let (begun, has_begun) = std::sync::mpsc::channel();
    vm.turn(|scope| {
        let begin = scope.function("begin", move |scope, _| {
            begun.send(()).expect("somebody waits");
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "begin", begin.value()).expect("it is set");
    });
    let other = std::thread::spawn(move || {
        has_begun.recv().expect("the script begins");
        termination.terminate();
    });
    assert_eq!(
        run("try { begin(); for (;;); } finally { n = 1 }"),
        "thrown: JavaScript execution terminated."
    );
    other.join().expect("it ends well");
    assert_eq!(run("n"), "10000000");
}

fn options() -> Options {
    Options { unstable_abi: UnstableAbi::Never, ..support::options() }
}

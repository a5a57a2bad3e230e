//! Strings of every representation are sent to the VM of another thread, as a copy or as an
//! external string, and are dropped in their own VM.

use std::sync::{Arc, mpsc};
use std::thread;

use rusk_jsc::{Engine, Options, SharedString, Vm};

/// An expression for a string, and the sum of its code units in the other VM.
const STRINGS: &[&str] = &[
    "''",
    "'a'",
    "'ab'",
    "'an atom'",
    "'€'",
    "'\\ud800 alone'",
    "'left' + String(Math.random()).slice(0, 0) + 'right'",
    "'a long one to cut from, twenty units and more'.slice(7, 30)",
    "'narrow, ü'.repeat(1000)",
    "'wide, €'.repeat(1000)",
    "'rope'.repeat(50) + '€' + 'rope'.repeat(50)",
    "JSON.stringify({ a: 'made by the engine' })",
    "'x'.repeat(3 << 20)",
];
const SUM: &str = "(text) => { let sum = text.length; for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) | 0; return sum; }";

#[test]
fn strings_arrive_intact_and_are_dropped_at_home() {
    let engine = Engine::load(&Options::default()).unwrap();
    let (there, come) = mpsc::channel::<Vec<SharedString>>();
    let (back, home) = mpsc::channel::<(Vec<f64>, Vec<SharedString>)>();
    let other = thread::spawn(move || {
        let vm = Vm::new(engine);
        for strings in come {
            let sums = vm.turn(|scope| {
                let sum = scope.evaluate(SUM, "sum.js", 1).unwrap().as_function(scope).unwrap();
                let call = |text: &SharedString| sum.call(scope, &[text.value(scope)]).unwrap();
                strings.iter().map(|text| call(text).to_number(scope).unwrap()).collect()
            });
            back.send((sums, strings)).unwrap();
        }
    });
    let vm = Vm::new(engine);
    for _ in 0..20 {
        let (sums, strings) = vm.turn(|scope| {
            let sum = scope.evaluate(SUM, "sum.js", 1).unwrap().as_function(scope).unwrap();
            let parts = STRINGS.iter().map(|source| {
                let value = scope.evaluate(source, "make.js", 1).unwrap();
                let text = SharedString::of(scope, value).unwrap();
                let sum = sum.call(scope, &[value]).unwrap().to_number(scope).unwrap();
                // As a property name it becomes an atom, after it was shared.
                scope.global().set_property(scope, "last", value).unwrap();
                scope.evaluate("if (last.length < 1e4) ({})[last]", "atom.js", 1).unwrap();
                (sum, text)
            });
            parts.unzip::<f64, SharedString, Vec<f64>, Vec<SharedString>>()
        });
        there.send(strings).unwrap();
        let (found, strings) = home.recv().unwrap();
        assert_eq!(found, sums);
        vm.turn(|scope| {
            drop(strings);
            scope.collect(rusk_jsc::Gc::Now);
        });
    }
    // Handles that outlive the VM are released on any thread.
    let left = vm.turn(|scope| {
        let value =
            scope.evaluate("const kept = 'kept' + Date.now(); ({})[kept]; kept", "left.js", 1).unwrap();
        SharedString::of(scope, value).unwrap()
    });
    drop(vm);
    thread::spawn(move || drop(left)).join().unwrap();
    drop(there);
    other.join().unwrap();
}

#[test]
fn only_strings_are_shared() {
    let engine = Engine::load(&Options::default()).unwrap();
    let vm = Vm::new(engine);
    vm.turn(|scope| assert!(SharedString::of(scope, scope.number(1.0)).is_none()));
}

/// Uses of a string as in programs; the sum of the results must be the same for a shared string.
const USES: &str = "(text) => {
    const parts = [text, text.slice(3, -2), text + text, text.replace(/[a-m]/g, '-'), text.split('').reverse().join(''), text.toUpperCase(), text.normalize('NFD'), JSON.stringify({ [text]: text })];
    ({})[text];
    new Map([[text, 1]]).get(text.slice(0, 5) + text.slice(5));
    let sum = 0;
    for (const part of parts) for (let i = 0; i < part.length; i++) sum = (sum * 31 + part.charCodeAt(i)) | 0;
    return sum;
}";
const READ_THERE: [&str; 6] = [
    "'narrow, ü'.repeat(100)",
    "'wide, €'.repeat(100)",
    "'\\ud800 alone' + Date.now()",
    "'a long one to cut from, twenty units and more'.slice(7, 30)",
    "'rope'.repeat(50) + '€' + 'rope'.repeat(50)",
    "const name = 'an atom' + Math.random(); ({})[name]; name",
];

#[test]
fn code_units_stay_alive_until_the_last_external_string_is_destroyed() {
    let engine = Engine::load(&Options::default()).unwrap();
    let vm = Vm::new(engine);
    for source in READ_THERE {
        let kept = Arc::new(());
        let (sum, text) = vm.turn(|scope| {
            let value = scope.evaluate(&format!("{{ {source} }}"), "make.js", 1).unwrap();
            let uses = scope.evaluate(USES, "uses.js", 1).unwrap().as_function(scope).unwrap();
            let sum = uses.call(scope, &[value]).unwrap().to_number(scope).unwrap();
            (sum, SharedString::of(scope, value).unwrap())
        });
        let again = text.clone_ref().unwrap();
        let keeper = Arc::clone(&kept);
        let found = thread::spawn(move || {
            let other = Vm::new(engine);
            let found = other.turn(|scope| {
                let value = again.into_value(scope, Box::new(keeper));
                let uses = scope.evaluate(USES, "uses.js", 1).unwrap().as_function(scope).unwrap();
                scope.global().set_property(scope, "left", value).unwrap();
                let found = uses.call(scope, &[value]).unwrap().to_number(scope).unwrap();
                scope.collect(rusk_jsc::Gc::Now);
                let left = scope.evaluate("left", "left.js", 1).unwrap();
                assert_eq!(uses.call(scope, &[left]).unwrap().to_number(scope).unwrap(), found);
                found
            });
            // The other VM drops its strings with it.
            drop(other);
            found
        });
        assert_eq!(found.join().unwrap(), sum, "{source}");
        assert_eq!(Arc::strong_count(&kept), 1, "{source}: the keeper was not dropped");
        vm.turn(|_| drop(text));
    }
}

#[test]
fn unreachable_strings_are_released_while_the_program_runs() {
    const COUNT: usize = 50;
    let engine = Engine::load(&Options::default()).unwrap();
    let vm = Vm::new(engine);
    let kept = Arc::new(());
    let text = vm.turn(|scope| {
        let value = scope.evaluate("'x'.repeat(1 << 20)", "make.js", 1).unwrap();
        SharedString::of(scope, value).unwrap()
    });
    vm.turn(|scope| {
        for _ in 0..COUNT {
            let _ = text.clone_ref().unwrap().into_value(scope, Box::new(Arc::clone(&kept)));
        }
    });
    vm.turn(|scope| scope.collect(rusk_jsc::Gc::Now));
    // The engine scans the stack conservatively and may take any word for a value.
    let left = Arc::strong_count(&kept) - 1;
    assert!(left < COUNT / 2, "{left} of {COUNT} were not given back");
    vm.turn(|_| drop(text));
}

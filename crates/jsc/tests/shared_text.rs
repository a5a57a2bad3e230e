//! Strings of every make go to the VM of another thread and come home to be dropped.

use std::sync::mpsc;
use std::thread;

use rusk_jsc::{Engine, Options, SharedText, Vm};

/// What makes a string, and what its letters add up to in the other VM.
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
    let (there, come) = mpsc::channel::<Vec<SharedText>>();
    let (back, home) = mpsc::channel::<(Vec<f64>, Vec<SharedText>)>();
    let other = thread::spawn(move || {
        let vm = Vm::new(engine);
        for texts in come {
            let sums = vm.turn(|scope| {
                let sum = scope.evaluate(SUM, "sum.js", 1).unwrap().as_function(scope).unwrap();
                let call = |text: &SharedText| sum.call(scope, &[text.value(scope)]).unwrap();
                texts.iter().map(|text| call(text).to_number(scope).unwrap()).collect()
            });
            back.send((sums, texts)).unwrap();
        }
    });
    let vm = Vm::new(engine);
    for _ in 0..20 {
        let (sums, texts) = vm.turn(|scope| {
            let sum = scope.evaluate(SUM, "sum.js", 1).unwrap().as_function(scope).unwrap();
            let parts = STRINGS.iter().map(|source| {
                let value = scope.evaluate(source, "make.js", 1).unwrap();
                let text = SharedText::of(scope, value).unwrap();
                let sum = sum.call(scope, &[value]).unwrap().to_number(scope).unwrap();
                // As the name of a property its letters become an atom, after they were lent.
                scope.global().set_property(scope, "last", value).unwrap();
                scope.evaluate("if (last.length < 1e4) ({})[last]", "atom.js", 1).unwrap();
                (sum, text)
            });
            parts.unzip::<f64, SharedText, Vec<f64>, Vec<SharedText>>()
        });
        there.send(texts).unwrap();
        let (found, texts) = home.recv().unwrap();
        assert_eq!(found, sums);
        vm.turn(|scope| {
            drop(texts);
            scope.collect(rusk_jsc::Gc::Now);
        });
    }
    // Those that are left when the VM is gone end wherever they are.
    let left = vm.turn(|scope| {
        let value =
            scope.evaluate("const kept = 'kept' + Date.now(); ({})[kept]; kept", "left.js", 1).unwrap();
        SharedText::of(scope, value).unwrap()
    });
    drop(vm);
    thread::spawn(move || drop(left)).join().unwrap();
    drop(there);
    other.join().unwrap();
}

#[test]
fn what_is_no_string_is_not_shared() {
    let engine = Engine::load(&Options::default()).unwrap();
    let vm = Vm::new(engine);
    vm.turn(|scope| assert!(SharedText::of(scope, scope.number(1.0)).is_none()));
}

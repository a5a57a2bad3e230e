//! Termination of scripts, requested by another thread or by a callback.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rusk_jsc::{Scope, TerminationHandle, Vm};

use crate::support::{text_of, vm};

/// It takes a millisecond; a busy host may need longer. No script here ends by itself.
const LIMIT: Duration = Duration::from_secs(30);

const ENDED: &str = "thrown: JavaScript execution terminated.";

fn add(scope: &Scope, name: &str, body: impl Fn(&str) + 'static) {
    let function = scope.function(name, move |scope, call| {
        body(&call.argument(scope, 0).to_rust_string(scope)?);
        Ok(scope.undefined())
    });
    scope.global().set_property(scope, name, function.value()).expect("it is set");
}

fn termination_handle(vm: &Vm) -> TerminationHandle {
    vm.termination_handle()
}

/// Runs `script`, which calls `begin()` and is then terminated by another thread. Returns how it
/// ended, and what it passed to `log`.
fn terminated(script: &str) -> (String, Vec<String>) {
    let vm = vm();
    let (termination, log) = (termination_handle(&vm), Rc::<RefCell<Vec<String>>>::default());
    let (begun, has_begun) = mpsc::channel();
    let other = thread::spawn(move || {
        has_begun.recv().expect("the script begins");
        let began = Instant::now();
        termination.terminate();
        began
    });
    let outcome = vm.turn(|scope| {
        add(scope, "begin", move |_| begun.send(()).expect("somebody waits"));
        let log = Rc::clone(&log);
        add(scope, "log", move |text| log.borrow_mut().push(text.to_owned()));
        text_of(scope, script)
    });
    let took = other.join().expect("it ends well").elapsed();
    assert!(took < LIMIT, "{script} took {took:?}");
    assert_eq!(vm.turn(|scope| text_of(scope, "log('later')")), ENDED);
    (outcome, log.take())
}

#[track_caller]
fn check(script: &str) {
    let (outcome, log) = terminated(script);
    assert_eq!((outcome.as_str(), log), (ENDED, Vec::new()), "{script}");
}

#[test]
fn ends_a_loop() {
    check("begin(); for (;;);");
}

#[test]
fn ends_a_compiled_loop() {
    check(
        "function sum(n) { let all = 0; for (let i = 0; i < n; i++) all += i * i; return all } sum(1e6); begin(); for (;;) sum(1e6)",
    );
}

#[test]
fn ends_code_that_catches() {
    check("try { begin(); for (;;); } catch { log('catch') } finally { log('finally') }");
}

#[test]
fn ends_a_callback_of_a_builtin() {
    check("begin(); [1, 2].sort(() => { for (;;); }); log('sorted')");
}

#[test]
fn ends_a_wait_for_other_threads() {
    check("begin(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); log('waited')");
}

#[test]
fn ends_endless_microtasks() {
    check("function next() { Promise.resolve().then(next) } next(); begin(); for (;;);");
}

#[test]
fn a_callback_ends_the_script_that_called_it() {
    let vm = vm();
    let (termination, log) = (termination_handle(&vm), Rc::<RefCell<Vec<String>>>::default());
    let ended = vm.turn(|scope| {
        let (log, own) = (Rc::clone(&log), termination.clone());
        add(scope, "log", move |text| log.borrow_mut().push(text.to_owned()));
        add(scope, "end", move |_| own.terminate());
        text_of(scope, "Promise.resolve().then(() => log('microtask')); try { end(); for (;;); } finally { log('finally') }")
    });
    assert_eq!((ended.as_str(), log.take()), (ENDED, Vec::new()));
    assert!(termination.is_terminated());
}

#[test]
fn a_termination_handle_outlives_its_vm() {
    let termination = termination_handle(&vm());
    termination.terminate();
    assert!(termination.is_terminated());
    assert_eq!(vm().turn(|scope| text_of(scope, "1 + 1")), "2");
}

#[test]
fn only_one_vm_of_many_ends() {
    let (tell, reported) = mpsc::channel();
    let other = thread::spawn(move || {
        let vm = vm();
        tell.send(termination_handle(&vm)).unwrap();
        vm.turn(|scope| text_of(scope, "for (;;);"))
    });
    let vm = vm();
    reported.recv().unwrap().terminate();
    assert_eq!(other.join().unwrap(), ENDED);
    assert_eq!(vm.turn(|scope| text_of(scope, "1 + 1")), "2");
}

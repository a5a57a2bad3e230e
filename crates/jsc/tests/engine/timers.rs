//! The engine's asynchronous work, driven from outside: compilation of WebAssembly, finalizers.

use crate::support::{text_of, vm};
use rusk_jsc::{Gc, PollSet, Vm};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(30);

/// An empty module that exports a function `two`.
const MODULE: &str = "new Uint8Array([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,7,7,1,3,116,119,111,0,0,10,6,1,4,0,65,2,11])";

/// Waits with `poll(2)` as an event loop would, until `done` evaluates to `true`.
fn drive(vm: &Vm, done: &str) {
    let began = Instant::now();
    let mut wait = PollSet::default();
    while vm.turn(|scope| text_of(scope, done)) != "true" {
        assert!(began.elapsed() < LIMIT, "the engine did not do it in time: {done}");
        vm.prepare(&mut wait);
        let timeout = wait.timeout().unwrap_or(LIMIT).min(Duration::from_millis(200));
        let mut polled = libc::pollfd { fd: vm.waker().as_raw_fd(), events: libc::POLLIN, revents: 0 };
        #[allow(unsafe_code, reason = "a loop of its own has none yet")]
        // SAFETY: one entry.
        unsafe {
            libc::poll(&mut polled, 1, timeout.as_millis() as i32)
        };
        vm.dispatch(&mut wait, polled.revents != 0);
    }
}

#[test]
fn webassembly_is_compiled_meanwhile() {
    let vm = vm();
    vm.turn(|scope| {
        let source = format!("WebAssembly.instantiate({MODULE}).then(made => {{ globalThis.two = made.instance.exports.two() }}, e => {{ two = String(e) }})");
        text_of(scope, &source);
    });
    drive(&vm, "globalThis.two !== undefined");
    assert_eq!(vm.turn(|scope| text_of(scope, "two")), "2");
}

#[test]
fn a_second_vm_of_a_thread_is_driven_as_the_first_was() {
    for _ in 0..3 {
        let vm = vm();
        vm.turn(|scope| {
            text_of(scope, &format!("WebAssembly.compile({MODULE}).then(() => {{ globalThis.done = true }})"))
        });
        drive(&vm, "String(globalThis.done)");
    }
}

#[test]
fn a_thread_closes_its_descriptors() {
    let count = || std::fs::read_dir("/proc/self/fd").expect("Linux has it").count();
    let run = || {
        let thread = std::thread::spawn(|| vm().turn(|scope| text_of(scope, "1")));
        assert_eq!(thread.join().expect("it ends well"), "1");
    };
    run();
    let before = count();
    (0..50).for_each(|_| run());
    // Other tests of this process run at the same time.
    assert!(count() < before + 40, "{before} before, {} now", count());
}

#[test]
fn finalizers_are_called() {
    let vm = vm();
    vm.turn(|scope| {
        text_of(
            scope,
            "globalThis.count = 0; const registry = new FinalizationRegistry(() => { count++ }); \
             for (let i = 0; i < 100; i++) registry.register({ i }, i)",
        )
    });
    vm.collect(Gc::Now);
    drive(&vm, "count > 50");
}

//! One VM per thread.

use crate::support::{text_of, vm};
use rusk_jsc::Gc;
use std::panic::catch_unwind;
use std::thread;

#[test]
fn two_vms_work_on_two_threads() {
    let work = |mark: &'static str| {
        move || {
            let vm = vm();
            for round in 0..50 {
                vm.turn(|scope| {
                    let function = scope.function("mark", move |scope, _| Ok(scope.string(mark)));
                    scope.global().set_property(scope, "mark", function.value()).expect("it is set");
                    let source = "var all = ''; for (let i = 0; i < 200; i++) all += mark() + JSON.stringify({ i }); all.length";
                    assert_eq!(text_of(scope, source), "1890");
                });
                if round % 10 == 0 {
                    vm.collect(Gc::Now);
                }
            }
        }
    };
    let threads = [thread::spawn(work("a")), thread::spawn(work("b")), thread::spawn(work("c"))];
    for thread in threads {
        thread.join().expect("it ends well");
    }
}

#[test]
fn a_thread_has_one_vm_at_a_time() {
    let first = vm();
    assert!(catch_unwind(vm).is_err());
    drop(first);
    for _ in 0..20 {
        assert_eq!(vm().turn(|scope| text_of(scope, "typeof Promise")), "function");
    }
}

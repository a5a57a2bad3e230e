//! A program that waits gives memory back. In a process of its own: it looks at the whole of it.

use rusk_runtime::Runtime;
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_program_that_waits_gives_memory_back() {
    let runtime = Runtime::new(rusk_extensions::settings()).expect("the engine is installed by .ci/set-up");
    let seen: Rc<RefCell<Vec<usize>>> = Rc::default();
    let notes = Rc::clone(&seen);
    runtime.turn(|scope| {
        let look = scope.function("look", move |scope, _| {
            notes.borrow_mut().push(resident_bytes());
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "look", look.value()).expect("it is set");
    });
    // The first look is while all is held, the second long after nothing is.
    let source = "let keep = []; for (let i = 0; i < 1e6; i++) keep.push({ i, s: 'x' + i }); look(); keep = null; setTimeout(look, 5000)";
    runtime.run("test.js", source).unwrap_or_else(|stop| panic!("{stop:?}"));
    let [full, empty] = seen.borrow()[..] else { panic!("it was called twice") };
    assert!(empty < full / 2, "{full} bytes at work, {empty} after a wait");
}

fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("pages") * 4096
}

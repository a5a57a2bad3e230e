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
            let resident = resident_bytes();
            notes.borrow_mut().push(resident);
            Ok(scope.number(resident as f64))
        });
        scope.global().set_property(scope, "look", look.value()).expect("it is set");
    });
    // The first look is while all is held, the second long after nothing is. On a busy machine the
    // engine gets to it later: then there are more looks.
    let source = "let keep = []; for (let i = 0; i < 1e6; i++) keep.push({ i, s: 'x' + i }); const full = look(); keep = null; \
                  let looks = 0; (function wait() { setTimeout(() => { if (look() >= full / 2 && ++looks < 12) wait(); }, 5000); })()";
    runtime.run("test.js", source).unwrap_or_else(|stop| panic!("{stop:?}"));
    let seen = seen.borrow();
    let [full, .., empty] = seen[..] else { panic!("it was called twice") };
    assert!(empty < full / 2, "{full} bytes at work, {empty} after a wait");
}

fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("pages") * 4096
}

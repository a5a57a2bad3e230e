//! Programs that mix what waits for its turn, and what Node printed for each:
//! `fixtures/runtime/order`.

use crate::cases;
use rusk_runtime::{Runtime, Settings, Stop};
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

#[test]
fn everything_runs_in_nodes_order() {
    cases::check_all("order", 30, compare);
}

fn compare(case: &Path, source: &str, expected: &str) -> Option<String> {
    let found = run(source);
    (found != expected).then(|| format!("--- {}\n{found}--- node\n{expected}", case.display()))
}

/// What a program prints, a line each, and in the last what it ended with.
fn run(source: &str) -> String {
    let lines: Rc<RefCell<Vec<String>>> = Rc::default();
    let (printed, is_over) = (Rc::clone(&lines), Rc::new(Cell::new(false)));
    // A process would end where the program fails.
    let failed = Rc::clone(&is_over);
    let settings =
        Settings { on_failure: Box::new(move |_| failed.set(true)), ..rusk_extensions::settings() };
    let runtime = Runtime::new(settings).expect("the engine is installed by .ci/set-up");
    runtime.turn(|scope| {
        let print = scope.function("print", move |scope, call| {
            if !is_over.get() {
                printed.borrow_mut().push(call.argument(scope, 0).to_rust_string(scope)?);
            }
            Ok(scope.undefined())
        });
        let process = scope.evaluate("globalThis.process = {}", "test.js", 1).expect("it runs");
        let process = process.as_object(scope).expect("it is one");
        process.set_property(scope, "nextTick", runtime.next_tick(scope).value()).expect("it is set");
        scope.global().set_property(scope, "print", print.value()).expect("it is set");
    });
    let ended = match runtime.run("case.js", source) {
        Ok(()) => "exit 0".to_owned(),
        Err(Stop::Failure(failure)) => format!("exit 1: {}", failure.message),
        Err(Stop::Problem(problem)) => problem.to_string(),
        Err(Stop::Exited(code)) => format!("exit {code}"),
    };
    lines.borrow_mut().push(ended);
    lines.borrow().iter().map(|line| format!("{line}\n")).collect()
}

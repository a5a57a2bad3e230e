//! Programs that mix what waits for its turn, and what Node printed for each: `fixtures/runtime/order`.

use rusk_runtime::{Runtime, Settings, Stop};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/runtime/order");

#[test]
fn everything_runs_in_nodes_order() {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(CASES)
        .expect("it is there")
        .map(|entry| entry.expect("it is read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
        .collect();
    cases.sort();
    assert!(cases.len() > 30, "{} cases", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(|case| compare(case)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

fn compare(case: &Path) -> Option<String> {
    let source = std::fs::read_to_string(case).expect("it is text");
    let expected = std::fs::read_to_string(case.with_extension("out")).expect("each has its output");
    let found = run(&source);
    (found != expected).then(|| format!("--- {}\n{found}--- node\n{expected}", case.display()))
}

/// What a program prints, a line each, and in the last what it ended with.
fn run(source: &str) -> String {
    let lines: Rc<RefCell<Vec<String>>> = Rc::default();
    let (printed, is_over) = (Rc::clone(&lines), Rc::new(Cell::new(false)));
    // A process would end where the program fails.
    let failed = Rc::clone(&is_over);
    let settings = Settings { on_failure: Box::new(move |_| failed.set(true)), ..Settings::default() };
    let runtime = Runtime::new(settings).expect("the engine is installed by .ci/set-up");
    runtime.turn(|scope| {
        let print = scope.function("print", move |scope, call| {
            if !is_over.get() {
                printed.borrow_mut().push(call.argument(scope, 0).to_text(scope)?);
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
    };
    lines.borrow_mut().push(ended);
    lines.borrow().iter().map(|line| format!("{line}\n")).collect()
}

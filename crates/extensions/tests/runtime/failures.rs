//! Failures as Node prints them, down to the stack: `fixtures/runtime/failures`. The stack itself
//! is the engine's.

use crate::cases;
use rusk_runtime::{Runtime, Stop};
use std::path::Path;

#[test]
fn a_failure_is_shown_as_node_does() {
    cases::check_all("failures", 10, compare);
}

fn compare(case: &Path, source: &str, expected: &str) -> Option<String> {
    let runtime = Runtime::new(rusk_extensions::settings()).expect("the engine is installed by .ci/set-up");
    let failure = match runtime.run("case.js", source) {
        Err(Stop::Failure(failure)) => failure.to_string(),
        other => format!("{other:?}"),
    };
    let before_stack = failure.lines().take_while(|line| !line.starts_with("    at "));
    let found: String = before_stack.map(|line| format!("{line}\n")).collect();
    (found != expected).then(|| format!("--- {}\n{failure}\n--- node\n{expected}", case.display()))
}

/// What Node shows otherwise: of a thrown text or number the engine knows no place, of a text that
/// does not parse no column.
#[test]
fn what_the_engine_does_not_tell_is_left_out() {
    let check = |source: &str, expected: &str| {
        let runtime =
            Runtime::new(rusk_extensions::settings()).expect("the engine is installed by .ci/set-up");
        let Err(Stop::Failure(failure)) = runtime.run("case.js", source) else { panic!("{source}") };
        assert_eq!(failure.to_string(), expected, "{source}");
    };
    check("throw 'just a text'", "Uncaught:\njust a text");
    check("throw null", "Uncaught:\nnull");
    check("let a = 1;\nlet b = ;", "case.js:2\nlet b = ;\n\nSyntaxError: Unexpected token ';'");
    check("throw { a: [1] }", "Uncaught:\n{ a: [ 1 ] }");
    let reason = "[UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch \
                  block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason \"a text\".] {\n  \
                  code: 'ERR_UNHANDLED_REJECTION'\n}";
    check("Promise.reject('a text')", reason);
    let stack = "case.js:1\n  (function f() { a() })()\n                  ^\n\nReferenceError: a is not defined\n    at f (case.js:1:20)\n    at case.js:1:25";
    check("  (function f() { a() })()", stack);
}

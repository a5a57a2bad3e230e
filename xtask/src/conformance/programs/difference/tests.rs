//! Which difference is reported.

use super::*;
use rusk_testkit::bounded_process::Termination;

fn run(stdout: &str, stderr: &str, code: i32) -> BoundedRun {
    BoundedRun { end: Termination::Code(code), stdout: stdout.to_owned(), stderr: stderr.to_owned() }
}

#[test]
fn equal_runs_do_not_differ_in_places_of_the_runtime() {
    let (a, b) = (run("x\n  at a (node:timers:1)\n", "", 1), run("x\n  at b (node:timers:2)\n", "", 1));
    assert_eq!(streams(&a, &b), None);
}

#[test]
fn the_first_line_that_differs_is_reported() {
    let without_paths = streams(&run("a\nb\n", "", 0), &run("a\nc\n", "", 1)).unwrap();
    assert_eq!(without_paths, "stdout, line 2: node `b`, here `c`");
    let without_paths = streams(&run("a", "", 0), &run("", "Error: x", 1)).unwrap();
    assert_eq!(without_paths, "stderr, line 1: node nothing, here `Error: x`");
    assert!(streams(&run("a", "", 0), &run("a", "", 1)).unwrap().contains("Code(1)"));
}

#[test]
fn of_a_stack_the_places_count() {
    let stack = |line: &str| run(&format!("x\n    at {line}\n"), "", 1);
    let node = stack("Context.<anonymous> (test/a.js:6:45)");
    assert_eq!(streams(&node, &stack("/home/me/test/a.js:6:45")), None);
    assert!(streams(&node, &stack("/home/me/test/a.js:6:46")).is_some());
    assert!(streams(&node, &stack("/home/me/test/b.js:6:45")).is_some());
    assert!(streams(&stack("noon"), &stack("night")).is_some());
}

#[test]
fn durations_are_not_compared() {
    let check = |line, wanted: &str| assert_eq!(super::without_durations(line), wanted);
    check("Done in 58ms", "Done in #ms");
    check("built in 1.25s", "built in #s");
    check("(12ms) a.js 3 files", "(#ms) a.js 3 files");
    check("es2015 v8.4.0 10 steps 7 seconds", "es2015 v8.4.0 10 steps 7 seconds");
    check("x5s", "x5s");
    check("", "");
}

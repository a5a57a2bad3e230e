//! Execution limits of endless scripts.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{text_of, vm};
use rusk_jsc::{ErrorKind, Exception, ExecutionLimit, LimitReached, Scope};

/// A limit that is reached, and one that is not.
const SHORT: Duration = Duration::from_millis(30);
const LONG: Duration = Duration::from_secs(60);

fn within(time: Duration) -> ExecutionLimit {
    ExecutionLimit { timeout: Some(time), is_interrupted: None }
}

/// Why `source` was ended within a short time, if it was.
fn ended(scope: &Scope, source: &str) -> Option<LimitReached> {
    scope.with_execution_limit(&within(SHORT), |scope| scope.evaluate(source, "test.js", 1).map(drop).ok()).1
}

#[test]
fn a_script_ends_at_its_timeout() {
    vm().turn(|scope| {
        for source in ["1 + 1", "throw 1"] {
            let run = |scope: &Scope| scope.evaluate(source, "test.js", 1).map(drop).ok();
            assert_eq!(scope.with_execution_limit(&within(LONG), run).1, None, "{source}");
        }
        assert_eq!(ended(scope, "for (;;);"), Some(LimitReached::Timeout));
        assert_eq!(ended(scope, "[2, 1].sort(() => { for (;;); })"), Some(LimitReached::Timeout));
        let (text, _) = scope.with_execution_limit(&within(SHORT), |scope| text_of(scope, "for (;;);"));
        assert!(text.starts_with("thrown: "), "{text}");
    });
}

#[test]
fn neither_catch_nor_finally_handles_a_termination() {
    vm().turn(|scope| {
        let source = "globalThis.seen = 0; try { for (;;); } catch { seen = 1; } finally { seen = 2; }";
        assert_eq!(ended(scope, source), Some(LimitReached::Timeout));
        assert_eq!(text_of(scope, "seen"), "0");
    });
}

#[test]
fn later_scripts_run_normally() {
    let vm = vm();
    vm.turn(|scope| {
        assert_eq!(ended(scope, "for (;;);"), Some(LimitReached::Timeout));
        assert_eq!(
            text_of(scope, "let sum = 0; for (let i = 0; i < 1e6; i++) sum += i; sum"),
            "499999500000"
        );
        text_of(scope, "Promise.resolve(3).then((value) => { globalThis.later = value; })");
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "String(globalThis.later)")), "3");
}

#[test]
fn an_inner_limit_ends_the_inner_script_alone() {
    let vm = vm();
    let inner = Rc::new(Cell::new(None));
    let outer = vm.turn(|scope| {
        let reported = inner.clone();
        let run = scope.function("run", move |scope, _| {
            let ((), ended) =
                scope.with_execution_limit(&within(SHORT), |scope| drop(text_of(scope, "for (;;);")));
            reported.set(ended);
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "run", run.value()).expect("a new global can be written");
        scope.with_execution_limit(&within(LONG), |scope| text_of(scope, "run(); 'done'"))
    });
    assert_eq!((inner.get(), outer), (Some(LimitReached::Timeout), ("done".to_owned(), None)));
}

#[test]
fn an_outer_limit_ends_both() {
    let vm = vm();
    let inner = Rc::new(Cell::new(Some(LimitReached::Interrupt)));
    let (text, outer) = vm.turn(|scope| {
        let reported = inner.clone();
        let run = scope.function("run", move |scope, _| {
            let (text, ended) =
                scope.with_execution_limit(&within(LONG), |scope| text_of(scope, "for (;;);"));
            reported.set(ended);
            Err(Exception::new(scope, ErrorKind::Error, &text))
        });
        scope.global().set_property(scope, "run", run.value()).expect("a new global can be written");
        // The exception of the callback can be caught; the loop after it is ended all the same.
        scope
            .with_execution_limit(&within(SHORT), |scope| text_of(scope, "try { run(); } catch {} for (;;);"))
    });
    assert_eq!((inner.get(), outer), (None, Some(LimitReached::Timeout)));
    assert!(text.starts_with("thrown: "), "{text}");
}

#[test]
fn an_interrupt_ends_a_script_too() {
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    fn is_over() -> bool {
        ASKED.fetch_add(1, Ordering::SeqCst) > 1
    }
    vm().turn(|scope| {
        let limit = ExecutionLimit { timeout: None, is_interrupted: Some(is_over) };
        let ((), ended) = scope.with_execution_limit(&limit, |scope| drop(text_of(scope, "for (;;);")));
        assert_eq!((ended, ASKED.load(Ordering::SeqCst) > 2), (Some(LimitReached::Interrupt), true));
        assert_eq!(text_of(scope, "try { null.x } catch { 'caught' }"), "caught");
    });
}

#[test]
fn the_caller_of_the_script_can_throw_and_catch() {
    let vm = vm();
    vm.turn(|scope| {
        let run = scope.function("run", |scope, _| {
            let (_, ended) = scope.with_execution_limit(&within(SHORT), |scope| text_of(scope, "for (;;);"));
            Err(Exception::new(scope, ErrorKind::Error, &format!("{ended:?}")))
        });
        scope.global().set_property(scope, "run", run.value()).expect("a new global can be written");
        let source = "let seen = []; for (let i = 0; i < 2; i++) try { run(); } catch (error) { seen.push(error.message); } finally { seen.push(i); } seen.join()";
        assert_eq!(text_of(scope, source), "Some(Timeout),0,Some(Timeout),1");
    });
}

//! Code cache: produced by one VM, consumed by another.

use std::thread;

use rusk_jsc::{CodeCache, Scope};

use crate::support::{text_of, vm};

const NAME: [u8; 16] = *b"of one script...";

/// A function that creates functions, a class and a string; only `add` runs.
const SOURCE: &str = "(function (one) {
  class Pair { constructor(other) { this.other = other; } sum() { return one + this.other; } }
  function never(value) { return `${value}\u{e9}`; }
  return { add: (other) => new Pair(other).sum(), never, fail() { throw new RangeError('here'); } };
})";

fn string_with(scope: &Scope, source: &str, code: CodeCache, then: &str) -> String {
    let made = scope.evaluate_with_code_cache(source, "kept.js", code).expect("it is a function");
    scope.global().set_property(scope, "made", made).expect("it is taken");
    text_of(scope, then)
}

/// The bytecode that a VM on another thread produces for a script.
fn produce_code_caches(source: &'static str, then: &'static str) -> Vec<u8> {
    let thread = thread::spawn(move || {
        vm().turn(|scope| {
            assert_eq!(string_with(scope, source, CodeCache::Produce(NAME), then), "5");
            let mut codes = scope.take_code_caches(|_| true);
            assert_eq!((codes.len(), codes[0].0, scope.take_code_caches(|_| true).len()), (1, NAME, 0));
            codes.remove(0).1
        })
    });
    thread.join().expect("it does not panic")
}

#[test]
fn bytecode_of_one_vm_runs_in_another() {
    let code: &'static [u8] = produce_code_caches(SOURCE, "made(2).add(3)").leak();
    vm().turn(|scope| {
        assert_eq!(string_with(scope, SOURCE, CodeCache::Consume(code), "made(2).add(3)"), "5");
        assert_eq!(text_of(scope, "made(2).never('x')"), "x\u{e9}");
        assert_eq!(text_of(scope, "made.toString().length"), (SOURCE.chars().count() - 2).to_string());
        assert_eq!(text_of(scope, "made(1).fail()"), "thrown: RangeError: here");
        assert_eq!(
            text_of(scope, "try { made(1).fail() } catch (error) { `${error.line}:${error.sourceURL}` }"),
            "4:kept.js"
        );
        assert_eq!(scope.take_code_caches(|_| true).len(), 0);
    });
}

/// ASCII, so that the source is read in place.
const STATIC: &str =
    "(function (one) { return { add: (other) => [one, other].reduce((sum, part) => sum + part) }; })";

#[test]
fn a_static_source_has_bytecode_too() {
    let evaluate = |scope: &Scope, code: CodeCache| {
        let made = scope.evaluate_static_with_code_cache(STATIC, "kept.js", code).expect("it is a function");
        scope.global().set_property(scope, "made", made).expect("it is taken");
        assert_eq!(text_of(scope, "made(2).add(3)"), "5");
        assert_eq!(text_of(scope, "made.toString()"), STATIC[1..STATIC.len() - 1]);
    };
    let code = thread::spawn(move || {
        vm().turn(|scope| {
            evaluate(scope, CodeCache::Produce(NAME));
            scope.take_code_caches(|_| true).remove(0).1
        })
    });
    let code: &'static [u8] = code.join().expect("it does not panic").leak();
    for _ in 0..20 {
        vm().turn(|scope| {
            evaluate(scope, CodeCache::Consume(code));
            scope.collect(rusk_jsc::Gc::Now);
            assert_eq!(text_of(scope, "made(4).add(3)"), "7");
        });
    }
}

#[test]
fn bytecode_of_another_source_is_refused() {
    let code: &'static [u8] = produce_code_caches("(function () { return 5; })", "made()").leak();
    vm().turn(|scope| {
        assert_eq!(
            string_with(scope, "(function () { return 7; })", CodeCache::Consume(code), "made()"),
            "7"
        );
    });
}

#[test]
fn a_syntax_error_is_reported() {
    vm().turn(|scope| {
        let thrown = scope
            .evaluate_with_code_cache("(function () {", "kept.js", CodeCache::Produce(NAME))
            .map(|_| ())
            .unwrap_err();
        assert!(thrown.message(scope).starts_with("SyntaxError"), "{}", thrown.message(scope));
        assert_eq!(scope.take_code_caches(|_| true).len(), 0);
    });
}

#[test]
fn utf16_sources_are_evaluated_without_the_cache() {
    vm().turn(|scope| {
        assert_eq!(string_with(scope, "(() => '\u{20ac}')", CodeCache::Produce(NAME), "made()"), "\u{20ac}");
        assert_eq!(scope.take_code_caches(|_| true).len(), 0);
    });
}

#[test]
fn bytecode_outlives_collections() {
    let code: &'static [u8] = produce_code_caches(SOURCE, "made(2).add(3)").leak();
    vm().turn(|scope| {
        assert_eq!(string_with(scope, SOURCE, CodeCache::Consume(code), "made(2).add(3)"), "5");
        for _ in 0..10 {
            scope.collect(rusk_jsc::Gc::Now);
            assert_eq!(text_of(scope, "made(2).add(3) + made(1).never('')"), "5\u{e9}");
        }
    });
}

//! Scripts that are compiled before they are run. Where the engine is not known there is no compiler, and nothing to try.

use super::*;
use crate::{Engine, Gc, Options, Vm};

const NAME: &str = "node:internal/test";

const SCRIPTS: &[(&str, &str)] = &[
    ("1 + 1", "2"),
    ("'a text'.length", "6"),
    (
        "(function () { class A { #x = 1; get x() { return this.#x++; } static make() { return new A(); } } const a = A.make(); a.x; return a.x; })()",
        "2",
    ),
    (
        "(() => { function* count() { let i = 0; while (i < 3) yield i++; } return [...count()].join(); })()",
        "0,1,2",
    ),
    ("[/b+/gi.exec('aBBc')[0], `a${1 + 1}b`, 12345678901234567890n].join()", "BB,a2b,12345678901234567890"),
    ("(function outer(n) { return n === 0 ? 'end' : outer(n - 1); })(50)", "end"),
    ("(({ a, ...rest }) => a + Object.keys(rest).join())({ a: 1, b: 2, c: 3 })", "1b,c"),
    ("(function named() { return named.toString(); })()", "function named() { return named.toString(); }"),
    ("eval('var x = 3; (() => x)()')", "3"),
    ("try { null.x } catch (error) { `${error.line}:${error.column}` }", "1:11"),
];

fn vm() -> Vm {
    Vm::new(Engine::load(&Options::default()).unwrap_or_else(|unusable| panic!("{unusable}; run .ci/set-up")))
}

fn compiled(compiler: &Compiler<'_>, source: &'static str) -> Vec<u8> {
    compiler.compile(source, NAME).expect("it compiles")
}

fn run(scope: &Scope, source: &'static str, bytecode: &[u8]) -> String {
    // SAFETY: made by this engine, and unchanged; where it is of another script the engine sees that.
    match unsafe { scope.evaluate_bytecode(source, NAME, bytecode) } {
        Ok(value) => value.to_text(scope).map_or_else(|_| "no text".to_owned(), |text| text.to_string()),
        Err(thrown) => format!("thrown: {}", thrown.message(scope)),
    }
}

fn all() -> Option<Vec<Vec<u8>>> {
    vm().turn(|scope| {
        let compiler = scope.compiler()?;
        Some(SCRIPTS.iter().map(|(source, _)| compiled(&compiler, source)).collect())
    })
}

#[test]
fn a_script_does_by_its_bytecode_what_it_does_by_its_text() {
    let Some(all) = all() else { return };
    vm().turn(|scope| {
        for ((source, expected), bytecode) in SCRIPTS.iter().zip(&all) {
            assert_eq!(run(scope, source, bytecode), *expected, "{source}");
            assert_eq!(run(scope, source, bytecode), *expected, "{source}, again");
        }
    });
}

#[test]
fn the_bytecode_of_another_script_is_not_taken() {
    let Some(all) = all() else { return };
    vm().turn(|scope| {
        for (source, expected) in SCRIPTS {
            assert_eq!(run(scope, source, &all[0]), *expected, "{source}");
        }
    });
}

#[test]
fn what_is_thrown_says_where() {
    const SOURCE: &str =
        "(function () {\n  function fails() {\n    throw new Error('on line 3');\n  }\n  fails();\n})()";
    vm().turn(|scope| {
        let Some(compiler) = scope.compiler() else { return };
        let bytecode = compiled(&compiler, SOURCE);
        // SAFETY: made by this engine, and unchanged.
        let thrown = unsafe { scope.evaluate_bytecode(SOURCE, NAME, &bytecode) }.expect_err("it throws");
        let stack = thrown.stack(scope).expect("an error has one");
        assert!(stack.contains("fails@node:internal/test:3:"), "{stack}");
        assert!(stack.contains(":5:8"), "{stack}");
    });
}

#[test]
fn functions_outlive_the_collector_and_bytecode_its_vm() {
    const SOURCE: &str =
        "(function () { let n = 0; return function next() { return [n++].map((x) => x * 2)[0]; }; })()";
    let Some(bytecode) = vm().turn(|scope| scope.compiler().map(|compiler| compiled(&compiler, SOURCE)))
    else {
        return;
    };
    for _ in 0..20 {
        let vm = vm();
        vm.turn(|scope| {
            // SAFETY: made by this engine, and unchanged.
            let next = unsafe { scope.evaluate_bytecode(SOURCE, NAME, &bytecode) }.expect("it runs");
            let next = next.as_function(scope).expect("it is one");
            for round in 0..4 {
                scope.collect(Gc::Now);
                let given = next.call(scope, &[]).expect("it returns");
                assert_eq!(given.to_number(scope).ok(), Some(f64::from(round * 2)));
            }
        });
    }
}

#[test]
fn threads_run_the_same_bytecode() {
    let Some(all) = all() else { return };
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                vm().turn(|scope| {
                    for ((source, expected), bytecode) in SCRIPTS.iter().zip(&all) {
                        assert_eq!(run(scope, source, bytecode), *expected, "{source}");
                    }
                });
            });
        }
    });
}

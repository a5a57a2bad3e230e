//! Kept scripts: evaluated in several global objects of one VM.

use rusk_jsc::{CodeCache, Gc, KeptScript, Scope};

use crate::support::{text_of, vm};

const SOURCE: &str = "(function () {
  class Counter { #count = 0; next() { return ++this.#count; } }
  return { counter: new Counter(), list: [], fail() { throw new RangeError('h\u{e9}re'); } };
})";

fn text_with(scope: &Scope, script: &KeptScript, then: &str) -> String {
    let made = scope.evaluate_script(script, None).expect("it is a function");
    scope.global().set_property(scope, "make", made).expect("it is taken");
    text_of(scope, then)
}

#[test]
fn each_global_object_has_a_function_of_its_own() {
    let vm = vm();
    let script = vm.turn(|scope| scope.keep_script(SOURCE, "kept.js")).expect("this engine keeps scripts");
    for _ in 0..3 {
        let context = vm.context();
        vm.turn_in_context(&context, |scope| {
            let counted = "globalThis.made = make(); made.counter.next() + made.counter.next()";
            assert_eq!(text_with(scope, &script, counted), "3");
            assert_eq!(text_of(scope, "made.list instanceof Array"), "true");
            assert_eq!(text_of(scope, "made.fail()"), "thrown: RangeError: h\u{e9}re");
            let place = "try { made.fail() } catch (error) { `${error.line}:${error.sourceURL}` }";
            assert_eq!(text_of(scope, place), "3:kept.js");
            assert_eq!(text_of(scope, "make.toString().length"), (SOURCE.chars().count() - 2).to_string());
        });
        vm.collect(Gc::Now);
    }
}

#[test]
fn functions_outlive_the_script() {
    let vm = vm();
    vm.turn(|scope| {
        let script = scope.keep_script(SOURCE, "kept.js").expect("this engine keeps scripts");
        assert_eq!(text_with(scope, &script, "make().counter.next()"), "1");
        drop(script);
        scope.collect(Gc::Now);
        assert_eq!(text_of(scope, "make().counter.next()"), "1");
    });
}

#[test]
fn scripts_outlive_the_vm() {
    let script = vm().turn(|scope| scope.keep_script(SOURCE, "kept.js"));
    drop(script.expect("this engine keeps scripts"));
}

#[test]
fn a_syntax_error_is_reported_each_time() {
    vm().turn(|scope| {
        let script = scope.keep_script("(function () {", "kept.js").expect("it is not parsed yet");
        for _ in 0..2 {
            let thrown = scope.evaluate_script(&script, None).map(|_| ()).unwrap_err();
            assert!(thrown.message(scope).starts_with("SyntaxError"), "{}", thrown.message(scope));
        }
    });
}

#[test]
fn wide_sources_are_not_kept() {
    vm().turn(|scope| assert!(scope.keep_script("'\u{20ac}'", "kept.js").is_none()));
}

#[test]
fn a_kept_script_has_a_code_cache() {
    const NAME: [u8; 16] = *b"of a kept script";
    let evaluate = |scope: &Scope, script: &KeptScript, code: Option<CodeCache>| {
        let made = scope.evaluate_script(script, code).expect("it is a function");
        scope.global().set_property(scope, "make", made).expect("it is taken");
        assert_eq!(text_of(scope, "make().counter.next()"), "1");
    };
    let codes = vm().turn(|scope| {
        let script = scope.keep_script(SOURCE, "kept.js").expect("this engine keeps scripts");
        evaluate(scope, &script, Some(CodeCache::Produce(NAME)));
        evaluate(scope, &script, None);
        assert_eq!(scope.take_code_caches(|name| *name != NAME).len(), 0);
        drop(script);
        scope.take_code_caches(|name| *name == NAME)
    });
    let [(NAME, code)] = &codes[..] else { panic!("{} codes", codes.len()) };
    let code: &'static [u8] = code.clone().leak();
    vm().turn(|scope| {
        let script = scope.keep_script(SOURCE, "kept.js").expect("this engine keeps scripts");
        evaluate(scope, &script, Some(CodeCache::Consume(code)));
        evaluate(scope, &script, None);
        assert_eq!(text_of(scope, "make().fail()"), "thrown: RangeError: h\u{e9}re");
        assert_eq!(scope.take_code_caches(|_| true).len(), 0);
    });
}

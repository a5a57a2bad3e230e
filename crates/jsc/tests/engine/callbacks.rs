//! Native functions: arguments, results, exceptions, and when they are dropped.

use crate::support::{text_of, vm};
use rusk_jsc::{Call, ErrorKind, Exception, Function, Gc, Outcome, Root, Scope};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

#[test]
fn a_callback_gets_this_and_arguments_and_returns_a_value() {
    vm().turn(|scope| check_join(scope, scope.function("join", join)));
}

#[test]
fn a_fast_function_behaves_as_any_other() {
    vm().turn(|scope| check_join(scope, scope.fast_function("join", join)));
}

fn join<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let mut text = call.this.to_rust_string(scope)?;
    for argument in call.arguments {
        text.push_str(&argument.to_rust_string(scope)?);
    }
    assert!(call.argument(scope, 99).is_undefined(scope));
    Ok(scope.string(&text))
}

fn check_join(scope: &Scope, function: Function<'_>) {
    scope.global().set_property(scope, "join", function.value()).expect("it is set");
    assert_eq!(text_of(scope, "join.call('a', 1, [2], 'b')"), "a12b");
    assert_eq!(
        text_of(
            scope,
            "Array.from({ length: 40 }, (_, i) => i % 10).length + join.apply('', Array(40).fill(7)).length"
        ),
        "80"
    );
    assert_eq!(text_of(scope, "join.name + typeof join"), "joinfunction");
    assert!(text_of(scope, "new join()").starts_with("thrown: TypeError"));
    assert!(text_of(scope, "join(Symbol())").starts_with("thrown: TypeError"));
    // Compiled code, and recursion.
    let often = "let last; for (let i = 0; i < 50_000; i++) last = join.call('', { toString: () => join.call(i, '!') }); last";
    assert_eq!(text_of(scope, often), "49999!");
    let caught = "let caught = 0; for (let i = 0; i < 50_000; i++) try { join.call('', Symbol()) } catch { caught++ } caught";
    assert_eq!(text_of(scope, caught), "50000");
}

#[test]
fn a_fast_function_runs_in_microtasks_and_its_panic_leaves_the_turn() {
    let vm = vm();
    vm.turn(|scope| {
        let global = scope.global();
        let fail = scope.fast_function("fail", |_, _| panic!("on purpose"));
        let same = scope.fast_function("same", |scope, call| Ok(call.argument(scope, 0)));
        global.set_property(scope, "fail", fail.value()).expect("it is set");
        global.set_property(scope, "same", same.value()).expect("it is set");
        text_of(scope, "var done; Promise.resolve('late').then((text) => { done = same(text) })");
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "done")), "late");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        vm.turn(|scope| {
            assert_eq!(text_of(scope, "try { fail() } catch (e) { e.message }"), "native code panicked")
        });
    }));
    let said = panicked.expect_err("the panic comes out of the turn");
    assert_eq!(said.downcast_ref::<&str>(), Some(&"on purpose"));
    assert_eq!(vm.turn(|scope| text_of(scope, "same(1) + 1")), "2");
}

#[test]
fn a_closure_keeps_what_it_captured_and_can_call_back() {
    let vm = vm();
    let seen: Rc<RefCell<Vec<f64>>> = Rc::default();
    vm.turn(|scope| {
        let note = Rc::clone(&seen);
        let function = scope.function("each", move |scope, call| {
            let callee = call.argument(scope, 0).as_function(scope);
            let callee = callee.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "not a function"))?;
            for number in 0..3 {
                let answer = callee.call(scope, &[scope.number(f64::from(number))])?;
                note.borrow_mut().push(answer.to_number(scope)?);
            }
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "each", function.value()).expect("it is set");
        assert_eq!(text_of(scope, "typeof each + each(x => x * 10)"), "functionundefined");
        assert_eq!(text_of(scope, "each(1)"), "thrown: TypeError: not a function");
        assert_eq!(text_of(scope, "try { each(x => { throw x }) } catch (e) { 'caught ' + e }"), "caught 0");
    });
    assert_eq!(*seen.borrow(), [0.0, 10.0, 20.0]);
}

#[test]
fn closures_are_dropped_when_their_functions_are_collected() {
    struct Counted(Rc<Cell<u32>>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let vm = vm();
    let dropped = Rc::new(Cell::new(0));
    for _ in 0..100 {
        vm.turn(|scope| {
            for _ in 0..1000 {
                let counted = Counted(Rc::clone(&dropped));
                scope.with_nested_scope(|scope| {
                    scope.function("noop", move |scope, _| {
                        let _ = &counted;
                        Ok(scope.undefined())
                    });
                });
            }
        });
        vm.collect(Gc::Now);
    }
    // The last ones may still be found on the stack, by chance.
    assert!(
        dropped.get() > 99_000 && vm.natives() < 1000,
        "{} dropped, {} left",
        dropped.get(),
        vm.natives()
    );
    drop(vm);
    assert_eq!(dropped.get(), 100_000);
}

#[test]
fn a_hundred_thousand_calls_leak_nothing() {
    let vm = vm();
    let count = Rc::new(Cell::new(0_u32));
    let run = |vm: &rusk_jsc::Vm| {
        vm.turn(|scope| text_of(scope, "for (let i = 0; i < 100000; i++) tick('a text ' + i)"));
        vm.collect(Gc::Now);
        vm.turn(|scope| scope.memory_statistics())
    };
    vm.turn(|scope| {
        let count = Rc::clone(&count);
        let function = scope.function("tick", move |scope, call| {
            count.set(count.get() + 1);
            Ok(scope.string(&call.argument(scope, 0).to_rust_string(scope)?.repeat(3)))
        });
        scope.global().set_property(scope, "tick", function.value()).expect("it is set");
    });
    // The first runs allocate objects of the compiler.
    let (_, before, after) = (run(&vm), run(&vm), run(&vm));
    assert_eq!(count.get(), 300_000);
    assert!(after.objects < before.objects + 500, "{before:?} {after:?}");
    assert!(after.heap_bytes < before.heap_bytes + (1 << 20), "{before:?} {after:?}");
}

#[test]
fn a_panic_goes_around_javascript_and_out_of_the_turn() {
    let vm = vm();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        vm.turn(|scope| {
            let function = scope.function("fail", |_, _| panic!("on purpose"));
            scope.global().set_property(scope, "fail", function.value()).expect("it is set");
            // JavaScript sees an error and may catch it; the turn ends with the panic all the same.
            assert_eq!(text_of(scope, "try { fail() } catch (e) { e.message }"), "native code panicked");
        });
    }));
    let said = panicked.expect_err("the panic comes out of the turn");
    assert_eq!(said.downcast_ref::<&str>(), Some(&"on purpose"));
    assert_eq!(vm.turn(|scope| text_of(scope, "1 + 1")), "2");
    // In a microtask, when the lock is released.
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        vm.turn(|scope| text_of(scope, "Promise.resolve().then(fail); 0"));
    }));
    assert!(panicked.is_err());
    // In the turn itself.
    let panicked = catch_unwind(AssertUnwindSafe(|| vm.turn(|_| panic!("plain"))));
    assert_eq!(panicked.expect_err("it passes").downcast_ref::<&str>(), Some(&"plain"));
    assert_eq!(vm.turn(|scope| text_of(scope, "2 + 2")), "4");
}

#[test]
fn a_closure_that_holds_a_root_goes_with_its_vm() {
    struct Noted(Rc<Cell<bool>>, #[allow(dead_code, reason = "held, not used")] Root);
    impl Drop for Noted {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }
    let vm = vm();
    let is_dropped = Rc::new(Cell::new(false));
    vm.turn(|scope| {
        let noted = Noted(Rc::clone(&is_dropped), Root::new(scope, scope.global().value()));
        let function = scope.function("hold", move |scope, _| {
            let _ = &noted;
            Ok(scope.undefined())
        });
        scope.global().set_property(scope, "hold", function.value()).expect("it is set");
    });
    drop(vm);
    assert!(is_dropped.get());
}

//! Microtasks, promises that Rust settles, unhandled rejections.

use crate::support::{options, text_of, vm};
use rusk_jsc::{Engine, Exception, RootedRejection, Scope};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn microtasks_run_when_the_outermost_turn_ends() {
    let vm = vm();
    vm.turn(|scope| {
        let flush = scope.function("flush", |scope, _| Ok(scope.string(&text_of(scope, "log.join()"))));
        scope.global().set_property(scope, "flush", flush.value()).expect("it is set");
        text_of(scope, "globalThis.log = []; Promise.resolve().then(() => log.push('micro'))");
        assert_eq!(text_of(scope, "log.push('sync'); flush()"), "sync");
        vm.turn(|scope| assert_eq!(text_of(scope, "log.join()"), "sync"));
        scope.with_nested_scope(|scope| assert_eq!(text_of(scope, "log.join()"), "sync"));
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "log.join()")), "sync,micro");
}

#[test]
fn microtasks_run_within_a_callback_on_request() {
    let vm = vm();
    vm.turn(|scope| {
        let run = scope.function("run", |scope, _| Ok(scope.boolean(scope.run_microtasks())));
        scope.global().set_property(scope, "run", run.value()).expect("it is set");
        text_of(
            scope,
            "globalThis.log = []; (async () => { for (let i = 0; i < 3; i++) { await 0; log.push(i); } throw new Error('lost') })().catch(e => log.push(e.message))",
        );
        let is_private = Engine::load(&options()).expect("it is loaded").uses_unstable_abi();
        assert_eq!(text_of(scope, "log.push('sync'); run()"), is_private.to_string());
        let expected = if is_private { "sync,0,1,2,lost" } else { "sync" };
        assert_eq!(text_of(scope, "log.join()"), expected);
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "log.join()")), "sync,0,1,2,lost");
}

#[test]
fn a_call_is_a_microtask_among_those_of_promises() {
    let vm = vm();
    let engine = Engine::load(&options()).expect("it is loaded");
    // Later releases do not export the function.
    let is_private = engine.uses_unstable_abi() && engine.version().minor == 50;
    vm.turn(|scope| {
        let enqueue = scope.fast_function("enqueue", |scope, call| {
            Ok(scope.boolean(scope.queue_microtask(call.argument(scope, 0), call.argument(scope, 1))))
        });
        scope.global().set_property(scope, "enqueue", enqueue.value()).expect("it is set");
        text_of(scope, "globalThis.log = []; globalThis.note = value => { log.push(value.name); };");
        let text = "const then = name => Promise.resolve().then(() => log.push(name)); \
                    then('first'); const is = enqueue(note, { name: 'second' }); then('third'); log.push('sync'); is";
        assert_eq!(text_of(scope, text), is_private.to_string());
        let refused = "[enqueue({}, 1), enqueue(7, 1), enqueue('note', 1), enqueue(undefined, 1)].join()";
        assert_eq!(text_of(scope, refused), "false,false,false,false");
    });
    vm.collect(rusk_jsc::Gc::Now);
    let expected = if is_private { "sync,first,second,third" } else { "sync,first,third" };
    assert_eq!(vm.turn(|scope| text_of(scope, "log.join()")), expected);
}

#[test]
fn a_promise_is_settled_from_rust_later() {
    let vm = vm();
    let (first, second) = vm.turn(|scope| {
        let (first, second) = (scope.promise().expect("it is made"), scope.promise().expect("it is made"));
        scope.global().set_property(scope, "first", first.promise.value()).expect("it is set");
        scope.global().set_property(scope, "second", second.promise.value()).expect("it is set");
        text_of(scope, "globalThis.log = []; first.then(v => log.push('got ' + v)); second.catch(e => log.push('lost ' + e))");
        (first.into_resolver(scope), second.into_resolver(scope))
    });
    vm.collect(rusk_jsc::Gc::Now);
    vm.turn(|scope| {
        let reason = Exception::new(scope, rusk_jsc::ErrorKind::Error, "no");
        first.settle(scope, Ok(scope.number(7.0))).expect("it is settled");
        second.settle(scope, Err(reason)).expect("it is settled");
        assert_eq!(text_of(scope, "log.length"), "0");
    });
    assert_eq!(vm.turn(|scope| text_of(scope, "log.join()")), "got 7,lost Error: no");
}

#[test]
fn unhandled_rejections_are_reported_after_the_microtasks() {
    let vm = vm();
    let seen: Rc<RefCell<Vec<String>>> = Rc::default();
    vm.turn(|scope| {
        let note = Rc::clone(&seen);
        let noted = scope.on_unhandled_rejection(move |scope, rejection| {
            note.borrow_mut().push(rejection.reason.to_rust_string(scope).expect("a string"));
        });
        noted.expect("it is set");
        text_of(
            scope,
            "Promise.reject('never'); const p = Promise.reject('late'); Promise.resolve().then(() => p.catch(() => 0)); \
             (async () => { throw 'async' })()",
        );
        vm.collect(rusk_jsc::Gc::Now);
        assert!(seen.borrow().is_empty());
    });
    assert_eq!(*seen.borrow(), ["never", "async"]);
}

#[test]
fn a_rejection_knows_whether_it_was_handled_since() {
    let vm = vm();
    let kept: Rc<RefCell<Vec<RootedRejection>>> = Rc::default();
    vm.turn(|scope| {
        let keep = Rc::clone(&kept);
        let kept = scope
            .on_unhandled_rejection(move |scope, rejection| keep.borrow_mut().push(rejection.root(scope)));
        kept.expect("it is set");
        text_of(scope, "globalThis.first = Promise.reject(1); globalThis.second = Promise.reject(2)");
    });
    vm.turn(|scope| text_of(scope, "second.catch(() => 0)"));
    vm.turn(|scope| {
        let kept = kept.borrow();
        let reported: Vec<_> =
            kept.iter().map(|rejection| (text(scope, rejection), rejection.is_handled(scope))).collect();
        let is_told = Engine::load(&options()).expect("it is loaded").uses_unstable_abi();
        let expected =
            [("1".to_owned(), is_told.then_some(false)), ("2".to_owned(), is_told.then_some(true))];
        assert_eq!(reported, expected);
    });
}

fn text(scope: &Scope, rejection: &RootedRejection) -> String {
    rejection.reason(scope).to_rust_string(scope).expect("a string")
}

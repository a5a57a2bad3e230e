//! Roots, weak handles, native values.

use crate::support::{text_of, vm};
use rusk_jsc::{Gc, Root, Weak};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn a_root_keeps_a_value_beyond_its_scope() {
    let vm = vm();
    let root = vm.turn(|scope| Root::new(scope, scope.string("only Rust knows this text")));
    for _ in 0..3 {
        vm.collect(Gc::Now);
        vm.turn(|scope| text_of(scope, "for (let i = 0; i < 1e5; i++) ({ i }).i"));
    }
    vm.turn(|scope| {
        assert_eq!(root.value(scope).to_rust_string(scope).expect("a string"), "only Rust knows this text");
    });
}

#[test]
fn handles_outlive_their_vm_without_harm() {
    let first = vm();
    let (root, weak) =
        first.turn(|scope| (Root::new(scope, scope.global().value()), Weak::new(scope, scope.global())));
    let context = first.context();
    drop(first);
    let second = vm();
    assert_eq!(second.turn(|scope| text_of(scope, "1")), "1");
    let used = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        second.turn(|scope| root.value(scope).is_undefined(scope))
    }));
    assert!(used.is_err(), "a root of another VM is refused");
    drop((root, weak, context));
    assert_eq!(second.turn(|scope| text_of(scope, "2")), "2");
}

#[test]
fn a_weak_handle_only_returns_live_objects() {
    let vm = vm();
    let weak = vm.turn(|scope| {
        let kept = scope.evaluate("globalThis.kept = { mark: 'here' }", "test.js", 1).expect("it runs");
        Weak::new(scope, kept.as_object(scope).expect("it is one"))
    });
    vm.collect(Gc::Now);
    vm.turn(|scope| {
        let object = weak.object(scope).expect("a global keeps it");
        let mark =
            object.property(scope, "mark").and_then(|mark| mark.to_rust_string(scope)).expect("a string");
        assert_eq!(mark, "here");
    });
    // One of many may be found on the stack by chance; not most of them.
    let weaks: Vec<Weak> = vm.turn(|scope| {
        (0..100)
            .map(|_| {
                scope.with_nested_scope(|scope| {
                    let object = scope.evaluate("({})", "test.js", 1).expect("it runs");
                    Weak::new(scope, object.as_object(scope).expect("it is one"))
                })
            })
            .collect()
    });
    vm.collect(Gc::Now);
    let left = vm.turn(|scope| weaks.iter().filter(|weak| weak.object(scope).is_some()).count());
    assert!(left < 50, "{left} of 100 are left");
}

#[test]
fn a_class_of_javascript_holds_a_native_value() {
    struct Open(Cell<u32>);
    impl Drop for Open {
        fn drop(&mut self) {
            self.0.set(0);
        }
    }
    let vm = vm();
    vm.turn(|scope| {
        let open = scope.function("open", |scope, call| {
            Ok(scope.native(Open(Cell::new(call.argument(scope, 0).to_number(scope)? as u32))).value())
        });
        let next = scope.function("next", |scope, call| {
            let handle = call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<Open>(scope));
            let text = handle.map_or(-1.0, |open| f64::from(open.0.replace(open.0.get() + 1)));
            Ok(scope.number(text))
        });
        scope.global().set_property(scope, "open", open.value()).expect("it is set");
        scope.global().set_property(scope, "next", next.value()).expect("it is set");
        let source = "class File { #handle; constructor(n) { this.#handle = open(n) } next() { return next(this.#handle) } } \
                      const f = new File(5); [f.next(), f.next(), Object.keys(f).length, next(f), next({}), next(open)].join()";
        assert_eq!(text_of(scope, source), "5,6,0,-1,-1,-1");
        let other = scope.native(Rc::new(1_u8));
        assert!(other.as_native::<Open>(scope).is_none());
    });
}

#[test]
fn statistics_are_reported() {
    let vm = vm();
    vm.collect(Gc::Now);
    vm.turn(|scope| {
        let before = scope.memory_statistics();
        assert!(before.objects > 100 && before.globals >= 1 && before.capacity_bytes > 0, "{before:?}");
        // The collector may find some by chance on the stack, not all.
        text_of(scope, "for (let k = 0; k < 100; k++) globalThis['many' + k] = Array.from({ length: 1000 }, (_, i) => ({ i }))");
    });
    vm.collect(Gc::Now);
    let (held, heap) = vm.turn(|scope| (scope.memory_statistics(), scope.heap_statistics()));
    assert!(held.objects > 100_000, "{held:?}");
    let is_near = |one: u64, other: u64| one.abs_diff(other) < 1 << 20;
    assert!(heap.used > 3 << 20 && is_near(heap.used, held.heap_bytes), "{heap:?} {held:?}");
    assert!(
        is_near(heap.capacity, held.capacity_bytes) && is_near(heap.extra, held.extra_bytes),
        "{heap:?} {held:?}"
    );
    vm.turn(|scope| text_of(scope, "for (let k = 0; k < 100; k++) globalThis['many' + k] = null"));
    vm.collect(Gc::Now);
    let freed = vm.turn(|scope| scope.memory_statistics());
    assert!(freed.objects + 90_000 < held.objects, "{held:?} {freed:?}");
}

#[test]
fn contexts_owned_by_objects_are_collected_when_unreachable() {
    const MADE: usize = 20;
    let vm = vm();
    let function = vm.turn(|scope| {
        let context =
            scope.contextify(scope.evaluate("({ seen: 1 })", "a.js", 1).unwrap().as_object(scope).unwrap());
        let function = scope.with_context(&context, |inner| {
            Root::new(inner, inner.evaluate("() => ++seen", "a.js", 1).unwrap())
        });
        scope.context_into_object(context);
        function
    });
    let weak: Vec<Weak> = (0..MADE)
        .map(|_| {
            vm.turn(|scope| {
                let object = scope.evaluate("({})", "a.js", 1).unwrap().as_object(scope).unwrap();
                scope.context_into_object(scope.contextify(object));
                Weak::new(scope, object)
            })
        })
        .collect();
    vm.collect(Gc::Now);
    vm.turn(|scope| {
        let left = weak.iter().filter(|weak| weak.object(scope).is_some()).count();
        assert!(left <= MADE / 2, "{left} are left");
        let called = function.value(scope).as_function(scope).unwrap().call(scope, &[]).unwrap();
        assert_eq!(called.to_number(scope).unwrap(), 2.0);
    });
}

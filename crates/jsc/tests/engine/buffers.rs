//! Buffers shared by Rust and JavaScript.

use crate::support::{options, text_of, vm};
use rusk_jsc::{ArrayBuffer, Bytes, Engine, Gc, SharedU32Array};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[path = "../views/mod.rs"]
mod views;

#[test]
fn views_show_their_bytes() {
    views::check(&options());
}

/// With the verified layout, reading bytes does not pin the buffer; the public functions do.
#[test]
fn reading_does_not_pin_a_buffer() {
    vm().turn(|scope| {
        let source = "var buffer = new ArrayBuffer(8), view = new Uint8Array(buffer)";
        scope.evaluate(source, "test.js", 1).expect("it runs");
        for name in ["buffer", "view"] {
            assert_eq!(views::bytes_of(scope, name).expect("bytes").len(scope), 8);
        }
        let is_private = Engine::load(&options()).expect("it is installed").uses_unstable_abi();
        let expected = if is_private { "true,0" } else { "false,8" };
        assert_eq!(text_of(scope, "buffer.transfer(); [buffer.detached, view.length].join()"), expected);
    });
}

#[test]
fn bytes_are_shared_not_copied() {
    vm().turn(|scope| {
        let bytes = vec![1_u8, 2, 3, 255].into_boxed_slice().into_vec();
        let place = bytes.as_ptr().addr();
        let buffer = ArrayBuffer::new(scope, bytes).expect("it is made");
        scope.global().set_property(scope, "buffer", buffer.object().value()).expect("it is set");
        assert_eq!(text_of(scope, "const u = new Uint8Array(buffer); u[0] = 9; u.join()"), "9,2,3,255");
        let (seen, first) =
            buffer.with_bytes_mut(scope, |bytes| (bytes.as_ptr().addr(), bytes[0])).expect("it has bytes");
        assert_eq!((seen, first), (place, 9));
        buffer.with_bytes_mut(scope, |bytes| bytes.copy_from_slice(&[5, 6, 7, 8])).expect("it has bytes");
        assert_eq!(text_of(scope, "u.join()"), "5,6,7,8");
    });
}

#[test]
fn buffers_without_bytes_are_empty() {
    vm().turn(|scope| {
        let empty = ArrayBuffer::new(scope, Vec::new()).expect("it is made");
        assert_eq!(empty.with_bytes_mut(scope, |bytes| bytes.len()), Some(0));
        let gone = scope
            .evaluate("const was = new ArrayBuffer(8); was.transfer(); was", "test.js", 1)
            .expect("it runs");
        let gone = ArrayBuffer::of(scope, gone).expect("it is one");
        assert_eq!(gone.with_bytes_mut(scope, |bytes| bytes.len()), Some(0));
        let memory =
            scope.evaluate("new WebAssembly.Memory({ initial: 1 }).buffer", "test.js", 1).expect("it runs");
        let memory = ArrayBuffer::of(scope, memory).expect("it is one");
        assert_eq!(memory.with_bytes_mut(scope, |bytes| bytes.len()), None);
    });
}

#[test]
fn only_buffers_are_buffers() {
    vm().turn(|scope| {
        for (source, expected) in [
            ("new ArrayBuffer(3)", true),
            ("new SharedArrayBuffer(3)", true),
            ("new Uint8Array(3).buffer", true),
            ("new Uint8Array(3)", false),
            ("new DataView(new ArrayBuffer(3))", false),
            ("({})", false),
            ("3", false),
        ] {
            let value = scope.evaluate(source, "test.js", 1).expect("it runs");
            assert_eq!(ArrayBuffer::of(scope, value).is_some(), expected, "{source}");
        }
    });
}

#[test]
fn buffers_free_their_memory() {
    let resident = || {
        let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
        statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("pages") * 4096
    };
    let vm = vm();
    let round = || {
        vm.turn(|scope| {
            for _ in 0..16 {
                scope.with_nested_scope(|scope| {
                    ArrayBuffer::new(scope, vec![1; 4 << 20]).expect("it is made");
                });
            }
        });
        vm.collect(Gc::Now);
    };
    round();
    let before = resident();
    for _ in 0..16 {
        round();
    }
    // A gibibyte was allocated in total.
    let grown = resident().saturating_sub(before);
    assert!(grown < 256 << 20, "{grown} bytes more");
}

#[test]
fn the_engine_is_not_entered_while_bytes_are_borrowed() {
    thread_local!(static VM: rusk_jsc::Vm = vm());
    VM.with(|vm| {
        vm.turn(|scope| {
            let buffer = ArrayBuffer::new(scope, vec![0; 8]).expect("it is made");
            let entered = catch_unwind(AssertUnwindSafe(|| {
                buffer.with_bytes_mut(scope, |_| VM.with(|vm| vm.turn(|scope| text_of(scope, "1"))))
            }));
            assert!(entered.is_err());
            let view = Bytes::from_vec(scope, vec![0; 8]).expect("it is made");
            let view = Bytes::of(scope, view.value()).expect("it has bytes");
            let entered = catch_unwind(AssertUnwindSafe(|| {
                view.with_bytes_mut(scope, |_| VM.with(|vm| vm.turn(|scope| text_of(scope, "1"))))
            }));
            assert!(entered.is_err());
            assert_eq!(buffer.with_bytes_mut(scope, |bytes| bytes.len()), Some(8));
        });
    });
}

#[test]
fn a_shared_array_is_visible_on_both_sides() {
    let vm = vm();
    let words = vm.turn(|scope| {
        let (words, array) = SharedU32Array::<3>::new(scope).expect("it is made");
        scope.global().set_property(scope, "words", array.value()).expect("it is set");
        text_of(scope, "words[1] = 4294967295; words[2] = 7");
        words
    });
    words.store(0, 11);
    assert_eq!(
        vm.turn(|scope| text_of(scope, "words.join() + words.constructor.name")),
        "11,4294967295,7Uint32Array"
    );
    vm.turn(|scope| text_of(scope, "delete globalThis.words"));
    vm.collect(Gc::Now);
    drop(vm);
    assert_eq!((words.load(1), words.load(2)), (u32::MAX, 7));
}

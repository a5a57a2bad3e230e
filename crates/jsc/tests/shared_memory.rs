//! Transfer of buffers to the VM of another thread: shared memory is visible in both, transferred
//! memory is detached in the first.

use std::sync::mpsc;
use std::thread;

use rusk_jsc::{BufferContents, Bytes, Engine, Options, Scope, Setting, Value, Vm};

fn engine() -> &'static Engine {
    let settings = vec![(c"useSharedArrayBuffer", Setting::Flag(true))];
    Engine::load(&Options { settings, ..Options::default() }).expect("the engine is installed")
}

fn run<'s>(scope: &'s Scope, function: &str, buffer: Value<'s>) -> String {
    let function = scope.evaluate(function, "test.js", 1).expect("it parses").as_function(scope);
    let outcome = function.expect("it is one").call(scope, &[buffer]);
    match outcome {
        Ok(value) => value.to_rust_string(scope).expect("a string"),
        Err(thrown) => thrown.message(scope),
    }
}

/// Makes a buffer by `make`, sends its memory to another thread's VM, runs `there` on the buffer
/// there, then `here` on the first one.
fn cross(make: &str, is_shared: bool, there: &'static str, here: &str) -> [String; 2] {
    let engine = engine();
    let vm = Vm::new(engine);
    vm.turn(|scope| {
        let buffer = scope.evaluate(make, "test.js", 1).expect("a buffer");
        let contents = match is_shared {
            true => BufferContents::of_shared(scope, buffer),
            false => BufferContents::of_array_buffer(scope, buffer),
        };
        let contents = contents.expect("it can go");
        let said = thread::spawn(move || {
            Vm::new(engine).turn(|scope| {
                let buffer = contents.into_buffer(scope).expect("a buffer of this VM");
                scope.collect(rusk_jsc::Gc::Now);
                run(scope, there, buffer.value())
            })
        });
        let said = said.join().expect("no panic there");
        scope.collect(rusk_jsc::Gc::Now);
        [said, run(scope, here, buffer)]
    })
}

#[test]
fn shared_memory_is_the_same_for_both() {
    let write = "(b) => { const a = new Int32Array(b); Atomics.store(a, 1, 42); return [b instanceof SharedArrayBuffer, b.byteLength, a[0]]; }";
    let make = "const a = new SharedArrayBuffer(16); new Int32Array(a)[0] = 7; a";
    assert_eq!(cross(make, true, write, "(b) => new Int32Array(b)[1]"), ["true,16,7", "42"]);
}

#[test]
fn shared_memory_that_grows_grows_for_both() {
    let grow = "(b) => { const before = b.byteLength; b.grow(4096); new Uint8Array(b)[4000] = 9; return [b.growable, before, b.maxByteLength]; }";
    let look = "(b) => [b.byteLength, new Uint8Array(b)[4000]]";
    let make = "new SharedArrayBuffer(8, { maxByteLength: 65536 })";
    assert_eq!(cross(make, true, grow, look), ["true,8,65536", "4096,9"]);
}

#[test]
fn memory_moves_with_what_is_in_it() {
    let look = "(b) => [b instanceof ArrayBuffer, b.byteLength, b.resizable, new Uint8Array(b).join()]";
    let gone = "(b) => [b.detached, b.byteLength]";
    assert_eq!(
        cross("new Uint8Array([1, 2, 3]).buffer", false, look, gone),
        ["true,3,false,1,2,3", "true,0"]
    );
    assert_eq!(cross("new ArrayBuffer(0)", false, look, gone), ["true,0,false,", "true,0"]);
    let resize = "(b) => { b.resize(6); return [b.resizable, b.maxByteLength, new Uint8Array(b).join()]; }";
    let make = "const r = new ArrayBuffer(2, { maxByteLength: 8 }); new Uint8Array(r).fill(5); r";
    assert_eq!(cross(make, false, resize, gone), ["true,8,5,5,0,0,0,0", "true,0"]);
}

#[test]
fn a_thread_that_waits_on_shared_memory_is_notified_by_another_vm() {
    let engine = engine();
    let (give, take) = mpsc::channel::<BufferContents>();
    let waiter = thread::spawn(move || {
        let contents = take.recv().expect("it comes");
        Vm::new(engine).turn(|scope| {
            let buffer = contents.into_buffer(scope).expect("a buffer");
            run(scope, "(b) => Atomics.wait(new Int32Array(b), 0, 0, 20000)", buffer.value())
        })
    });
    Vm::new(engine).turn(|scope| {
        let buffer = scope.evaluate("new SharedArrayBuffer(4)", "test.js", 1).expect("a buffer");
        let contents = BufferContents::of_shared(scope, buffer).expect("it is shared");
        give.send(contents.clone_ref()).expect("it is awaited");
        let notify = "(b) => { let count = 0; for (let i = 0; i < 1e9 && count === 0; i++) count = Atomics.notify(new Int32Array(b), 0); return count; }";
        assert_eq!(run(scope, notify, buffer), "1");
    });
    assert_eq!(waiter.join().expect("no panic there"), "ok");
}

#[test]
fn unclaimed_memory_is_freed_on_any_thread() {
    let engine = engine();
    let vm = Vm::new(engine);
    for _ in 0..50 {
        let contents = vm.turn(|scope| {
            let make = ["new ArrayBuffer(1 << 20)", "new SharedArrayBuffer(1 << 20)", "new ArrayBuffer(0)"];
            let [moved, shared, empty] =
                make.map(|make| scope.evaluate(make, "test.js", 1).expect("a buffer"));
            [
                BufferContents::of_array_buffer(scope, moved).expect("it moves"),
                BufferContents::of_shared(scope, shared).expect("it is shared"),
                BufferContents::of_array_buffer(scope, empty).expect("it moves"),
            ]
        });
        let again = contents[1].clone_ref();
        thread::spawn(move || drop(contents)).join().expect("no panic there");
        drop(again);
    }
    vm.collect(rusk_jsc::Gc::Now);
}

#[test]
fn memory_that_cannot_be_transferred_is_refused() {
    let vm = Vm::new(engine());
    vm.turn(|scope| {
        let refuses = |make: &str| {
            let value = scope.evaluate(make, "test.js", 1).expect("a value");
            BufferContents::of_array_buffer(scope, value).is_none()
        };
        assert!(refuses("1"));
        assert!(refuses("'text'"));
        assert!(refuses("({})"));
        assert!(refuses("new Uint8Array(4)"));
        assert!(refuses("new SharedArrayBuffer(4)"));
        assert!(refuses("const gone = new ArrayBuffer(4); gone.transfer(); gone"));
        assert!(refuses("new WebAssembly.Memory({ initial: 1 }).buffer"));
        let buffer = scope.evaluate("new ArrayBuffer(4)", "test.js", 1).expect("a buffer");
        assert!(BufferContents::of_shared(scope, buffer).is_none());
    });
}

#[test]
fn a_shared_integer_has_one_address_for_both() {
    let engine = engine();
    let vm = Vm::new(engine);
    vm.turn(|scope| {
        let array =
            scope.evaluate("new Int32Array(new SharedArrayBuffer(32), 8)", "test.js", 1).expect("it parses");
        let bytes = Bytes::of(scope, array).expect("an array");
        let wide = bytes.shared_integer(scope, 8, true).expect("the third and fourth");
        let [low, high] =
            [8, 12].map(|offset| bytes.shared_integer(scope, offset, false).expect("one of them"));
        assert_eq!((wide.address(), wide.address() + 4), (low.address(), high.address()));
        let buffer =
            scope.evaluate("(array) => array.buffer", "test.js", 1).expect("it parses").as_function(scope);
        let buffer = buffer.expect("it is one").call(scope, &[array]).expect("it has one");
        let contents = BufferContents::of_shared(scope, buffer).expect("it can go");
        let place = thread::spawn(move || {
            Vm::new(engine).turn(|scope| {
                let buffer = contents.into_buffer(scope).expect("a buffer of this VM").value();
                run(scope, "(buffer) => new Int32Array(buffer).set([-2, 7], 4)", buffer);
                Bytes::of(scope, buffer)
                    .and_then(|bytes| bytes.shared_integer(scope, 16, true))
                    .expect("it is there")
                    .address()
            })
        });
        assert_eq!(place.join().expect("no panic there"), wide.address());
        assert_eq!((low.load(), high.load(), wide.load()), (-2, 7, 7 << 32 | 0xffff_fffe));
        for (offset, is_wide) in [(2, false), (4, true), (20, true), (24, false), (usize::MAX, false)] {
            assert!(bytes.shared_integer(scope, offset, is_wide).is_none(), "{offset} {is_wide}");
        }
    });
}

//! A shared memory of WebAssembly is sent to the VM of another thread, and is the same memory
//! there, also after it has grown.

use std::sync::Arc;
use std::thread;

use rusk_jsc::{BufferContents, Engine, Gc, Options, Scope, Setting, Value, Vm};

const EMPTY: &str = "new WebAssembly.Memory({ initial: 0 })";
const SHARED: &str = "globalThis.memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true }); new Uint8Array(memory.buffer)[3] = 7; memory";
/// Its contents, its pages, and its pages after it has grown by one.
const GROW: &str = "(m) => { const pages = () => m.buffer.byteLength / 65536; return [m instanceof WebAssembly.Memory, new Uint8Array(m.buffer)[3], pages(), m.grow(1), pages()].join() }";

fn vm() -> Vm {
    let settings = vec![(c"useSharedArrayBuffer", Setting::Flag(true))];
    Vm::new(Engine::load(&Options { settings, ..Options::default() }).expect("the engine is installed"))
}

fn evaluate<'s>(scope: &'s Scope, text: &str) -> Value<'s> {
    scope.evaluate(text, "test.js", 1).expect("it runs")
}

fn text(scope: &Scope, text: &str) -> String {
    evaluate(scope, text).to_rust_string(scope).expect("a string")
}

fn shared(scope: &Scope) -> BufferContents {
    evaluate(scope, SHARED);
    BufferContents::of_shared(scope, evaluate(scope, "memory.buffer")).expect("it can go")
}

fn grow(scope: &Scope, contents: &BufferContents) -> String {
    let memory = contents.wasm_memory(scope, evaluate(scope, EMPTY)).expect("an object of this VM");
    let function = evaluate(scope, GROW).as_function(scope).expect("it is one");
    function.call(scope, &[memory.value()]).expect("it is a memory").to_rust_string(scope).expect("a string")
}

#[test]
fn a_memory_is_the_same_in_other_vms_and_grows_in_all_of_them() {
    let first = vm();
    let contents = Arc::new(first.turn(shared));
    let other = Arc::clone(&contents);
    let there = thread::spawn(move || {
        let vm = vm();
        let said = vm.turn(|scope| grow(scope, &other));
        vm.collect(Gc::Now);
        said
    });
    assert_eq!(there.join().expect("no panic there"), "true,7,1,1,2");
    assert_eq!(first.turn(|scope| text(scope, "memory.grow(1)")), "2");
    assert_eq!(first.turn(|scope| grow(scope, &contents)), "true,7,3,3,4");
}

#[test]
fn a_memory_outlives_the_vm_that_made_it() {
    let contents = thread::spawn(|| vm().turn(shared)).join().expect("no panic there");
    let vm = vm();
    assert_eq!(vm.turn(|scope| grow(scope, &contents)), "true,7,1,1,2");
    drop(contents);
    vm.collect(Gc::Now);
}

#[test]
fn memory_that_webassembly_never_had_is_refused() {
    let vm = vm();
    vm.turn(|scope| {
        let contents = BufferContents::of_shared(scope, evaluate(scope, "new SharedArrayBuffer(16)"));
        let contents = contents.expect("it can go");
        assert!(contents.wasm_memory(scope, evaluate(scope, EMPTY)).is_none());
    });
}

#[test]
fn only_a_memory_is_accepted_as_a_sample() {
    let vm = vm();
    vm.turn(|scope| {
        let contents = shared(scope);
        let others = ["({})", "1", "new WebAssembly.Table({ initial: 0, element: 'anyfunc' })"];
        assert!(others.iter().all(|other| contents.wasm_memory(scope, evaluate(scope, other)).is_none()));
    });
}

//! A compiled WebAssembly module is sent to the VM of another thread.

use std::sync::Arc;
use std::thread;

use rusk_jsc::{Engine, Gc, Options, Scope, Value, Vm, WasmModule};

/// `add`, of two integers.
const ADD: &str = "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11]))";
const EMPTY: &str = "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))";
const CALL: &str = "(m) => [m instanceof WebAssembly.Module, WebAssembly.Module.exports(m)[0].name, new WebAssembly.Instance(m).exports.add(40, 2)].join()";

fn vm() -> Vm {
    Vm::new(Engine::load(&Options::default()).expect("the engine is installed"))
}

fn evaluate<'s>(scope: &'s Scope, text: &str) -> Value<'s> {
    scope.evaluate(text, "test.js", 1).expect("it runs")
}

fn call(scope: &Scope, module: Value<'_>) -> String {
    let function = evaluate(scope, CALL).as_function(scope).expect("it is one");
    function.call(scope, &[module]).expect("it is a module").to_rust_string(scope).expect("a string")
}

fn add() -> WasmModule {
    let vm = vm();
    let module = vm.turn(|scope| WasmModule::of(scope, evaluate(scope, ADD)).expect("it can go"));
    vm.collect(Gc::Now);
    module
}

#[test]
fn a_module_outlives_the_vm_that_made_it() {
    let module = Arc::new(thread::spawn(add).join().expect("no panic there"));
    let run = |module: Arc<WasmModule>| {
        let vm = vm();
        let said = vm.turn(|scope| {
            let object = module.object(scope, evaluate(scope, EMPTY)).expect("an object of this VM");
            scope.collect(Gc::Now);
            call(scope, object.value())
        });
        drop(module);
        vm.collect(Gc::Now);
        said
    };
    let threads = [Arc::clone(&module), module].map(|module| thread::spawn(move || run(module)));
    for said in threads {
        assert_eq!(said.join().expect("no panic there"), "true,add,42");
    }
}

#[test]
fn an_unclaimed_module_is_freed_on_any_thread() {
    for _ in 0..20 {
        let module = thread::spawn(add).join().expect("no panic there");
        thread::spawn(move || drop(module)).join().expect("no panic there");
    }
}

#[test]
fn only_modules_are_shared() {
    let vm = vm();
    vm.turn(|scope| {
        let others = [
            "1",
            "'text'",
            "({})",
            "new WebAssembly.Memory({ initial: 1 })",
            "Object.create(WebAssembly.Module.prototype)",
        ];
        let refuses = |scope: &Scope| {
            others.iter().all(|other| WasmModule::of(scope, evaluate(scope, other)).is_none())
        };
        assert!(refuses(scope));
        let module = WasmModule::of(scope, evaluate(scope, ADD)).expect("it can go");
        assert!(refuses(scope));
        assert!(others.iter().all(|other| module.object(scope, evaluate(scope, other)).is_none()));
    });
}

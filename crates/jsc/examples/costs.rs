//! Benchmark of calls into the engine: `cargo run --release -p rusk-jsc --example costs [public]`.
//! Prints a line per case: nanoseconds, the best of several rounds.
#![allow(clippy::print_stdout)]

use rusk_jsc::{Bytes, CodeUnits, Engine, JsString, Options, Root, UnstableAbi, Vm};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 15;

fn main() {
    let is_public = std::env::args().any(|word| word == "public");
    let unstable_abi = if is_public { UnstableAbi::Never } else { UnstableAbi::WhenVerified };
    let begun = Instant::now();
    let engine = Engine::load(&Options { unstable_abi, ..Options::default() }).expect("it is installed");
    let loaded = begun.elapsed();
    let vm = Vm::new(engine);
    let made = begun.elapsed();
    vm.turn(|scope| scope.evaluate("0", "costs.js", 1).map(|_| ()).expect("it runs"));
    println!("library {loaded:?}, VM {:?}, first script {:?}", made - loaded, begun.elapsed() - made);
    println!("version {}, private paths {}", engine.version(), engine.uses_unstable_abi());
    strings(&vm);
    calls(&vm);
    looks(&vm);
}

fn strings(vm: &Vm) {
    for bytes in [16, 1 << 10, 64 << 10] {
        let text = "x".repeat(bytes);
        best(&format!("text of {bytes} bytes in"), bytes, |count| {
            vm.turn(|scope| {
                (0..count).for_each(|_| scope.with_nested_scope(|scope| _ = black_box(scope.string(&text))))
            });
        });
        best(&format!("text of {bytes} bytes out"), bytes, |count| {
            vm.turn(|scope| {
                let value = scope.string(&text);
                (0..count).for_each(|_| drop(black_box(value.to_rust_string(scope))));
            });
        });
    }
}

/// A callback that gets a view or a string and reads it.
fn looks(vm: &Vm) {
    let callback = |name: &str, what: &str| {
        let source = format!("const subject = {what}; for (let i = 0; i < 100; i++) {name}(subject); ");
        best(&format!("call of `{name}` with {what}"), 16, |count| {
            let source = format!("{{ {source} for (let i = 0; i < {count}; i++) {name}(subject) }}");
            vm.turn(|scope| scope.evaluate(&source, "costs.js", 1).map(|_| ()).expect("it runs"));
        });
    };
    vm.turn(|scope| {
        let view = scope.function("view", |scope, call| {
            let bytes = Bytes::of(scope, call.argument(scope, 0)).expect("it has bytes");
            Ok(scope.number(bytes.with_bytes_mut(scope, |bytes| bytes.len()) as f64))
        });
        let units = scope.function("units", |scope, call| {
            let units =
                call.argument(scope, 0).with_code_units(scope, |units| matches!(units, CodeUnits::Latin1(_)));
            Ok(scope.boolean(units.expect("a string")))
        });
        for (name, function) in [("view", view), ("units", units)] {
            scope.global().set_property(scope, name, function.value()).map_err(|_| ()).expect("it is set");
        }
    });
    callback("view", "new Uint8Array(16)");
    callback("view", "new Uint8Array(16384)");
    callback("view", "new DataView(new ArrayBuffer(16))");
    callback("units", "'sixteen units!'");
    for bytes in [16, 4096] {
        best(&format!("{bytes} bytes given away"), bytes, |count| {
            vm.turn(|scope| {
                (0..count).for_each(|_| {
                    scope.with_nested_scope(|scope| _ = black_box(Bytes::from_vec(scope, vec![1; bytes])))
                });
            });
        });
    }
}

fn calls(vm: &Vm) {
    best("turn", 16, |count| (0..count).for_each(|_| vm.turn(|_| {})));
    best("scope within", 16, |count| {
        vm.turn(|scope| (0..count).for_each(|_| scope.with_nested_scope(|_| {})))
    });
    best("root made and dropped", 16, |count| {
        vm.turn(|scope| (0..count).for_each(|_| drop(Root::new(scope, scope.global().value()))));
    });
    let install = |name: &str| {
        vm.turn(|scope| {
            let captured = 1_u8;
            let function = match name {
                "plain" => scope.function(name, |scope, _| Ok(scope.undefined())),
                _ => scope.function(name, move |scope, _| Ok(scope.number(captured.into()))),
            };
            scope.global().set_property(scope, name, function.value()).map_err(|_| ()).expect("it is set");
        });
    };
    for name in ["plain", "closure"] {
        install(name);
        best(&format!("call of a {name} callback"), 16, |count| {
            let source = format!("for (let i = 0; i < {count}; i++) {name}()");
            vm.turn(|scope| scope.evaluate(&source, "costs.js", 1).map(|_| ()).expect("it runs"));
        });
    }
    best("call of a JavaScript function", 16, |count| {
        vm.turn(|scope| {
            let function = scope.evaluate("(() => 1)", "costs.js", 1).expect("it runs");
            let function = function.as_function(scope).expect("it is one");
            (0..count)
                .for_each(|_| scope.with_nested_scope(|scope| _ = black_box(function.call(scope, &[]))));
        });
    });
    best("property by a kept name", 16, |count| {
        vm.turn(|scope| {
            let (global, name) = (scope.global(), JsString::new(scope, "Promise"));
            (0..count)
                .for_each(|_| scope.with_nested_scope(|scope| _ = black_box(global.property(scope, &name))));
        });
    });
}

/// `work` repeats its operation as often as its argument says, fewer times if it is slow.
fn best(name: &str, bytes: usize, mut work: impl FnMut(u32)) {
    let count = (200_000 / bytes as u32 * 16).clamp(64, 100_000);
    let round = |work: &mut dyn FnMut(u32)| {
        let begun = Instant::now();
        work(count);
        begun.elapsed().as_nanos() as f64 / f64::from(count)
    };
    let best = (0..ROUNDS).map(|_| round(&mut work)).fold(f64::INFINITY, f64::min);
    println!("{best:>10.0} ns  {name}");
}

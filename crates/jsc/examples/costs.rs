//! What crossing into the engine costs, on this machine: `cargo run --release -p rusk-jsc --example costs [public]`.
//! One line a case: nanoseconds, the best of several rounds, for none is faster than it can be.
#![allow(clippy::print_stdout)]

use rusk_jsc::{Engine, Options, PrivatePaths, Root, Text, Vm};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 15;

fn main() {
    let is_public = std::env::args().any(|word| word == "public");
    let private_paths = if is_public { PrivatePaths::Never } else { PrivatePaths::WhereTheyHold };
    let begun = Instant::now();
    let engine = Engine::load(&Options { private_paths, ..Options::default() }).expect("it is installed");
    let loaded = begun.elapsed();
    let vm = Vm::new(engine);
    let made = begun.elapsed();
    vm.turn(|scope| scope.evaluate("0", "costs.js", 1).map(|_| ()).expect("it runs"));
    println!("library {loaded:?}, VM {:?}, first script {:?}", made - loaded, begun.elapsed() - made);
    println!("version {}, private paths {}", engine.version(), engine.uses_private_paths());
    texts(&vm);
    calls(&vm);
}

fn texts(vm: &Vm) {
    for bytes in [16, 1 << 10, 64 << 10] {
        let text = "x".repeat(bytes);
        best(&format!("text of {bytes} bytes in"), bytes, |count| {
            vm.turn(|scope| (0..count).for_each(|_| scope.within(|scope| _ = black_box(scope.text(&text)))));
        });
        best(&format!("text of {bytes} bytes out"), bytes, |count| {
            vm.turn(|scope| {
                let value = scope.text(&text);
                (0..count).for_each(|_| drop(black_box(value.to_text(scope))));
            });
        });
    }
}

fn calls(vm: &Vm) {
    best("turn", 16, |count| (0..count).for_each(|_| vm.turn(|_| {})));
    best("scope within", 16, |count| vm.turn(|scope| (0..count).for_each(|_| scope.within(|_| {}))));
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
            (0..count).for_each(|_| scope.within(|scope| _ = black_box(function.call(scope, &[]))));
        });
    });
    best("property by a kept name", 16, |count| {
        vm.turn(|scope| {
            let (global, name) = (scope.global(), Text::new(scope, "Promise"));
            (0..count).for_each(|_| scope.within(|scope| _ = black_box(global.property(scope, &name))));
        });
    });
}

/// `work` does its thing as often as it is told, fewer times where that is long.
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

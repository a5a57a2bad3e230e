//! What a start costs, step by step, on this machine: `cargo run --release -p rusk-runtime
//! --example start`. Microseconds.
#![allow(clippy::print_stdout)]

use rusk_jsc::{Engine, Vm};
use rusk_runtime::Runtime;
use std::time::Instant;

fn main() {
    let begun = Instant::now();
    let engine = Engine::load(&rusk_extensions::settings().engine).expect("it is installed");
    println!("{:>8} the library is open", begun.elapsed().as_micros());
    if std::env::args().any(|word| word == "bare") {
        let vm = Vm::new(engine);
        println!("{:>8} a VM is there", begun.elapsed().as_micros());
        let script = std::env::args().next_back().expect("it has words");
        vm.turn(|scope| scope.evaluate(&script, "start.js", 1).map(|_| ()).map_err(|_| ())).expect("it runs");
        println!("{:>8} the script has run", begun.elapsed().as_micros());
        std::mem::forget(vm);
        return;
    }
    let runtime = Runtime::new(rusk_extensions::settings()).expect("it begins");
    println!("{:>8} the loop and its globals are there", begun.elapsed().as_micros());
    runtime.run("start.js", "0").map_err(|_| ()).expect("it runs");
    println!("{:>8} an empty script has run", begun.elapsed().as_micros());
    // A program ends without taking its heap apart.
    std::mem::forget(runtime);
}

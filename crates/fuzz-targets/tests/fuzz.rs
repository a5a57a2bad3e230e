//! A short run of every fuzz target, with the same inputs each time. CI runs them for a minute
//! each.

use rusk_fuzz_targets::{Budget, TARGETS, run, save};
use std::path::Path;

const INPUTS: u64 = 20_000;

const STACK_BYTES: usize = 8 << 20;

#[test]
fn hostile_bytes_are_survived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/artifacts");
    let check = move |target| {
        run(target, 1, Budget::Inputs(INPUTS), |_| {}).map_err(|found| save(&folder, target, &found))
    };
    let all = move || -> Vec<String> { TARGETS.iter().filter_map(|target| check(target).err()).collect() };
    // The stack size of a program's main thread, on which rusk parses; a test thread has a quarter
    // of it.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(all).expect("a thread");
    let found = thread.join().expect("no target panics");
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn every_target_has_its_program_for_libfuzzer() {
    for target in TARGETS {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fuzz/fuzz_targets/{}.rs", target.name));
        assert!(path.is_file(), "write {}", path.display());
    }
}

//! A short run of every fuzz target, with the same inputs in the same order. CI runs them for
//! longer.

use rusk_fuzz_targets::{Budget, TARGETS, run, save};
use std::path::Path;
use std::time::Duration;

/// Most targets run all inputs in less than this time.
const BUDGET: Budget = Budget { inputs: 20_000, time: Duration::from_secs(4) };

const STACK_BYTES: usize = 8 << 20;

#[test]
fn hostile_bytes_are_survived() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/artifacts");
    let check =
        move |target| run(target, 1, BUDGET, |_| {}).map_err(|found| save(&directory, target, &found));
    let all = move || -> Vec<String> { TARGETS.iter().filter_map(|target| check(target).err()).collect() };
    // The stack size of a program's main thread, on which rusk parses; a test thread has a quarter
    // of it.
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(all).expect("a thread");
    let found = thread.join().expect("no target panics");
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

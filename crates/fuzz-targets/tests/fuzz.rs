//! A short run of every fuzz target, with the same inputs each time. CI runs them for longer.

use rusk_fuzz_targets::{Budget, FuzzTarget, TARGETS, run, save};
use std::path::Path;
use std::sync::Mutex;
use std::thread;

const INPUTS: u64 = 20_000;

/// The stack size of a program's main thread, on which rusk parses; a test thread has a quarter of
/// it.
const STACK_BYTES: usize = 8 << 20;

#[test]
fn hostile_bytes_are_survived() {
    let waiting = Mutex::new(TARGETS.iter());
    let lane = || {
        let next = || waiting.lock().ok()?.next();
        std::iter::from_fn(next).filter_map(|target| check(target).err()).collect::<Vec<String>>()
    };
    let found: Vec<String> = thread::scope(|scope| {
        let start = |_| {
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, lane).expect("a thread")
        };
        let lanes: Vec<_> = (0..thread::available_parallelism().map_or(1, usize::from)).map(start).collect();
        lanes.into_iter().flat_map(|lane| lane.join().expect("no target panics")).collect()
    });
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn check(target: &FuzzTarget) -> Result<u64, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/artifacts");
    let started = std::time::Instant::now();
    let r = run(target, 1, Budget::Inputs(INPUTS), |_| {}).map_err(|found| save(&directory, target, &found));
    eprintln!("{} {:?}", target.name, started.elapsed());
    r
}

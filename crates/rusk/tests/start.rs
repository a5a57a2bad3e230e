//! How many system calls it takes to begin: no more than are held in `bench/results/start.json`, on
//! any machine and in any build.

use rusk_testkit::start::{self, Calls, Case, Start};
use std::path::Path;

/// Marks that are a moment old are not believed; by the third round none is.
const ROUNDS: usize = 5;

/// What an install with nothing to do may take in all, on the machine that the held counts are
/// from.
const IDLE_CALLS_MAX: u64 = 60;

const HELD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/results/start.json");

fn held() -> Vec<(Case, Calls)> {
    start::held(&std::fs::read_to_string(HELD).expect("it is there")).expect("it holds every case")
}

#[test]
fn a_start_makes_no_more_calls_than_are_held() {
    let start = Start::new(Path::new(env!("CARGO_BIN_EXE_rusk"))).expect("it installs");
    let counted: Result<Vec<Calls>, String> =
        Case::ALL.iter().map(|case| start.count(*case, ROUNDS)).collect();
    let counted = match counted {
        Ok(counted) => counted,
        // A machine that forbids it is held to saying so.
        Err(said) => {
            let refusals = ["error[no-ptrace]: ", "error[already-traced]: "];
            assert!(refusals.iter().any(|refusal| said.starts_with(refusal)), "{said}");
            return;
        }
    };
    let held = held();
    // On a disk an install begins its directories otherwise than in memory, where the held counts
    // are from.
    let is_in_memory = Path::new("/dev/shm").is_dir();
    let compared = held.iter().zip(&counted).filter(|((case, _), _)| is_in_memory || *case != Case::Warm);
    let mut grown = Vec::new();
    for ((case, before), now) in compared {
        let [before, now] = [(before, &held[0].1), (now, &counted[0])]
            .map(|(calls, version)| calls.own(*case, version, counted[1].lacks_io_uring));
        if let Some(more) = now.grown(&before) {
            grown.push(format!("{}: {} calls instead of {}: {more}", case.name(), now.held(), before.held()));
        }
    }
    assert!(
        grown.is_empty(),
        "a start makes more system calls than bench/results/start.json holds:\n  {}\nwhere that is meant, hold them: \
         `cargo xtask bench start --keep`",
        grown.join("\n  ")
    );
}

#[test]
fn an_install_with_nothing_to_do_is_held_below_its_bound() {
    let held = held();
    let (_, calls) = held.iter().find(|(case, _)| *case == Case::Idle).expect("every case is held");
    let all = calls.held() + calls.by_chance();
    assert!(all <= IDLE_CALLS_MAX, "{all} calls");
}

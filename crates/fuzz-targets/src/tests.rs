//! The fuzzer finds planted bugs, and the same ones each time.

use super::*;

fn breaks(input: &[u8]) {
    assert!(!input.windows(3).any(|window| window == b"{{}"), "two open, one closed");
}

#[test]
fn a_panic_is_found_again_with_the_same_seed() {
    let target = FuzzTarget { run: breaks, ..*FuzzTarget::find("json").unwrap() };
    let find =
        |seed| run(&target, seed, Budget { inputs: 100_000, time: Duration::MAX }, |_| {}).unwrap_err();
    let finding = find(1);
    assert_eq!(finding.what, "two open, one closed");
    assert_eq!(finding.input, find(1).input);
}

#[test]
fn the_lockfiles_to_start_from_are_whole() {
    for seed in FuzzTarget::find("lockfile").unwrap().seeds {
        rusk_npm::bun_lock::parse(seed).unwrap();
    }
}

//! Every fuzz target under libFuzzer; `FUZZ_TARGET` names it. `cargo xtask fuzz --coverage` builds
//! and runs this.
#![no_main]

use std::sync::LazyLock;

use rusk_fuzz_targets::FuzzTarget;

static TARGET: LazyLock<&FuzzTarget> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    FuzzTarget::find(&name).expect("it is listed in crates/fuzz-targets/src/targets.rs")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));

//! `workspace-filter` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (rusk_fuzz_targets::FuzzTarget::find("workspace-filter").expect("it is listed").run)(bytes));

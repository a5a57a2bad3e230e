//! `ignore-file` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (rusk_fuzz_targets::FuzzTarget::find("ignore-file").expect("it is listed").run)(bytes));

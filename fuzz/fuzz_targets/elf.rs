//! `elf` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (xtask::fuzz::FuzzTarget::find("elf").expect("it is listed").run)(bytes));

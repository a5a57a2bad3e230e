//! `websocket` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (xtask::fuzz::FuzzTarget::find("websocket").expect("it is listed").run)(bytes));

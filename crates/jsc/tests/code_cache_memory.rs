//! Memory that remains after VMs that ran cached bytecode. In a process of its own, because its
//! size is measured.

mod support;

use std::fs;
use std::thread;

use rusk_jsc::{CodeCache, Scope};
use support::{text_of, vm};

const NAME: [u8; 16] = *b"of one script...";

/// Fields of a class. The engine retains the name of each, 32 bytes, in every VM that compiles
/// them.
const FIELDS: usize = 300;
const NAME_BYTES: usize = 32;

/// The process has reached its size after so many.
const VMS_BEFORE: usize = 100;
const VMS: usize = 300;

fn run(scope: &Scope, source: &str, code: CodeCache) {
    let made = scope.evaluate_with_code_cache(source, "kept.js", code).expect("it is a function");
    scope.global().set_property(scope, "made", made).expect("it is taken");
    assert_eq!(text_of(scope, "made()"), "5");
}

fn private_kib() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the kernel says it");
    line.trim_end_matches("kB").trim().parse().expect("it is a number")
}

#[test]
fn vms_free_cached_bytecode() {
    let fields: String = (0..FIELDS).map(|index| format!("#field{index} = 1;")).collect();
    let source: &'static str =
        format!("(function () {{ return new (class Many {{ {fields} x = 5; }})().x; }})").leak();
    let in_vm = |turn: fn(&Scope, &'static str, &'static [u8]) -> Vec<u8>, code: &'static [u8]| {
        thread::spawn(move || vm().turn(|scope| turn(scope, source, code))).join().expect("it does not panic")
    };
    let make = |scope: &Scope, source, _: &[u8]| {
        run(scope, source, CodeCache::Produce(NAME));
        scope.take_code_caches(|_| true).remove(0).1
    };
    let read = |scope: &Scope, source, code| {
        run(scope, source, CodeCache::Consume(code));
        Vec::new()
    };
    let code: &'static [u8] = in_vm(make, &[]).leak();
    let many = |count| (0..count).for_each(|_| drop(in_vm(read, code)));
    many(VMS_BEFORE);
    let before = private_kib();
    many(VMS);
    let left = private_kib().saturating_sub(before);
    assert!(left < VMS * FIELDS * NAME_BYTES / 1024 / 8, "{left} KiB");
}

//! Tests of the bytecode that workers receive, and of its recording.

use std::collections::BTreeMap;
use std::fs;

use rusk_jsc::{CodeCache, CodeCacheKey};
use rusk_testkit::project::Project;

use super::{BEGUN_MAX, BuiltinBytecode, RECORDS_MAX, WORKERS_MIN};
use crate::bytecode_cache::cache_file::{CacheFile, render};

const MAKER: CodeCacheKey = *b"an engine and us";
const KNOWN: CodeCacheKey = *b"of main threads.";
const UNKNOWN: CodeCacheKey = *b"of workers alone";

fn codes() -> BuiltinBytecode {
    let project = Project::new();
    let file = project.path().join("own");
    let codes: BTreeMap<_, &[u8]> = [(KNOWN, &b"main"[..])].into();
    fs::write(&file, render(&MAKER, &codes).expect("it is small")).expect("it is written");
    let cache_file = CacheFile::open(&file, &MAKER);
    BuiltinBytecode::new(file, MAKER, cache_file)
}

/// The cache after many workers have started.
fn codes_of_many() -> BuiltinBytecode {
    let codes = codes();
    (0..=WORKERS_MIN).for_each(|_| codes.begin_worker());
    codes
}

fn shown(code: Option<CodeCache>) -> String {
    match code {
        Some(CodeCache::Consume(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        Some(CodeCache::Produce(_)) => "recorded".to_owned(),
        None => "parsed".to_owned(),
    }
}

#[test]
fn the_first_workers_read_what_main_threads_left() {
    let codes = codes();
    (0..WORKERS_MIN).for_each(|_| codes.begin_worker());
    assert_eq!(shown(codes.for_worker(KNOWN)), "main");
    assert_eq!(shown(codes.for_worker(UNKNOWN)), "parsed");
}

#[test]
fn those_behind_them_read_the_longest_record() {
    for name in [KNOWN, UNKNOWN] {
        let codes = codes_of_many();
        for index in 0..RECORDS_MAX {
            assert_eq!(shown(codes.for_worker(name)), "recorded");
            codes.record(name, if index == 2 { b"the longest".to_vec() } else { b"another".to_vec() });
        }
        assert_eq!(shown(codes.for_worker(name)), "the longest");
    }
}

#[test]
fn without_a_record_it_is_as_it_was() {
    let codes = codes_of_many();
    for name in [KNOWN, UNKNOWN] {
        (0..BEGUN_MAX).for_each(|_| assert_eq!(shown(codes.for_worker(name)), "recorded"));
    }
    assert_eq!(shown(codes.for_worker(KNOWN)), "main");
    assert_eq!(shown(codes.for_worker(UNKNOWN)), "parsed");
}

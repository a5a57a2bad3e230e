//! Tests of `program`: files of test workers.

use rusk_testkit::project::Project;

use super::super::cache_file;
use super::*;

const VERSION: CodeCacheKey = *b"of one version..";

fn name(number: u8) -> CodeCacheKey {
    [number; 16]
}

fn write(prefix: &Path, worker: usize, names: &[u8]) {
    let cache = ProgramCache::open_tests(prefix, worker, &VERSION);
    let code = |number: &u8| (name(*number), vec![*number; 100]);
    let made: Vec<(CodeCacheKey, Vec<u8>)> = names.iter().map(code).collect();
    let made = made.iter().map(|(name, code)| (*name, code.as_slice()));
    let all: BTreeMap<CodeCacheKey, &[u8]> = cache.kept().into_iter().chain(made).collect();
    let bytes = cache_file::render(&VERSION, &all).expect("it is small");
    assert!(cache_file::write(cache.file(), &bytes));
}

fn found(prefix: &Path, worker: usize, names: &[u8]) -> Vec<u8> {
    let cache = ProgramCache::open_tests(prefix, worker, &VERSION);
    names.iter().copied().filter(|number| cache.find(&name(*number)).is_some()).collect()
}

#[test]
fn each_worker_reads_what_the_others_wrote() {
    let dir = Project::new();
    let prefix = dir.path().join("tests");
    assert!(found(&prefix, 1, &[1, 2]).is_empty());
    write(&prefix, 1, &[1, 2]);
    write(&prefix, 2, &[3]);
    for worker in 1..5 {
        assert_eq!(found(&prefix, worker, &[1, 2, 3, 4]), [1, 2, 3], "{worker}");
    }
    // What a worker wrote before stays.
    write(&prefix, 2, &[4]);
    assert_eq!(found(&prefix, 1, &[1, 2, 3, 4]), [1, 2, 3, 4]);
    // The first file is missing: the others are not looked for.
    std::fs::remove_file(prefix.with_extension("0")).expect("it is there");
    assert!(found(&prefix, 3, &[1, 2, 3, 4]).is_empty());
    assert_eq!(found(&prefix, 2, &[1, 2, 3, 4]), [3, 4]);
}

#[test]
fn further_workers_share_files() {
    let dir = Project::new();
    let prefix = dir.path().join("tests");
    write(&prefix, TEST_FILES_MAX + 1, &[1]);
    assert_eq!(found(&prefix, 1, &[1]), [1]);
}

#[test]
fn a_file_is_written_where_one_script_in_eight_is_new() {
    let dir = Project::new();
    let cache = ProgramCache::open_tests(&dir.path().join("tests"), 1, &VERSION);
    for number in 0..80 {
        assert!(matches!(cache.find_code(&name(number), 1 << 10), FoundCode::None));
    }
    assert!(!cache.is_worth_writing(9));
    assert!(cache.is_worth_writing(10));
}

#[test]
fn a_changed_test_is_not_worth_a_file_of_all() {
    let dir = Project::new();
    let prefix = dir.path().join("tests");
    let cache = ProgramCache::open_tests(&prefix, 1, &VERSION);
    let code = vec![1; 4 << 20];
    let bytes = cache_file::render(&VERSION, &BTreeMap::from([(name(1), &code[..])])).expect("it is small");
    assert!(cache_file::write(cache.file(), &bytes));
    for (source_bytes, is_worth) in [(20 << 10, false), (40 << 10, true)] {
        let cache = ProgramCache::open_tests(&prefix, 1, &VERSION);
        assert!(matches!(cache.find_code(&name(2), source_bytes), FoundCode::None));
        assert_eq!(cache.is_worth_writing(1), is_worth, "{source_bytes}");
    }
}

#[test]
fn there_is_a_limit_of_new_bytecode() {
    let dir = Project::new();
    let cache = ProgramCache::open_tests(&dir.path().join("tests"), 1, &VERSION);
    assert!(matches!(cache.find_code(&name(1), NEW_SOURCE_BYTES_MAX), FoundCode::None));
    assert!(matches!(cache.find_code(&name(2), 1), FoundCode::NotWorth));
}

#[test]
fn a_script_that_is_evaluated_again_counts_once() {
    let dir = Project::new();
    let cache = ProgramCache::open_tests(&dir.path().join("tests"), 1, &VERSION);
    assert!(matches!(cache.find_code(&name(1), 20 << 10), FoundCode::None));
    for _ in 0..100 {
        assert!(matches!(cache.find_code(&name(1), 20 << 10), FoundCode::NotWorth));
    }
    assert!(cache.is_worth_writing(1));
}

//! Tests of `schedule`.

use super::*;

fn names(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{number:03}.test.ts")).collect()
}

fn timings_of(times: impl IntoIterator<Item = (String, u64)>) -> Timings {
    Timings { times: times.into_iter().collect(), ..Timings::default() }
}

fn all_shards(files: &[String], count: u32, timings: &Timings) -> Vec<Vec<String>> {
    (1..=count).map(|index| shard(files.to_vec(), Shard { index, count }, timings)).collect()
}

#[test]
fn shards_cover_each_file_once() {
    let files = names(10);
    let timings = timings_of(files.iter().map(|file| (file.clone(), 7)));
    for timings in [Timings::default(), timings] {
        let mut all = all_shards(&files, 3, &timings).concat();
        all.sort();
        assert_eq!(all, files);
    }
}

#[test]
fn without_timings_shards_take_turns() {
    let shards = all_shards(&names(5), 2, &Timings::default());
    assert_eq!(shards[0], ["000.test.ts", "002.test.ts", "004.test.ts"]);
}

#[test]
fn with_timings_shards_take_about_as_long() {
    let files = names(4);
    let times = [900, 100, 100, 100];
    let timings = timings_of(files.iter().cloned().zip(times));
    let shards = all_shards(&files, 2, &timings);
    assert_eq!(shards[0], [files[0].clone()]);
    assert_eq!(shards[1], files[1..]);
}

#[test]
fn the_longest_files_begin_first_after_unknown_ones() {
    let mut files = names(3);
    let timings = timings_of([("000.test.ts".into(), 1), ("002.test.ts".into(), 50)]);
    longest_first(&mut files, &timings);
    assert_eq!(files, ["001.test.ts", "002.test.ts", "000.test.ts"]);
}

#[test]
fn a_seed_is_an_order() {
    let shuffled = |seed| {
        let mut files = names(20);
        shuffle(&mut files, seed);
        files
    };
    assert_eq!(shuffled(1), shuffled(1));
    assert_ne!(shuffled(1), shuffled(2));
    assert_ne!(shuffled(1), names(20));
}

#[test]
fn what_changes_its_global_object_runs_last() {
    let mut files = names(20);
    let mut timings = timings_of(files.iter().cloned().zip(1..));
    timings.changed.extend(["002.test.ts", "003.test.ts", "019.test.ts"].map(str::to_owned));
    longest_first(&mut files, &timings);
    assert_eq!(files[..2], ["019.test.ts", "018.test.ts"]);
    assert_eq!(files[17..], ["000.test.ts", "003.test.ts", "002.test.ts"]);
}

//! Tests of `schedule`.

use std::collections::BTreeMap;

use super::*;

fn names(count: u32) -> Vec<String> {
    (0..count).map(|number| format!("{number:03}.test.ts")).collect()
}

fn all_shards(files: &[String], count: u32, timings: &Timings) -> Vec<Vec<String>> {
    (1..=count).map(|index| shard(files.to_vec(), Shard { index, count }, timings)).collect()
}

#[test]
fn shards_cover_each_file_once() {
    let files = names(10);
    let timings = Timings(files.iter().map(|file| (file.clone(), 7)).collect());
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
    let timings = Timings(files.iter().cloned().zip(times).collect::<BTreeMap<_, _>>());
    let shards = all_shards(&files, 2, &timings);
    assert_eq!(shards[0], [files[0].clone()]);
    assert_eq!(shards[1], files[1..]);
}

#[test]
fn the_longest_files_begin_first_after_unknown_ones() {
    let mut files = names(3);
    let timings = Timings(BTreeMap::from([("000.test.ts".into(), 1), ("002.test.ts".into(), 50)]));
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

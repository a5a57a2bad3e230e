//! Order of test files and their parts for several machines. In: sorted paths, timings. Out: which
//! files run here, the longest first. Absent: starting them.

use std::cmp::Reverse;

use crate::options::Shard;
use crate::timings::Timings;

/// The files of a shard. With timings all shards take about as long, and neighbours stay together;
/// without, they have as many files. `files` are sorted, so that all machines agree.
pub fn shard(files: Vec<String>, shard: Shard, timings: &Timings) -> Vec<String> {
    if timings.times.is_empty() {
        let belongs = |at: &usize| at % shard.count as usize == shard.index as usize - 1;
        return files.into_iter().enumerate().filter(|(at, _)| belongs(at)).map(|(_, file)| file).collect();
    }
    let median = timings.median();
    // A file takes at least a millisecond, so that files without time are spread, too.
    let time = |file: &String| timings.times.get(file).copied().unwrap_or(median).max(1);
    let total: u64 = files.iter().map(time).sum();
    let mut before = 0;
    files
        .into_iter()
        .filter(|file| {
            let middle = before + time(file) / 2;
            before += time(file);
            let index = (u128::from(middle) * u128::from(shard.count) / u128::from(total)) as u32;
            index.min(shard.count - 1) == shard.index - 1
        })
        .collect()
}

/// A file that takes a larger part of the whole time than one in this many runs early in any case.
const LATE_PARTS_MIN: u64 = 16;

/// Files whose time is not known first, then the slowest. Those after which the next file needs
/// another global object run last, so that the others can hand theirs on.
pub fn longest_first(files: &mut [String], timings: &Timings) {
    let time = |file: &String| timings.times.get(file).copied().unwrap_or(u64::MAX);
    let total = files.iter().fold(0_u64, |sum, file| sum.saturating_add(time(file)));
    let is_late = |file: &String| timings.changed.contains(file) && time(file) < total / LATE_PARTS_MIN;
    files.sort_by_cached_key(|file| (is_late(file), Reverse(time(file)), file.clone()));
}

/// A random order, the same for the same seed (Fisher and Yates).
pub fn shuffle<T>(list: &mut [T], seed: u32) {
    let mut state = u64::from(seed) ^ 0x9e37_79b9_7f4a_7c15;
    for last in (1..list.len()).rev() {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        list.swap(last, ((mixed ^ (mixed >> 31)) % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests;

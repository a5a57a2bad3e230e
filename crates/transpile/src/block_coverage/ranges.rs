//! Ranges of the DevTools Protocol (`Profiler.FunctionCoverage`). In: functions with counted
//! blocks, the counts. Out: for each function that is reported its range, and within it those that
//! ran more or less often, as V8 reports them (`debug-coverage.cc`). Absent: counters.

use super::CountedFunction;

/// A function that ran, or is within one that did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage<'f> {
    pub name: &'f str,
    /// Whether the blocks are known, too: for most not before the first call.
    pub has_blocks: bool,
    /// The function, then its blocks.
    pub ranges: Vec<CoverageRange>,
}

/// UTF-16 offsets, and how often it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverageRange {
    pub start: u32,
    pub end: u32,
    pub count: u32,
}

/// A block between passes; a position has no end.
#[derive(Clone, Copy)]
struct CountedSpan {
    start: u32,
    end: Option<u32>,
    count: u32,
}

/// What is reported of functions, given the value of each counter.
pub fn function_coverage<'f>(functions: &'f [CountedFunction], counts: &[u32]) -> Vec<FunctionCoverage<'f>> {
    let count_of = |counter: u32| counts.get(counter as usize).copied().unwrap_or(0);
    // The ends and counts of the reported functions around the current one.
    let mut around: Vec<(u32, u32)> = Vec::new();
    let mut reported = Vec::new();
    for function in functions {
        while around.last().is_some_and(|(end, _)| *end <= function.start) {
            around.pop();
        }
        let count = count_of(function.counter);
        let is_relevant = count > 0 || around.last().is_some_and(|(_, count)| *count > 0);
        if !is_relevant {
            continue;
        }
        around.push((function.end, count));
        let whole = CoverageRange { start: function.start, end: function.end, count };
        let mut ranges = vec![whole];
        if count > 0 {
            let blocks = function.blocks.iter().map(|block| CountedSpan {
                start: block.start,
                end: block.end,
                count: block.counter.map_or(0, count_of),
            });
            ranges.extend(blocks_of(whole, blocks.collect()));
        }
        reported.push(FunctionCoverage {
            name: &function.name,
            has_blocks: count > 0 || function.is_initializer,
            ranges,
        });
    }
    reported
}

fn blocks_of(function: CoverageRange, mut blocks: Vec<CountedSpan>) -> Vec<CoverageRange> {
    sort(&mut blocks);
    remove_repeated_positions(&mut blocks);
    let mut blocks = end_positions(function, &blocks);
    merge_neighbours(function, &mut blocks);
    blocks.sort_by_key(|block| (block.start, u32::MAX - block.end));
    merge_same_ranges(&mut blocks);
    // A block that runs as often as what is around it is no news.
    pass(function, &mut blocks, |blocks, parent| parent.count != blocks[0].count);
    merge_neighbours(function, &mut blocks);
    pass(function, &mut blocks, |blocks, parent| blocks[0].count > 0 || parent.count > 0);
    blocks.retain(|block| block.start != block.end);
    blocks
}

/// Outer ones first; positions after the ranges that begin there.
fn sort(blocks: &mut [CountedSpan]) {
    blocks.sort_by_key(|block| (block.start, block.end.map_or(u32::MAX, |end| u32::MAX - 1 - end)));
}

/// A position where a range begins, too, would grow into that range.
fn remove_repeated_positions(blocks: &mut Vec<CountedSpan>) {
    let mut previous = None;
    blocks.retain(|block| {
        let is_kept = block.end.is_some() || previous != Some(block.start);
        previous = Some(block.start);
        is_kept
    });
}

/// What follows a position ends with the next range, or with what is around it; the last brace of a
/// function never counts as not covered.
fn end_positions(function: CoverageRange, blocks: &[CountedSpan]) -> Vec<CoverageRange> {
    let mut around: Vec<u32> = Vec::new();
    let mut ended = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        while around.last().is_some_and(|end| *end <= block.start) {
            around.pop();
        }
        if block.start >= function.end {
            continue;
        }
        let parent_end = around.last().copied().unwrap_or(function.end);
        let next = blocks.get(index + 1).map(|next| next.start).filter(|start| *start < parent_end);
        let is_top = around.is_empty();
        let end = block.end.or(next).unwrap_or(if is_top { parent_end - 1 } else { parent_end });
        around.push(end);
        ended.push(CoverageRange { start: block.start, end, count: block.count });
    }
    ended
}

fn merge_neighbours(function: CoverageRange, blocks: &mut Vec<CoverageRange>) {
    pass(function, blocks, |blocks, parent| {
        let block = blocks[0];
        let Some(next) = blocks.get_mut(1).filter(|next| next.start < parent.end) else { return true };
        let is_merged = next.start == block.end && next.count == block.count;
        if is_merged {
            next.start = block.start;
        }
        !is_merged
    });
}

fn merge_same_ranges(blocks: &mut Vec<CoverageRange>) {
    blocks.dedup_by(|block, kept| {
        let is_same = (block.start, block.end) == (kept.start, kept.end);
        if is_same {
            kept.count = kept.count.max(block.count);
        }
        is_same
    });
}

/// Keeps the blocks for which `is_kept` says so: it gets the blocks from the current one on, and
/// the kept one around it.
fn pass(
    function: CoverageRange,
    blocks: &mut Vec<CoverageRange>,
    mut is_kept: impl FnMut(&mut [CoverageRange], CoverageRange) -> bool,
) {
    let mut around = vec![function];
    let mut kept: Vec<CoverageRange> = Vec::new();
    for index in 0..blocks.len() {
        while around.len() > 1 && around.last().is_some_and(|outer| outer.end <= blocks[index].start) {
            around.pop();
        }
        let parent = around.last().copied().unwrap_or(function);
        if is_kept(&mut blocks[index..], parent) {
            kept.push(blocks[index]);
            around.push(blocks[index]);
        }
    }
    *blocks = kept;
}

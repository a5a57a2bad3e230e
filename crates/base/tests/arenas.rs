//! The number of malloc arenas. The only test of its process, since existing arenas stay.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::ops::Range;
use std::sync::Barrier;
use std::thread;

use rusk_base::sys::allocator;

const THREADS: usize = 12;
/// More than a thread caches.
const BLOCK_BYTES: usize = 64 << 10;
/// glibc aligns the heaps of an arena to this size; the main arena uses the brk heap, which may lie
/// on both sides of such a boundary.
const HEAP_BYTES: usize = 64 << 20;

/// Where the brk heap is.
fn main_heap() -> Range<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
    let line = maps.lines().find(|line| line.ends_with("[heap]")).expect("a process has a heap");
    let bounds = line.split(' ').next().and_then(|range| range.split_once('-')).expect("a range");
    let address = |text: &str| usize::from_str_radix(text, 16).expect("an address");
    address(bounds.0)..address(bounds.1)
}

#[test]
fn threads_that_allocate_at_once_share_two_arenas() {
    allocator::limit_retained();
    let all = Barrier::new(THREADS);
    let heap = || {
        let block = black_box(vec![1_u8; BLOCK_BYTES]);
        all.wait();
        let address = block.as_ptr().addr();
        if main_heap().contains(&address) { 0 } else { address / HEAP_BYTES }
    };
    let heaps: BTreeSet<usize> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(heap)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    assert!(heaps.len() <= 2, "{heaps:x?}");
}

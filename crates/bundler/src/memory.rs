//! Memory of a build after which the process ends. The C library's allocator takes it from the
//! kernel in large steps and retains it. In: nothing. Out: room in the heap of the calling thread.
//!
//! Each page that is touched for the first time costs more than a microsecond, most of it for
//! zeroing. A build touches many, so it has huge pages while the kernel has free ones: where memory
//! is fragmented, making them would cost more than they save.

use std::hint::black_box;
use std::sync::OnceLock;

use rusk_base::sys::allocator;

/// What is reserved while a build is small.
const SMALL_BYTES: usize = 2 << 20;

/// What is reserved for a large build: few of its huge pages are at an end that is not aligned.
const LARGE_BYTES: usize = 16 << 20;

/// The largest block whose release raises the limits of glibc, less what it adds to a block:
/// mallopt(3), `M_MMAP_THRESHOLD`.
const LARGEST_BLOCK_BYTES: usize = (32 << 20) - (64 << 10);

/// Linking so many modules takes megabytes.
pub(crate) const LARGE_MODULES_MIN: usize = 256;

/// Free huge pages for a build and for other programs.
const FREE_BYTES_MIN: u64 = 1 << 30;

/// Has the allocator retain what is freed: scopes of a large module are megabytes, and are built
/// and freed several times. The block is not touched, so it costs two system calls.
pub(crate) fn retain_freed() {
    drop(black_box(Vec::<u8>::with_capacity(LARGEST_BLOCK_BYTES)));
}

/// Has the allocator take the next memory of this thread in one step: glibc asks the kernel for
/// each page of a thread's heap alone. Pages that are not touched take no memory. After
/// [`retain_freed`] the block is one of the heap.
pub(crate) fn reserve() {
    drop(black_box(Vec::<u8>::with_capacity(SMALL_BYTES)));
}

/// As [`reserve`], for a build that is known to be large.
pub(crate) fn reserve_large() {
    static HAS_HUGE_PAGES: OnceLock<bool> = OnceLock::new();
    if !*HAS_HUGE_PAGES.get_or_init(|| free_bytes().is_some_and(|free| free >= FREE_BYTES_MIN)) {
        return reserve();
    }
    let mut block = Vec::<u8>::with_capacity(LARGE_BYTES);
    allocator::advise_huge_pages(block.spare_capacity_mut());
    drop(black_box(block));
}

/// Bytes of free blocks that are a huge page or larger; `None`: the kernel does not say.
fn free_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let huge: u64 = read("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size")?.trim().parse().ok()?;
    Some(free_blocks(&read("/proc/buddyinfo")?, rustix::param::page_size() as u64, huge))
}

/// `text`: for each zone the counts of free blocks of one page, of two, of four, and so on.
fn free_blocks(text: &str, page: u64, huge: u64) -> u64 {
    let zone = |line: &str| {
        let (_, counts) = line.split_once("zone")?;
        let counts = counts.split_whitespace().skip(1).map(str::parse);
        let sizes = (0..u64::BITS).map_while(|order| page.checked_mul(1 << order));
        let blocks = counts.zip(sizes).filter(|(_, size)| *size >= huge);
        Some(blocks.map(|(count, size)| count.unwrap_or(0_u64).saturating_mul(size)).sum::<u64>())
    };
    text.lines().filter_map(zone).sum()
}

#[cfg(test)]
mod tests;

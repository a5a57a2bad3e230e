//! Settings of the C library's allocator: how much freed memory it retains, and returning it to the
//! kernel (`mallopt(3)`, `malloc_trim(3)`); huge pages for its blocks (`madvise(2)`). Absent: the
//! JavaScript engine's own heaps.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// The mmap threshold and the trim threshold. Smaller blocks are reused without system calls; for
/// larger ones the kernel zeroes pages each time, which costs 0.4 ms per megabyte.
#[cfg(target_env = "gnu")]
const LARGE_BYTES: libc::c_int = 8 << 20;

/// One arena for the main thread and one for all others. By default glibc makes eight per CPU, and
/// each retains partly used pages of threads that have ended: 6,500 workers, six at a time, left
/// 7.5 MB after the first 2,300 and 9.5 MB after all.
///
/// With two arenas it is 2.5 MB for any number of workers, and messages to three workers take the
/// same CPU time. Small blocks are cached per thread anyway, and the engine has its own heaps.
#[cfg(target_env = "gnu")]
const ARENAS_MAX: libc::c_int = 2;

/// Limits how much freed memory is retained. By default glibc raises the limit to twice the largest
/// block freed so far, up to 64 MiB, per arena, and [`trim`] does not release the top of an arena:
/// four threads that had read a file of 17 MB retained 200 MB.
pub fn limit_retained() {
    // SAFETY: these settings may change at any time; existing arenas stay.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS_MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BYTES);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BYTES);
    }
}

/// Has the kernel back a block by huge pages, where it has some. They stay with the address range:
/// what the allocator puts there after the block was freed is in huge pages too.
pub fn advise_huge_pages(block: &mut [MaybeUninit<u8>]) {
    let page_bytes = rustix::param::page_size();
    let start = block.as_ptr().align_offset(page_bytes).min(block.len());
    let pages = &mut block[start..];
    let bytes = pages.len() - pages.len() % page_bytes;
    // SAFETY: the range is within the block, and the advice changes no content. Without support for
    // it the pages are those that they would be anyway.
    unsafe {
        libc::madvise(pages.as_mut_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
    }
}

/// Returns all unused pages of all arenas to the kernel. Threads that allocate meanwhile may wait
/// for a few milliseconds.
pub fn trim() {
    // SAFETY: it takes the arenas' locks as `free` does and touches no memory in use.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

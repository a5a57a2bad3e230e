//! Settings of the C library's allocator: how much freed memory it retains, and returning it to the
//! kernel (`mallopt(3)`, `malloc_trim(3)`). Absent: the JavaScript engine's own heaps.
#![allow(unsafe_code)]

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

/// Returns all unused pages of all arenas to the kernel. Threads that allocate meanwhile may wait
/// for a few milliseconds.
pub fn trim() {
    // SAFETY: it takes the arenas' locks as `free` does and touches no memory in use.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

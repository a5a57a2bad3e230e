//! What the allocator of the C library keeps of what was freed. In: nothing. Out: pages back to the
//! kernel. Absent: the engine's own heaps.
#![allow(unsafe_code)]

/// A block of so many bytes is a mapping of its own, and so much may stay free at the end of an
/// arena. Below it memory is used again at once; what is beyond costs the kernel's zeroes each
/// time, 0.4 ms a megabyte.
#[cfg(target_env = "gnu")]
const LARGE_BYTES: libc::c_int = 8 << 20;

/// The main thread's, and one for all others. glibc makes eight for each processor, and threads
/// that come and go leave in each of them pages that are not quite empty: 6,500 workers, six at a
/// time, left 7.5 MB behind the first 2,300 and 9.5 behind all. In two it is 2.5 MB, however many
/// there were, and messages to three workers take the same processor time. Small blocks are cached
/// by threads in any case, and the engine's heaps are its own.
#[cfg(target_env = "gnu")]
const ARENAS_MAX: libc::c_int = 2;

/// Bounds what is kept of what was freed. glibc would raise its bound to twice the largest block
/// freed so far, up to 64 MiB, for each arena, and [`trim`] does not reach the end of an
/// arena: four threads that had read a file of 17 MB kept 200 MB.
pub fn limit_retained() {
    // SAFETY: all are settings that may change at any time; arenas that there are stay.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, ARENAS_MAX);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BYTES);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BYTES);
    }
}

/// Gives every whole page of free memory back, of all threads' arenas; whoever allocates meanwhile
/// may wait for a few milliseconds.
pub fn trim() {
    // SAFETY: it takes the arenas' locks as `free` does, and touches nothing that is in use.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

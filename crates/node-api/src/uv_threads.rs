//! libuv's threads, mutexes, conditions and clock, as addons import them. On Linux its types are
//! those of pthreads, so each function is one call.

use std::ffi::{c_int, c_uint};
use std::time::Duration;

use libc::{pthread_cond_t, pthread_mutex_t, pthread_t};

use crate::abi::Foreign;

type ThreadEntry = unsafe extern "C" fn(Foreign);

/// What a new thread runs.
struct ThreadStart {
    entry: ThreadEntry,
    argument: Foreign,
}

// SAFETY of the calls here: the addon passes memory of the type, which it has initialized where
// libuv expects it; libuv's functions have the same conditions.

#[unsafe(no_mangle)]
extern "C" fn uv_hrtime() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes the time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[unsafe(no_mangle)]
extern "C" fn uv_sleep(time_ms: c_uint) {
    std::thread::sleep(Duration::from_millis(time_ms.into()));
}

#[unsafe(no_mangle)]
extern "C" fn uv_mutex_init(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: as above.
    -unsafe { libc::pthread_mutex_init(mutex, std::ptr::null()) }
}

#[unsafe(no_mangle)]
extern "C" fn uv_mutex_destroy(mutex: *mut pthread_mutex_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_mutex_destroy(mutex) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_mutex_lock(mutex: *mut pthread_mutex_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_mutex_lock(mutex) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: as above.
    -unsafe { libc::pthread_mutex_trylock(mutex) }
}

#[unsafe(no_mangle)]
extern "C" fn uv_mutex_unlock(mutex: *mut pthread_mutex_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_mutex_unlock(mutex) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_cond_init(condition: *mut pthread_cond_t) -> c_int {
    // SAFETY: as above.
    -unsafe { libc::pthread_cond_init(condition, std::ptr::null()) }
}

#[unsafe(no_mangle)]
extern "C" fn uv_cond_destroy(condition: *mut pthread_cond_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_cond_destroy(condition) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_cond_signal(condition: *mut pthread_cond_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_cond_signal(condition) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_cond_broadcast(condition: *mut pthread_cond_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_cond_broadcast(condition) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_cond_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_cond_wait(condition, mutex) };
}

extern "C" fn run_thread(start: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    // SAFETY: made by `uv_thread_create`, for this thread alone; the addon's own function.
    unsafe {
        let start = Box::from_raw(start.cast::<ThreadStart>());
        (start.entry)(start.argument);
    }
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
extern "C" fn uv_thread_create(
    thread: *mut pthread_t,
    entry: Option<ThreadEntry>,
    argument: Foreign,
) -> c_int {
    let Some(entry) = entry else { return -libc::EINVAL };
    let start = Box::into_raw(Box::new(ThreadStart { entry, argument }));
    // SAFETY: as above; the thread takes over the start.
    let error = unsafe { libc::pthread_create(thread, std::ptr::null(), run_thread, start.cast()) };
    if error != 0 {
        // SAFETY: no thread has it.
        drop(unsafe { Box::from_raw(start) });
    }
    -error
}

#[unsafe(no_mangle)]
extern "C" fn uv_thread_join(thread: *const pthread_t) -> c_int {
    // SAFETY: as above.
    -unsafe { libc::pthread_join(*thread, std::ptr::null_mut()) }
}

#[unsafe(no_mangle)]
extern "C" fn uv_thread_self() -> pthread_t {
    // SAFETY: it has no conditions.
    unsafe { libc::pthread_self() }
}

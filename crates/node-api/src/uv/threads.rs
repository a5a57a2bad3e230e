//! libuv's threads, locks and clock, as addons import them. On Linux its types are those of
//! pthreads, so each function is one call.

use std::ffi::{c_int, c_uint, c_void};
use std::time::Duration;

use libc::{
    pthread_barrier_t, pthread_cond_t, pthread_key_t, pthread_mutex_t, pthread_rwlock_t, pthread_t, sem_t,
};

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
pub extern "C" fn uv_hrtime() -> u64 {
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

#[unsafe(no_mangle)]
extern "C" fn uv_thread_equal(one: *const pthread_t, other: *const pthread_t) -> c_int {
    // SAFETY: as above; on Linux they are numbers.
    c_int::from(unsafe { *one == *other })
}

/// Defines functions that are one call of the C library.
macro_rules! one_call {
    ($($name:ident($($argument:ident: $type:ty),*) = $function:path;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) {
            // SAFETY: as above.
            unsafe { $function($($argument),*) };
        }
    )*};
    ($($name:ident($($argument:ident: $type:ty),*) -> error = $function:path $(, $more:expr)*;)*) => {$(
        /// A negative error number.
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $type),*) -> c_int {
            // SAFETY: as above.
            -unsafe { $function($($argument),* $(, $more)*) }
        }
    )*};
}

one_call! {
    uv_rwlock_destroy(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_destroy;
    uv_rwlock_rdlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_rdlock;
    uv_rwlock_rdunlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_unlock;
    uv_rwlock_wrlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_wrlock;
    uv_rwlock_wrunlock(lock: *mut pthread_rwlock_t) = libc::pthread_rwlock_unlock;
    uv_barrier_destroy(barrier: *mut pthread_barrier_t) = libc::pthread_barrier_destroy;
    uv_sem_destroy(semaphore: *mut sem_t) = libc::sem_destroy;
    uv_sem_post(semaphore: *mut sem_t) = libc::sem_post;
    uv_key_set(key: *const pthread_key_t, value: *mut c_void) = set_key;
}

one_call! {
    uv_rwlock_init(lock: *mut pthread_rwlock_t) -> error = libc::pthread_rwlock_init, std::ptr::null();
    uv_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> error = libc::pthread_rwlock_tryrdlock;
    uv_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> error = libc::pthread_rwlock_trywrlock;
    uv_key_create(key: *mut pthread_key_t) -> error = libc::pthread_key_create, None;
}

#[unsafe(no_mangle)]
extern "C" fn uv_barrier_init(barrier: *mut pthread_barrier_t, count: c_uint) -> c_int {
    // SAFETY: as above.
    -unsafe { libc::pthread_barrier_init(barrier, std::ptr::null(), count) }
}

/// 1 for one of the threads, 0 for the others.
#[unsafe(no_mangle)]
extern "C" fn uv_barrier_wait(barrier: *mut pthread_barrier_t) -> c_int {
    // SAFETY: as above.
    let waited = unsafe { libc::pthread_barrier_wait(barrier) };
    c_int::from(waited == libc::PTHREAD_BARRIER_SERIAL_THREAD)
}

#[unsafe(no_mangle)]
extern "C" fn uv_sem_init(semaphore: *mut sem_t, value: c_uint) -> c_int {
    // SAFETY: as above.
    negative_errno(unsafe { libc::sem_init(semaphore, 0, value) })
}

#[unsafe(no_mangle)]
extern "C" fn uv_sem_wait(semaphore: *mut sem_t) {
    // SAFETY: as above. A signal may end it early.
    while negative_errno(unsafe { libc::sem_wait(semaphore) }) == -libc::EINTR {}
}

#[unsafe(no_mangle)]
extern "C" fn uv_sem_trywait(semaphore: *mut sem_t) -> c_int {
    // SAFETY: as above.
    negative_errno(unsafe { libc::sem_trywait(semaphore) })
}

#[unsafe(no_mangle)]
extern "C" fn uv_key_delete(key: *const pthread_key_t) {
    // SAFETY: as above.
    unsafe { libc::pthread_key_delete(*key) };
}

#[unsafe(no_mangle)]
extern "C" fn uv_key_get(key: *const pthread_key_t) -> *mut c_void {
    // SAFETY: as above.
    unsafe { libc::pthread_getspecific(*key) }
}

unsafe fn set_key(key: *const pthread_key_t, value: *mut c_void) {
    // SAFETY: as above.
    unsafe { libc::pthread_setspecific(*key, value) };
}

/// For functions that report an error by -1.
fn negative_errno(result: c_int) -> c_int {
    match result {
        -1 => -std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL),
        _ => 0,
    }
}

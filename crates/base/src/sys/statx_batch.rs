//! Batches of `statx(2)`, through io_uring or threads. In: a directory and paths. Out: the result
//! for each path, in order. Where io_uring is refused (a sandbox, an old kernel, a sysctl) or not
//! worth its setup, each path gets a call of its own, with the same results.
//!
//! The caller chooses between fewest calls and least time: the kernel hands each statx of a ring to
//! a thread, so 1,500 of them took 4.8 ms where plain calls took 2.4 ms, and the first ones of a
//! process longer. For thousands of paths, threads of ours share the calls.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::StatxFlags;
use rustix::io_uring as uring;
use rustix::mm;

use super::syscall_stats::traced;
use super::{AtFlags, Errno, OwnedFd, Result, Statx, lstatx};

/// Paths from which a ring pays off: it takes four calls to set up and two to tear down.
const PATHS_MIN: usize = 16;

/// Paths in flight. Each takes 350 bytes, and fresh memory costs more than another call.
const PATHS_IN_FLIGHT_MAX: usize = 256;

/// Paths for which another thread is worth its start, which takes as long as about fifty calls.
const PATHS_PER_THREAD: usize = 500;
/// Threads that share the calls, including the calling one.
const THREADS_MAX: usize = 4;

/// What to minimize.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatxStrategy {
    /// About ten calls, if the kernel allows io_uring.
    FewestCalls,
    /// One call for each path, on several threads if there are many.
    LeastTime,
}

/// NUL-terminated paths, one after the other.
#[derive(Default)]
pub struct PathBatch {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl PathBatch {
    /// Adds a path. It ends at its first NUL byte, if it has one.
    pub fn add(&mut self, path: &str) {
        let end = path.find('\0').unwrap_or(path.len());
        self.bytes.extend_from_slice(&path.as_bytes()[..end]);
        self.bytes.push(0);
        self.ends.push(self.bytes.len());
    }

    /// Maps [`lstatx`] of each path by `map`, in order.
    pub fn lstatx_all<T: Send>(
        &self,
        directory: BorrowedFd<'_>,
        strategy: StatxStrategy,
        map: fn(Result<&Statx>) -> T,
    ) -> Vec<T> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let path = |(start, end): (usize, &usize)| CStr::from_bytes_with_nul(&self.bytes[start..*end]);
        let paths: Vec<&CStr> =
            starts.zip(&self.ends).map(path).map(|path| path.unwrap_or_default()).collect();
        let stat_paths = |paths: &[&CStr]| {
            let mut all = Vec::with_capacity(paths.len());
            lstatx_each(directory, paths, strategy, &mut |stat| all.push(map(stat)));
            all
        };
        let threads = (paths.len() / PATHS_PER_THREAD).clamp(1, THREADS_MAX);
        if strategy == StatxStrategy::FewestCalls || threads == 1 {
            return stat_paths(&paths);
        }
        let (own, others) = paths.split_at(paths.len().div_ceil(threads));
        std::thread::scope(|scope| {
            let parts = others.chunks(own.len());
            // If no thread can be started, this thread does that part.
            let threads: Vec<_> = parts
                .map(|part| (std::thread::Builder::new().spawn_scoped(scope, move || stat_paths(part)), part))
                .collect();
            let mut all = stat_paths(own);
            for (thread, part) in threads {
                let stats = thread.map(|thread| thread.join());
                all.extend(match stats {
                    Ok(Ok(stats)) => stats,
                    Ok(Err(cause)) => std::panic::resume_unwind(cause),
                    Err(_) => stat_paths(part),
                });
            }
            all
        })
    }
}

/// Passes [`lstatx`] of each path to `visit`, in order.
pub fn lstatx_each(
    directory: BorrowedFd<'_>,
    paths: &[&CStr],
    strategy: StatxStrategy,
    visit: &mut dyn FnMut(Result<&Statx>),
) {
    let mut ring = match strategy == StatxStrategy::FewestCalls && paths.len() >= PATHS_MIN {
        true => Ring::open(paths.len().min(PATHS_IN_FLIGHT_MAX) as u32).ok(),
        false => None,
    };
    let mut rest = paths;
    while let Some(open) = &mut ring
        && !rest.is_empty()
    {
        let (now, later) = rest.split_at(rest.len().min(PATHS_IN_FLIGHT_MAX));
        match open.lstatx_each(directory, now, visit) {
            Ok(()) => rest = later,
            Err(_) => ring = None,
        }
    }
    for path in rest {
        visit(lstatx(directory, *path).as_ref().map_err(|errno| *errno));
    }
}

/// An io_uring that is filled, submitted and drained as a whole each time.
struct Ring {
    file: OwnedFd,
    queues: SharedMapping,
    entries: SharedMapping,
    params: uring::io_uring_params,
    buffers: Vec<StatxBuffer>,
    outcomes: Vec<Result<()>>,
}

/// Filled by the kernel; its size is the one the kernel writes.
type StatxBuffer = MaybeUninit<Statx>;
const _: () = assert!(size_of::<StatxBuffer>() == 256, "`struct statx` of the kernel");

impl Ring {
    /// With room for `entries` submissions and completions.
    fn open(entries: u32) -> Result<Ring> {
        // Wakes us when all are complete, not for each completion. Linux before 6.1 lacks it.
        let deferred = uring::IoringSetupFlags::SINGLE_ISSUER | uring::IoringSetupFlags::DEFER_TASKRUN;
        let (file, params) = match set_up(entries, deferred) {
            Err(Errno::INVAL) => set_up(entries, uring::IoringSetupFlags::empty())?,
            set_up => set_up?,
        };
        // Kernels before 5.4 need three mappings; they do not support `statx` in a ring either.
        if !params.features.contains(uring::IoringFeatureFlags::SINGLE_MMAP) {
            return Err(Errno::NOSYS);
        }
        let completion_bytes = size_of::<u64>() * 2;
        let queue_bytes = (params.cq_off.cqes as usize + params.cq_entries as usize * completion_bytes)
            .max(params.sq_off.array as usize + params.sq_entries as usize * size_of::<u32>());
        let entry_bytes = params.sq_entries as usize * size_of::<uring::io_uring_sqe>();
        let queues = SharedMapping::map(file.as_fd(), queue_bytes, uring::IORING_OFF_SQ_RING)?;
        let entries = SharedMapping::map(file.as_fd(), entry_bytes, uring::IORING_OFF_SQES)?;
        Ok(Ring { file, queues, entries, params, buffers: Vec::new(), outcomes: Vec::new() })
    }

    /// Visits either all paths or, after an error, none.
    fn lstatx_each(
        &mut self,
        directory: BorrowedFd<'_>,
        paths: &[&CStr],
        visit: &mut dyn FnMut(Result<&Statx>),
    ) -> Result<()> {
        let count = paths.len() as u32;
        let mut buffers = std::mem::take(&mut self.buffers);
        buffers.resize(paths.len(), StatxBuffer::zeroed());
        self.outcomes.clear();
        self.outcomes.resize(paths.len(), Err(Errno::IO));
        for (at, (path, buffer)) in paths.iter().zip(&mut buffers).enumerate() {
            self.put(at, entry(directory, path, buffer, at as u64));
        }
        if let Err(error) = self.finish(count) {
            if error.in_flight {
                // The kernel may still write to them.
                std::mem::forget(buffers);
            }
            return Err(error.errno);
        }
        for (outcome, buffer) in self.outcomes.iter().zip(&buffers) {
            // SAFETY: zeroes are a valid `Statx`, and the kernel has written those that succeeded.
            visit(outcome.map(|()| unsafe { buffer.assume_init_ref() }));
        }
        self.buffers = buffers;
        Ok(())
    }

    /// Writes a submission entry to slot `at`, and its index to the submission queue.
    fn put(&self, at: usize, entry: uring::io_uring_sqe) {
        assert!(at < self.params.sq_entries as usize, "the ring was opened for as many");
        let tail = self.queues.field(self.params.sq_off.tail).load(Ordering::Relaxed);
        let slot = tail.wrapping_add(at as u32) & (self.params.sq_entries - 1);
        self.queues.field(self.params.sq_off.array + 4 * slot).store(at as u32, Ordering::Relaxed);
        // SAFETY: `at` is below `sq_entries`, for which `entries` was mapped; the kernel has
        // consumed the former entry, since all earlier submissions are complete.
        unsafe { self.entries.start.cast::<uring::io_uring_sqe>().add(at).write(entry) };
    }

    /// Submits all entries and waits until all are complete.
    fn finish(&mut self, count: u32) -> std::result::Result<(), SubmitError> {
        let tail = self.queues.field(self.params.sq_off.tail);
        tail.store(tail.load(Ordering::Relaxed).wrapping_add(count), Ordering::Release);
        let (mut to_submit, mut open) = (count, count);
        while open > 0 {
            let flags = uring::IoringEnterFlags::GETEVENTS;
            // SAFETY: the submitted entries point to paths and buffers that live until `open` is 0,
            // or are leaked.
            let enter = || unsafe { uring::io_uring_enter(self.file.as_fd(), to_submit, open, flags) };
            match traced(libc::SYS_io_uring_enter, enter) {
                Ok(submitted) => to_submit -= submitted.min(to_submit),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(SubmitError { errno, in_flight: to_submit < count }),
            }
            open -= self.collect();
        }
        Ok(())
    }

    /// Consumes the available completions.
    fn collect(&mut self) -> u32 {
        let (head, tail) =
            (self.queues.field(self.params.cq_off.head), self.queues.field(self.params.cq_off.tail));
        let first = head.load(Ordering::Relaxed);
        let end = tail.load(Ordering::Acquire);
        for nth in 0..end.wrapping_sub(first) {
            let number = first.wrapping_add(nth);
            let slot = number & (self.params.cq_entries - 1);
            let at = self.params.cq_off.cqes as usize + slot as usize * size_of::<[u64; 2]>();
            // SAFETY: `slot` is below `cq_entries`, for which `queues` was mapped; the kernel wrote
            // the completion before it moved `tail`, which was read with `Acquire`.
            let [user_data, outcome] = unsafe { self.queues.start.add(at).cast::<[u64; 2]>().read() };
            let code = outcome as u32 as i32;
            self.outcomes[user_data as usize] =
                if code < 0 { Err(Errno::from_raw_os_error(-code)) } else { Ok(()) };
        }
        head.store(end, Ordering::Release);
        end.wrapping_sub(first)
    }
}

fn set_up(entries: u32, flags: uring::IoringSetupFlags) -> Result<(OwnedFd, uring::io_uring_params)> {
    let mut params = uring::io_uring_params::default();
    params.flags = flags;
    // SAFETY: `params` is a complete `io_uring_params`, zero but for its flags; the kernel fills it
    // in.
    let setup = || unsafe { uring::io_uring_setup(entries, &mut params) };
    let file = traced(libc::SYS_io_uring_setup, setup)?;
    Ok((OwnedFd::from(file), params))
}

/// A failed submission.
struct SubmitError {
    errno: Errno,
    /// Whether the kernel has accepted any entry.
    in_flight: bool,
}

fn entry(
    directory: BorrowedFd<'_>,
    path: &CStr,
    buffer: &mut StatxBuffer,
    user_data: u64,
) -> uring::io_uring_sqe {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    let pointer = uring::io_uring_ptr::new;
    let (opcode, fd) = (uring::IoringOp::Statx, directory.as_raw_fd());
    let mut entry = uring::io_uring_sqe { opcode, fd, ..Default::default() };
    entry.addr_or_splice_off_in.addr = pointer(path.as_ptr().cast_mut().cast());
    entry.off_or_addr2.addr2 = pointer((&raw mut *buffer).cast());
    entry.len.len = mask.bits();
    entry.op_flags.statx_flags = AtFlags::SYMLINK_NOFOLLOW;
    entry.user_data.u64_ = user_data;
    entry
}

/// A shared mapping of a part of the ring, which the kernel reads and writes too.
struct SharedMapping {
    start: NonNull<u8>,
    bytes: usize,
}

impl SharedMapping {
    fn map(ring: BorrowedFd<'_>, bytes: usize, offset: u64) -> Result<SharedMapping> {
        let access = mm::ProtFlags::READ | mm::ProtFlags::WRITE;
        let flags = mm::MapFlags::SHARED | mm::MapFlags::POPULATE;
        // SAFETY: without a requested address, the kernel maps pages that are not in use.
        let map = || unsafe { mm::mmap(std::ptr::null_mut(), bytes, access, flags, ring, offset) };
        let start = traced(libc::SYS_mmap, map)?;
        Ok(SharedMapping { start: NonNull::new(start.cast()).ok_or(Errno::NOMEM)?, bytes })
    }

    /// A 32-bit field at an offset that the kernel reported; the kernel may change it at any time.
    fn field(&self, offset: u32) -> &AtomicU32 {
        assert!(
            offset as usize + size_of::<AtomicU32>() <= self.bytes && offset.is_multiple_of(4),
            "inside the mapping"
        );
        // SAFETY: within the mapping and aligned, as just asserted; shared fields are only accessed
        // atomically.
        unsafe { self.start.add(offset as usize).cast::<AtomicU32>().as_ref() }
    }
}

impl Drop for SharedMapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no reference into it outlives `self`. On failure it stays
        // mapped.
        let _ = traced(libc::SYS_munmap, || unsafe { mm::munmap(self.start.as_ptr().cast(), self.bytes) });
    }
}

#[cfg(test)]
mod tests;

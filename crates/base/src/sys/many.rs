//! Many `statx(2)` by one call, through io_uring. In: a folder and paths. Out: what the kernel says of each, in their
//! order. Absent: threads of ours (the kernel brings its own). Where io_uring is refused (a sandbox, an old kernel, a
//! `sysctl`), or would cost more calls than it saves, each path is asked for by a call of its own: the answers are the same.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::StatxFlags;
use rustix::io_uring as uring;
use rustix::mm;

use super::{AtFlags, Errno, Result, Statx, lstatx};

/// A ring is four calls and two to put it away; fewer paths than this are not worth one.
const PATHS_MIN: usize = 16;

/// Paths under way at once: the kernel allows 32,768, and each takes 350 bytes here.
const PATHS_AT_ONCE_MAX: usize = 8192;

/// [`lstatx`] of every path.
pub fn lstatx_all(folder: BorrowedFd<'_>, paths: &[&CStr]) -> Vec<Result<Statx>> {
    let mut answers = Vec::with_capacity(paths.len());
    for paths in paths.chunks(PATHS_AT_ONCE_MAX) {
        let together = match paths.len() >= PATHS_MIN {
            true => Ring::open(paths.len() as u32).and_then(|ring| ring.lstatx_all(folder, paths)).ok(),
            false => None,
        };
        match together {
            Some(found) => answers.extend(found),
            None => answers.extend(paths.iter().map(|path| lstatx(folder, *path))),
        }
    }
    answers
}

/// An io_uring of our own, filled once.
struct Ring {
    file: OwnedFd,
    queues: Shared,
    entries: Shared,
    params: uring::io_uring_params,
}

/// Filled in by the kernel; it has the size that the kernel writes.
type Answer = MaybeUninit<Statx>;
const _: () = assert!(size_of::<Answer>() == 256, "`struct statx` of the kernel");

impl Ring {
    /// With room for `entries` requests, and as many answers.
    fn open(entries: u32) -> Result<Ring> {
        let mut params = uring::io_uring_params::default();
        // SAFETY: `params` is a whole, zeroed `io_uring_params`, which the kernel fills in.
        let file = unsafe { uring::io_uring_setup(entries, &mut params) }?;
        // Kernels before 5.4 want three mappings; they are too old to know `statx` here anyway.
        if !params.features.contains(uring::IoringFeatureFlags::SINGLE_MMAP) {
            return Err(Errno::NOSYS);
        }
        let answer_bytes = size_of::<u64>() * 2;
        let queue_bytes = (params.cq_off.cqes as usize + params.cq_entries as usize * answer_bytes)
            .max(params.sq_off.array as usize + params.sq_entries as usize * size_of::<u32>());
        let entry_bytes = params.sq_entries as usize * size_of::<uring::io_uring_sqe>();
        let queues = Shared::map(file.as_fd(), queue_bytes, uring::IORING_OFF_SQ_RING)?;
        let entries = Shared::map(file.as_fd(), entry_bytes, uring::IORING_OFF_SQES)?;
        Ok(Ring { file, queues, entries, params })
    }

    fn lstatx_all(self, folder: BorrowedFd<'_>, paths: &[&CStr]) -> Result<Vec<Result<Statx>>> {
        let count = paths.len() as u32;
        let mut outcomes = vec![Err(Errno::IO); paths.len()];
        let mut answers = vec![Answer::zeroed(); paths.len()];
        for (at, (path, answer)) in paths.iter().zip(&mut answers).enumerate() {
            self.put(at, entry(folder, path, answer, at as u64));
        }
        self.queues.word(self.params.sq_off.tail).store(count, Ordering::Release);
        if let Err(stopped) = self.finish(count, &mut outcomes) {
            if stopped.under_way {
                // The kernel may still write there.
                std::mem::forget(answers);
            }
            return Err(stopped.errno);
        }
        // SAFETY: zeroes are a `Statx` of nothing, and of what the kernel says is done it has written the whole.
        let taken = |answer: Answer| unsafe { answer.assume_init() };
        Ok(outcomes
            .into_iter()
            .zip(answers)
            .map(|(outcome, answer)| outcome.map(|()| taken(answer)))
            .collect())
    }

    /// Puts an entry at a place of the queue, and the place into the list of what is to be done.
    fn put(&self, at: usize, entry: uring::io_uring_sqe) {
        debug_assert!(at < self.params.sq_entries as usize, "the ring was opened for as many");
        self.queues.word(self.params.sq_off.array + 4 * at as u32).store(at as u32, Ordering::Relaxed);
        // SAFETY: `at` is below `sq_entries`, for which `entries` was mapped; nobody else has the mapping yet.
        unsafe { self.entries.start.cast::<uring::io_uring_sqe>().add(at).write(entry) };
    }

    /// Hands all entries over and waits until each is answered.
    fn finish(&self, count: u32, outcomes: &mut [Result<()>]) -> std::result::Result<(), Stopped> {
        let (mut to_submit, mut open) = (count, count);
        while open > 0 {
            let flags = uring::IoringEnterFlags::GETEVENTS;
            // SAFETY: the entries handed over point to paths and answers that live until `open` is 0, or are leaked.
            match unsafe { uring::io_uring_enter(self.file.as_fd(), to_submit, open, flags) } {
                Ok(submitted) => to_submit -= submitted.min(to_submit),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(Stopped { errno, under_way: to_submit < count }),
            }
            open -= self.collect(outcomes);
        }
        Ok(())
    }

    /// Takes the answers that have come.
    fn collect(&self, outcomes: &mut [Result<()>]) -> u32 {
        let (head, tail) =
            (self.queues.word(self.params.cq_off.head), self.queues.word(self.params.cq_off.tail));
        let first = head.load(Ordering::Relaxed);
        let end = tail.load(Ordering::Acquire);
        for number in first..end {
            let place = number & (self.params.cq_entries - 1);
            let at = self.params.cq_off.cqes as usize + place as usize * size_of::<[u64; 2]>();
            // SAFETY: `place` is below `cq_entries`, for which `queues` was mapped; the kernel wrote the answer
            // before it moved `tail`, which was read with `Acquire`.
            let [mark, outcome] = unsafe { self.queues.start.add(at).cast::<[u64; 2]>().read() };
            let code = outcome as u32 as i32;
            outcomes[mark as usize] = if code < 0 { Err(Errno::from_raw_os_error(-code)) } else { Ok(()) };
        }
        head.store(end, Ordering::Release);
        end - first
    }
}

/// A ring that cannot go on.
struct Stopped {
    errno: Errno,
    /// Whether the kernel was given anything.
    under_way: bool,
}

fn entry(folder: BorrowedFd<'_>, path: &CStr, answer: &mut Answer, mark: u64) -> uring::io_uring_sqe {
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    let pointer = uring::io_uring_ptr::new;
    let (opcode, fd) = (uring::IoringOp::Statx, folder.as_raw_fd());
    let mut entry = uring::io_uring_sqe { opcode, fd, ..Default::default() };
    entry.addr_or_splice_off_in.addr = pointer(path.as_ptr().cast_mut().cast());
    entry.off_or_addr2.addr2 = pointer((&raw mut *answer).cast());
    entry.len.len = wanted.bits();
    entry.op_flags.statx_flags = AtFlags::SYMLINK_NOFOLLOW;
    entry.user_data.u64_ = mark;
    entry
}

/// A part of a ring, mapped: the kernel reads and writes it too.
struct Shared {
    start: NonNull<u8>,
    bytes: usize,
}

impl Shared {
    fn map(ring: BorrowedFd<'_>, bytes: usize, offset: u64) -> Result<Shared> {
        let access = mm::ProtFlags::READ | mm::ProtFlags::WRITE;
        let flags = mm::MapFlags::SHARED | mm::MapFlags::POPULATE;
        // SAFETY: no address is asked for, so the kernel places the mapping where nothing of ours lives.
        let start = unsafe { mm::mmap(std::ptr::null_mut(), bytes, access, flags, ring, offset) }?;
        Ok(Shared { start: NonNull::new(start.cast()).ok_or(Errno::NOMEM)?, bytes })
    }

    /// A number that the kernel may change at any time, at an offset that the kernel told.
    fn word(&self, offset: u32) -> &AtomicU32 {
        assert!(
            offset as usize + size_of::<AtomicU32>() <= self.bytes && offset.is_multiple_of(4),
            "inside the mapping"
        );
        // SAFETY: inside the mapping and aligned, as was just seen; shared numbers are touched by atomics alone.
        unsafe { self.start.add(offset as usize).cast::<AtomicU32>().as_ref() }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no reference into it outlives `self`. A refusal leaves it mapped, no more.
        let _ = unsafe { mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests;

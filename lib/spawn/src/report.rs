//! Report of a child before its exec, in shared memory. In: the child's stores. Out:
//! [`Report::outcome`]. The kernel clears a futex word when the child has released the memory
//! (`CLONE_CHILD_CLEARTID`): no pipe is needed.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicI32, AtomicU32};
use std::time::{Duration, Instant};

use crate::step::Step;

/// Shared by the [`crate::Child`] and the slot of its stack; the last one frees it.
#[repr(C)]
pub struct Report {
    /// 1 from before the clone until the kernel clears it, at exec or exit.
    pub word: AtomicU32,
    pub step: AtomicU32,
    pub errno: AtomicI32,
    /// 0 while fds that were sent to the child are in flight.
    pub received: AtomicU32,
    /// How many of the borrowed pipe ends the child has begun to close for its parent.
    pub closed: AtomicU32,
    /// Another report, which the child uses instead.
    shared: Option<SharedPage>,
}

/// The progress of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The child still shares its parent's memory.
    Starting,
    /// It released the memory without an error: the program runs, or has run, or the child was
    /// killed before that.
    Started,
    Failed {
        step: Step,
        errno: i32,
    },
}

impl Report {
    pub fn new() -> Report {
        Report {
            word: AtomicU32::new(1),
            step: AtomicU32::new(0),
            errno: AtomicI32::new(0),
            received: AtomicU32::new(1),
            closed: AtomicU32::new(0),
            shared: None,
        }
    }

    /// For a child that may get memory of its own: valgrind and emulators turn a vfork into a fork.
    /// Its report is complete when it has exited.
    pub fn new_shared() -> Report {
        Report { shared: SharedPage::map(), ..Report::new() }
    }

    /// The report that the child writes.
    pub fn child_side(&self) -> &Report {
        self.shared.as_ref().map_or(self, SharedPage::report)
    }

    /// The report of a start that is over.
    pub fn finished(step: u32, errno: i32) -> Report {
        let report = Report::new();
        report.clear();
        report.step.store(step, Relaxed);
        report.errno.store(errno, Relaxed);
        report
    }

    pub fn outcome(&self) -> Outcome {
        if self.word.load(Acquire) != 0 {
            return Outcome::Starting;
        }
        let report = self.child_side();
        match (report.errno.load(Acquire), Step::find(report.step.load(Acquire))) {
            (0, _) => Outcome::Started,
            (errno, step) => Outcome::Failed { step: step.unwrap_or(Step::Exec), errno },
        }
    }

    /// Waits until the child has released the memory, or up to the limit. The kernel wakes one
    /// waiter, which wakes the others.
    pub fn wait(&self, limit: Option<Duration>) -> Outcome {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut slept = false;
        loop {
            let outcome = self.outcome();
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if outcome != Outcome::Starting || remaining == Some(Duration::ZERO) {
                if slept {
                    wake_all(&self.word);
                }
                return outcome;
            }
            sleep_on(&self.word, remaining);
            slept = true;
        }
    }

    /// For a start that is over without the kernel clearing the word.
    pub fn clear(&self) {
        self.word.store(0, Relaxed);
    }
}

/// Memory that is shared with a forked process, with a report in it.
struct SharedPage(NonNull<Report>);

// SAFETY: the report is made of atomics, and has no page of its own.
unsafe impl Send for SharedPage {}
// SAFETY: as above.
unsafe impl Sync for SharedPage {}

impl SharedPage {
    /// None without memory: then the report itself serves, with less information.
    fn map() -> Option<SharedPage> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, at any address.
        let page = unsafe { libc::mmap(std::ptr::null_mut(), size_of::<Report>(), access, flags, -1, 0) };
        let page = NonNull::new(page).filter(|page| page.as_ptr() != libc::MAP_FAILED)?.cast();
        // SAFETY: just mapped, not shared yet, and aligned to a page.
        unsafe { page.write(Report::new()) };
        Some(SharedPage(page))
    }

    fn report(&self) -> &Report {
        // SAFETY: mapped and written as long as this value lives.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for SharedPage {
    fn drop(&mut self) {
        // SAFETY: the mapping is owned. A child that still uses it has its own mapping.
        unsafe { libc::munmap(self.0.as_ptr().cast(), size_of::<Report>()) };
    }
}

/// Sleeps until the word is woken or is no longer 1, or up to the limit. The kernel wakes it as a
/// shared futex.
fn sleep_on(word: &AtomicU32, limit: Option<Duration>) {
    let timeout = limit.map(|remaining| libc::timespec {
        tv_sec: remaining.as_secs().min(i32::MAX as u64) as libc::time_t,
        tv_nsec: remaining.subsec_nanos().into(),
    });
    let timeout_at = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word and the time outlive the call; a futex only reads them.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 1, timeout_at) };
}

fn wake_all(word: &AtomicU32) {
    // SAFETY: the kernel uses only the address.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
}

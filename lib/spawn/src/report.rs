//! What a child says before its exec, in memory that both see. In: the child's stores. Out: [`Report::outcome`].
//! A word that the kernel clears tells when the child has let go of the memory: no pipe is needed.

use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicI32, AtomicU32};
use std::time::{Duration, Instant};

use crate::step::Step;

/// Shared by the [`crate::Child`] and the slot of its stack; the last of them frees it.
#[repr(C)]
pub struct Report {
    /// 1 from before the clone until the kernel clears it, at exec or at the end.
    pub word: AtomicU32,
    pub step: AtomicU32,
    pub errno: AtomicI32,
    /// 0 while descriptors that were sent to the child wait to be taken.
    pub received: AtomicU32,
    /// How many of the ends that were lent to the child it has begun to close for its parent.
    pub closed: AtomicU32,
}

/// How far a start has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The child still shares its parent's memory.
    Starting,
    /// It let go, and said nothing: the program runs, or has run, or the child was killed before it could.
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
        }
    }

    /// Of a start that is over.
    pub fn of_past(step: u32, errno: i32) -> Report {
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
        match (self.errno.load(Acquire), Step::find(self.step.load(Acquire))) {
            (0, _) => Outcome::Started,
            (errno, step) => Outcome::Failed { step: step.unwrap_or(Step::Exec), errno },
        }
    }

    /// Waits until the child has let go of the memory, or the limit has passed. One waiter at a time: the kernel
    /// wakes one.
    pub fn wait(&self, limit: Option<Duration>) -> Outcome {
        let end = limit.map(|limit| Instant::now() + limit);
        loop {
            let outcome = self.outcome();
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if outcome != Outcome::Starting || left == Some(Duration::ZERO) {
                return outcome;
            }
            sleep_on(&self.word, left);
        }
    }

    /// For a start that is over without the kernel saying so.
    pub fn clear(&self) {
        self.word.store(0, Relaxed);
    }
}

/// Sleeps until the word is woken, is no longer 1, or the limit has passed. The kernel wakes it as a shared futex.
fn sleep_on(word: &AtomicU32, limit: Option<Duration>) {
    let timeout = limit.map(|left| libc::timespec {
        tv_sec: left.as_secs().min(i32::MAX as u64) as libc::time_t,
        tv_nsec: left.subsec_nanos().into(),
    });
    let timeout_at = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word and the time live through the call; a futex only reads them.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 1, timeout_at) };
}

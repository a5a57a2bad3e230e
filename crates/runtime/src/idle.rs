//! Idle garbage collection: when an idle program returns memory to the OS. In: when the loop begins
//! and ends a wait. Out: how long to wait before a collection is due. The engine's own timers
//! collect according to allocations, so a program that allocates nothing would retain all its
//! memory. Also: pages of files that the start has read, and memory of workers that have ended.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusk_base::sys::allocator;

/// A loop that has waited so long is idle; the next event may wait for a collection.
const IDLE_AFTER: Duration = Duration::from_secs(2);

/// Work since the last collection from which one is worthwhile: a timer that does little shall not
/// collect each time.
const WORK_MIN: Duration = Duration::from_millis(20);

/// Work of a program after which its start is over. Its pages are released again after twice the
/// work, and so on: a program's compilers are done at some time, too.
const WARM_AFTER: Duration = Duration::from_secs(1);

pub(crate) struct Idle {
    working_since: Cell<Instant>,
    /// Since the last collection.
    worked: Cell<Duration>,
    worked_in_all: Cell<Duration>,
    /// How much work there is in all when pages are released next.
    release_after: Cell<Duration>,
}

impl Idle {
    /// The start of a program leaves garbage, and pages that it never needs again.
    pub fn new() -> Idle {
        Idle {
            working_since: Cell::new(Instant::now()),
            worked: Cell::new(WORK_MIN),
            worked_in_all: Cell::default(),
            release_after: Cell::new(WARM_AFTER),
        }
    }

    /// How long to wait at most before a collection is due; `None`: none is.
    pub fn begin_wait(&self) -> Option<Duration> {
        let work = self.working_since.get().elapsed();
        self.worked.set(self.worked.get() + work);
        self.worked_in_all.set(self.worked_in_all.get() + work);
        (self.worked.get() >= WORK_MIN).then_some(IDLE_AFTER)
    }

    /// Whether the pages of mapped files should be released although the program is busy.
    pub fn is_release_due(&self) -> bool {
        let worked = self.worked_in_all.get();
        let is_due = worked >= self.release_after.get();
        if is_due {
            self.release_after.set(worked * 2);
        }
        is_due
    }

    /// After a collection: memory that native code has freed is returned too.
    pub fn collected(&self) {
        allocator::trim();
        self.worked.set(Duration::ZERO);
    }

    /// The program runs again: what the engine did by itself before is not its work.
    pub fn begin_work(&self) {
        self.working_since.set(Instant::now());
    }
}

/// Trimming walks through the free lists of every thread, so workers that end in quick succession
/// share one.
const BETWEEN_WORKERS: Duration = Duration::from_millis(500);

/// After the end of a worker: other threads may never use what its thread has freed.
pub(crate) fn trim_after_worker() {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= BETWEEN_WORKERS) {
        *last = Some(Instant::now());
        drop(last);
        allocator::trim();
    }
}

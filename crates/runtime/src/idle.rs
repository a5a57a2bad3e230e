//! When a program that waits gives memory back. In: when the loop waits and when it goes on. Out:
//! how long to be patient, and that a collection is due. The engine's own timers collect by what is
//! allocated, so one that allocates nothing keeps what it has. And when the memory of workers that
//! have ended goes back.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusk_base::sys::allocator;

/// A loop that has waited so long is idle; what comes next may wait for a collection.
const PATIENCE: Duration = Duration::from_secs(2);

/// Work since the last collection that makes one worth its while: a timer that does little is not
/// to collect each time.
const WORK_MIN: Duration = Duration::from_millis(20);

pub(crate) struct Idle {
    working_since: Cell<Instant>,
    worked: Cell<Duration>,
}

impl Idle {
    pub fn new() -> Idle {
        Idle { working_since: Cell::new(Instant::now()), worked: Cell::default() }
    }

    /// How long to wait at most before a collection is due; `None`: none will be.
    pub fn begin_wait(&self) -> Option<Duration> {
        self.worked.set(self.worked.get() + self.working_since.get().elapsed());
        (self.worked.get() >= WORK_MIN).then_some(PATIENCE)
    }

    /// All was collected: what native code has freed goes back too.
    pub fn collected(&self) {
        allocator::trim();
        self.worked.set(Duration::ZERO);
    }

    /// The program goes on: what the engine did by itself before is no work of its.
    pub fn begin_work(&self) {
        self.working_since.set(Instant::now());
    }
}

/// Giving back walks through what every thread has freed, so workers that end in quick succession
/// share it.
const BETWEEN_WORKERS: Duration = Duration::from_millis(500);

/// A worker is gone: what its thread has freed, nobody else may ever use.
pub(crate) fn give_back_of_worker() {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= BETWEEN_WORKERS) {
        *last = Some(Instant::now());
        drop(last);
        allocator::trim();
    }
}

//! Adaptive spinning (busy-polling): whether an idle loop looks for messages a moment longer before
//! it sleeps. In: whether a message came, how long each wait was. Out: that one came meanwhile. To
//! sleep and to be woken costs both threads a system call, and more if the processor sleeps too;
//! threads that exchange messages in quick succession would pay that each time. A loop whose
//! messages come slowly never spins, and one that spun in vain sleeps for the next ones.

use std::cell::Cell;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// How long it spins at most: about what it takes to put a thread to sleep and to wake it, twice.
pub const SPIN_TIME: Duration = Duration::from_micros(100);
/// Checks between two reads of the clock.
const CHECKS_PER_CLOCK_READ: u32 = 64;
/// Short waits after which it spins again, after many spins in vain.
const SHORT_WAITS_MAX: u32 = 256;

/// On a single processor a spinning thread only keeps the sender from running.
static HAS_OTHER_PROCESSORS: LazyLock<bool> =
    LazyLock::new(|| thread::available_parallelism().is_ok_and(|count| count.get() > 1));

pub struct Spin {
    /// Short waits that are still to come before it spins.
    left: Cell<u32>,
    /// The same after the next spin in vain.
    next: Cell<u32>,
}

impl Default for Spin {
    fn default() -> Spin {
        Spin { left: Cell::new(1), next: Cell::new(1) }
    }
}

impl Spin {
    pub fn is_worthwhile(&self) -> bool {
        self.left.get() == 0 && *HAS_OTHER_PROCESSORS
    }

    /// Spins until a message came or the time is over.
    pub fn spin(&self, has_message: impl Fn() -> bool) {
        let began = Instant::now();
        loop {
            for _ in 0..CHECKS_PER_CLOCK_READ {
                if has_message() {
                    self.next.set(1);
                    return;
                }
                std::hint::spin_loop();
            }
            if began.elapsed() >= SPIN_TIME {
                break;
            }
        }
        self.left.set(self.next.get());
        self.next.set((self.next.get() * 2).min(SHORT_WAITS_MAX));
    }

    /// Records a wait that a message ended.
    pub fn record_wait(&self, time: Duration) {
        if time < SPIN_TIME {
            self.left.set(self.left.get().saturating_sub(1));
        }
    }
}

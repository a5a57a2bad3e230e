//! Whether a loop that has nothing to do looks out for messages a moment longer before it sleeps.
//! In: whether something came, how long each wait was. Out: that something came meanwhile. To sleep
//! and to be woken costs both threads a call, and more where the processor sleeps too; whoever
//! sends one message after the other, or waits for each answer, would pay that each time. A loop
//! whose messages do not come so fast never looks, and one that looked in vain sleeps for the next
//! ones.

use std::cell::Cell;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// So long it looks at most: about what it takes to put a thread to sleep, to wake it, and to do so
/// with the one that is to answer.
pub(crate) const MOMENT: Duration = Duration::from_micros(100);
/// Looks between two at the clock.
const LOOKS: u32 = 64;
/// Waits that were short, before it looks again, after many looks in vain.
const SHORT_MAX: u32 = 256;

/// Where there is one processor, whoever looks keeps off whoever sends.
static HAS_OTHERS: LazyLock<bool> =
    LazyLock::new(|| thread::available_parallelism().is_ok_and(|count| count.get() > 1));

pub(crate) struct Lookout {
    /// Short waits that are still to come before it looks.
    left: Cell<u32>,
    /// The same after the next look in vain.
    next: Cell<u32>,
}

impl Lookout {
    pub fn new() -> Lookout {
        Lookout { left: Cell::new(1), next: Cell::new(1) }
    }

    pub fn is_worth_it(&self) -> bool {
        self.left.get() == 0 && *HAS_OTHERS
    }

    /// Looks until something came or the moment is over.
    pub fn look(&self, has_come: impl Fn() -> bool) {
        let began = Instant::now();
        while began.elapsed() < MOMENT {
            for _ in 0..LOOKS {
                if has_come() {
                    self.next.set(1);
                    return;
                }
                std::hint::spin_loop();
            }
        }
        self.left.set(self.next.get());
        self.next.set((self.next.get() * 2).min(SHORT_MAX));
    }

    /// A wait that a message has ended.
    pub fn waited(&self, time: Duration) {
        if time < MOMENT {
            self.left.set(self.left.get().saturating_sub(1));
        }
    }
}

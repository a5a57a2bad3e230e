//! Where a thread is told that something came. In: numbers of ports, from any thread; what was lent
//! and comes home. Out: the numbers, each as often as it was told, and the things, to be dropped at
//! home. The thread is woken only while it waits. Absent: the packets; each port keeps its own.

use std::any::Any;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::lock;

/// Wakes the thread from its wait. Called by any other one, with no lock held.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// So much may wait to come home before the thread is woken for it; a text has its letters as
/// weight.
const HOME_WEIGHT_MAX: usize = 1 << 23;
/// So much is worth a look at what came home by a thread that works.
const LOOK_WEIGHT_MIN: usize = 1 << 17;

/// The thread's own end. It outlives what its things stand on: when it is dropped, nobody is told
/// any more, and what was lent may end anywhere.
pub struct Mailbox {
    shared: Arc<Shared>,
}

/// The others' end.
#[derive(Clone)]
pub struct Address {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Something is in `state` that the thread has to look at.
    has_mail: AtomicBool,
    /// How heavy all is that came home, which can wait.
    returned_weight: AtomicUsize,
    /// The thread waits, or is about to, and is not yet woken.
    is_waiting: AtomicBool,
    wake: Wake,
}

#[derive(Default)]
struct State {
    told: Vec<u64>,
    returned: Vec<Box<dyn Any + Send>>,
    /// What it lent is dropped where it comes back.
    is_over: bool,
}

impl Mailbox {
    pub fn new(wake: Wake) -> Mailbox {
        Mailbox {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                has_mail: AtomicBool::new(false),
                returned_weight: AtomicUsize::new(0),
                is_waiting: AtomicBool::new(false),
                wake,
            }),
        }
    }

    pub fn address(&self) -> Address {
        Address { shared: Arc::clone(&self.shared) }
    }

    /// Before a wait: false, and there is something to take at once, or every later one wakes.
    pub fn begin_wait(&self) -> bool {
        // Either this sees what was told, or whoever tells sees this: both are sequentially
        // consistent.
        self.shared.is_waiting.store(true, Ordering::SeqCst);
        if self.shared.has_mail.load(Ordering::SeqCst) {
            self.end_wait();
            return false;
        }
        true
    }

    pub fn end_wait(&self) {
        self.shared.is_waiting.store(false, Ordering::SeqCst);
    }

    /// Whether there is something to take. Costs no more than the look.
    pub fn has_mail(&self) -> bool {
        self.shared.has_mail.load(Ordering::Relaxed)
    }

    /// Adds the numbers that were told since, in their order.
    pub fn take(&self, told: &mut Vec<u64>) {
        if self.shared.has_mail.swap(false, Ordering::SeqCst) {
            told.append(&mut lock(&self.shared.state).told);
        }
    }

    /// Whether something has come home.
    pub fn has_returned(&self) -> bool {
        self.shared.returned_weight.load(Ordering::Relaxed) > 0
    }

    /// Drops what has come home. Costs nothing when there is nothing.
    pub fn drop_returned(&self) {
        if self.has_returned() {
            drop(self.shared.take_returned());
        }
    }

    /// The same where it is much: a thread that works need not look at each thing.
    pub fn drop_much_returned(&self) {
        if self.shared.returned_weight.load(Ordering::Relaxed) >= LOOK_WEIGHT_MIN {
            drop(self.shared.take_returned());
        }
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.is_over = true;
        state.told = Vec::new();
        let returned = mem::take(&mut state.returned);
        drop(state);
        drop(returned);
    }
}

impl Address {
    /// Tells the thread of a number.
    pub fn tell(&self, number: u64) {
        let mut state = lock(&self.shared.state);
        if state.is_over {
            return;
        }
        state.told.push(number);
        drop(state);
        self.shared.notify();
    }

    pub fn is_same(&self, other: &Address) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Sends home what is to be dropped there.
    pub(crate) fn give_back(&self, thing: Box<dyn Any + Send>, weight: usize) {
        let mut state = lock(&self.shared.state);
        if state.is_over {
            drop(state);
            drop(thing);
            return;
        }
        state.returned.push(thing);
        // A thing is an allocation and an entry, whatever else it is.
        let added = weight + 64;
        let before = self.shared.returned_weight.fetch_add(added, Ordering::Relaxed);
        drop(state);
        if before + added > HOME_WEIGHT_MAX {
            self.shared.notify();
        }
    }
}

impl Shared {
    fn notify(&self) {
        self.has_mail.store(true, Ordering::SeqCst);
        if self.is_waiting.swap(false, Ordering::SeqCst) {
            (self.wake)();
        }
    }

    fn take_returned(&self) -> Vec<Box<dyn Any + Send>> {
        let mut state = lock(&self.state);
        self.returned_weight.store(0, Ordering::Relaxed);
        mem::take(&mut state.returned)
    }
}

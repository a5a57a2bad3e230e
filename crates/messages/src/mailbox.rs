//! Where a thread is told that something came. In: numbers of ports, from any thread; what was lent and comes home. Out: the numbers, each as often as it was
//! told, and the things, to be dropped at home. The thread is woken only while it waits. Absent: the packets; each port keeps its own.

use std::any::Any;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::lock;

/// Wakes the thread from its wait. Called by any other one, with no lock held.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// So much may wait to come home before the thread is woken for it; a text has its letters as weight.
const HOME_WEIGHT_MAX: usize = 1 << 20;

/// The thread's own end. It outlives what its things stand on: when it is dropped, nobody is told any more, and what was lent may end anywhere.
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
    /// Something came home, which can wait.
    has_returned: AtomicBool,
    /// The thread waits, or is about to, and is not yet woken.
    is_waiting: AtomicBool,
    wake: Wake,
}

#[derive(Default)]
struct State {
    told: Vec<u64>,
    returned: Vec<Box<dyn Any + Send>>,
    returned_weight: usize,
    /// What it lent is dropped where it comes back.
    is_over: bool,
}

impl Mailbox {
    pub fn new(wake: Wake) -> Mailbox {
        Mailbox {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                has_mail: AtomicBool::new(false),
                has_returned: AtomicBool::new(false),
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
        // Either this sees what was told, or whoever tells sees this: both are sequentially consistent.
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

    /// Adds the numbers that were told since, in their order.
    pub fn take(&self, told: &mut Vec<u64>) {
        if self.shared.has_mail.swap(false, Ordering::SeqCst) {
            told.append(&mut lock(&self.shared.state).told);
        }
    }

    /// Whether something has come home.
    pub fn has_returned(&self) -> bool {
        self.shared.has_returned.load(Ordering::Relaxed)
    }

    /// Drops what has come home. Costs nothing when there is nothing.
    pub fn drop_returned(&self) {
        if self.has_returned() {
            self.shared.has_returned.store(false, Ordering::Relaxed);
            drop(lock(&self.shared.state).take_returned());
        }
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.is_over = true;
        state.told = Vec::new();
        let returned = state.take_returned();
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
        state.returned_weight += weight + 64;
        let is_heavy = state.returned_weight > HOME_WEIGHT_MAX;
        drop(state);
        self.shared.has_returned.store(true, Ordering::Relaxed);
        if is_heavy {
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
}

impl State {
    fn take_returned(&mut self) -> Vec<Box<dyn Any + Send>> {
        self.returned_weight = 0;
        mem::take(&mut self.returned)
    }
}

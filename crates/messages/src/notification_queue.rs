//! Notification queue of a thread: a multi-producer, single-consumer queue of notifications. In:
//! numbers of ports and broadcast members, from any thread; values that other threads no longer
//! reference. Out: the pending numbers, one per notification; the values, to be dropped by the
//! owner. A thread is woken only while it waits. Absent: packets; each port has its own queue.

use std::any::Any;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::lock;

/// Wakes the thread from its wait. Other threads call it, with no lock held.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// More reclaimable bytes than this wake the thread.
const RECLAIM_WAKE_BYTES: usize = 1 << 23;
/// Reclaimable bytes from which a busy thread reclaims before its next wait.
const RECLAIM_BYTES_MIN: usize = 1 << 17;

/// The receiving end, owned by the thread. After its drop, notifications are ignored, and values
/// are dropped by the thread that returns them.
pub struct NotificationQueue {
    shared: Arc<SharedQueue>,
}

/// The sending end.
#[derive(Clone)]
pub struct Notifier {
    shared: Arc<SharedQueue>,
}

struct SharedQueue {
    state: Mutex<QueueState>,
    /// `state.pending` is not empty, or many bytes are reclaimable.
    has_pending: AtomicBool,
    /// Bytes of all values in `state.reclaimable`.
    reclaimable_bytes: AtomicUsize,
    /// The thread waits, or is about to, and has not been woken yet.
    is_waiting: AtomicBool,
    wake: Wake,
}

#[derive(Default)]
struct QueueState {
    pending: Vec<u64>,
    reclaimable: Vec<Box<dyn Any + Send>>,
    /// The queue is dropped.
    is_closed: bool,
}

impl NotificationQueue {
    pub fn new(wake: Wake) -> NotificationQueue {
        NotificationQueue {
            shared: Arc::new(SharedQueue {
                state: Mutex::default(),
                has_pending: AtomicBool::new(false),
                reclaimable_bytes: AtomicUsize::new(0),
                is_waiting: AtomicBool::new(false),
                wake,
            }),
        }
    }

    pub fn notifier(&self) -> Notifier {
        Notifier { shared: Arc::clone(&self.shared) }
    }

    /// Call before a wait. False: something is pending, do not wait. True: every later notification
    /// wakes the thread.
    pub fn begin_wait(&self) -> bool {
        // Either this thread sees the notification, or the notifying thread sees `is_waiting`: both
        // accesses are sequentially consistent.
        self.shared.is_waiting.store(true, Ordering::SeqCst);
        if self.shared.has_pending.load(Ordering::SeqCst) {
            self.end_wait();
            return false;
        }
        true
    }

    pub fn end_wait(&self) {
        self.shared.is_waiting.store(false, Ordering::SeqCst);
    }

    /// Whether something is pending. One relaxed load.
    pub fn has_pending(&self) -> bool {
        self.shared.has_pending.load(Ordering::Relaxed)
    }

    /// Appends the pending numbers, in their order.
    pub fn take(&self, pending: &mut Vec<u64>) {
        if self.shared.has_pending.swap(false, Ordering::SeqCst) {
            pending.append(&mut lock(&self.shared.state).pending);
        }
    }

    /// Whether other threads have returned values.
    pub fn has_reclaimable(&self) -> bool {
        self.shared.reclaimable_bytes.load(Ordering::Relaxed) > 0
    }

    /// Drops returned values. One relaxed load if there are none.
    pub fn reclaim(&self) {
        if self.has_reclaimable() {
            drop(self.shared.take_reclaimable());
        }
    }

    /// The same, if it is worth it: a busy thread need not take the lock for each value.
    pub fn reclaim_if_large(&self) {
        if self.shared.reclaimable_bytes.load(Ordering::Relaxed) >= RECLAIM_BYTES_MIN {
            drop(self.shared.take_reclaimable());
        }
    }
}

impl Drop for NotificationQueue {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.is_closed = true;
        state.pending = Vec::new();
        let reclaimable = mem::take(&mut state.reclaimable);
        drop(state);
        drop(reclaimable);
    }
}

impl Notifier {
    /// Notifies the thread of a number.
    pub fn notify(&self, number: u64) {
        let mut state = lock(&self.shared.state);
        if state.is_closed {
            return;
        }
        state.pending.push(number);
        drop(state);
        self.shared.wake_if_waiting();
    }

    pub fn is_same(&self, other: &Notifier) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Passes a value back to its owner, who drops it.
    pub(crate) fn return_to_owner(&self, value: Box<dyn Any + Send>, bytes: usize) {
        let mut state = lock(&self.shared.state);
        if state.is_closed {
            drop(state);
            drop(value);
            return;
        }
        state.reclaimable.push(value);
        // Each value costs an allocation and an entry besides its own bytes.
        let added = bytes + 64;
        let before = self.shared.reclaimable_bytes.fetch_add(added, Ordering::Relaxed);
        drop(state);
        if before + added > RECLAIM_WAKE_BYTES {
            self.shared.wake_if_waiting();
        }
    }
}

impl SharedQueue {
    fn wake_if_waiting(&self) {
        self.has_pending.store(true, Ordering::SeqCst);
        if self.is_waiting.swap(false, Ordering::SeqCst) {
            (self.wake)();
        }
    }

    fn take_reclaimable(&self) -> Vec<Box<dyn Any + Send>> {
        let mut state = lock(&self.state);
        self.reclaimable_bytes.store(0, Ordering::Relaxed);
        mem::take(&mut state.reclaimable)
    }
}

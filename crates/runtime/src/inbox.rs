//! Inbox: messages from other threads to the ports of this one. In: notifications with ids of
//! ports, and a function that wakes the loop. Out: whether there are any, and the attachments of
//! the packet that is being written or read. Absent: message ports; JavaScript holds them
//! (`ext/worker`).

use std::cell::{Cell, RefCell};

use rusk_messages::{Attachment, NotificationQueue, Notifier, Packet};

pub struct Inbox {
    queue: NotificationQueue,
    /// Ids of notified ports that JavaScript has not taken yet.
    notified: RefCell<Vec<u64>>,
    /// Attachments of the packet that is being written.
    pub pending: RefCell<Vec<Attachment>>,
    /// Attachments of the packet that is being read; those that were taken are `None`.
    pub received: RefCell<Vec<Option<Attachment>>>,
    /// A packet that did not fit into the buffer of JavaScript.
    pub oversized: Cell<Option<Packet>>,
}

impl Inbox {
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Inbox {
        Inbox {
            queue: NotificationQueue::new(Box::new(wake)),
            notified: RefCell::default(),
            pending: RefCell::default(),
            received: RefCell::default(),
            oversized: Cell::default(),
        }
    }

    /// Forgets what was sent and not received.
    pub fn clear(&self) {
        self.queue.take(&mut self.notified.borrow_mut());
        self.notified.take();
        self.pending.take();
        self.received.take();
        self.oversized.take();
    }

    pub fn notifier(&self) -> Notifier {
        self.queue.notifier()
    }

    /// Whether there are notifications that were not taken.
    pub fn has_pending(&self) -> bool {
        self.queue.has_pending()
    }

    /// False: there are notifications, so the loop must not wait.
    pub fn begin_wait(&self) -> bool {
        self.queue.begin_wait()
    }

    pub fn end_wait(&self) {
        self.queue.end_wait();
    }

    /// Whether ports were notified.
    pub fn has_notified(&self) -> bool {
        self.queue.take(&mut self.notified.borrow_mut());
        !self.notified.borrow().is_empty()
    }

    pub fn take_notified(&self) -> Vec<u64> {
        self.notified.take()
    }

    pub fn has_reclaimable(&self) -> bool {
        self.queue.has_reclaimable()
    }

    /// Drops strings that other threads no longer use. Called within a turn of the VM.
    pub fn reclaim(&self) {
        self.queue.reclaim();
    }

    /// The same while more is sent, if there is enough of it.
    pub fn reclaim_if_large(&self) {
        self.queue.reclaim_if_large();
    }
}

//! What a thread's messages need of its loop: a mailbox. In: numbers told by other threads, what
//! wakes the loop. Out: whether there are any, and what of a packet is being written or read.
//! Absent: ports; JavaScript holds them.

use std::cell::{Cell, RefCell};

use rusk_messages::{Attachment, NotificationQueue, Notifier, Packet};

pub struct Inbox {
    queue: NotificationQueue,
    /// Told, and not yet asked for.
    told: RefCell<Vec<u64>>,
    /// What is to go along with the next packets.
    pub pending: RefCell<Vec<Attachment>>,
    /// What came along with the packet that is being read, without what was taken.
    pub opened: RefCell<Vec<Option<Attachment>>>,
    /// A packet for which there was not room enough.
    pub left: Cell<Option<Packet>>,
}

impl Inbox {
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Inbox {
        Inbox {
            queue: NotificationQueue::new(Box::new(wake)),
            told: RefCell::default(),
            pending: RefCell::default(),
            opened: RefCell::default(),
            left: Cell::default(),
        }
    }

    pub fn address(&self) -> Notifier {
        self.queue.notifier()
    }

    /// Whether something was told that nobody took.
    pub fn has_mail(&self) -> bool {
        self.queue.has_pending()
    }

    /// False: there is mail, so the loop must not wait.
    pub fn begin_wait(&self) -> bool {
        self.queue.begin_wait()
    }

    pub fn end_wait(&self) {
        self.queue.end_wait();
    }

    /// Whether numbers were told.
    pub fn has_told(&self) -> bool {
        self.queue.take(&mut self.told.borrow_mut());
        !self.told.borrow().is_empty()
    }

    pub fn take_told(&self) -> Vec<u64> {
        self.told.take()
    }

    pub fn has_returned(&self) -> bool {
        self.queue.has_reclaimable()
    }

    /// Drops strings that other threads are done with. Within a turn.
    pub fn drop_returned(&self) {
        self.queue.reclaim();
    }

    /// The same while more is sent, where it is worth it.
    pub fn drop_much_returned(&self) {
        self.queue.reclaim_if_large();
    }
}

//! The files that run in this process now, and the queue of their events. In: settings and files of
//! the protocol. Out: what JavaScript reads and sends. Absent: the meaning of both.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::event_queue::EventQueue;

thread_local! {
    static CURRENT: RefCell<Rc<WorkerRequest>> = RefCell::default();
    static FILES: RefCell<Vec<TestFile>> = const { RefCell::new(Vec::new()) };
    static IS_DONE: Cell<bool> = const { Cell::new(false) };
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static IS_REUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// A file that is to run.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// Its number in the run.
    pub index: usize,
    pub path: String,
}

/// What all requests share. Without a worker there is none, and events are dropped.
#[derive(Default)]
pub struct WorkerRequest {
    /// JSON.
    pub settings: String,
    events: Option<EventQueue>,
}

impl WorkerRequest {
    pub fn new(settings: String, events: EventQueue) -> WorkerRequest {
        WorkerRequest { settings, events: Some(events) }
    }

    /// Sends events, after those that were posted.
    pub fn send(&self, lines: &str) {
        if let Some(events) = &self.events {
            events.send(lines);
        }
    }

    /// Sends events soon, whatever this thread does meanwhile.
    pub fn post(&self, lines: &str) {
        if let Some(events) = &self.events {
            events.post(lines);
        }
    }
}

pub fn current() -> Rc<WorkerRequest> {
    CURRENT.with_borrow(Rc::clone)
}

pub fn set(request: WorkerRequest) {
    CURRENT.set(Rc::new(request));
}

/// The files that run next, in one global object.
pub fn begin(files: &[TestFile]) {
    FILES.set(files.to_vec());
    IS_DONE.set(false);
}

pub fn files() -> Vec<TestFile> {
    FILES.with_borrow(Vec::clone)
}

/// They have run.
pub fn finish() {
    IS_DONE.set(true);
}

pub fn is_done() -> bool {
    IS_DONE.get()
}

/// Whether changes of the global object are to be looked for, from the next file on.
pub fn set_watched(is_watched: bool) {
    IS_WATCHED.set(is_watched);
}

pub fn is_watched() -> bool {
    IS_WATCHED.get()
}

/// Whether the files have left the global object as it was.
pub fn set_reusable(is_reusable: bool) {
    IS_REUSABLE.set(is_reusable);
}

pub fn is_reusable() -> bool {
    IS_REUSABLE.get()
}

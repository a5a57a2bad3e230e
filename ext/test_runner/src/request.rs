//! The files that run in this process now, and the pipe for their events. In: settings and files of
//! the protocol. Out: what JavaScript reads and sends. Absent: the meaning of both.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rusk_base::sys::fd;
use rusk_test_runner::frame::FrameWriter;
use rusk_test_runner::protocol::PIPE_FD;

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
    events: Option<FrameWriter>,
}

impl WorkerRequest {
    pub fn new(settings: String, frames: FrameWriter) -> WorkerRequest {
        WorkerRequest { settings, events: Some(frames) }
    }

    /// Sends events. If the other process is gone, no caller waits for them.
    pub fn send(&self, lines: &str) {
        if let Some(frames) = &self.events {
            for block in frames.blocks(lines) {
                let _ = fd::write_all_raw(PIPE_FD, &block);
            }
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

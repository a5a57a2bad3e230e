//! The request that this process runs, and the pipe for its events. In: a line of the protocol.
//! Out: what JavaScript reads and sends. Absent: the meaning of both.

use std::cell::RefCell;
use std::os::fd::RawFd;
use std::rc::Rc;

use rusk_base::sys::{self, fd};
use rusk_test_runner::frame::FrameWriter;

thread_local! {
    static CURRENT: RefCell<Rc<WorkerRequest>> = RefCell::default();
}

/// A request. Without a worker there is none, and events are dropped.
#[derive(Default)]
pub struct WorkerRequest {
    /// JSON: settings, files, the worker's number.
    pub text: String,
    events: Option<(FrameWriter, RawFd)>,
}

impl WorkerRequest {
    pub fn new(text: String, frames: FrameWriter, pipe: RawFd) -> WorkerRequest {
        WorkerRequest { text, events: Some((frames, pipe)) }
    }

    /// Sends events. If the other process is gone, no caller waits for them.
    pub fn send(&self, lines: &str) {
        if let Some((frames, pipe)) = &self.events {
            for block in frames.blocks(lines) {
                let _ = fd::write_all_raw(*pipe, &block);
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

/// Words to seed `Math.random`; zeroes where the kernel has none, which it always has.
pub fn random_words() -> [u32; 4] {
    let mut bytes = [0; 16];
    let _ = sys::process::fill_random(&mut bytes);
    std::array::from_fn(|at| {
        u32::from_ne_bytes([bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3]])
    })
}

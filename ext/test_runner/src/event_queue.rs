//! Queue of the events of test files: what is posted is written to the pipe by a thread of its own,
//! soon and together. Were each test's beginning written at once, a system call and a wakeup of the
//! other process would take longer than the test; were it written later by the thread that runs
//! the test, the other process would not learn which test blocks. In: lines. Out: frames on the
//! pipe. Absent: what a file prints, which goes to the same pipe: events that come before it are to
//! be sent first.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rusk_base::sys::fd;
use rusk_test_runner::frame::FrameWriter;
use rusk_test_runner::protocol::PIPE_FD;

/// How long events gather. A process that crashes loses them. Each time wakes a thread here and the
/// process that reports, which takes as long as some tests.
const GATHERING: Duration = Duration::from_millis(5);

/// So many bytes are written at once.
const PENDING_BYTES_MAX: usize = 32 << 10;

pub struct EventQueue(Arc<PendingEvents>);

struct PendingEvents {
    frames: FrameWriter,
    pending: Mutex<String>,
    has_pending: Condvar,
}

impl EventQueue {
    pub fn new(frames: FrameWriter) -> EventQueue {
        let shared =
            Arc::new(PendingEvents { frames, pending: Mutex::default(), has_pending: Condvar::default() });
        let writer = Arc::clone(&shared);
        // Without a thread events are written when so many are pending, or something is sent.
        let _ = thread::Builder::new().name("rusk-events".to_owned()).spawn(move || writer.run());
        EventQueue(shared)
    }

    /// Writes events, after those that are pending.
    pub fn send(&self, lines: &str) {
        let mut pending = self.0.pending();
        pending.push_str(lines);
        self.0.write(&mut pending);
    }

    /// Has events written soon.
    pub fn post(&self, lines: &str) {
        let mut pending = self.0.pending();
        let is_first = pending.is_empty();
        pending.push_str(lines);
        if pending.len() >= PENDING_BYTES_MAX {
            self.0.write(&mut pending);
        } else if is_first {
            self.0.has_pending.notify_one();
        }
    }
}

impl PendingEvents {
    fn pending(&self) -> MutexGuard<'_, String> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// If the other process is gone, no caller waits for the events.
    fn write(&self, pending: &mut String) {
        for block in self.frames.blocks(pending) {
            let _ = fd::write_all_raw(PIPE_FD, &block);
        }
        pending.clear();
    }

    /// The thread, which lasts as long as the process.
    fn run(&self) {
        loop {
            let waited = self.has_pending.wait_while(self.pending(), |pending| pending.is_empty());
            drop(waited);
            thread::sleep(GATHERING);
            self.write(&mut self.pending());
        }
    }
}

//! GLib's main context of a VM: the engine's own timers and messages from its helper threads arrive there. In: the thread.
//! Out: what there is to wait for, as descriptors and a time; and what is due, done. Absent: waiting.

use std::ffi::c_int;
use std::ptr;
use std::time::Duration;

use crate::engine::symbols;
use crate::symbols::{PollEntry, RawMain};

/// More would be no engine: it has one descriptor, which wakes it.
const DESCRIPTORS_MAX: usize = 64;

/// The thread's main context; while it lives, a VM that is made on this thread takes it.
pub(crate) struct MainContext(RawMain);

/// What the engine waits for, and after the wait what came. Kept from turn to turn, so that nothing is allocated.
#[derive(Default)]
pub struct Wait {
    entries: Vec<PollEntry>,
    timeout: Option<Duration>,
    priority: c_int,
}

/// One descriptor, with the words of `poll(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    pub fd: i32,
    pub events: u16,
}

impl Wait {
    /// How long at most; `None`: until a descriptor is ready.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    pub fn descriptors(&self) -> impl Iterator<Item = Descriptor> {
        self.entries.iter().map(|entry| Descriptor { fd: entry.fd, events: entry.events })
    }

    /// Notes that `events` came at a descriptor.
    pub fn note(&mut self, fd: i32, events: u16) {
        for entry in self.entries.iter_mut().filter(|entry| entry.fd == fd) {
            entry.revents |= events;
        }
    }
}

impl MainContext {
    pub fn push() -> MainContext {
        // SAFETY: a new context, pushed and held by this thread until it is dropped, here. Held, so that other threads
        // that put something there wake its descriptor.
        unsafe {
            let context = (symbols().g_main_context_new)();
            (symbols().g_main_context_push_thread_default)(context);
            (symbols().g_main_context_acquire)(context);
            MainContext(context)
        }
    }

    pub fn prepare(&self, wait: &mut Wait) {
        let mut timeout_ms: c_int = -1;
        wait.entries.resize(DESCRIPTORS_MAX, PollEntry { fd: -1, events: 0, revents: 0 });
        // SAFETY: this thread holds the context; there is room for as many entries as said.
        let count = unsafe {
            (symbols().g_main_context_prepare)(self.0, &mut wait.priority);
            let (room, entries) = (DESCRIPTORS_MAX as c_int, wait.entries.as_mut_ptr());
            (symbols().g_main_context_query)(self.0, wait.priority, &mut timeout_ms, entries, room)
        };
        wait.entries.truncate(usize::try_from(count).unwrap_or(0));
        for entry in &mut wait.entries {
            entry.revents = 0;
        }
        wait.timeout = u64::try_from(timeout_ms).ok().map(Duration::from_millis);
    }

    /// Whether anything was due.
    pub fn dispatch(&self, wait: &mut Wait) -> bool {
        let count = wait.entries.len() as c_int;
        let entries = if count == 0 { ptr::null_mut() } else { wait.entries.as_mut_ptr() };
        // SAFETY: this thread holds the context, which was asked with these entries.
        unsafe {
            let is_due = (symbols().g_main_context_check)(self.0, wait.priority, entries, count) != 0;
            if is_due {
                (symbols().g_main_context_dispatch)(self.0);
            }
            is_due
        }
    }
}

impl Drop for MainContext {
    fn drop(&mut self) {
        // SAFETY: pushed and held by `push`, on this thread: neither can leave it.
        unsafe {
            (symbols().g_main_context_release)(self.0);
            (symbols().g_main_context_pop_thread_default)(self.0);
            (symbols().g_main_context_unref)(self.0);
        }
    }
}

//! I/O handle: a file descriptor registered with the reactor (`uv_poll_t`). In: a token. Out: ref,
//! unref, and deregistration when dropped. Absent: reading and writing.

use std::rc::Rc;

use crate::{Context, EventLoop, Token};

/// A registered file descriptor. Dropped, it is deregistered.
pub struct IoHandle<C: Context> {
    event_loop: Rc<EventLoop<C>>,
    token: Token,
}

impl<C: Context> IoHandle<C> {
    pub(crate) fn new(event_loop: Rc<EventLoop<C>>, token: Token) -> IoHandle<C> {
        IoHandle { event_loop, token }
    }

    /// Calls this handle after all others that are ready: it reports that something has ended.
    pub fn set_low_priority(&self) {
        self.event_loop.reactor.set_low_priority(self.token);
    }

    /// Lets the loop end although this handle is active.
    pub fn unref(&self) {
        self.event_loop.reactor.set_ref(self.token, false);
    }

    pub fn r#ref(&self) {
        self.event_loop.reactor.set_ref(self.token, true);
    }
}

impl<C: Context> Drop for IoHandle<C> {
    fn drop(&mut self) {
        self.event_loop.reactor.remove(self.token);
    }
}

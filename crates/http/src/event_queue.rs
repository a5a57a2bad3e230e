//! Event queue between the network thread and its reader. In: events of exchanges. Out: all queued
//! events at once. An eventfd is readable while the queue is not empty.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use rusk_base::sys;
use rusk_base::sys::epoll;

use crate::error::ClientError;

/// An event of an exchange. The order is: `Drain` any number of times, `Head`, `Data` any number of
/// times, then `End` or `Error`.
#[derive(Debug)]
pub enum Event {
    /// The last chunk of the request body was taken; the next one can be written.
    Drain,
    Head {
        status: u16,
        reason: String,
        headers: Vec<(String, Vec<u8>)>,
    },
    Data(Vec<u8>),
    End,
    Error(ClientError),
}

pub(crate) struct EventQueue {
    events: Mutex<Vec<(u64, Event)>>,
    waker: OwnedFd,
}

impl EventQueue {
    pub fn new() -> sys::Result<EventQueue> {
        Ok(EventQueue { events: Mutex::default(), waker: epoll::waker()? })
    }

    pub fn push(&self, exchange: u64, event: Event) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push((exchange, event));
        let is_first = events.len() == 1;
        drop(events);
        // Earlier events have woken the reader already, and it takes all at once.
        if is_first {
            epoll::wake(self.waker.as_fd()).expect("an eventfd of our own takes a count");
        }
    }

    pub fn take(&self) -> sys::Result<Vec<(u64, Event)>> {
        epoll::reset_waker(self.waker.as_fd())?;
        Ok(std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// A duplicate of the eventfd, owned by the reader.
    pub fn waker(&self) -> sys::Result<Rc<OwnedFd>> {
        let waker: BorrowedFd<'_> = self.waker.as_fd();
        waker
            .try_clone_to_owned()
            .map(Rc::new)
            .map_err(|error| sys::Errno::from_io_error(&error).unwrap_or(sys::Errno::MFILE))
    }
}

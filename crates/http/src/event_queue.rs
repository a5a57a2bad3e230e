//! What has happened and was not taken yet. In: events of exchanges, from the network's thread.
//! Out: all at once, on the thread of whoever takes them; a descriptor is ready while there are
//! any.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use rusk_base::sys;
use rusk_base::sys::epoll;

use crate::failure::Failure;

/// What became of an exchange, in this order, however often.
#[derive(Debug)]
pub enum Event {
    /// The last piece of the request's body is on its way; there is room for the next.
    Room,
    Head {
        status: u16,
        reason: String,
        headers: Vec<(String, Vec<u8>)>,
    },
    Piece(Vec<u8>),
    End,
    Failed(Failure),
}

pub(crate) struct Inbox {
    events: Mutex<Vec<(u64, Event)>>,
    waker: OwnedFd,
}

impl Inbox {
    pub fn new() -> sys::Result<Inbox> {
        Ok(Inbox { events: Mutex::default(), waker: epoll::waker()? })
    }

    pub fn push(&self, exchange: u64, event: Event) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push((exchange, event));
        let is_first = events.len() == 1;
        drop(events);
        // Those before it have woken somebody, who takes all at once.
        if is_first {
            epoll::wake(self.waker.as_fd()).expect("an eventfd of our own takes a count");
        }
    }

    pub fn take(&self) -> sys::Result<Vec<(u64, Event)>> {
        epoll::reset_waker(self.waker.as_fd())?;
        Ok(std::mem::take(&mut *self.events.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// A descriptor of the taker's own for the same waker.
    pub fn waker(&self) -> sys::Result<Rc<OwnedFd>> {
        let waker: BorrowedFd<'_> = self.waker.as_fd();
        waker
            .try_clone_to_owned()
            .map(Rc::new)
            .map_err(|error| sys::Errno::from_io_error(&error).unwrap_or(sys::Errno::MFILE))
    }
}

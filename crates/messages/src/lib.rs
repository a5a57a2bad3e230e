//! Messages between threads that each have a JavaScript of their own. In: packets, which are bytes
//! and a list of what goes along. Out: the packets on the other side, in their order, and a thread
//! that is woken for them. It knows no engine and no kernel: what is the engine's it carries by
//! address, and how a thread is woken is for its owner to say. So it runs under ThreadSanitizer as
//! it is. Absent: what the bytes mean.
//!
//! No lock is held while anything is called that is not of this crate, nor while a packet is
//! dropped: what a packet holds may be a port, which has a lock of its own.

mod bytes;
mod group;
mod lent;
mod mailbox;
mod packet;
mod port;

pub use bytes::Bytes;
pub use group::{Group, Member};
pub use lent::Lent;
pub use mailbox::{Address, Mailbox, Wake};
pub use packet::{Attachment, Packet, Reach, Refused, Short, Text};
pub use port::{Port, Waiting};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing that is done under a lock here can panic half-way.
#[cfg(not(feature = "spinning"))]
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same without the slow part of the library's lock, which ThreadSanitizer does not see into.
#[cfg(feature = "spinning")]
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => return PoisonError::into_inner(poisoned),
            Err(std::sync::TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
}

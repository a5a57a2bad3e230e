//! Message ports and broadcast channels between threads that each run their own JavaScript. In:
//! packets, which are bytes with attachments. Out: the packets at the receiver, in their order, and
//! a wakeup of its thread. Absent: the meaning of the bytes (the structured clone format).
//!
//! The crate depends on no engine and makes no system calls: engine values are attached as opaque
//! pointers, and the owner of a thread supplies the function that wakes it. So it runs under
//! ThreadSanitizer unchanged.
//!
//! No lock is held while code outside this crate is called or a packet is dropped: a packet may
//! contain a port, which has its own lock.

mod broadcast;
mod notification_queue;
mod packet;
mod packet_bytes;
mod port;
mod remote_ref;

pub use broadcast::{BroadcastGroup, BroadcastMember};
pub use notification_queue::{NotificationQueue, Notifier, Wake};
pub use packet::{Attachment, Destination, InlineLatin1, MessageString, Packet, TransferError};
pub use packet_bytes::PacketBytes;
pub use port::{Port, PortStatus};
pub use remote_ref::RemoteRef;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Code under these locks does not panic half-way, so a poisoned lock is usable.
#[cfg(not(feature = "spinning"))]
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same as a spin lock: ThreadSanitizer does not see into the slow path of the standard
/// library's lock.
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

//! Queue of messages to send over an IPC channel. In: messages, some with a file descriptor. Out:
//! as few sendmsg(2) calls as possible: messages without a descriptor are joined; one with a
//! descriptor begins a call of its own, so that the receiver knows which message it belongs to.
//! Descriptors that were not sent are closed with the queue. Absent: the decision when to send.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rusk_base::sys::{self, Errno, fd, unix_socket};

/// Limit of joined messages: as much as a socket takes in one call.
const JOINED_BYTES_MAX: usize = 64 * 1024;

#[derive(Default)]
pub struct SendQueue {
    writes: VecDeque<PendingWrite>,
    /// Bytes of the first write that are sent.
    first_write_sent: usize,
    queued_bytes: usize,
    sent_bytes: u64,
}

/// The content of one sendmsg(2) call.
struct PendingWrite {
    bytes: Vec<u8>,
    /// Sent with the first byte, and owned by the queue until then.
    descriptor: Option<OwnedFd>,
}

impl SendQueue {
    /// Appends one framed message.
    pub fn push(&mut self, bytes: Vec<u8>, descriptor: Option<OwnedFd>) {
        self.queued_bytes += bytes.len();
        let last = self.writes.back_mut().filter(|last| {
            let is_plain = last.descriptor.is_none() && descriptor.is_none();
            is_plain && last.bytes.len() + bytes.len() <= JOINED_BYTES_MAX
        });
        match last {
            Some(last) => last.bytes.extend_from_slice(&bytes),
            None => self.writes.push_back(PendingWrite { bytes, descriptor }),
        }
    }

    /// Sends until the queue is empty or the socket's buffer is full. An error empties the queue: a
    /// message that was sent in part cannot be continued.
    pub fn send(&mut self, to: BorrowedFd<'_>) -> sys::Result<()> {
        while let Some(write) = self.writes.front_mut() {
            let descriptor = write.descriptor.as_ref().map(AsFd::as_fd);
            let count = match send(to, &write.bytes[self.first_write_sent..], descriptor) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) => {
                    self.clear();
                    return Err(error);
                }
            };
            drop(write.descriptor.take());
            self.first_write_sent += count;
            self.queued_bytes -= count;
            self.sent_bytes += count as u64;
            if self.first_write_sent == write.bytes.len() {
                self.writes.pop_front();
                self.first_write_sent = 0;
            }
        }
        Ok(())
    }

    /// Bytes that are not sent yet.
    pub fn queued_bytes(&self) -> usize {
        self.queued_bytes
    }

    /// Total since the channel was opened.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    pub fn clear(&mut self) {
        self.writes.clear();
        (self.first_write_sent, self.queued_bytes) = (0, 0);
    }
}

/// A channel is a socket in most cases; the parent process may have made it a pipe, over which no
/// descriptors can be passed.
fn send(to: BorrowedFd<'_>, bytes: &[u8], with: Option<BorrowedFd<'_>>) -> sys::Result<usize> {
    match unix_socket::send(to, bytes, with) {
        Err(Errno::NOTSOCK) if with.is_none() => fd::try_write(to, bytes),
        result => result,
    }
}

#[cfg(test)]
mod tests;

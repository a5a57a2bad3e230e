//! What waits to be sent. In: messages, some with a descriptor. Out: as few calls as there can be:
//! messages without a descriptor are joined, one with a descriptor begins a call of its own, so
//! that the other end knows whose it is. What was not sent is closed with the box. Absent: when to
//! send.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rusk_base::sys::{self, Errno, fd, unix_socket};

/// Messages are joined up to here; as much as a connection takes at once.
const JOINED_BYTES_MAX: usize = 64 * 1024;

#[derive(Default)]
pub struct Outbox {
    pieces: VecDeque<Piece>,
    /// Of the first piece.
    sent: usize,
    waiting_bytes: usize,
    sent_bytes: u64,
}

struct Piece {
    bytes: Vec<u8>,
    /// Goes with the first byte, and is ours until then.
    descriptor: Option<OwnedFd>,
}

impl Outbox {
    /// One message, as it is to be sent.
    pub fn push(&mut self, bytes: Vec<u8>, descriptor: Option<OwnedFd>) {
        self.waiting_bytes += bytes.len();
        let last = self.pieces.back_mut().filter(|last| {
            let is_plain = last.descriptor.is_none() && descriptor.is_none();
            is_plain && last.bytes.len() + bytes.len() <= JOINED_BYTES_MAX
        });
        match last {
            Some(last) => last.bytes.extend_from_slice(&bytes),
            None => self.pieces.push_back(Piece { bytes, descriptor }),
        }
    }

    /// Sends until all is gone or the kernel takes no more. After an error nothing waits any more:
    /// a message that was cut cannot be gone on with.
    pub fn send(&mut self, to: BorrowedFd<'_>) -> sys::Result<()> {
        while let Some(piece) = self.pieces.front_mut() {
            let descriptor = piece.descriptor.as_ref().map(AsFd::as_fd);
            let count = match send(to, &piece.bytes[self.sent..], descriptor) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) => {
                    self.clear();
                    return Err(error);
                }
            };
            drop(piece.descriptor.take());
            self.sent += count;
            self.waiting_bytes -= count;
            self.sent_bytes += count as u64;
            if self.sent == piece.bytes.len() {
                self.pieces.pop_front();
                self.sent = 0;
            }
        }
        Ok(())
    }

    pub fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    /// Since the beginning.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes
    }

    pub fn clear(&mut self) {
        self.pieces.clear();
        (self.sent, self.waiting_bytes) = (0, 0);
    }
}

/// A channel is a connection most often; whoever starts us may have made it a pipe, which takes no
/// descriptors.
fn send(to: BorrowedFd<'_>, bytes: &[u8], with: Option<BorrowedFd<'_>>) -> sys::Result<usize> {
    match unix_socket::send(to, bytes, with) {
        Err(Errno::NOTSOCK) if with.is_none() => fd::try_write(to, bytes),
        answer => answer,
    }
}

#[cfg(test)]
mod tests;

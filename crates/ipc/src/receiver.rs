//! Receiving end of an IPC channel. In: bytes, and the file descriptors that were received with
//! them. Out: messages, each with the file descriptor that was sent with it. recvmsg(2) ends a read
//! after bytes that carried descriptors (`SCM_RIGHTS`), so they belong to the message that contains
//! the last byte. A descriptor that belongs to no message is closed.

use std::os::fd::OwnedFd;

use super::framing::{FrameDecoder, Framing, ProtocolError};

pub struct Receiver {
    decoder: FrameDecoder,
    /// Arrived with a message that is incomplete.
    pending_descriptor: Option<OwnedFd>,
}

/// A complete message.
pub struct Message<'a> {
    pub bytes: &'a [u8],
    pub descriptor: Option<OwnedFd>,
}

impl Receiver {
    pub fn new(framing: Framing) -> Receiver {
        Receiver { decoder: FrameDecoder::new(framing), pending_descriptor: None }
    }

    /// Calls `each` with every message that these bytes complete. A message has at most one
    /// descriptor; more are closed.
    pub fn receive(
        &mut self,
        bytes: &[u8],
        descriptors: Vec<OwnedFd>,
        mut each: impl FnMut(Message<'_>),
    ) -> Result<(), ProtocolError> {
        let mut arrived = descriptors.into_iter().next();
        let pending = &mut self.pending_descriptor;
        self.decoder.decode(bytes, |bytes, is_last| {
            let with_last = if is_last { arrived.take() } else { None };
            each(Message { bytes, descriptor: pending.take().or(with_last) });
        })?;
        if self.decoder.has_partial_message() && self.pending_descriptor.is_none() {
            self.pending_descriptor = arrived;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

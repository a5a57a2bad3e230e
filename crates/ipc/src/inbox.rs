//! What comes from the other end. In: bytes, and the descriptors that came with them. Out:
//! messages, each with the descriptor that was sent with it. The kernel ends what it gives where
//! bytes end that brought descriptors, so they belong to the message that the last byte is of. One
//! that belongs to none is closed.

use std::os::fd::OwnedFd;

use super::frames::{Flaw, Form, Frames};

pub struct Inbox {
    frames: Frames,
    /// Came with a message that is not whole.
    parked: Option<OwnedFd>,
}

/// One that is whole.
pub struct Message<'a> {
    pub bytes: &'a [u8],
    pub descriptor: Option<OwnedFd>,
}

impl Inbox {
    pub fn new(form: Form) -> Inbox {
        Inbox { frames: Frames::new(form), parked: None }
    }

    /// Messages bring one descriptor at most; more are closed.
    pub fn take(
        &mut self,
        bytes: &[u8],
        descriptors: Vec<OwnedFd>,
        mut each: impl FnMut(Message<'_>),
    ) -> Result<(), Flaw> {
        let mut arrived = descriptors.into_iter().next();
        let parked = &mut self.parked;
        self.frames.cut(bytes, |bytes, is_last| {
            let with_last = if is_last { arrived.take() } else { None };
            each(Message { bytes, descriptor: parked.take().or(with_last) });
        })?;
        if self.frames.is_within() && self.parked.is_none() {
            self.parked = arrived;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

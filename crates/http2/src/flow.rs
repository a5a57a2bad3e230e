//! Flow control of what is received (RFC 9113, section 5.2). In: bytes that arrived, bytes that
//! were consumed. Out: increments for WINDOW_UPDATE frames.

use crate::error::Http2Error;

#[derive(Clone, Copy, Debug)]
pub struct ReceiveWindow {
    pub size: i64,
    /// Bytes for which the peer was given no new credit.
    pub received: i64,
    /// Those of them that were consumed.
    consumed: i64,
}

impl ReceiveWindow {
    pub fn new(size: u32) -> ReceiveWindow {
        ReceiveWindow { size: size.into(), received: 0, consumed: 0 }
    }

    pub fn receive(&mut self, bytes: usize) -> Result<(), Http2Error> {
        self.received += bytes as i64;
        if self.received > self.size { Err(Http2Error::FlowControl) } else { Ok(()) }
    }

    /// An increment, when half of the window was consumed.
    pub fn consume(&mut self, bytes: usize) -> Option<u32> {
        self.consumed += bytes as i64;
        if self.consumed <= 0 || self.consumed < self.size / 2 {
            return None;
        }
        let increment = self.consumed;
        self.received -= increment;
        self.consumed = 0;
        u32::try_from(increment).ok()
    }

    /// A new size of the window. An increment if it is larger; else the credit that the peer has is
    /// used up first.
    pub fn resize(&mut self, size: u32) -> Option<u32> {
        let change = i64::from(size) - self.size;
        self.size = size.into();
        if change < 0 {
            self.received += change;
            self.consumed += change;
        }
        u32::try_from(change).ok().filter(|increment| *increment > 0)
    }
}

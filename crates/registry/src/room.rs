//! Memory for bodies, shared out: one that is on its way, waits to be taken or is being unpacked
//! holds room for its bytes. In: how much a body takes, as far as the server says. Out: room, which
//! is given back when the body is dropped. Whoever gets none at once lets go of the line and asks
//! again later: one that held both could keep back the others on it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of all bodies together, but for one that is larger.
const BYTES_MAX: usize = 256 << 20;

/// A body of unknown length gets this much; nearly all tarballs and packuments are smaller.
const UNKNOWN_BYTES: u64 = 4 << 20;

/// Tarballs handed on while they arrive: each one keeps a thread. What is too many comes as a
/// whole.
const DOWNLOADS_MAX: usize = 16;

/// What room is counted in.
const UNIT_BYTES: u64 = 1024;

/// What a body needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Bytes(u64),
    /// More than a body may announce, or what turned out to be longer than it seemed: one such at a
    /// time.
    Large,
}

/// The room that there is.
pub struct Room {
    units: Arc<Semaphore>,
    large: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
}

/// Room that is taken.
#[derive(Debug)]
pub struct Taken {
    need: Need,
    _permit: OwnedSemaphorePermit,
}

/// A body, whole, and the room it takes.
pub struct Body {
    pub bytes: Vec<u8>,
    _taken: Option<Taken>,
}

impl Need {
    /// Of a body that is announced to have so many bytes.
    pub fn of(announced: Option<u64>) -> Need {
        match announced.unwrap_or(UNKNOWN_BYTES) {
            bytes if bytes > BYTES_MAX as u64 => Need::Large,
            bytes => Need::Bytes(bytes),
        }
    }

    fn covers(self, other: Need) -> bool {
        match (self, other) {
            (Need::Large, _) => true,
            (Need::Bytes(has), Need::Bytes(wants)) => has >= wants,
            (Need::Bytes(_), Need::Large) => false,
        }
    }
}

impl Default for Room {
    fn default() -> Room {
        let units = Semaphore::new(BYTES_MAX / UNIT_BYTES as usize);
        let downloads = Arc::new(Semaphore::new(DOWNLOADS_MAX));
        Room { units: Arc::new(units), large: Arc::new(Semaphore::new(1)), downloads }
    }
}

impl Room {
    /// Room, if there is some now.
    pub fn try_take(&self, need: Need) -> Option<Taken> {
        let permit = match need {
            Need::Large => Arc::clone(&self.large).try_acquire_owned(),
            Need::Bytes(bytes) => Arc::clone(&self.units).try_acquire_many_owned(units(bytes)),
        };
        Some(Taken { need, _permit: permit.ok()? })
    }

    /// Room for what is handed on while it arrives, if there is some now.
    pub fn try_take_download(&self, need: Need) -> Option<(Taken, OwnedSemaphorePermit)> {
        let download = Arc::clone(&self.downloads).try_acquire_owned().ok()?;
        Some((self.try_take(need)?, download))
    }

    /// Room, as soon as there is some. Who waits is served in turn.
    pub async fn take(&self, need: Need) -> Taken {
        let permit = match need {
            Need::Large => Arc::clone(&self.large).acquire_owned().await,
            Need::Bytes(bytes) => Arc::clone(&self.units).acquire_many_owned(units(bytes)).await,
        };
        Taken { need, _permit: permit.expect("nobody closes it") }
    }
}

impl Taken {
    pub fn covers(&self, need: Need) -> bool {
        self.need.covers(need)
    }

    /// Bytes that may be read.
    pub fn bytes(&self) -> usize {
        match self.need {
            Need::Large => usize::MAX,
            Need::Bytes(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX),
        }
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).expect("no more than all of it")
}

impl Body {
    pub fn new(bytes: Vec<u8>, taken: Taken) -> Body {
        Body { bytes, _taken: Some(taken) }
    }

    /// Nothing, which takes no room.
    pub fn empty() -> Body {
        Body { bytes: Vec::new(), _taken: None }
    }
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.bytes.len())
    }
}

#[cfg(test)]
mod tests;

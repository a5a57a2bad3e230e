//! Memory budget for response bodies: a semaphore counted in bytes. A body holds a permit while it
//! arrives, waits to be taken or is unpacked. In: the memory that a body needs, as far as the
//! server announces it. Out: a permit, released when the body is dropped. A request that gets no
//! permit closes its connection and waits: while it held both, it could block other streams of the
//! connection.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Limit of all bodies together, except for one larger body.
const BYTES_MAX: usize = 256 << 20;

/// For a body of unknown length; nearly all tarballs and packuments are smaller.
const UNKNOWN_BYTES: u64 = 4 << 20;

/// Streamed downloads at a time: each occupies a thread. Further tarballs are read as a whole.
const DOWNLOADS_MAX: usize = 16;

/// Bytes per permit of the semaphore.
const UNIT_BYTES: u64 = 1024;

/// The memory that a body needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    Bytes(u64),
    /// More than the budget, or a body that became longer than announced: one such at a time.
    Large,
}

/// The budget.
pub struct MemoryBudget {
    units: Arc<Semaphore>,
    large: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
}

/// A part of the budget.
#[derive(Debug)]
pub struct MemoryPermit {
    demand: Demand,
    _permit: OwnedSemaphorePermit,
}

/// A whole body with its permit.
pub struct Body {
    pub bytes: Vec<u8>,
    _permit: Option<MemoryPermit>,
}

impl Demand {
    /// For an announced length.
    pub fn of(announced: Option<u64>) -> Demand {
        match announced.unwrap_or(UNKNOWN_BYTES) {
            bytes if bytes > BYTES_MAX as u64 => Demand::Large,
            bytes => Demand::Bytes(bytes),
        }
    }

    fn covers(self, other: Demand) -> bool {
        match (self, other) {
            (Demand::Large, _) => true,
            (Demand::Bytes(has), Demand::Bytes(wants)) => has >= wants,
            (Demand::Bytes(_), Demand::Large) => false,
        }
    }
}

impl Default for MemoryBudget {
    fn default() -> MemoryBudget {
        let units = Semaphore::new(BYTES_MAX / UNIT_BYTES as usize);
        let downloads = Arc::new(Semaphore::new(DOWNLOADS_MAX));
        MemoryBudget { units: Arc::new(units), large: Arc::new(Semaphore::new(1)), downloads }
    }
}

impl MemoryBudget {
    /// A permit, if one is available now.
    pub fn try_acquire(&self, demand: Demand) -> Option<MemoryPermit> {
        let permit = match demand {
            Demand::Large => Arc::clone(&self.large).try_acquire_owned(),
            Demand::Bytes(bytes) => Arc::clone(&self.units).try_acquire_many_owned(units(bytes)),
        };
        Some(MemoryPermit { demand, _permit: permit.ok()? })
    }

    /// A permit for a streamed download, if one is available now.
    pub fn try_acquire_download(&self, demand: Demand) -> Option<(MemoryPermit, OwnedSemaphorePermit)> {
        let download = Arc::clone(&self.downloads).try_acquire_owned().ok()?;
        Some((self.try_acquire(demand)?, download))
    }

    /// Waits for a permit, first come, first served.
    pub async fn acquire(&self, demand: Demand) -> MemoryPermit {
        let permit = match demand {
            Demand::Large => Arc::clone(&self.large).acquire_owned().await,
            Demand::Bytes(bytes) => Arc::clone(&self.units).acquire_many_owned(units(bytes)).await,
        };
        MemoryPermit { demand, _permit: permit.expect("the semaphore is never closed") }
    }
}

impl MemoryPermit {
    pub fn covers(&self, demand: Demand) -> bool {
        self.demand.covers(demand)
    }

    /// Bytes that may be read under the permit.
    pub fn bytes(&self) -> usize {
        match self.demand {
            Demand::Large => usize::MAX,
            Demand::Bytes(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX),
        }
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).expect("at most BYTES_MAX")
}

impl Body {
    pub fn new(bytes: Vec<u8>, permit: MemoryPermit) -> Body {
        Body { bytes, _permit: Some(permit) }
    }

    /// An empty body without a permit.
    pub fn empty() -> Body {
        Body { bytes: Vec::new(), _permit: None }
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

//! Streamed download of a large tarball. In: body chunks, on the network thread. Out: the same, in
//! order, on the thread that unpacks them. Few chunks are buffered: a slow reader slows the
//! connection down (back-pressure).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_base::{Problem, Result};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::arrival_queue::ArrivalQueue;
use crate::client::Arrival;
use crate::memory_budget::{Demand, MemoryBudget, MemoryPermit};
use crate::problem;

/// Smaller tarballs are delivered as a whole: they arrive soon, and unpack faster in one go.
const BYTES_MIN: u64 = 1 << 20;

/// Bytes of a chunk; the last one may be shorter.
pub const CHUNK_BYTES: usize = 64 << 10;

/// Buffered chunks of a download.
const CHUNKS_MAX: usize = 8;

/// A tarball whose chunks are received while it arrives. Dropping it cancels the request.
pub struct Download {
    /// Content length; 0 if it is unknown.
    pub bytes: u64,
    chunks: Receiver<DownloadChunk>,
    _permit: (MemoryPermit, OwnedSemaphorePermit),
}

/// The next event of a download.
#[derive(Debug)]
pub enum DownloadChunk {
    Bytes(Vec<u8>),
    /// The connection broke: discard everything received, all of it is sent again.
    Restart,
    End,
    Failed(Problem),
}

/// The sending end on the network thread.
pub struct DownloadSink {
    id: u32,
    arrivals: Arc<ArrivalQueue>,
    chunks: Mutex<Option<Sender<DownloadChunk>>>,
}

impl Download {
    /// Waits for the next chunk.
    pub fn receive(&mut self) -> DownloadChunk {
        self.chunks.blocking_recv().unwrap_or_else(|| DownloadChunk::Failed(problem::network_stopped()))
    }
}

impl DownloadSink {
    pub fn new(id: u32, arrivals: Arc<ArrivalQueue>) -> DownloadSink {
        DownloadSink { id, arrivals, chunks: Mutex::default() }
    }

    /// Whether to stream a body of this length: one that is large or may be, and for which there is
    /// budget, or a retry of a streamed one.
    pub async fn begin(&self, announced: Option<u64>, budget: &MemoryBudget) -> bool {
        if let Some(chunks) = self.chunks() {
            // The receiver may be dropped; sending the next chunk reports that.
            let _ = chunks.send(DownloadChunk::Restart).await;
            return true;
        }
        let bytes = announced.unwrap_or(0);
        if announced.is_some_and(|bytes| bytes < BYTES_MIN) {
            return false;
        }
        let needed = Demand::Bytes((CHUNKS_MAX * CHUNK_BYTES) as u64);
        let Some(permit) = budget.try_acquire_download(needed) else { return false };
        let (sender, chunks) = channel(CHUNKS_MAX);
        *self.chunks.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        self.arrivals.push(Arrival::DownloadStarted {
            id: self.id,
            download: Download { bytes, chunks, _permit: permit },
        });
        true
    }

    /// Waits until there is space for the chunk. False: the receiver was dropped.
    pub async fn send(&self, chunk: Vec<u8>) -> bool {
        match self.chunks() {
            Some(chunks) => chunks.send(DownloadChunk::Bytes(chunk)).await.is_ok(),
            None => false,
        }
    }

    pub fn has_begun(&self) -> bool {
        self.chunks().is_some()
    }

    /// Sends the result.
    pub async fn end(&self, result: Result<()>) {
        if let Some(chunks) = self.chunks() {
            // Fails only if the receiver was dropped.
            let _ = chunks.send(result.map_or_else(DownloadChunk::Failed, |()| DownloadChunk::End)).await;
        }
    }

    fn chunks(&self) -> Option<Sender<DownloadChunk>> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Download({} bytes)", self.bytes)
    }
}

//! A large tarball handed on while it arrives. In: pieces of a body, on the network thread. Out:
//! the same, in order, on whichever thread unpacks them. Little of it is in memory at a time: who
//! unpacks slowly slows down the connection.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_base::{Problem, Result};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::client::Arrival;
use crate::inbox::Inbox;
use crate::problem;
use crate::room::{Need, Room, Taken};

/// Smaller tarballs come as a whole: they are there soon, and are unpacked faster in one go.
const BYTES_MIN: u64 = 1 << 20;

/// Bytes of a piece; the last one has what is left.
pub const PIECE_BYTES: usize = 64 << 10;

/// Pieces on their way from one thread to the other, a download.
const PIECES_MAX: usize = 8;

/// A tarball whose pieces are taken as they come. Dropped early, it is not fetched any further.
pub struct Download {
    /// Of all pieces together, as the server announced.
    pub bytes: u64,
    pieces: Receiver<Piece>,
    _taken: (Taken, OwnedSemaphorePermit),
}

/// What comes next.
#[derive(Debug)]
pub enum Piece {
    Bytes(Vec<u8>),
    /// The connection broke: what came so far is void, and all of it comes again.
    Again,
    End,
    Failed(Problem),
}

/// The end into which the network thread puts pieces.
pub struct Outlet {
    id: u32,
    inbox: Arc<Inbox>,
    pieces: Mutex<Option<Sender<Piece>>>,
}

impl Download {
    /// Waits for the next piece.
    pub fn receive(&mut self) -> Piece {
        self.pieces.blocking_recv().unwrap_or_else(|| Piece::Failed(problem::network_stopped()))
    }
}

impl Outlet {
    pub fn new(id: u32, inbox: Arc<Inbox>) -> Outlet {
        Outlet { id, inbox, pieces: Mutex::default() }
    }

    /// Whether a body of this length is to be passed on: a large one for which there is room, or
    /// one that comes again.
    pub async fn begin(&self, announced: Option<u64>, room: &Room) -> bool {
        if let Some(pieces) = self.pieces() {
            // Nobody may be there any more: the next piece will tell.
            let _ = pieces.send(Piece::Again).await;
            return true;
        }
        let Some(bytes) = announced.filter(|&bytes| bytes >= BYTES_MIN) else { return false };
        let needed = Need::Bytes((PIECES_MAX * PIECE_BYTES) as u64);
        let Some(taken) = room.try_take_download(needed) else { return false };
        let (sender, pieces) = channel(PIECES_MAX);
        *self.pieces.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        self.inbox.push(Arrival::Begun { id: self.id, download: Download { bytes, pieces, _taken: taken } });
        true
    }

    /// Waits until there is room for the piece. False when nobody wants it.
    pub async fn send(&self, piece: Vec<u8>) -> bool {
        match self.pieces() {
            Some(pieces) => pieces.send(Piece::Bytes(piece)).await.is_ok(),
            None => false,
        }
    }

    pub fn has_begun(&self) -> bool {
        self.pieces().is_some()
    }

    /// Says how it ended.
    pub async fn end(&self, result: Result<()>) {
        if let Some(pieces) = self.pieces() {
            // Who stopped listening knows why.
            let _ = pieces.send(result.map_or_else(Piece::Failed, |()| Piece::End)).await;
        }
    }

    fn pieces(&self) -> Option<Sender<Piece>> {
        self.pieces.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Download({} bytes)", self.bytes)
    }
}

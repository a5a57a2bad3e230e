//! What goes up with a request. In: bytes, whole or as they come. Out: a body as hyper asks for it,
//! and a word for each piece that it took.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::inbox::{Event, Inbox};

/// What a request brings along.
#[derive(Debug)]
pub enum Upload {
    None,
    Whole(Vec<u8>),
    /// Pieces come later; how many bytes they are together, where that is known.
    Pieces(Option<u64>),
}

pub(crate) enum Outgoing {
    None,
    Whole(Bytes),
    Pieces(Pieces),
}

pub(crate) struct Pieces {
    pub received: UnboundedReceiver<Vec<u8>>,
    pub length: Option<u64>,
    pub inbox: Arc<Inbox>,
    pub exchange: u64,
}

impl Outgoing {
    /// The same again, where it is still there.
    pub fn again(&self) -> Option<Outgoing> {
        match self {
            Outgoing::None => Some(Outgoing::None),
            Outgoing::Whole(bytes) => Some(Outgoing::Whole(bytes.clone())),
            Outgoing::Pieces(_) => None,
        }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Outgoing::None => Poll::Ready(None),
            Outgoing::Whole(bytes) => {
                let bytes = std::mem::take(bytes);
                Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
            }
            Outgoing::Pieces(pieces) => pieces.received.poll_recv(context).map(|piece| {
                let piece = piece?;
                pieces.inbox.push(pieces.exchange, Event::Room);
                Some(Ok(Frame::data(piece.into())))
            }),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Outgoing::None => true,
            Outgoing::Whole(bytes) => bytes.is_empty(),
            Outgoing::Pieces(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Outgoing::None => SizeHint::with_exact(0),
            Outgoing::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Outgoing::Pieces(pieces) => pieces.length.map_or_else(SizeHint::new, SizeHint::with_exact),
        }
    }
}

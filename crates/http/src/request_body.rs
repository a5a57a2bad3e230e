//! Request bodies. In: bytes, as a whole or streamed. Out: hyper's `Body`, and a `Drain` event for
//! each chunk that it takes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::event_queue::{Event, EventQueue};

/// Body of a request.
#[derive(Debug)]
pub enum RequestBody {
    None,
    Full(Vec<u8>),
    /// Chunks follow by [`Exchange::write`](crate::Exchange::write). The total length, if known.
    Stream(Option<u64>),
}

pub(crate) enum OutgoingBody {
    None,
    Full(Bytes),
    Stream(BodyStream),
}

pub(crate) struct BodyStream {
    pub received: UnboundedReceiver<Vec<u8>>,
    pub length: Option<u64>,
    pub events: Arc<EventQueue>,
    pub exchange: u64,
}

impl OutgoingBody {
    /// A copy, unless the body is a stream.
    pub fn try_clone(&self) -> Option<OutgoingBody> {
        match self {
            OutgoingBody::None => Some(OutgoingBody::None),
            OutgoingBody::Full(bytes) => Some(OutgoingBody::Full(bytes.clone())),
            OutgoingBody::Stream(_) => None,
        }
    }
}

impl Body for OutgoingBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            OutgoingBody::None => Poll::Ready(None),
            OutgoingBody::Full(bytes) => {
                let bytes = std::mem::take(bytes);
                Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
            }
            OutgoingBody::Stream(stream) => stream.received.poll_recv(context).map(|chunk| {
                let chunk = chunk?;
                stream.events.push(stream.exchange, Event::Drain);
                Some(Ok(Frame::data(chunk.into())))
            }),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            OutgoingBody::None => true,
            OutgoingBody::Full(bytes) => bytes.is_empty(),
            OutgoingBody::Stream(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            OutgoingBody::None => SizeHint::with_exact(0),
            OutgoingBody::Full(bytes) => SizeHint::with_exact(bytes.len() as u64),
            OutgoingBody::Stream(stream) => stream.length.map_or_else(SizeHint::new, SizeHint::with_exact),
        }
    }
}

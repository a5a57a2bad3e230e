//! Body of a request over HTTP/2, as a task beside the response. In: chunks of the program. Out:
//! data of the stream, as fast as the server takes it.

use std::sync::Arc;
use std::task::{Context, Poll};

use super::Shared;
use super::state::StreamFailure;
use crate::error::ClientError;
use crate::event_queue::Event;
use crate::request_body::BodyStream;

/// The next chunk is taken when fewer bytes wait to be sent.
const QUEUED_BYTES_MAX: usize = 64 << 10;

enum UploadStep {
    Chunk(Vec<u8>),
    End,
    /// The stream has ended; the server wants no more.
    Closed,
}

/// Returns the body if nothing of it was taken.
pub(super) async fn upload(shared: Arc<Shared>, id: u32, mut body: BodyStream) -> Option<BodyStream> {
    let mut sent_bytes = 0;
    loop {
        let step = std::future::poll_fn(|context| poll_upload(&shared, id, &mut body, context)).await;
        let mut state = shared.lock();
        match step {
            UploadStep::Chunk(chunk) => {
                body.events.push(body.exchange, Event::Drain);
                sent_bytes += chunk.len() as u64;
                if body.length.is_some_and(|length| sent_bytes > length) {
                    break;
                }
                // A stream that has ended in between is noticed by the next step.
                let _ = state.session.write(id, chunk);
            }
            UploadStep::End if body.length.is_some_and(|length| sent_bytes != length) => break,
            UploadStep::End => {
                state.session.end(id, false);
                state.distribute();
                state.wake_driver();
                return None;
            }
            UploadStep::Closed => return (sent_bytes == 0).then_some(body),
        }
        state.distribute();
        state.wake_driver();
    }
    fail(&shared, id);
    None
}

fn poll_upload(
    shared: &Shared,
    id: u32,
    body: &mut BodyStream,
    context: &mut Context<'_>,
) -> Poll<UploadStep> {
    let mut state = shared.lock();
    let queued_bytes = state.session.stream_queued_bytes(id);
    let is_waiting = state.session.is_waiting(id);
    let Some(stream) = state.streams.get_mut(&id) else { return Poll::Ready(UploadStep::Closed) };
    let Some(queued_bytes) = queued_bytes.filter(|_| !stream.is_closed) else {
        return Poll::Ready(UploadStep::Closed);
    };
    stream.writer = Some(context.waker().clone());
    if is_waiting || queued_bytes >= QUEUED_BYTES_MAX {
        return Poll::Pending;
    }
    body.received.poll_recv(context).map(|chunk| chunk.map_or(UploadStep::End, UploadStep::Chunk))
}

/// The body is not as long as its length says.
fn fail(shared: &Shared, id: u32) {
    let mut state = shared.lock();
    if let Some(stream) = state.streams.get_mut(&id) {
        let cause = "the body of the request is not as long as it was said to be".to_owned();
        stream.failure = Some(StreamFailure::Error(ClientError::Protocol(cause)));
    }
    state.session.reset_stream(id, rusk_http2::error::code::CANCEL);
    state.distribute();
    state.wake_driver();
}

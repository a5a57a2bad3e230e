//! Response of an exchange over HTTP/2. In: what the connection has received of it. Out: the head,
//! then pieces of the body. Dropping it cancels the exchange.

use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use rusk_http2::HeaderField;
use rusk_http2::error::code;
use tokio::task::JoinHandle;

use super::Shared;
use super::state::{StreamFailure, StreamState};
use super::upload::upload;
use crate::error::ClientError;
use crate::request_body::{BodyStream, OutgoingBody};

pub(crate) struct Http2Head {
    pub status: u16,
    pub headers: HeaderMap,
}

pub(crate) struct ResponseStream {
    shared: Arc<Shared>,
    id: u32,
    /// Sends the body of the request; returns it if nothing of it was taken.
    upload: Option<JoinHandle<Option<BodyStream>>>,
}

impl Http2Head {
    /// `None`: an informational response.
    pub fn of_final(fields: Vec<HeaderField>) -> Option<Http2Head> {
        let (mut status, mut headers) = (0, HeaderMap::with_capacity(fields.len()));
        for field in fields {
            if field.name == b":status" {
                status = std::str::from_utf8(&field.value).ok()?.parse().ok()?;
            } else if let (Ok(name), Ok(value)) =
                (HeaderName::from_bytes(&field.name), HeaderValue::from_bytes(&field.value))
            {
                headers.append(name, value);
            }
        }
        (status >= 200).then_some(Http2Head { status, headers })
    }
}

impl ResponseStream {
    pub(super) fn new(shared: Arc<Shared>, id: u32) -> ResponseStream {
        ResponseStream { shared, id, upload: None }
    }

    pub(super) fn with_upload(mut self, body: BodyStream) -> ResponseStream {
        self.upload = Some(tokio::spawn(upload(Arc::clone(&self.shared), self.id, body)));
        self
    }

    pub async fn head(&mut self) -> Result<Http2Head, StreamFailure> {
        self.next(|stream| stream.head.take().map(Ok)).await?.unwrap_or_else(|| {
            let cause = "a response without a head".to_owned();
            Err(StreamFailure::Error(ClientError::Protocol(cause)))
        })
    }

    /// The next piece of the body; `None` at its end.
    pub async fn data(&mut self) -> Result<Option<Vec<u8>>, ClientError> {
        self.next(|stream| stream.data.pop_front()).await.map_err(StreamFailure::into_error)
    }

    /// Waits for the next part of the response. `None`: its end.
    async fn next<T>(
        &mut self,
        take: impl Fn(&mut StreamState) -> Option<T>,
    ) -> Result<Option<T>, StreamFailure> {
        std::future::poll_fn(|context: &mut Context<'_>| {
            let mut state = self.shared.lock();
            let Some(stream) = state.streams.get_mut(&self.id) else { return Poll::Ready(Ok(None)) };
            if let Some(part) = take(stream) {
                return Poll::Ready(Ok(Some(part)));
            }
            if let Some(failure) = &stream.failure {
                return Poll::Ready(Err(failure.clone()));
            }
            if stream.is_complete {
                return Poll::Ready(Ok(None));
            }
            stream.reader = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// So many bytes of the body were taken; the server may send as many more.
    pub fn release(&self, bytes: usize) {
        let mut state = self.shared.lock();
        state.session.consume(self.id, bytes);
        if state.session.has_output() {
            state.wake_driver();
        }
    }

    /// The body of a request that failed, if nothing of it was sent.
    pub async fn take_body(mut self) -> Option<OutgoingBody> {
        let upload = self.upload.take()?;
        upload.await.ok().flatten().map(OutgoingBody::Stream)
    }
}

impl Drop for ResponseStream {
    fn drop(&mut self) {
        if let Some(upload) = &self.upload {
            upload.abort();
        }
        let mut state = self.shared.lock();
        let Some(stream) = state.streams.remove(&self.id) else { return };
        if !stream.is_closed {
            // A complete response needs no more of the request (RFC 9113, section 8.1).
            let code = if stream.is_complete { code::NO_ERROR } else { code::CANCEL };
            state.session.reset_stream(self.id, code);
            state.distribute();
        }
        state.wake_driver();
    }
}

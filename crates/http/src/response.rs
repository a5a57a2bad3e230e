//! Response of an exchange, by whichever version of HTTP. In: the connection that it arrives over.
//! Out: its head, and pieces of its body. Trailers are ignored: `fetch` does not expose them.

use std::pin::Pin;

use hyper::body::{Body, Incoming};
use hyper::header::HeaderMap;

use crate::error::ClientError;
use crate::http2_connection::ResponseStream;
use crate::pool::Connection;

pub(crate) struct Response {
    pub status: u16,
    /// Empty in HTTP/2, which has none.
    pub reason: String,
    pub headers: HeaderMap,
    pub body: ResponseBody,
}

pub(crate) enum ResponseBody {
    Http1 {
        /// Can be used again when the body was read.
        connection: Connection,
        body: Incoming,
    },
    Http2(ResponseStream),
}

impl ResponseBody {
    /// The next piece, not empty; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, ClientError> {
        let body = match self {
            ResponseBody::Http2(stream) => return stream.data().await,
            ResponseBody::Http1 { body, .. } => body,
        };
        loop {
            let next = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context));
            match next.await {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if !data.is_empty() => return Ok(Some(data.into())),
                    Ok(_) | Err(_) => {}
                },
                Some(Err(error)) => return Err(ClientError::of_hyper(&error)),
                None => return Ok(None),
            }
        }
    }

    /// So many bytes were passed on.
    pub fn release(&self, bytes: usize) {
        if let ResponseBody::Http2(stream) = self {
            stream.release(bytes);
        }
    }
}

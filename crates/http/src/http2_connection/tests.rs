//! Exchanges with a server session at the other end of a stream in memory. Names follow the
//! sections of RFC 9113.

use std::future::Future;
use std::sync::Arc;

use rusk_http2::error::code;
use rusk_http2::{HeaderField, Http2Session, SessionEvent, SessionOptions, SessionRole, settings};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::{Http2Connection, STREAM_WINDOW_BYTES, StreamFailure};
use crate::error::ClientError;
use crate::event_queue::EventQueue;
use crate::request_body::{BodyStream, OutgoingBody};

/// The other end of a connection.
struct Peer {
    stream: DuplexStream,
    session: Http2Session,
}

impl Peer {
    async fn send(&mut self) {
        let output = self.session.take_output(usize::MAX);
        self.stream.write_all(&output).await.unwrap();
    }

    /// Receives until an event is what is wanted.
    async fn wait<T>(&mut self, wanted: impl Fn(&SessionEvent) -> Option<T>) -> T {
        let mut bytes = vec![0; 1 << 16];
        loop {
            while let Some(event) = self.session.next_event() {
                if let Some(found) = wanted(&event) {
                    return found;
                }
            }
            self.send().await;
            let count = self.stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "the client has ended the connection");
            self.session.receive(&bytes[..count], 0).unwrap();
        }
    }

    /// The stream of the next request.
    async fn request(&mut self) -> u32 {
        self.wait(|event| match event {
            SessionEvent::Headers { stream, .. } => Some(*stream),
            _ => None,
        })
        .await
    }

    /// The stream that is closed next, and why.
    async fn closed(&mut self) -> (u32, u32) {
        self.wait(|event| match event {
            SessionEvent::StreamClosed { stream, code } => Some((*stream, *code)),
            _ => None,
        })
        .await
    }

    fn respond(&mut self, stream: u32, body: &[u8]) {
        self.session.respond(stream, &[HeaderField::new(":status", "200")], false).unwrap();
        self.session.write(stream, body.to_vec()).unwrap();
        self.session.end(stream, false);
    }
}

fn run(test: impl AsyncFnOnce(Http2Connection, Peer)) {
    run_with(&[], test);
}

fn run_with(own: &[(u16, u32)], test: impl AsyncFnOnce(Http2Connection, Peer)) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (near, far) = tokio::io::duplex(1 << 16);
        let mut session = Http2Session::new(SessionRole::Server, SessionOptions::default());
        session.settings(own).unwrap();
        let connection = Http2Connection::start(Box::new(near));
        test(connection, Peer { stream: far, session }).await;
    });
}

fn fields(method: &str) -> Vec<HeaderField> {
    let pairs = [(":method", method), (":scheme", "https"), (":authority", "one.test"), (":path", "/")];
    pairs.iter().map(|(name, value)| HeaderField::new(name, value)).collect()
}

fn get(connection: &Http2Connection) -> super::ResponseStream {
    connection.request(fields("GET"), OutgoingBody::None).ok().unwrap()
}

async fn body(mut response: super::ResponseStream) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    while let Some(piece) = response.data().await? {
        response.release(piece.len());
        body.extend(piece);
    }
    Ok(body)
}

/// Runs two futures until both have ended.
async fn both<A, B>(one: impl Future<Output = A>, other: impl Future<Output = B>) -> (A, B) {
    let (mut one, mut other) = (std::pin::pin!(one), std::pin::pin!(other));
    let (mut first, mut second) = (None, None);
    std::future::poll_fn(|context| {
        use std::task::Poll;
        if first.is_none()
            && let Poll::Ready(found) = one.as_mut().poll(context)
        {
            first = Some(found);
        }
        if second.is_none()
            && let Poll::Ready(found) = other.as_mut().poll(context)
        {
            second = Some(found);
        }
        if first.is_some() && second.is_some() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (first.unwrap(), second.unwrap())
}

/// A body that is streamed, and where its chunks go in.
fn stream_body(length: Option<u64>) -> (UnboundedSender<Vec<u8>>, OutgoingBody) {
    let (sender, received) = unbounded_channel();
    let events = Arc::new(EventQueue::new().unwrap());
    (sender, OutgoingBody::Stream(BodyStream { received, length, events, exchange: 0 }))
}

#[test]
fn section_5_streams_are_independent() {
    run(async |connection, mut peer| {
        let (mut first, mut second) = (get(&connection), get(&connection));
        let streams = [peer.request().await, peer.request().await];
        assert_eq!(streams, [1, 3]);
        peer.session.inform(3, &[HeaderField::new(":status", "103")]).unwrap();
        peer.respond(3, b"second");
        peer.send().await;
        let head = second.head().await.ok().unwrap();
        assert_eq!((head.status, body(second).await.unwrap()), (200, b"second".to_vec()));
        let fields = [HeaderField::new(":status", "404"), HeaderField::new("x-one", "1")];
        peer.session.respond(1, &fields, false).unwrap();
        peer.session.write(1, b"first".to_vec()).unwrap();
        peer.session.end(1, true);
        peer.send().await;
        peer.session.trailers(1, &[HeaderField::new("x-trailer", "1")]).unwrap();
        peer.send().await;
        let head = first.head().await.ok().unwrap();
        assert_eq!(
            (head.status, head.headers.len(), &head.headers["x-one"]),
            (404, 1, &"1".parse().unwrap())
        );
        assert_eq!(body(first).await.unwrap(), b"first");
        assert!(connection.is_usable());
    });
}

#[test]
fn section_5_2_a_response_that_is_not_read_stops_its_server() {
    const BYTES: usize = 3 << 20;
    run(async |connection, mut peer| {
        let mut response = get(&connection);
        let stream = peer.request().await;
        peer.wait(|event| matches!(event, SessionEvent::SettingsAcknowledged).then_some(())).await;
        peer.respond(stream, &vec![b'x'; BYTES]);
        // Another response passes it.
        let other = get(&connection);
        let other_stream = peer.request().await;
        peer.respond(other_stream, b"passed");
        let (other, _) = both(body(other), peer.send()).await;
        assert_eq!(other.unwrap(), b"passed");
        assert_eq!(peer.session.stream_queued_bytes(stream), Some(BYTES - STREAM_WINDOW_BYTES as usize));
        response.head().await.ok().unwrap();
        assert_eq!(peer.closed().await.0, other_stream);
        let (read, closed) = both(body(response), peer.closed()).await;
        assert_eq!(closed.0, stream);
        assert_eq!(read.unwrap().len(), BYTES);
    });
}

#[test]
fn section_6_8_requests_after_goaway_are_refused() {
    run(async |connection, mut peer| {
        let (first, mut second) = (get(&connection), get(&connection));
        let _ = (peer.request().await, peer.request().await);
        peer.session.goaway(code::NO_ERROR, 1, &[]);
        peer.respond(1, b"still answered");
        peer.send().await;
        assert!(matches!(second.head().await, Err(StreamFailure::Refused)));
        assert_eq!(body(first).await.unwrap(), b"still answered");
        assert!(!connection.is_usable());
        assert!(connection.request(fields("GET"), OutgoingBody::None).is_err());
        // Without exchanges the connection ends.
        drop(second);
        let mut rest = Vec::new();
        peer.stream.read_to_end(&mut rest).await.unwrap();
    });
}

#[test]
fn section_6_8_a_body_that_was_not_sent_can_be_sent_elsewhere() {
    run_with(&[(settings::id::MAX_CONCURRENT_STREAMS, 1)], async |connection, mut peer| {
        let _first = get(&connection);
        let (sender, outgoing) = stream_body(None);
        peer.request().await;
        peer.send().await;
        peer.wait(|event| matches!(event, SessionEvent::SettingsAcknowledged).then_some(())).await;
        let mut second = connection.request(fields("POST"), outgoing).ok().unwrap();
        sender.send(b"chunk".to_vec()).unwrap();
        peer.session.goaway(code::NO_ERROR, 1, &[]);
        peer.send().await;
        assert!(matches!(second.head().await, Err(StreamFailure::Refused)));
        let Some(OutgoingBody::Stream(mut body)) = second.take_body().await else { panic!("it is unused") };
        assert_eq!(body.received.try_recv().unwrap(), b"chunk");
    });
}

#[test]
fn section_6_4_resets_end_one_exchange() {
    run(async |connection, mut peer| {
        let mut responses = [get(&connection), get(&connection), get(&connection)];
        for code in [code::CANCEL, code::HTTP_1_1_REQUIRED, code::REFUSED_STREAM] {
            let stream = peer.request().await;
            peer.session.reset_stream(stream, code);
        }
        peer.send().await;
        let [cancelled, downgraded, refused] = &mut responses;
        let failure = cancelled.head().await.err().unwrap();
        assert!(
            matches!(failure, StreamFailure::Error(ClientError::Stream { code: code::CANCEL })),
            "{failure:?}"
        );
        assert!(matches!(downgraded.head().await, Err(StreamFailure::Http11Required)));
        assert!(matches!(refused.head().await, Err(StreamFailure::Refused)));
        drop(responses);
        let response = get(&connection);
        let stream = peer.request().await;
        peer.respond(stream, b"next");
        peer.send().await;
        assert_eq!(body(response).await.unwrap(), b"next");
    });
}

#[test]
fn section_8_7_an_exchange_that_is_dropped_is_cancelled() {
    run(async |connection, mut peer| {
        let response = get(&connection);
        let stream = peer.request().await;
        drop(response);
        assert_eq!(peer.closed().await, (stream, code::CANCEL));
    });
}

#[test]
fn section_8_1_bodies_are_sent_within_the_windows() {
    run(async |connection, mut peer| {
        let (sender, outgoing) = stream_body(Some(300_000));
        let response = connection.request(fields("POST"), outgoing).ok().unwrap();
        let full = OutgoingBody::Full(vec![b'y'; 200_000].into());
        let _other = connection.request(fields("PUT"), full).ok().unwrap();
        for _ in 0..3 {
            sender.send(vec![b'x'; 100_000]).unwrap();
        }
        drop(sender);
        let (mut ended, mut received) = (0, [0; 2]);
        while ended < 2 {
            let event = peer.wait(|event| Some(event.clone())).await;
            match event {
                SessionEvent::Headers { stream, .. } => peer.session.set_reading(stream, true),
                SessionEvent::Data { stream, bytes } => received[stream as usize / 2] += bytes.len(),
                SessionEvent::StreamEnded { .. } => ended += 1,
                _ => {}
            }
        }
        assert_eq!(received, [300_000, 200_000]);
        peer.respond(1, b"thanks");
        peer.send().await;
        assert_eq!(body(response).await.unwrap(), b"thanks");
    });
}

#[test]
fn section_8_1_1_a_body_of_another_length_is_not_sent() {
    run(async |connection, mut peer| {
        let (sender, outgoing) = stream_body(Some(5));
        let mut response = connection.request(fields("POST"), outgoing).ok().unwrap();
        sender.send(b"four".to_vec()).unwrap();
        drop(sender);
        let (failure, closed) = both(response.head(), peer.closed()).await;
        assert!(matches!(failure, Err(StreamFailure::Error(ClientError::Protocol(_)))));
        assert_eq!(closed, (1, code::CANCEL));
    });
}

#[test]
fn section_5_4_1_the_end_of_the_connection_ends_all_exchanges() {
    run(async |connection, mut peer| {
        let (mut first, mut second) = (get(&connection), get(&connection));
        peer.request().await;
        peer.session.goaway(code::ENHANCE_YOUR_CALM, 3, &[]);
        peer.send().await;
        drop(peer);
        for response in [&mut first, &mut second] {
            let failure = response.head().await.err().unwrap();
            let StreamFailure::Error(ClientError::Session { code }) = failure else { panic!("{failure:?}") };
            assert_eq!(code, code::ENHANCE_YOUR_CALM);
        }
        assert!(!connection.is_usable());
    });
}

#[test]
fn section_5_4_1_a_violation_of_the_protocol_ends_the_connection() {
    run(async |connection, mut peer| {
        let mut response = get(&connection);
        peer.request().await;
        peer.send().await;
        // DATA of the connection.
        peer.stream.write_all(&[0, 0, 0, 0, 0, 0, 0, 0, 0]).await.unwrap();
        let failure = response.head().await.err().unwrap();
        let StreamFailure::Error(ClientError::Session { code }) = failure else { panic!("{failure:?}") };
        assert_eq!(code, code::PROTOCOL_ERROR);
        let code =
            peer.wait(|event| if let SessionEvent::GoAway { code, .. } = event { Some(*code) } else { None });
        assert_eq!(code.await, code::PROTOCOL_ERROR);
    });
}

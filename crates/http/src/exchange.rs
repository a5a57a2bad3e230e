//! One HTTP exchange: a request and its response. In: the request. Out: events, the last of which
//! is `End` or `Error`. Whether it goes over HTTP/2 or HTTP/1.1 is the server's choice (ALPN).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::HeaderMap;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::client::{BUFFERED_BYTES_MAX, HttpVersions, Request};
use crate::content_decoder::ContentDecoder;
use crate::dial::{ConnectError, dial};
use crate::error::{ClientError, TimeoutPhase};
use crate::event_queue::{Event, EventQueue};
use crate::http1::{self, Sent};
use crate::http2_connection::{Http2Connection, StreamFailure, request_fields};
use crate::pool::{Origin, Pool};
use crate::request_body::OutgoingBody;
use crate::response::{Response, ResponseBody};
use crate::secure::SecureConnector;
use crate::secure_origins::{Established, OriginStep, SecureOrigins, SecureRoute};
use crate::tls::TlsOptions;

/// Timeouts. `CONNECT` includes the TLS handshake; `HEAD` and `BODY` are between two reads. The
/// values are those of undici in Node.
const CONNECT: Duration = Duration::from_secs(10);
pub(crate) const HEAD: Duration = Duration::from_secs(300);
const BODY: Duration = Duration::from_secs(300);

/// Node's limit. hyper's buffer limits their bytes.
pub(crate) const HEADERS_MAX: usize = 2000;

/// How often a request is sent that HTTP/2 servers refuse.
const ATTEMPTS_MAX: usize = 4;

/// What all exchanges of a client share.
pub(crate) struct ClientContext {
    pub pool: Arc<Pool>,
    secure_origins: SecureOrigins,
    tls_options: Arc<TlsOptions>,
    connector: SecureConnector,
    events: Arc<EventQueue>,
}

/// A request that is handed to the network thread.
pub(crate) struct PendingRequest {
    pub id: u64,
    pub request: Request,
    pub outgoing: OutgoingBody,
    /// Bytes of the response that may still be queued.
    pub capacity: Arc<Semaphore>,
}

pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

impl ClientContext {
    pub fn new(tls_options: TlsOptions, events: Arc<EventQueue>) -> ClientContext {
        ClientContext {
            pool: Arc::default(),
            secure_origins: SecureOrigins::default(),
            tls_options: Arc::new(tls_options),
            connector: SecureConnector::default(),
            events,
        }
    }
}

pub(crate) async fn run(context: &ClientContext, pending: PendingRequest) {
    let id = pending.id;
    let last = match exchange(context, pending).await {
        Ok(()) => Event::End,
        Err(failure) => Event::Error(failure),
    };
    context.events.push(id, last);
}

/// Opens a connection and keeps it as an idle one.
pub(crate) async fn preconnect(context: &ClientContext, origin: Origin) {
    let established = match origin.is_secure {
        true => match route(context, &origin).await {
            Ok(SecureRoute::Http1(Some(connection))) => Ok(Established::Http1(connection)),
            // There is one already, or it is kept by its origin.
            Ok(_) | Err(_) => return,
        },
        false => connect_in_time(context, &origin, HttpVersions::Http1).await,
    };
    if let Ok(Established::Http1(mut connection)) = established
        && connection.ready().await.is_ok()
    {
        context.pool.put(origin, connection, &HeaderMap::new());
    }
}

async fn exchange(context: &ClientContext, pending: PendingRequest) -> Result<(), ClientError> {
    let PendingRequest { id, request, outgoing, capacity } = pending;
    let origin = Origin {
        is_secure: request.is_secure,
        host: request.host.clone(),
        port: request.port,
        tls_options: request.tls_options.clone(),
    };
    let Response { status, reason, headers, mut body } = send(context, &origin, &request, outgoing).await?;
    let named = headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()));
    context.events.push(id, Event::Head { status, reason, headers: named.collect() });
    let decoder = ContentDecoder::of(&headers).filter(|_| request.decompress);
    let sink = BodySink { events: &context.events, id, capacity };
    receive(&mut body, decoder, &sink).await?;
    if let ResponseBody::Http1 { connection, .. } = body {
        context.pool.put(origin, connection, &headers);
    }
    Ok(())
}

async fn send(
    context: &ClientContext,
    origin: &Origin,
    request: &Request,
    mut outgoing: OutgoingBody,
) -> Result<Response, ClientError> {
    let mut refused_count = 0;
    loop {
        let route = match origin.is_secure && request.versions != HttpVersions::Http1 {
            true => route(context, origin).await?,
            false => SecureRoute::Http1(None),
        };
        if request.versions == HttpVersions::Http2 && matches!(route, SecureRoute::Http1(_)) {
            return Err(ClientError::Http2Unsupported);
        }
        let (connection, is_new) = match route {
            SecureRoute::Http2 { connection, is_new } => (connection, is_new),
            SecureRoute::Http1(first) => {
                match http1::send(context, origin, request, outgoing, first).await? {
                    Sent::Response(response) => return Ok(response),
                    Sent::Http2(connection, body) => {
                        context.secure_origins.set_http2(origin, connection);
                        outgoing = body;
                        continue;
                    }
                }
            }
        };
        outgoing = match send_http2(&connection, request, outgoing, is_new).await {
            Ok(response) => return Ok(response),
            Err(Unanswered { failure: StreamFailure::Error(error), .. }) => return Err(error),
            Err(Unanswered { body: None, failure }) => return Err(failure.into_error()),
            Err(Unanswered { body: Some(_), failure }) if refused_count == ATTEMPTS_MAX => {
                return Err(failure.into_error());
            }
            Err(Unanswered { body: Some(body), failure }) => {
                if matches!(failure, StreamFailure::Http11Required) {
                    context.secure_origins.require_http1(origin);
                }
                refused_count += 1;
                body
            }
        };
    }
}

/// A request without a response. `body`: it may be sent again.
struct Unanswered {
    failure: StreamFailure,
    body: Option<OutgoingBody>,
}

/// Sends a request over an HTTP/2 connection. One that the server says it has not processed may be
/// sent again, and so may a safe one on a connection that has just ended (RFC 9113, section 8.7).
async fn send_http2(
    connection: &Http2Connection,
    request: &Request,
    outgoing: OutgoingBody,
    is_new: bool,
) -> Result<Response, Unanswered> {
    let clone = outgoing.try_clone();
    let failed = |error| Unanswered { failure: StreamFailure::Error(error), body: None };
    let message = http1::message(request, outgoing).map_err(failed)?;
    let fields = request_fields(&message);
    let mut stream = match connection.request(fields, message.into_body()) {
        Ok(stream) => stream,
        Err(body) => return Err(Unanswered { failure: StreamFailure::Refused, body: Some(body) }),
    };
    let failure = match timeout(HEAD, stream.head()).await {
        Ok(Ok(head)) => {
            let (status, headers) = (head.status, head.headers);
            let body = ResponseBody::Http2(stream);
            return Ok(Response { status, reason: String::new(), headers, body });
        }
        Ok(Err(StreamFailure::Error(ClientError::Closed | ClientError::Io { .. })))
            if !is_new && request.is_safe() && clone.is_some() =>
        {
            StreamFailure::Refused
        }
        Ok(Err(failure)) => failure,
        Err(_) => return Err(failed(ClientError::TimedOut(TimeoutPhase::Head))),
    };
    let body = match clone {
        Some(body) => Some(body),
        None => stream.take_body().await,
    };
    Err(Unanswered { failure, body })
}

/// The HTTP/2 connection of a secure origin, or that it speaks HTTP/1.1.
async fn route(context: &ClientContext, origin: &Origin) -> Result<SecureRoute, ClientError> {
    loop {
        match context.secure_origins.step(origin) {
            OriginStep::Use(route) => return Ok(route),
            OriginStep::Connect(guard) => {
                return guard.finish(connect_in_time(context, origin, HttpVersions::Any).await);
            }
            OriginStep::Wait(wait) => {
                if let Some(outcome) = wait.outcome().await {
                    return outcome;
                }
            }
        }
    }
}

pub(crate) async fn connect_in_time(
    context: &ClientContext,
    origin: &Origin,
    versions: HttpVersions,
) -> Result<Established, ClientError> {
    match timeout(CONNECT, connect(context, origin, versions)).await {
        Ok(established) => established,
        Err(_) => Err(ClientError::TimedOut(TimeoutPhase::Connect)),
    }
}

async fn connect(
    context: &ClientContext,
    origin: &Origin,
    versions: HttpVersions,
) -> Result<Established, ClientError> {
    let stream = dial(addresses(origin).await?).await.map_err(|ConnectError(refusals)| {
        let errno = |error: &io::Error| error.raw_os_error().unwrap_or_default();
        ClientError::Connect(refusals.iter().map(|(address, error)| (*address, errno(error))).collect())
    })?;
    if !origin.is_secure {
        return Ok(Established::Http1(http1::start(Box::new(stream)).await?));
    }
    let options = origin.tls_options.as_ref().unwrap_or(&context.tls_options);
    let offers_http2 = versions != HttpVersions::Http1 && context.secure_origins.may_be_http2(origin);
    let secure = context.connector.connect(options, origin, offers_http2, stream).await?;
    Ok(match secure.is_http2 {
        true => Established::Http2(Http2Connection::start(secure.stream)),
        false => Established::Http1(http1::start(secure.stream).await?),
    })
}

async fn addresses(origin: &Origin) -> Result<Vec<SocketAddr>, ClientError> {
    match tokio::net::lookup_host((origin.host.as_str(), origin.port)).await {
        Ok(found) => Ok(found.collect()),
        // tokio does not expose getaddrinfo's code, only its message.
        Err(error) => {
            Err(ClientError::Lookup { is_temporary: error.to_string().contains("Temporary failure") })
        }
    }
}

/// Sends chunks of the response body to the event queue.
struct BodySink<'a> {
    events: &'a EventQueue,
    id: u64,
    capacity: Arc<Semaphore>,
}

impl BodySink<'_> {
    /// Waits until the reader has capacity for the chunk.
    async fn send(&self, data: Vec<u8>) {
        let bytes = data.len().min(BUFFERED_BYTES_MAX) as u32;
        // The semaphore is never closed.
        if let Ok(capacity) = self.capacity.acquire_many(bytes).await {
            capacity.forget();
        }
        self.events.push(self.id, Event::Data(data));
    }
}

async fn receive(
    body: &mut ResponseBody,
    mut decoder: Option<ContentDecoder>,
    sink: &BodySink<'_>,
) -> Result<(), ClientError> {
    loop {
        let data = match timeout(BODY, body.next()).await {
            Ok(Ok(Some(data))) => data,
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Err(_) => return Err(ClientError::TimedOut(TimeoutPhase::Body)),
        };
        let received_bytes = data.len();
        match &mut decoder {
            None => sink.send(data).await,
            Some(decoder) => {
                let mut encoded = vec![ContentDecoder::begin(data)];
                while let Some(data) = decoder.next(&mut encoded)? {
                    sink.send(data).await;
                }
            }
        }
        body.release(received_bytes);
    }
}

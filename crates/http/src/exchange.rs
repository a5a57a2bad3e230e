//! One HTTP exchange: a request and its response. In: the request. Out: events, the last of which
//! is `End` or `Error`. If an idle connection of the pool turns out to be closed, the request is
//! retried on another one, provided that it was not sent yet or is safe to repeat (RFC 9110,
//! 9.2.2).

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::ext::ReasonPhrase;
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::client::{BUFFERED_BYTES_MAX, Request};
use crate::content_decoder::ContentDecoder;
use crate::dial::{ConnectError, dial};
use crate::error::{ClientError, TimeoutPhase};
use crate::event_queue::{Event, EventQueue};
use crate::pool::{Connection, Origin, Pool};
use crate::request_body::OutgoingBody;
use crate::secure::SecureConnector;
use crate::tls::TlsOptions;

/// Timeouts. `CONNECT` includes the TLS handshake; `HEAD` and `BODY` are between two reads. The
/// values are those of undici in Node.
const CONNECT: Duration = Duration::from_secs(10);
const HEAD: Duration = Duration::from_secs(300);
const BODY: Duration = Duration::from_secs(300);

/// Node's limit. hyper's buffer limits their bytes.
const HEADERS_MAX: usize = 2000;

/// What all exchanges of a client share.
pub(crate) struct ClientContext {
    pool: Arc<Pool>,
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
        let tls_options = Arc::new(tls_options);
        ClientContext { pool: Arc::default(), tls_options, connector: SecureConnector::default(), events }
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
    if let Ok(Ok(mut connection)) = timeout(CONNECT, connect(context, &origin)).await
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
    let (connection, response) = send(context, &origin, &request, outgoing).await?;
    let (head, body) = response.into_parts();
    let reason = match head.extensions.get::<ReasonPhrase>() {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => head.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let named =
        head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()));
    let event = Event::Head { status: head.status.as_u16(), reason, headers: named.collect() };
    context.events.push(id, event);
    let decoder = ContentDecoder::of(&head.headers).filter(|_| request.decompress);
    let sink = BodySink { events: &context.events, id, capacity };
    receive(body, decoder, &sink).await?;
    context.pool.put(origin, connection, &head.headers);
    Ok(())
}

/// Returns the response head and the connection that it came from.
async fn send(
    context: &ClientContext,
    origin: &Origin,
    request: &Request,
    outgoing: OutgoingBody,
) -> Result<(Connection, Response<Incoming>), ClientError> {
    let is_safe = matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE");
    let clone = if is_safe { outgoing.try_clone() } else { None };
    let mut message = message(request, outgoing)?;
    while let Some(mut connection) = context.pool.take(origin) {
        if connection.ready().await.is_err() {
            continue;
        }
        let mut rejected = match timeout(HEAD, connection.try_send_request(message)).await {
            Ok(Ok(response)) => return Ok((connection, response)),
            Ok(Err(rejected)) => rejected,
            Err(_) => return Err(ClientError::TimedOut(TimeoutPhase::Head)),
        };
        let unsent = rejected.take_message();
        let failure = ClientError::of_hyper(&rejected.into_error());
        // A malformed response is a response too: the server has seen the request.
        let may_retry = !matches!(failure, ClientError::Protocol(_));
        message = match (unsent, clone.as_ref().and_then(OutgoingBody::try_clone)) {
            (Some(unsent), _) => unsent,
            (None, Some(body)) if may_retry => self::message(request, body)?,
            _ => return Err(failure),
        };
    }
    let mut connection = match timeout(CONNECT, connect(context, origin)).await {
        Ok(connection) => connection?,
        Err(_) => return Err(ClientError::TimedOut(TimeoutPhase::Connect)),
    };
    match timeout(HEAD, connection.send_request(message)).await {
        Ok(Ok(response)) => Ok((connection, response)),
        Ok(Err(error)) => Err(ClientError::of_hyper(&error)),
        Err(_) => Err(ClientError::TimedOut(TimeoutPhase::Head)),
    }
}

/// JavaScript validates headers and hosts first; this is the second line of defense.
fn message(request: &Request, outgoing: OutgoingBody) -> Result<hyper::Request<OutgoingBody>, ClientError> {
    let invalid = |what: &str| ClientError::Protocol(format!("invalid {what}"));
    let mut message = hyper::Request::new(outgoing);
    *message.method_mut() =
        Method::from_bytes(request.method.as_bytes()).map_err(|_| invalid("request method"))?;
    *message.uri_mut() = request.path_and_query.parse::<Uri>().map_err(|_| invalid("request path"))?;
    if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        let default_port = if request.is_secure { 443 } else { 80 };
        let host =
            if request.host.contains(':') { format!("[{}]", request.host) } else { request.host.clone() };
        let host = if request.port == default_port { host } else { format!("{host}:{}", request.port) };
        message.headers_mut().insert(HOST, HeaderValue::from_str(&host).map_err(|_| invalid("host"))?);
    }
    message.headers_mut().insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    for (name, value) in &request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("header field"))?;
        let value = HeaderValue::from_bytes(value).map_err(|_| invalid("header field"))?;
        message.headers_mut().append(name, value);
    }
    Ok(message)
}

async fn connect(context: &ClientContext, origin: &Origin) -> Result<Connection, ClientError> {
    let stream = dial(addresses(origin).await?).await.map_err(|ConnectError(refusals)| {
        let errno = |error: &io::Error| error.raw_os_error().unwrap_or_default();
        ClientError::Connect(refusals.iter().map(|(address, error)| (*address, errno(error))).collect())
    })?;
    let stream: Box<dyn Duplex> = match origin.is_secure {
        true => {
            let options = origin.tls_options.as_ref().unwrap_or(&context.tls_options);
            context.connector.connect(options, origin, stream).await?
        }
        false => Box::new(stream),
    };
    let mut builder = http1::Builder::new();
    builder.max_headers(HEADERS_MAX);
    let (connection, driver) =
        builder.handshake(TokioIo::new(stream)).await.map_err(|error| ClientError::of_hyper(&error))?;
    // The exchange on this connection reports its errors.
    tokio::spawn(driver);
    Ok(connection)
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
    mut body: Incoming,
    mut decoder: Option<ContentDecoder>,
    sink: &BodySink<'_>,
) -> Result<(), ClientError> {
    loop {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = match timeout(BODY, next).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(ClientError::of_hyper(&error)),
            Ok(None) => return Ok(()),
            Err(_) => return Err(ClientError::TimedOut(TimeoutPhase::Body)),
        };
        // Trailers are ignored: `fetch` does not expose them.
        let Ok(data) = frame.into_data() else { continue };
        match &mut decoder {
            None if data.is_empty() => {}
            None => sink.send(data.into()).await,
            Some(decoder) => {
                let mut encoded = vec![ContentDecoder::begin(data.into())];
                while let Some(data) = decoder.next(&mut encoded)? {
                    sink.send(data).await;
                }
            }
        }
    }
}

//! One request and its answer. In: what is asked. Out: events, the last of which is an end or a
//! failure. A connection that was kept and turns out to be closed is no failure: the request goes
//! over another, where it is certain that nobody has seen it or that it changes nothing.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::client::conn::http1;
use hyper::ext::ReasonPhrase;
use hyper::header::{CONNECTION, HOST, HeaderName, HeaderValue};
use hyper::{Method, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::body::Outgoing;
use crate::client::{Request, WAITING_BYTES_MAX};
use crate::decode::Layers;
use crate::dial::{NoAnswer, dial};
use crate::failure::{Failure, Wait};
use crate::inbox::{Event, Inbox};
use crate::pool::{Line, Origin, Pool};
use crate::trust::{Trust, Unusable, configure};

/// From the first packet to a connection ready for requests; the others between two signs of life.
/// Node's own.
const CONNECT: Duration = Duration::from_secs(10);
const HEAD: Duration = Duration::from_secs(300);
const BODY: Duration = Duration::from_secs(300);

/// As many as Node takes; their bytes are limited by hyper's buffer.
const HEADERS_MAX: usize = 2000;

/// What every exchange needs.
pub(crate) struct Network {
    pool: Arc<Pool>,
    trust: Trust,
    tls: OnceLock<Result<Arc<ClientConfig>, Unusable>>,
    inbox: Arc<Inbox>,
}

/// One exchange to be made.
pub(crate) struct Work {
    pub number: u64,
    pub request: Request,
    pub outgoing: Outgoing,
    /// Bytes of the answer that may still be put into the inbox.
    pub room: Arc<Semaphore>,
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

impl Network {
    pub fn new(trust: Trust, inbox: Arc<Inbox>) -> Network {
        Network { pool: Arc::default(), trust, tls: OnceLock::new(), inbox }
    }
}

pub(crate) async fn run(network: &Network, work: Work) {
    let number = work.number;
    let last = match exchange(network, work).await {
        Ok(()) => Event::End,
        Err(failure) => Event::Failed(failure),
    };
    network.inbox.push(number, last);
}

async fn exchange(network: &Network, work: Work) -> Result<(), Failure> {
    let Work { number, request, outgoing, room } = work;
    let origin = Origin { is_secure: request.is_secure, host: request.host.clone(), port: request.port };
    let (line, response) = send(network, &origin, &request, outgoing).await?;
    let (head, body) = response.into_parts();
    let reason = match head.extensions.get::<ReasonPhrase>() {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => head.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let named =
        head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()));
    let event = Event::Head { status: head.status.as_u16(), reason, headers: named.collect() };
    network.inbox.push(number, event);
    let layers = Layers::of(&head.headers).filter(|_| request.unpacks);
    let outlet = Outlet { inbox: &network.inbox, number, room };
    receive(body, layers, &outlet).await?;
    network.pool.give(origin, line, &head.headers);
    Ok(())
}

/// The head of the answer, and the connection that it came over.
async fn send(
    network: &Network,
    origin: &Origin,
    request: &Request,
    outgoing: Outgoing,
) -> Result<(Line, Response<Incoming>), Failure> {
    let is_safe = matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE");
    let spare = if is_safe { outgoing.again() } else { None };
    let mut message = message(request, outgoing)?;
    while let Some(mut line) = network.pool.take(origin) {
        if line.ready().await.is_err() {
            continue;
        }
        let mut refused = match timeout(HEAD, line.try_send_request(message)).await {
            Ok(Ok(response)) => return Ok((line, response)),
            Ok(Err(refused)) => refused,
            Err(_) => return Err(Failure::TimedOut(Wait::Head)),
        };
        let unseen = refused.take_message();
        let failure = Failure::of_hyper(&refused.into_error());
        // A word that nobody understood is an answer.
        let may_repeat = !matches!(failure, Failure::Protocol(_));
        message = match (unseen, spare.as_ref().and_then(Outgoing::again)) {
            (Some(unseen), _) => unseen,
            (None, Some(again)) if may_repeat => self::message(request, again)?,
            _ => return Err(failure),
        };
    }
    let mut line = match timeout(CONNECT, connect(network, origin)).await {
        Ok(line) => line?,
        Err(_) => return Err(Failure::TimedOut(Wait::Connect)),
    };
    match timeout(HEAD, line.send_request(message)).await {
        Ok(Ok(response)) => Ok((line, response)),
        Ok(Err(error)) => Err(Failure::of_hyper(&error)),
        Err(_) => Err(Failure::TimedOut(Wait::Head)),
    }
}

/// What is no header or address was refused before, in JavaScript; what was not is refused here.
fn message(request: &Request, outgoing: Outgoing) -> Result<hyper::Request<Outgoing>, Failure> {
    let refused = |what: &str| Failure::Protocol(format!("not to be sent: {what}"));
    let mut message = hyper::Request::new(outgoing);
    *message.method_mut() =
        Method::from_bytes(request.method.as_bytes()).map_err(|_| refused("the method"))?;
    *message.uri_mut() = request.target.parse::<Uri>().map_err(|_| refused("the path"))?;
    if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        let default_port = if request.is_secure { 443 } else { 80 };
        let host =
            if request.host.contains(':') { format!("[{}]", request.host) } else { request.host.clone() };
        let host = if request.port == default_port { host } else { format!("{host}:{}", request.port) };
        message.headers_mut().insert(HOST, HeaderValue::from_str(&host).map_err(|_| refused("the host"))?);
    }
    message.headers_mut().insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    for (name, value) in &request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused("a header"))?;
        let value = HeaderValue::from_bytes(value).map_err(|_| refused("a header"))?;
        message.headers_mut().append(name, value);
    }
    Ok(message)
}

async fn connect(network: &Network, origin: &Origin) -> Result<Line, Failure> {
    let stream = dial(addresses(origin).await?).await.map_err(|NoAnswer(refusals)| {
        let errno = |error: &io::Error| error.raw_os_error().unwrap_or_default();
        Failure::Connect(refusals.iter().map(|(address, error)| (*address, errno(error))).collect())
    })?;
    let stream: Box<dyn Duplex> = match origin.is_secure {
        true => Box::new(secure(network, origin, stream).await?),
        false => Box::new(stream),
    };
    let mut builder = http1::Builder::new();
    builder.max_headers(HEADERS_MAX);
    let (line, connection) =
        builder.handshake(TokioIo::new(stream)).await.map_err(|error| Failure::of_hyper(&error))?;
    // What ends it, its exchange is told.
    tokio::spawn(connection);
    Ok(line)
}

async fn addresses(origin: &Origin) -> Result<Vec<SocketAddr>, Failure> {
    match tokio::net::lookup_host((origin.host.as_str(), origin.port)).await {
        Ok(found) => Ok(found.collect()),
        // The resolver's number does not come up here; its words do.
        Err(error) => Err(Failure::Lookup { is_passing: error.to_string().contains("Temporary failure") }),
    }
}

async fn secure(
    network: &Network,
    origin: &Origin,
    stream: TcpStream,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, Failure> {
    let config = network.tls.get_or_init(|| configure(&network.trust, &[b"http/1.1"])).clone();
    let config = config.map_err(|Unusable(cause)| Failure::Certificates(cause))?;
    let name = ServerName::try_from(origin.host.clone())
        .map_err(|error| Failure::Tls { code: "ERR_TLS_CERT_ALTNAME_INVALID", cause: error.to_string() })?;
    let connected = TlsConnector::from(config).connect(name, stream).await;
    connected.map_err(|error| Failure::of_io(&error, false))
}

/// Where pieces go.
struct Outlet<'a> {
    inbox: &'a Inbox,
    number: u64,
    room: Arc<Semaphore>,
}

impl Outlet<'_> {
    /// Waits until whoever takes them has room.
    async fn give(&self, piece: Vec<u8>) {
        let bytes = piece.len().min(WAITING_BYTES_MAX) as u32;
        // Nobody closes it.
        if let Ok(room) = self.room.acquire_many(bytes).await {
            room.forget();
        }
        self.inbox.push(self.number, Event::Piece(piece));
    }
}

async fn receive(mut body: Incoming, mut layers: Option<Layers>, outlet: &Outlet<'_>) -> Result<(), Failure> {
    loop {
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let frame = match timeout(BODY, next).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return Err(Failure::of_hyper(&error)),
            Ok(None) => return Ok(()),
            Err(_) => return Err(Failure::TimedOut(Wait::Body)),
        };
        // Trailers are for nobody.
        let Ok(piece) = frame.into_data() else { continue };
        match &mut layers {
            None if piece.is_empty() => {}
            None => outlet.give(piece.into()).await,
            Some(layers) => {
                let mut packed = vec![Layers::begin(piece.into())];
                while let Some(piece) = layers.next(&mut packed)? {
                    outlet.give(piece).await;
                }
            }
        }
    }
}

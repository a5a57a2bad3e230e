//! Opens connections. In: a URL. Out: an HTTP/1.1 or HTTP/2 connection, after name lookup, TCP,
//! proxy and TLS.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rusk_base::timeline::{self, Lane, SpanKind};
use rusk_http::{ConnectError, TlsConfigError, TlsOptions};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{self, ClientConfig, pki_types::ServerName};
use url::Url;

use crate::error::{RequestError, TimeoutPhase};
use crate::proxy::{self, Proxy, Routes};
use crate::settings::Limits;

/// A proxy's response to `CONNECT` is a few lines.
const PROXY_RESPONSE_BYTES_MAX: usize = 16 * 1024;

/// HTTP/2 flow-control windows of a stream and of a connection: enough for 1 Gbit/s at 100 ms.
const STREAM_WINDOW_BYTES: u32 = 4 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 16 << 20;

/// hyper's handle for sending requests over a connection.
pub enum RequestSender {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

/// Configuration and caches for opening connections.
pub struct Connector {
    routes: Routes,
    tls_options: TlsOptions,
    pub limits: Limits,
    addresses: Mutex<HashMap<(String, u16), Vec<SocketAddr>>>,
    tls: OnceLock<Result<Arc<ClientConfig>, RequestError>>,
    tls_to_proxy: OnceLock<Result<Arc<ClientConfig>, RequestError>>,
}

trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}
type Stream = Box<dyn Duplex>;

impl Connector {
    pub fn new(routes: Routes, tls_options: TlsOptions, limits: Limits) -> Connector {
        Connector {
            routes,
            tls_options,
            limits,
            addresses: Mutex::default(),
            tls: OnceLock::new(),
            tls_to_proxy: OnceLock::new(),
        }
    }

    /// The proxy that forwards plain http requests for `url`.
    pub fn plain_proxy(&self, url: &Url) -> Option<&Proxy> {
        self.routes.find(url).filter(|_| url.scheme() == "http")
    }

    /// Opens a connection to the origin of `url`, and a timeline lane for it.
    pub async fn open(&self, url: &Url) -> Result<(RequestSender, Lane), RequestError> {
        let limit = self.limits.connect;
        let host = bare_host(url).to_owned();
        let lane = timeline::current().lane("connection");
        match tokio::time::timeout(limit, self.open_unlimited(url, &host, &lane)).await {
            Ok(opened) => opened.map(|sender| (sender, lane)),
            Err(_) => Err(RequestError::TimedOut { host, phase: TimeoutPhase::Connect, limit }),
        }
    }

    async fn open_unlimited(
        &self,
        url: &Url,
        host: &str,
        lane: &Lane,
    ) -> Result<RequestSender, RequestError> {
        let port = url.port_or_known_default().unwrap_or(443);
        let stream = match self.routes.find(url) {
            None => Box::new(self.tcp(host, port, lane).await?),
            Some(proxy) => {
                let mut stream = self.to_proxy(proxy, lane).await?;
                if url.scheme() == "https" {
                    tunnel(&mut stream, proxy, url.host_str().unwrap_or_default(), port).await?;
                }
                stream
            }
        };
        let mut open = lane.begin(SpanKind::Handshake).label(|| host.to_owned());
        if url.scheme() == "http" {
            return handshake_http1(stream, host).await;
        }
        let read = || {
            let _open = lane.begin(SpanKind::Handshake).label(|| "certificates read".to_owned());
            self.tls_config(&[b"h2", b"http/1.1"])
        };
        let config = self.tls.get_or_init(read).clone()?;
        let stream = secure(stream, host, config).await?;
        match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => {
                open.note(|| "HTTP/2".to_owned());
                handshake_http2(Box::new(stream), host).await
            }
            _ => handshake_http1(Box::new(stream), host).await,
        }
    }

    async fn to_proxy(&self, proxy: &Proxy, lane: &Lane) -> Result<Stream, RequestError> {
        let stream = self.tcp(&proxy.host, proxy.port, lane).await?;
        if !proxy.tls {
            return Ok(Box::new(stream));
        }
        let _open = lane.begin(SpanKind::Handshake).label(|| proxy.host.clone());
        let config = self.tls_to_proxy.get_or_init(|| self.tls_config(&[b"http/1.1"])).clone()?;
        Ok(Box::new(secure(Box::new(stream), &proxy.host, config).await?))
    }

    fn tls_config(&self, protocols: &[&[u8]]) -> Result<Arc<ClientConfig>, RequestError> {
        rusk_http::tls_config(&self.tls_options, protocols)
            .map_err(|TlsConfigError(cause)| RequestError::Certificates { cause })
    }

    /// Connects to the first address that accepts.
    async fn tcp(&self, host: &str, port: u16, lane: &Lane) -> Result<TcpStream, RequestError> {
        let lookup = lane.begin(SpanKind::Lookup).label(|| host.to_owned());
        let addresses = self.addresses_of(host, port).await?;
        lookup.end();
        let _open = lane.begin(SpanKind::Connect).label(|| host.to_owned());
        let ConnectError(refusals) = match rusk_http::dial(addresses).await {
            Ok(stream) => return Ok(stream),
            Err(refusals) => refusals,
        };
        let last = refusals.last().map(|(_, error)| error.to_string());
        let cause = last.unwrap_or_else(|| "the name has no address".to_owned());
        self.locked_addresses().remove(&(host.to_owned(), port));
        Err(RequestError::Unreachable { host: with_port(host, port), cause })
    }

    /// Cached: 64 connections need one lookup.
    async fn addresses_of(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, RequestError> {
        let key = (host.to_owned(), port);
        if let Some(known) = self.locked_addresses().get(&key) {
            return Ok(known.clone());
        }
        let found = tokio::net::lookup_host((host, port)).await;
        let found: Vec<SocketAddr> = found
            .map_err(|error| RequestError::Unreachable {
                host: with_port(host, port),
                cause: error.to_string(),
            })?
            .collect();
        self.locked_addresses().insert(key, found.clone());
        Ok(found)
    }

    fn locked_addresses(&self) -> std::sync::MutexGuard<'_, HashMap<(String, u16), Vec<SocketAddr>>> {
        self.addresses.lock().expect("no holder of this lock panics")
    }
}

/// For messages: a registry that is down is known by its port, too.
fn with_port(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// The host for the resolver and certificates: IPv6 without brackets.
pub fn bare_host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
}

async fn tunnel(stream: &mut Stream, proxy: &Proxy, host: &str, port: u16) -> Result<(), RequestError> {
    let refused = |cause: String| RequestError::Proxy { proxy: proxy.host.clone(), cause };
    let broken =
        |error: io::Error| RequestError::Broken { host: proxy.host.clone(), cause: error.to_string() };
    stream.write_all(&proxy::connect_request(proxy, host, port)).await.map_err(broken)?;
    stream.flush().await.map_err(broken)?;
    let mut response = Vec::new();
    // Byte by byte: bytes after the empty line belong to TLS.
    while !response.ends_with(b"\r\n\r\n") {
        if response.len() >= PROXY_RESPONSE_BYTES_MAX {
            return Err(refused("its response to CONNECT is too long".to_owned()));
        }
        response.push(stream.read_u8().await.map_err(broken)?);
    }
    let line = String::from_utf8_lossy(&response);
    let line = line.lines().next().unwrap_or_default();
    match line.split(' ').nth(1) {
        Some(status) if status.len() == 3 && status.starts_with('2') => Ok(()),
        _ => Err(refused(format!("found `{line}`, expected status 200"))),
    }
}

async fn secure(
    stream: Stream,
    host: &str,
    config: Arc<ClientConfig>,
) -> Result<tokio_rustls::client::TlsStream<Stream>, RequestError> {
    let tls = |cause: String| RequestError::Tls { host: host.to_owned(), cause };
    let name = ServerName::try_from(host.to_owned()).map_err(|error| tls(error.to_string()))?;
    TlsConnector::from(config).connect(name, stream).await.map_err(|error| {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(error) => tls(error.to_string()),
            None => RequestError::Broken { host: host.to_owned(), cause: error.to_string() },
        }
    })
}

async fn handshake_http1(stream: Stream, host: &str) -> Result<RequestSender, RequestError> {
    let (sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| broken(host, &error))?;
    tokio::spawn(connection);
    Ok(RequestSender::Http1(sender))
}

async fn handshake_http2(stream: Stream, host: &str) -> Result<RequestSender, RequestError> {
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| broken(host, &error))?;
    tokio::spawn(connection);
    Ok(RequestSender::Http2(sender))
}

/// The error of a broken connection, with the innermost cause.
pub fn broken(host: &str, error: &hyper::Error) -> RequestError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let cause = match cause.to_string() {
        inner if inner == error.to_string() => inner,
        inner => format!("{error}: {inner}"),
    };
    RequestError::Broken { host: host.to_owned(), cause }
}

//! Connection pool by origin. Requests share a few HTTP/2 connections; with HTTP/1.1 each request
//! has a connection of its own, which is reused afterwards. The protocol is known after the first
//! connection to an origin (ALPN), so all requests wait for that one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use rusk_base::timeline::Lane;
use url::Url;

use crate::connect::{Connector, RequestSender};
use crate::error::RequestError;

/// Streams per connection from which another connection is opened: a young TCP connection sends
/// slowly (slow start), and one lost packet stops all of its streams.
const STREAMS_BEFORE_ANOTHER: usize = 8;

/// HTTP/2 connections per origin, so that load balancers do not limit the client.
const SHARED_CONNECTIONS_MAX: usize = 6;

pub struct Pool {
    pub connector: Connector,
    origins: Mutex<HashMap<String, Arc<Origin>>>,
}

#[derive(Default)]
struct Origin {
    /// Locked while the first connection is opened.
    opening: tokio::sync::Mutex<()>,
    connections: Mutex<Connections>,
}

#[derive(Default)]
struct Connections {
    /// A connection without HTTP/2 was opened.
    is_http1: bool,
    idle: Vec<Http1Connection>,
    http2: Vec<Http2Connection>,
    is_growing: bool,
    /// Number of failed connection attempts, and the last error; requests that waited fail with it.
    failures: u64,
    last_failure: Option<RequestError>,
}

struct Http1Connection {
    sender: http1::SendRequest<Full<Bytes>>,
    lane: Lane,
}

#[derive(Clone)]
struct Http2Connection {
    sender: http2::SendRequest<Full<Bytes>>,
    lane: Lane,
    /// Its strong count is the number of active streams, plus one.
    load: Arc<()>,
}

/// A connection for one request.
pub struct PooledConnection {
    origin: Arc<Origin>,
    kind: ConnectionKind,
    /// Whether it was used before, so that the server may have closed it meanwhile.
    pub reused: bool,
}

enum ConnectionKind {
    Http1(Http1Connection),
    Http2(Http2Connection),
}

/// What an origin offers at the moment.
enum Availability {
    Connection(ConnectionKind),
    /// None is idle, and each request may open its own (HTTP/1.1).
    Exclusive,
    None {
        failures: u64,
        last: Option<RequestError>,
    },
}

impl Pool {
    pub fn new(connector: Connector) -> Pool {
        Pool { connector, origins: Mutex::default() }
    }

    /// Returns a connection to the origin of `url`, from the pool or new.
    pub async fn acquire(self: &Arc<Pool>, url: &Url) -> Result<PooledConnection, RequestError> {
        let origin = self.origin(url);
        let failures_before = match self.availability(&origin, url) {
            Availability::Connection(kind) => return Ok(PooledConnection { origin, kind, reused: true }),
            Availability::Exclusive => return self.open(origin, url).await,
            Availability::None { failures, .. } => failures,
        };
        let opening = Arc::clone(&origin);
        let first = opening.opening.lock().await;
        match self.availability(&origin, url) {
            Availability::Connection(kind) => Ok(PooledConnection { origin, kind, reused: true }),
            Availability::None { failures, last: Some(failure) } if failures > failures_before => {
                Err(failure)
            }
            Availability::None { .. } => self.open(origin, url).await,
            Availability::Exclusive => {
                drop(first);
                self.open(origin, url).await
            }
        }
    }

    fn availability(self: &Arc<Pool>, origin: &Arc<Origin>, url: &Url) -> Availability {
        let mut connections = origin.lock();
        match connections.take() {
            Some(kind) => {
                self.grow(&mut connections, origin, url);
                Availability::Connection(kind)
            }
            None if connections.is_http1 => Availability::Exclusive,
            None => {
                Availability::None { failures: connections.failures, last: connections.last_failure.clone() }
            }
        }
    }

    async fn open(&self, origin: Arc<Origin>, url: &Url) -> Result<PooledConnection, RequestError> {
        let opened = self.connector.open(url).await;
        let kind = origin.lock().add(opened)?;
        Ok(PooledConnection { origin, kind, reused: false })
    }

    /// Opens another HTTP/2 connection in the background if the existing ones are busy.
    fn grow(self: &Arc<Pool>, connections: &mut Connections, origin: &Arc<Origin>, url: &Url) {
        let busy =
            connections.http2.iter().all(|http2| Arc::strong_count(&http2.load) > STREAMS_BEFORE_ANOTHER);
        if connections.http2.is_empty()
            || !busy
            || connections.is_growing
            || connections.http2.len() >= SHARED_CONNECTIONS_MAX
        {
            return;
        }
        connections.is_growing = true;
        let (pool, origin, url) = (Arc::clone(self), Arc::clone(origin), url.clone());
        tokio::spawn(async move {
            let opened = pool.connector.open(&url).await;
            let mut connections = origin.lock();
            connections.is_growing = false;
            // If it fails, the existing connections remain in use.
            let _ = connections.add(opened);
        });
    }

    fn origin(&self, url: &Url) -> Arc<Origin> {
        let key = url.origin().ascii_serialization();
        let mut origins = self.origins.lock().expect("no holder of this lock panics");
        Arc::clone(origins.entry(key).or_default())
    }
}

impl Origin {
    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().expect("no holder of this lock panics")
    }
}

impl Connections {
    fn take(&mut self) -> Option<ConnectionKind> {
        self.http2.retain(|http2| !http2.sender.is_closed());
        if let Some(http2) = self.http2.iter().min_by_key(|http2| Arc::strong_count(&http2.load)) {
            return Some(ConnectionKind::Http2(http2.clone()));
        }
        self.idle.retain(|http1| !http1.sender.is_closed());
        self.idle.pop().map(ConnectionKind::Http1)
    }

    fn add(
        &mut self,
        opened: Result<(RequestSender, Lane), RequestError>,
    ) -> Result<ConnectionKind, RequestError> {
        match opened {
            Ok((RequestSender::Http1(sender), lane)) => {
                self.is_http1 = true;
                Ok(ConnectionKind::Http1(Http1Connection { sender, lane }))
            }
            Ok((RequestSender::Http2(sender), lane)) => {
                let http2 = Http2Connection { sender, lane, load: Arc::default() };
                self.http2.push(http2.clone());
                Ok(ConnectionKind::Http2(http2))
            }
            Err(failure) => {
                self.failures += 1;
                self.last_failure = Some(failure.clone());
                Err(failure)
            }
        }
    }
}

impl PooledConnection {
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> hyper::Result<Response<Incoming>> {
        match &mut self.kind {
            ConnectionKind::Http1(http1) => {
                http1.sender.ready().await?;
                http1.sender.send_request(request).await
            }
            ConnectionKind::Http2(http2) => {
                http2.sender.ready().await?;
                http2.sender.send_request(request).await
            }
        }
    }

    /// The timeline lane of this connection.
    pub fn lane(&self) -> &Lane {
        match &self.kind {
            ConnectionKind::Http1(http1) => &http1.lane,
            ConnectionKind::Http2(http2) => &http2.lane,
        }
    }

    /// Whether it is an HTTP/2 connection; there the authority is part of the URI.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, ConnectionKind::Http2(_))
    }

    /// Returns the connection to the pool after a complete response. An HTTP/1.1 connection that is
    /// dropped instead is closed.
    pub fn release(self) {
        if let ConnectionKind::Http1(http1) = self.kind {
            self.origin.lock().idle.push(http1);
        }
    }

    /// Removes an unresponsive connection from the pool.
    pub fn evict(self) {
        if let ConnectionKind::Http2(silent) = &self.kind {
            self.origin.lock().http2.retain(|http2| !Arc::ptr_eq(&http2.load, &silent.load));
        }
    }
}

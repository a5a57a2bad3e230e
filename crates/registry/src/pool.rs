//! Connections kept by origin. Where the server speaks HTTP/2, requests share a few connections;
//! where it does not, each has one to itself, kept for the next. Which of the two is known after
//! the first connection, so everybody waits for that one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use rusk_base::timeline::Lane;
use url::Url;

use crate::connect::{Connector, Sender};
use crate::failure::Failure;

/// From this many streams on a connection, another one is opened beside it: a young TCP connection
/// sends little at a time, and one lost packet stops all of its streams.
const STREAMS_BEFORE_ANOTHER: usize = 8;

/// A registry's load balancer takes this as one polite client.
const SHARED_CONNECTIONS_MAX: usize = 6;

pub struct Pool {
    pub connector: Connector,
    origins: Mutex<HashMap<String, Arc<Origin>>>,
}

#[derive(Default)]
struct Origin {
    /// Held while the first connection is opened.
    opening: tokio::sync::Mutex<()>,
    lines: Mutex<Lines>,
}

#[derive(Default)]
struct Lines {
    /// Once a connection without HTTP/2 was opened.
    one_each: bool,
    idle: Vec<Single>,
    shared: Vec<Shared>,
    growing: bool,
    /// How often opening has failed, and how it last did: whoever waited for it fails with it.
    failures: u64,
    last_failure: Option<Failure>,
}

struct Single {
    sender: http1::SendRequest<Empty<Bytes>>,
    lane: Lane,
}

#[derive(Clone)]
struct Shared {
    sender: http2::SendRequest<Empty<Bytes>>,
    lane: Lane,
    /// Cloned by each stream under way.
    load: Arc<()>,
}

/// The right to send one request.
pub struct Line {
    origin: Arc<Origin>,
    kind: Kind,
    /// Whether it has served before, so that the server may have closed it meanwhile.
    pub reused: bool,
}

enum Kind {
    One(Single),
    Shared(Shared),
}

/// What an origin has to offer at a moment.
enum Seen {
    Line(Kind),
    /// No line is free, and each request may open its own.
    OneEach,
    Nothing {
        failures: u64,
        last: Option<Failure>,
    },
}

impl Pool {
    pub fn new(connector: Connector) -> Pool {
        Pool { connector, origins: Mutex::default() }
    }

    /// A line to the origin of `url`, from the pool or new.
    pub async fn acquire(self: &Arc<Pool>, url: &Url) -> Result<Line, Failure> {
        let origin = self.origin(url);
        let failures_before = match self.look(&origin, url) {
            Seen::Line(kind) => return Ok(Line { origin, kind, reused: true }),
            Seen::OneEach => return self.open(origin, url).await,
            Seen::Nothing { failures, .. } => failures,
        };
        let opening = Arc::clone(&origin);
        let first = opening.opening.lock().await;
        match self.look(&origin, url) {
            Seen::Line(kind) => Ok(Line { origin, kind, reused: true }),
            Seen::Nothing { failures, last: Some(failure) } if failures > failures_before => Err(failure),
            Seen::Nothing { .. } => self.open(origin, url).await,
            Seen::OneEach => {
                drop(first);
                self.open(origin, url).await
            }
        }
    }

    fn look(self: &Arc<Pool>, origin: &Arc<Origin>, url: &Url) -> Seen {
        let mut lines = origin.lock();
        match lines.take() {
            Some(kind) => {
                self.grow(&mut lines, origin, url);
                Seen::Line(kind)
            }
            None if lines.one_each => Seen::OneEach,
            None => Seen::Nothing { failures: lines.failures, last: lines.last_failure.clone() },
        }
    }

    async fn open(&self, origin: Arc<Origin>, url: &Url) -> Result<Line, Failure> {
        let opened = self.connector.open(url).await;
        let kind = origin.lock().add(opened)?;
        Ok(Line { origin, kind, reused: false })
    }

    /// Opens one more shared connection in the background when those there are busy.
    fn grow(self: &Arc<Pool>, lines: &mut Lines, origin: &Arc<Origin>, url: &Url) {
        let busy = lines.shared.iter().all(|shared| Arc::strong_count(&shared.load) > STREAMS_BEFORE_ANOTHER);
        if lines.shared.is_empty() || !busy || lines.growing || lines.shared.len() >= SHARED_CONNECTIONS_MAX {
            return;
        }
        lines.growing = true;
        let (pool, origin, url) = (Arc::clone(self), Arc::clone(origin), url.clone());
        tokio::spawn(async move {
            let opened = pool.connector.open(&url).await;
            let mut lines = origin.lock();
            lines.growing = false;
            // Without it the others carry on.
            let _ = lines.add(opened);
        });
    }

    fn origin(&self, url: &Url) -> Arc<Origin> {
        let key = url.origin().ascii_serialization();
        let mut origins = self.origins.lock().expect("no holder of this lock panics");
        Arc::clone(origins.entry(key).or_default())
    }
}

impl Origin {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().expect("no holder of this lock panics")
    }
}

impl Lines {
    fn take(&mut self) -> Option<Kind> {
        self.shared.retain(|shared| !shared.sender.is_closed());
        if let Some(shared) = self.shared.iter().min_by_key(|shared| Arc::strong_count(&shared.load)) {
            return Some(Kind::Shared(shared.clone()));
        }
        self.idle.retain(|single| !single.sender.is_closed());
        self.idle.pop().map(Kind::One)
    }

    fn add(&mut self, opened: Result<(Sender, Lane), Failure>) -> Result<Kind, Failure> {
        match opened {
            Ok((Sender::One(sender), lane)) => {
                self.one_each = true;
                Ok(Kind::One(Single { sender, lane }))
            }
            Ok((Sender::Many(sender), lane)) => {
                let shared = Shared { sender, lane, load: Arc::default() };
                self.shared.push(shared.clone());
                Ok(Kind::Shared(shared))
            }
            Err(failure) => {
                self.failures += 1;
                self.last_failure = Some(failure.clone());
                Err(failure)
            }
        }
    }
}

impl Line {
    pub async fn send(&mut self, request: Request<Empty<Bytes>>) -> hyper::Result<Response<Incoming>> {
        match &mut self.kind {
            Kind::One(single) => {
                single.sender.ready().await?;
                single.sender.send_request(request).await
            }
            Kind::Shared(shared) => {
                shared.sender.ready().await?;
                shared.sender.send_request(request).await
            }
        }
    }

    /// Where a timeline has this connection.
    pub fn lane(&self) -> &Lane {
        match &self.kind {
            Kind::One(single) => &single.lane,
            Kind::Shared(shared) => &shared.lane,
        }
    }

    /// HTTP/2 names the host in the address.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Shared(_))
    }

    /// Hands it back after a whole answer. A line that is dropped instead is closed, if it was ours
    /// alone.
    pub fn release(self) {
        if let Kind::One(single) = self.kind {
            self.origin.lock().idle.push(single);
        }
    }

    /// Keeps others off a connection that has gone silent.
    pub fn distrust(self) {
        if let Kind::Shared(silent) = &self.kind {
            self.origin.lock().shared.retain(|shared| !Arc::ptr_eq(&shared.load, &silent.load));
        }
    }
}

//! Connection pool: idle keep-alive connections by origin. In: connections after a complete
//! response. Out: one that is still open. An idle connection is closed after a few seconds, or when
//! the server's `Keep-Alive` header says.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::client::conn::http1::SendRequest;
use hyper::header::HeaderMap;
use tokio::time::Instant;

use crate::request_body::OutgoingBody;
use crate::tls::TlsOptions;

/// Most servers close idle connections after five seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// The server's hint is shortened by the time a request takes to arrive, and limited.
const KEEP_ALIVE_HINT_MARGIN: Duration = Duration::from_secs(2);
const KEEP_ALIVE_HINT_MAX: Duration = Duration::from_secs(600);

pub(crate) type Connection = SendRequest<OutgoingBody>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub is_secure: bool,
    pub host: String,
    pub port: u16,
    /// TLS options that are not the client's.
    pub tls_options: Option<Arc<TlsOptions>>,
}

#[derive(Default)]
pub(crate) struct Pool(Mutex<HashMap<Origin, Vec<(Instant, Connection)>>>);

impl Pool {
    /// The most recently used one, which is the most likely to be open.
    pub fn take(&self, origin: &Origin) -> Option<Connection> {
        let mut connections = self.lock();
        let idle = connections.get_mut(origin)?;
        let now = Instant::now();
        idle.retain(|(until, connection)| *until > now && !connection.is_closed());
        idle.pop().map(|(_, connection)| connection)
    }

    /// Adds a connection whose response was read to its end.
    pub fn put(self: &Arc<Pool>, origin: Origin, connection: Connection, headers: &HeaderMap) {
        let timeout = idle_timeout(headers);
        if connection.is_closed() || timeout.is_zero() {
            return;
        }
        let until = Instant::now() + timeout;
        self.lock().entry(origin.clone()).or_default().push((until, connection));
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep_until(until).await;
            let mut connections = pool.lock();
            if let Some(idle) = connections.get_mut(&origin) {
                idle.retain(|(until, _)| *until > Instant::now());
                if idle.is_empty() {
                    connections.remove(&origin);
                }
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Origin, Vec<(Instant, Connection)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses `Keep-Alive: timeout=5, max=100`.
fn idle_timeout(headers: &HeaderMap) -> Duration {
    let hint = headers.get("keep-alive").and_then(|hint| hint.to_str().ok());
    let seconds = hint.into_iter().flat_map(|hint| hint.split(',')).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        value.trim().parse().ok().filter(|_| name.trim().eq_ignore_ascii_case("timeout"))
    });
    seconds.map_or(IDLE_TIMEOUT, |seconds| {
        Duration::from_secs(seconds).min(KEEP_ALIVE_HINT_MAX).saturating_sub(KEEP_ALIVE_HINT_MARGIN)
    })
}

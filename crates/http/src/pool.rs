//! Connections that wait for the next request to the same origin. In: those that an exchange has
//! done with. Out: one that is still open. They are closed after a few seconds, or what the server
//! said of that.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hyper::client::conn::http1::SendRequest;
use hyper::header::HeaderMap;
use tokio::time::Instant;

use crate::body::Outgoing;

/// Most servers keep a connection for five seconds; whoever asks later meets a closed one.
const IDLE: Duration = Duration::from_secs(4);
/// A server's word counts, less what a request takes to get there, and no longer than this.
const HINT_MARGIN: Duration = Duration::from_secs(2);
const HINT_MAX: Duration = Duration::from_secs(600);

pub(crate) type Line = SendRequest<Outgoing>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub is_secure: bool,
    pub host: String,
    pub port: u16,
}

#[derive(Default)]
pub(crate) struct Pool(Mutex<HashMap<Origin, Vec<(Instant, Line)>>>);

impl Pool {
    /// The one used last, which is the likeliest to be open.
    pub fn take(&self, origin: &Origin) -> Option<Line> {
        let mut lines = self.lock();
        let of_origin = lines.get_mut(origin)?;
        let now = Instant::now();
        of_origin.retain(|(until, line)| *until > now && !line.is_closed());
        of_origin.pop().map(|(_, line)| line)
    }

    /// Keeps a connection whose answer was read to its end.
    pub fn give(self: &Arc<Pool>, origin: Origin, line: Line, headers: &HeaderMap) {
        let idle = idle(headers);
        if line.is_closed() || idle.is_zero() {
            return;
        }
        let until = Instant::now() + idle;
        self.lock().entry(origin.clone()).or_default().push((until, line));
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep_until(until).await;
            let mut lines = pool.lock();
            if let Some(of_origin) = lines.get_mut(&origin) {
                of_origin.retain(|(until, _)| *until > Instant::now());
                if of_origin.is_empty() {
                    lines.remove(&origin);
                }
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Origin, Vec<(Instant, Line)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `Keep-Alive: timeout=5, max=100`.
fn idle(headers: &HeaderMap) -> Duration {
    let hint = headers.get("keep-alive").and_then(|hint| hint.to_str().ok());
    let seconds = hint.into_iter().flat_map(|hint| hint.split(',')).find_map(|part| {
        let (name, value) = part.split_once('=')?;
        value.trim().parse().ok().filter(|_| name.trim().eq_ignore_ascii_case("timeout"))
    });
    seconds.map_or(IDLE, |seconds| Duration::from_secs(seconds).min(HINT_MAX).saturating_sub(HINT_MARGIN))
}

//! Connections to secure origins: which protocol an origin speaks, and its HTTP/2 connection. In:
//! an origin. Out: its HTTP/2 connection, or that it speaks HTTP/1.1. Requests that begin while the
//! first connection of an origin is made wait for it, so that they share it if it is HTTP/2.
//! Absent: idle connections of HTTP/1.1 (`pool.rs`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::error::ClientError;
use crate::http2_connection::Http2Connection;
use crate::pool::{Connection, Origin};

/// Origins whose protocol is remembered.
const ORIGINS_MAX: usize = 1024;

/// A new connection.
pub(crate) enum Established {
    Http1(Connection),
    Http2(Http2Connection),
}

/// What a request to a secure origin uses.
pub(crate) enum SecureRoute {
    /// `is_new`: made for this request.
    Http2 { connection: Http2Connection, is_new: bool },
    /// With the connection that was made for this request.
    Http1(Option<Connection>),
}

enum OriginState {
    /// Requests that wait for the connection.
    Connecting(Vec<oneshot::Sender<Outcome>>),
    Http2(Http2Connection),
    Http1 {
        /// The server has refused HTTP/2 for a request, so it is not offered any more.
        is_required: bool,
    },
}

/// `Ok(None)`: the origin speaks HTTP/1.1.
type Outcome = Result<Option<Http2Connection>, ClientError>;

#[derive(Clone, Default)]
pub(crate) struct SecureOrigins(Arc<Mutex<HashMap<Origin, OriginState>>>);

/// What a request to an origin does next.
pub(crate) enum OriginStep {
    Use(SecureRoute),
    /// Another request connects. Then [`SecureOrigins::step`] is called again if the outcome is
    /// `None`.
    Wait(OutcomeWait),
    Connect(ConnectingGuard),
}

pub(crate) struct OutcomeWait(oneshot::Receiver<Outcome>);

/// Held while a request connects. Ends the wait of others, even if the request is cancelled.
pub(crate) struct ConnectingGuard {
    origins: SecureOrigins,
    origin: Origin,
}

impl OutcomeWait {
    /// `None`: the request that connected was cancelled.
    pub async fn outcome(self) -> Option<Result<SecureRoute, ClientError>> {
        let outcome = self.0.await.ok()?;
        Some(outcome.map(|connection| match connection {
            Some(connection) => SecureRoute::Http2 { connection, is_new: false },
            None => SecureRoute::Http1(None),
        }))
    }
}

impl SecureOrigins {
    pub fn step(&self, origin: &Origin) -> OriginStep {
        match self.lock().get_mut(origin) {
            Some(OriginState::Http2(connection)) if connection.is_usable() => {
                let connection = connection.clone();
                return OriginStep::Use(SecureRoute::Http2 { connection, is_new: false });
            }
            Some(OriginState::Http1 { .. }) => return OriginStep::Use(SecureRoute::Http1(None)),
            Some(OriginState::Connecting(waiting)) => {
                let (sender, outcome) = oneshot::channel();
                waiting.push(sender);
                return OriginStep::Wait(OutcomeWait(outcome));
            }
            Some(OriginState::Http2(_)) | None => {}
        }
        self.begin(origin);
        OriginStep::Connect(ConnectingGuard { origins: self.clone(), origin: origin.clone() })
    }

    fn begin(&self, origin: &Origin) {
        let mut origins = self.lock();
        origins.retain(|_, state| match state {
            OriginState::Http2(connection) => connection.is_usable(),
            OriginState::Connecting(_) | OriginState::Http1 { .. } => true,
        });
        if origins.len() >= ORIGINS_MAX {
            origins.retain(|_, state| !matches!(state, OriginState::Http1 { .. }));
        }
        origins.insert(origin.clone(), OriginState::Connecting(Vec::new()));
    }

    /// The connection of an origin that is known to speak HTTP/1.1 has chosen HTTP/2.
    pub fn set_http2(&self, origin: &Origin, connection: Http2Connection) {
        self.lock().insert(origin.clone(), OriginState::Http2(connection));
    }

    /// The server wants HTTP/1.1 for requests that it has refused.
    pub fn require_http1(&self, origin: &Origin) {
        self.lock().insert(origin.clone(), OriginState::Http1 { is_required: true });
    }

    /// Whether a new connection may be one of HTTP/2.
    pub fn may_be_http2(&self, origin: &Origin) -> bool {
        !matches!(self.lock().get(origin), Some(OriginState::Http1 { is_required: true }))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Origin, OriginState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectingGuard {
    /// The connection was made, or not.
    pub fn finish(self, established: Result<Established, ClientError>) -> Result<SecureRoute, ClientError> {
        let outcome = match &established {
            Ok(Established::Http2(connection)) => Ok(Some(connection.clone())),
            Ok(Established::Http1(_)) => Ok(None),
            Err(error) => Err(error.clone()),
        };
        self.report(&outcome);
        established.map(|established| match established {
            Established::Http2(connection) => SecureRoute::Http2 { connection, is_new: true },
            Established::Http1(connection) => SecureRoute::Http1(Some(connection)),
        })
    }

    fn report(&self, outcome: &Outcome) {
        let mut origins = self.origins.lock();
        let Some(OriginState::Connecting(waiting)) = origins.remove(&self.origin) else { return };
        let state = match outcome {
            Ok(Some(connection)) => Some(OriginState::Http2(connection.clone())),
            Ok(None) => Some(OriginState::Http1 { is_required: false }),
            Err(_) => None,
        };
        if let Some(state) = state {
            origins.insert(self.origin.clone(), state);
        }
        drop(origins);
        for waiting in waiting {
            // It may have been cancelled.
            let _ = waiting.send(outcome.clone());
        }
    }
}

impl Drop for ConnectingGuard {
    fn drop(&mut self) {
        let mut origins = self.origins.lock();
        if let Some(OriginState::Connecting(_)) = origins.get(&self.origin) {
            origins.remove(&self.origin);
        }
    }
}

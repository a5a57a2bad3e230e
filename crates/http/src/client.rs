//! HTTP client: one thread runs all requests. In: requests, from any thread. Out: their events,
//! in the event queue. The thread starts with the client and ends when the client is dropped, even
//! if requests are running.

use std::collections::HashMap;
use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusk_base::sys;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

use crate::event_queue::{Event, EventQueue};
use crate::exchange::{self, ClientContext, PendingRequest};
use crate::pool::Origin;
use crate::request_body::{BodyStream, OutgoingBody, RequestBody};
use crate::tls::TlsOptions;

/// Response bytes that may wait in the event queue before reading from the connection stops
/// (back-pressure). That covers a pause of the reader and is little memory for a program.
pub(crate) const BUFFERED_BYTES_MAX: usize = 256 << 10;

/// Which versions of HTTP a request may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HttpVersions {
    /// The one that the server chooses by ALPN.
    #[default]
    Any,
    Http1,
    Http2,
}

/// A request. The caller has checked its names and values.
#[derive(Debug)]
pub struct Request {
    pub method: String,
    pub is_secure: bool,
    /// A host name or an IP address; IPv6 without brackets.
    pub host: String,
    pub port: u16,
    /// Path and query of the URL, as in the request line.
    pub path_and_query: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: RequestBody,
    /// TLS options; the client's if there are none.
    pub tls_options: Option<Arc<TlsOptions>>,
    /// Whether to decode the response body's `Content-Encoding`.
    pub decompress: bool,
    pub versions: HttpVersions,
}

impl Request {
    /// Whether it may be sent twice (RFC 9110, section 9.2.1).
    pub(crate) fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE")
    }
}

pub struct Client {
    commands: UnboundedSender<Command>,
    events: Arc<EventQueue>,
    next: AtomicU64,
}

/// A running request. Dropping it cancels the request.
pub struct Exchange {
    pub id: u64,
    commands: UnboundedSender<Command>,
    upload: Option<UnboundedSender<Vec<u8>>>,
    capacity: Arc<Semaphore>,
}

pub(crate) enum Command {
    Start(PendingRequest),
    Preconnect(Origin),
    Cancel(u64),
    Finished(u64),
}

impl Client {
    pub fn start(tls_options: TlsOptions) -> io::Result<Client> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let events = Arc::new(EventQueue::new()?);
        let (commands, received) = unbounded_channel();
        let context = Arc::new(ClientContext::new(tls_options, Arc::clone(&events)));
        let own = commands.downgrade();
        std::thread::Builder::new().name("rusk-http".to_owned()).spawn(move || {
            let finished = move |id| {
                // Without a client there are no tasks to forget.
                if let Some(commands) = own.upgrade() {
                    let _ = commands.send(Command::Finished(id));
                }
            };
            runtime.block_on(serve(context, received, Arc::new(finished)));
            // Does not wait for name lookups that are still running.
            runtime.shutdown_background();
        })?;
        Ok(Client { commands, events, next: AtomicU64::new(0) })
    }

    /// A file descriptor that is readable while events are queued.
    pub fn waker(&self) -> sys::Result<Rc<OwnedFd>> {
        self.events.waker()
    }

    /// All queued events, each with the id of its exchange.
    pub fn take_events(&self) -> sys::Result<Vec<(u64, Event)>> {
        self.events.take()
    }

    /// Opens a connection for a request that follows soon. A failure is not reported: the request
    /// will find it.
    pub fn preconnect(&self, is_secure: bool, host: String, port: u16, tls_options: Option<Arc<TlsOptions>>) {
        let _ = self.commands.send(Command::Preconnect(Origin { is_secure, host, port, tls_options }));
    }

    pub fn send(&self, request: Request) -> Exchange {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (mut upload, capacity) = (None, Arc::new(Semaphore::new(BUFFERED_BYTES_MAX)));
        let outgoing = match &request.body {
            RequestBody::None => OutgoingBody::None,
            RequestBody::Full(bytes) => OutgoingBody::Full(bytes.clone().into()),
            RequestBody::Stream(length) => {
                let (sender, received) = unbounded_channel();
                upload = Some(sender);
                let events = Arc::clone(&self.events);
                OutgoingBody::Stream(BodyStream { received, length: *length, events, exchange: id })
            }
        };
        let pending = PendingRequest { id, request, outgoing, capacity: Arc::clone(&capacity) };
        // Cannot fail: the thread lives as long as the client.
        let _ = self.commands.send(Command::Start(pending));
        Exchange { id, commands: self.commands.clone(), upload, capacity }
    }
}

impl Exchange {
    /// Sends the next chunk of the request body. [`Event::Drain`] reports that it was taken.
    pub fn write(&self, chunk: Vec<u8>) {
        if let Some(upload) = &self.upload {
            // Fails only if the exchange has finished, which its last event reports.
            let _ = upload.send(chunk);
        }
    }

    /// Ends the request body.
    pub fn end(&mut self) {
        self.upload = None;
    }

    /// The reader has consumed this many bytes of the response body; as many more may be read.
    pub fn release_capacity(&self, bytes: usize) {
        self.capacity.add_permits(bytes.min(BUFFERED_BYTES_MAX));
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let _ = self.commands.send(Command::Cancel(self.id));
    }
}

async fn serve(
    context: Arc<ClientContext>,
    mut received: UnboundedReceiver<Command>,
    finished: Arc<dyn Fn(u64) + Send + Sync>,
) {
    let mut tasks: HashMap<u64, AbortHandle> = HashMap::new();
    while let Some(command) = received.recv().await {
        match command {
            Command::Start(pending) => {
                let (context, finished, id) = (Arc::clone(&context), Arc::clone(&finished), pending.id);
                let task = tokio::spawn(async move {
                    exchange::run(&context, pending).await;
                    finished(id);
                });
                tasks.insert(id, task.abort_handle());
            }
            Command::Preconnect(origin) => {
                let context = Arc::clone(&context);
                tokio::spawn(async move { exchange::preconnect(&context, origin).await });
            }
            Command::Cancel(id) => {
                if let Some(task) = tasks.remove(&id) {
                    task.abort();
                }
            }
            Command::Finished(id) => drop(tasks.remove(&id)),
        }
    }
}

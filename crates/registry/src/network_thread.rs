//! The network thread: a command loop that starts queued requests and delivers their responses.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use hyper::StatusCode;
use hyper::header::{CONTENT_ENCODING, ETAG};
use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Problem, Result};
use rusk_npm::packument::Packument;
use rusk_npm::problem::with_unset_variable;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use url::{Position, Url};

use crate::api;
use crate::arrival_queue::InFlight;
use crate::auth;
use crate::client::{Arrival, Shared, packument_subject, tarball_subject};
use crate::decode::{self, DecodeJob, PACKUMENT_BYTES_MAX};
use crate::download::DownloadSink;
use crate::exchange::{RegistryRequest, RegistryResponse};
use crate::fetch::{FetchError, fetch};
use crate::freshness::fresh_s;
use crate::problem::{self, SentCredentials};
use crate::queue::{Delivery, Document, Job, PackumentJob, Queue, Running, TarballJob};

/// The largest published tarballs have some hundred MB; more is an attack on memory.
const TARBALL_BYTES_MAX: usize = 1 << 30;

const ACCEPT_PACKUMENT: &str = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
const ACCEPT_FULL_PACKUMENT: &str = "application/json";
const ACCEPT_TARBALL: &str = "*/*";

pub struct NetworkThread {
    shared: Arc<Shared>,
    commands: UnboundedSender<ThreadCommand>,
    threads: Vec<JoinHandle<()>>,
    /// What the decoders will receive; they start with the first packument.
    decoded: Option<Receiver<DecodeJob>>,
}

enum ThreadCommand {
    Fetch(Job),
    PackumentDone,
    TarballDone,
    Stop,
}

/// What the tasks of this thread share.
struct NetworkContext {
    shared: Arc<Shared>,
    commands: UnboundedSender<ThreadCommand>,
    jobs: Sender<DecodeJob>,
}

/// What drives connections and timers, on whatever thread runs it.
pub fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .map_err(problem::no_thread)
}

impl NetworkThread {
    /// Takes over the runtime with its open connections.
    pub fn start(shared: &Arc<Shared>, runtime: Runtime) -> Result<NetworkThread> {
        let (jobs, decoded) = mpsc::channel();
        let (commands, received) = unbounded_channel();
        let context = NetworkContext { shared: Arc::clone(shared), commands: commands.clone(), jobs };
        let here = timeline::current();
        let thread = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
            let _lane = here.enter("network");
            runtime.block_on(run(Arc::new(context), received));
            // Does not wait for name lookups that are still running.
            runtime.shutdown_background();
        });
        let threads = vec![thread.map_err(problem::no_thread)?];
        Ok(NetworkThread { shared: Arc::clone(shared), commands, threads, decoded: Some(decoded) })
    }

    pub fn submit(&mut self, job: Job) -> Result<()> {
        if matches!(job, Job::Packument(_))
            && let Some(decoded) = self.decoded.take()
        {
            let Shared { arrivals, cache, .. } = &*self.shared;
            self.threads.extend(decode::start(decoded, arrivals, cache).map_err(problem::no_thread)?);
        }
        self.send(ThreadCommand::Fetch(job));
        Ok(())
    }

    fn send(&self, command: ThreadCommand) {
        // The receiver lives until `Stop`, which is sent last.
        let _ = self.commands.send(command);
    }
}

impl Drop for NetworkThread {
    /// Cancels running requests; packuments that were fetched are still written to the cache.
    fn drop(&mut self) {
        self.send(ThreadCommand::Stop);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

async fn run(context: Arc<NetworkContext>, mut commands: UnboundedReceiver<ThreadCommand>) {
    let mut queue = Queue::new(context.shared.concurrency);
    let mut running = Running::default();
    while let Some(command) = commands.recv().await {
        match command {
            ThreadCommand::Fetch(Job::Packument(job)) => queue.push_packument(job),
            ThreadCommand::Fetch(Job::Tarball(job)) => queue.push_tarball(job),
            ThreadCommand::Fetch(Job::Connect(url)) => preconnect(&context, url),
            ThreadCommand::Fetch(Job::Api(job)) => {
                let shared = Arc::clone(&context.shared);
                tokio::spawn(async move { api::run(&shared, *job).await });
            }
            ThreadCommand::PackumentDone => running.packuments -= 1,
            ThreadCommand::TarballDone => running.tarballs -= 1,
            ThreadCommand::Stop => return,
        }
        while let Some(job) = queue.next_packument(running) {
            running.packuments += 1;
            let context = Arc::clone(&context);
            tokio::spawn(async move {
                fetch_packument(&context, job).await;
                let _ = context.commands.send(ThreadCommand::PackumentDone);
            });
        }
        while let Some(job) = queue.next_tarball(running) {
            running.tarballs += 1;
            let context = Arc::clone(&context);
            tokio::spawn(async move {
                fetch_tarball(&context, job).await;
                let _ = context.commands.send(ThreadCommand::TarballDone);
            });
        }
    }
}

/// An error is reported by the first request.
fn preconnect(context: &Arc<NetworkContext>, url: Url) {
    let context = Arc::clone(context);
    tokio::spawn(async move {
        if let Ok(connection) = context.shared.pool.acquire(&url).await {
            connection.release();
        }
    });
}

async fn fetch_packument(context: &NetworkContext, job: PackumentJob) {
    let shared = &context.shared;
    let in_flight = shared.arrivals.begin(packument_subject(&job.name));
    let accept = match job.document {
        Document::Abbreviated => ACCEPT_PACKUMENT,
        Document::Full => ACCEPT_FULL_PACKUMENT,
    };
    let request = RegistryRequest {
        gzip: true,
        wanted: job.wanted,
        etag: job.known.as_ref().map(|(_, etag)| etag.clone()),
        body_bytes_max: PACKUMENT_BYTES_MAX,
        ..RegistryRequest::get(accept, SpanKind::Packument, shared.user_agent.clone())
    };
    let fetched = fetch(shared, &job.url, &request).await;
    let name = job.name.clone();
    let result = match read_packument_response(context, job, fetched, in_flight) {
        Some(result) => result,
        None => return,
    };
    shared.arrivals.push(Arrival::Packument { name, result });
}

/// `None` if a decoder thread delivers the result.
fn read_packument_response(
    context: &NetworkContext,
    job: PackumentJob,
    fetched: Result<RegistryResponse, FetchError>,
    in_flight: InFlight,
) -> Option<Result<Option<Arc<Packument>>>> {
    let (shared, subject) = (&context.shared, packument_subject(&job.name));
    let response = match fetched {
        Ok(response) => response,
        Err(error) => return Some(Err(problem::failed(&subject, &error.failure, error.attempts))),
    };
    let fetched_s = shared.now_s();
    let fresh_until_s = fetched_s + fresh_s(&response.headers);
    match (response.status, job.known) {
        (StatusCode::OK, _) => match gzip_or_plain(&response, &subject) {
            Ok(gzip) => {
                let etag = response.headers.get(ETAG).and_then(|etag| etag.to_str().ok()).unwrap_or_default();
                let etag = etag.to_owned();
                let (name, registry, body) = (job.name, job.registry, response.body);
                let jobs =
                    DecodeJob { name, registry, body, gzip, etag, fetched_s, fresh_until_s, in_flight };
                // The decoders live as long as this thread.
                let _ = context.jobs.send(jobs);
                None
            }
            Err(problem) => Some(Err(problem)),
        },
        (StatusCode::NOT_MODIFIED, Some((packument, _))) => {
            shared.cache.renew(&job.registry, &packument, fresh_until_s);
            Some(Ok(Some(packument)))
        }
        (StatusCode::NOT_FOUND, _) => Some(Ok(None)),
        _ => Some(Err(refused(&job.url, &subject, &response))),
    }
}

fn gzip_or_plain(response: &RegistryResponse, subject: &str) -> Result<bool> {
    let encoding = response.headers.get(CONTENT_ENCODING).map(|encoding| encoding.as_bytes());
    match encoding.map(|encoding| encoding.to_ascii_lowercase()).as_deref() {
        None | Some(b"" | b"identity") => Ok(false),
        Some(b"gzip" | b"x-gzip") => Ok(true),
        Some(other) => {
            let found = String::from_utf8_lossy(other);
            Err(problem::bad_packument(subject, &format!("its encoding is `{found}`, expected `gzip`")))
        }
    }
}

async fn fetch_tarball(context: &NetworkContext, job: TarballJob) {
    let shared = &context.shared;
    let subject = tarball_subject(&job.url);
    let _under_way = shared.arrivals.begin(subject.clone());
    let sink = (job.delivery == Delivery::Streamed)
        .then(|| Arc::new(DownloadSink::new(job.id, Arc::clone(&shared.arrivals))));
    let request = RegistryRequest {
        wanted: job.wanted,
        body_bytes_max: TARBALL_BYTES_MAX,
        sink: sink.clone(),
        ..RegistryRequest::get(ACCEPT_TARBALL, SpanKind::Tarball, shared.user_agent.clone())
    };
    let result = match fetch(shared, &job.url, &request).await {
        Ok(response) if response.status == StatusCode::OK => Ok(response.body),
        Ok(response) if response.status == StatusCode::NOT_FOUND => {
            let unset = response.authorization.as_ref().and_then(auth::unset_variable);
            Err(with_unset_variable(problem::no_tarball(&subject), unset))
        }
        Ok(response) => Err(refused(&job.url, &subject, &response)),
        Err(error) => Err(problem::failed(&subject, &error.failure, error.attempts)),
    };
    match sink.filter(|sink| sink.has_begun()) {
        Some(sink) => {
            sink.end(result.map(drop)).await;
            shared.arrivals.push(Arrival::DownloadEnded { id: job.id });
        }
        None => shared.arrivals.push(Arrival::Tarball { id: job.id, result }),
    }
}

fn refused(url: &Url, subject: &str, response: &RegistryResponse) -> Problem {
    match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            problem::no_access(host_and_port(url), subject, response.status, sent_credentials(response))
        }
        status => problem::unexpected_status(subject, status),
    }
}

/// As in the URL: without the scheme's own port.
fn host_and_port(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

fn sent_credentials(response: &RegistryResponse) -> SentCredentials {
    match &response.authorization {
        None => SentCredentials::None,
        Some(value) => match auth::unset_variable(value) {
            Some(name) => SentCredentials::UnsetVariable(name),
            None => SentCredentials::Configured,
        },
    }
}

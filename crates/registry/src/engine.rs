//! The network thread: one event loop that starts what the queue gives, and sends answers on.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use hyper::StatusCode;
use hyper::header::{CONTENT_ENCODING, ETAG};
use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Problem, Result};
use rusk_npm::packument::Packument;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use url::Url;

use crate::client::{Arrival, Shared, packument_subject, tarball_subject};
use crate::decode::{self, PACKUMENT_BYTES_MAX, Work};
use crate::download::Outlet;
use crate::exchange::{Answer, Ask};
use crate::fetch::{GaveUp, fetch};
use crate::freshness::fresh_s;
use crate::inbox::UnderWay;
use crate::problem;
use crate::queue::{Delivery, Job, PackumentJob, Queue, Running, TarballJob};

/// The largest published tarballs have some hundred MB; more than this is an attack on memory.
const TARBALL_BYTES_MAX: usize = 1 << 30;

const ACCEPT_PACKUMENT: &str = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";
const ACCEPT_TARBALL: &str = "*/*";

pub struct Engine {
    events: UnboundedSender<Event>,
    threads: Vec<JoinHandle<()>>,
}

enum Event {
    Wanted(Job),
    PackumentEnded,
    TarballEnded,
    Stop,
}

/// What each task needs.
struct Network {
    shared: Arc<Shared>,
    events: UnboundedSender<Event>,
    work: Sender<Work>,
}

impl Engine {
    pub fn start(shared: &Arc<Shared>) -> Result<Engine> {
        let decoders = decode::start(&shared.inbox, &shared.cache).map_err(problem::no_thread)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(problem::no_thread)?;
        let (events, received) = unbounded_channel();
        let network =
            Network { shared: Arc::clone(shared), events: events.clone(), work: decoders.work.clone() };
        let here = timeline::current();
        let thread = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
            let _lane = here.enter("network");
            runtime.block_on(run(Arc::new(network), received));
            // Names still being resolved are not waited for.
            runtime.shutdown_background();
        });
        let mut threads = vec![thread.map_err(problem::no_thread)?];
        threads.extend(decoders.threads);
        Ok(Engine { events, threads })
    }

    pub fn want(&self, job: Job) {
        self.send(Event::Wanted(job));
    }

    fn send(&self, event: Event) {
        // The receiver lives until `Stop`, which is sent last.
        let _ = self.events.send(event);
    }
}

impl Drop for Engine {
    /// Ends what is under way; what has been fetched is still written to the cache.
    fn drop(&mut self) {
        self.send(Event::Stop);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

async fn run(network: Arc<Network>, mut events: UnboundedReceiver<Event>) {
    let mut queue = Queue::new(network.shared.concurrency);
    let mut running = Running::default();
    while let Some(event) = events.recv().await {
        match event {
            Event::Wanted(Job::Packument(job)) => queue.push_packument(job),
            Event::Wanted(Job::Tarball(job)) => queue.push_tarball(job),
            Event::Wanted(Job::Connect(url)) => connect_ahead(&network, url),
            Event::PackumentEnded => running.packuments -= 1,
            Event::TarballEnded => running.tarballs -= 1,
            Event::Stop => return,
        }
        while let Some(job) = queue.next_packument(running) {
            running.packuments += 1;
            let network = Arc::clone(&network);
            tokio::spawn(async move {
                fetch_packument(&network, job).await;
                let _ = network.events.send(Event::PackumentEnded);
            });
        }
        while let Some(job) = queue.next_tarball(running) {
            running.tarballs += 1;
            let network = Arc::clone(&network);
            tokio::spawn(async move {
                fetch_tarball(&network, job).await;
                let _ = network.events.send(Event::TarballEnded);
            });
        }
    }
}

/// A failure here is of no interest: the first request will meet it again, and say so.
fn connect_ahead(network: &Arc<Network>, url: Url) {
    let network = Arc::clone(network);
    tokio::spawn(async move {
        if let Ok(line) = network.shared.pool.acquire(&url).await {
            line.release();
        }
    });
}

async fn fetch_packument(network: &Network, job: PackumentJob) {
    let shared = &network.shared;
    let under_way = shared.inbox.begin(packument_subject(&job.name));
    let ask = Ask {
        accept: ACCEPT_PACKUMENT,
        gzip: true,
        kind: SpanKind::Packument,
        wanted: job.wanted,
        etag: job.known.as_ref().map(|(_, etag)| etag.clone()),
        user_agent: shared.user_agent.clone(),
        body_bytes_max: PACKUMENT_BYTES_MAX,
        outlet: None,
    };
    let fetched = fetch(shared, &job.url, &ask).await;
    let name = job.name.clone();
    let result = match read_packument_answer(network, job, fetched, under_way) {
        Some(result) => result,
        None => return,
    };
    shared.inbox.push(Arrival::Packument { name, result });
}

/// `None` when the answer is on its way through a decoder.
fn read_packument_answer(
    network: &Network,
    job: PackumentJob,
    fetched: Result<Answer, GaveUp>,
    under_way: UnderWay,
) -> Option<Result<Option<Arc<Packument>>>> {
    let (shared, subject) = (&network.shared, packument_subject(&job.name));
    let answer = match fetched {
        Ok(answer) => answer,
        Err(gave_up) => return Some(Err(problem::failed(&subject, &gave_up.failure, gave_up.attempts))),
    };
    let fetched_s = shared.now_s();
    let fresh_until_s = fetched_s + fresh_s(&answer.headers);
    match (answer.status, job.known) {
        (StatusCode::OK, _) => match gzip_or_plain(&answer, &subject) {
            Ok(gzip) => {
                let etag = answer.headers.get(ETAG).and_then(|etag| etag.to_str().ok()).unwrap_or_default();
                let etag = etag.to_owned();
                let (name, registry, body) = (job.name, job.registry, answer.body);
                let work = Work { name, registry, body, gzip, etag, fetched_s, fresh_until_s, under_way };
                // The decoders live as long as this thread.
                let _ = network.work.send(work);
                None
            }
            Err(problem) => Some(Err(problem)),
        },
        (StatusCode::NOT_MODIFIED, Some((packument, _))) => {
            shared.cache.renew(&job.registry, &packument, fresh_until_s);
            Some(Ok(Some(packument)))
        }
        (StatusCode::NOT_FOUND, _) => Some(Ok(None)),
        _ => Some(Err(refused(&subject, &answer))),
    }
}

fn gzip_or_plain(answer: &Answer, subject: &str) -> Result<bool> {
    let encoding = answer.headers.get(CONTENT_ENCODING).map(|encoding| encoding.as_bytes());
    match encoding.map(|encoding| encoding.to_ascii_lowercase()).as_deref() {
        None | Some(b"" | b"identity") => Ok(false),
        Some(b"gzip" | b"x-gzip") => Ok(true),
        Some(other) => {
            let found = String::from_utf8_lossy(other);
            Err(problem::bad_packument(subject, &format!("its encoding is `{found}`, expected `gzip`")))
        }
    }
}

async fn fetch_tarball(network: &Network, job: TarballJob) {
    let shared = &network.shared;
    let subject = tarball_subject(&job.url);
    let _under_way = shared.inbox.begin(subject.clone());
    let outlet = (job.delivery == Delivery::InPieces)
        .then(|| Arc::new(Outlet::new(job.id, Arc::clone(&shared.inbox))));
    let ask = Ask {
        accept: ACCEPT_TARBALL,
        gzip: false,
        kind: SpanKind::Tarball,
        wanted: job.wanted,
        etag: None,
        user_agent: shared.user_agent.clone(),
        body_bytes_max: TARBALL_BYTES_MAX,
        outlet: outlet.clone(),
    };
    let result = match fetch(shared, &job.url, &ask).await {
        Ok(answer) if answer.status == StatusCode::OK => Ok(answer.body),
        Ok(answer) if answer.status == StatusCode::NOT_FOUND => Err(problem::no_tarball(&subject)),
        Ok(answer) => Err(refused(&subject, &answer)),
        Err(gave_up) => Err(problem::failed(&subject, &gave_up.failure, gave_up.attempts)),
    };
    match outlet.filter(|outlet| outlet.has_begun()) {
        Some(outlet) => {
            outlet.end(result.map(drop)).await;
            shared.inbox.push(Arrival::Ended { id: job.id });
        }
        None => shared.inbox.push(Arrival::Tarball { id: job.id, result }),
    }
}

fn refused(subject: &str, answer: &Answer) -> Problem {
    match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            problem::no_access(subject, answer.status, answer.authorized)
        }
        status => problem::unexpected_status(subject, status),
    }
}

//! Registry client: callers request packuments and tarballs, then take arrivals. Threads and
//! connections start with the first request that the cache cannot serve.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use hyper::header::HeaderValue;
use rusk_base::{Problem, Result, timeline};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use tokio::runtime::Runtime;
use url::Url;

use crate::api::{self, ApiJob, ApiRequest, ApiResponse};
use crate::arrival_queue::ArrivalQueue;
use crate::auth::{self, Keyring};
use crate::cache::{self, Cache, Cached};
use crate::connect::Connector;
use crate::download::Download;
use crate::error::RequestError;
use crate::memory_budget::{Body, MemoryBudget};
use crate::network_thread::{self, NetworkThread};
use crate::pool::Pool;
use crate::problem::{self, redacted};
use crate::proxy::Routes;
use crate::queue::{Delivery, Document, Job, PackumentJob, TarballJob};
use crate::settings::{Freshness, Settings};

/// A client of package registries. Dropping it cancels all requests.
pub struct Client {
    settings: Settings,
    shared: Arc<Shared>,
    network: Mutex<Network>,
    wanted: Mutex<HashSet<PackageName>>,
    /// Names whose cached packument is damaged.
    damaged: Mutex<HashSet<PackageName>>,
}

/// Who runs the connections: one runtime, on one thread at a time.
enum Network {
    /// The thread of the caller, while it waits in [`Client::call`]. `None` before the first call.
    Caller(Option<Runtime>),
    /// A thread of its own, from the first request that is not waited for.
    Thread(NetworkThread),
}

impl Drop for Network {
    /// Does not wait for name lookups that are still running.
    fn drop(&mut self) {
        if let Network::Caller(runtime) = self
            && let Some(runtime) = runtime.take()
        {
            runtime.shutdown_background();
        }
    }
}

/// A result or a progress report.
#[derive(Debug)]
pub enum Arrival {
    /// `None`: the registry has no such package.
    Packument { name: PackageName, result: Result<Option<Arc<Packument>>> },
    /// The bytes as received, not verified. While they are held, other requests may wait for
    /// memory.
    Tarball { id: u32, result: Result<Body> },
    /// The first bytes of a large tarball have arrived. `DownloadEnded` follows.
    DownloadStarted { id: u32, download: Download },
    /// A streamed download is over; its last chunk holds the result.
    DownloadEnded { id: u32 },
    /// Nothing arrived for a while; names the oldest running request.
    Waiting { subject: String, waited: Duration },
    /// One finished request, for verbose output.
    Note { text: String },
}

/// State shared by callers and threads.
pub struct Shared {
    pub pool: Arc<Pool>,
    pub keyring: Keyring,
    pub arrivals: Arc<ArrivalQueue>,
    pub budget: MemoryBudget,
    pub cache: Arc<Cache>,
    pub user_agent: HeaderValue,
    pub concurrency: usize,
    start_s: u64,
    started: Instant,
}

impl Client {
    /// Checks the settings. Threads and connections start with the first request.
    pub fn start(mut settings: Settings) -> Result<Client> {
        let scoped = settings.scopes.iter_mut().map(|(scope, registry)| (scope.as_str(), registry));
        for (scope, registry) in scoped.chain([("", &mut settings.registry)]) {
            *registry = checked_registry(scope, registry)?;
        }
        let routes = Routes::new(&settings.proxies)?;
        let connector = Connector::new(routes, settings.tls.clone(), settings.limits.clone());
        let user_agent = HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| problem::bad_setting("user-agent", &settings.user_agent, "a single line"))?;
        let shared = Shared {
            pool: Arc::new(Pool::new(connector)),
            keyring: Keyring::new(&settings.credentials, settings.encrypted_hosts.clone()),
            arrivals: Arc::default(),
            budget: MemoryBudget::default(),
            cache: Arc::new(Cache::new(settings.cache_dir.clone(), settings.cache_partition.clone())),
            user_agent,
            concurrency: settings.concurrency,
            start_s: settings.now_s,
            started: Instant::now(),
        };
        let shared = Arc::new(shared);
        let network = Mutex::new(Network::Caller(None));
        Ok(Client { settings, shared, network, wanted: Mutex::default(), damaged: Mutex::default() })
    }

    /// Whether nothing is requested.
    pub fn is_offline(&self) -> bool {
        self.settings.freshness == Freshness::Offline
    }

    /// Resolves the default registry's host name and connects to it in advance.
    pub fn connect(&self) {
        if self.settings.freshness == Freshness::Offline {
            return;
        }
        if let Ok(url) = Url::parse(&self.settings.registry) {
            // An error is reported by the first request.
            let _ = self.fetch(Job::Connect(url));
        }
    }

    /// Requests a packument, once per name. Returns the result if the cache decides, or an error;
    /// otherwise an arrival follows.
    pub fn request_packument(&self, name: &PackageName) -> Option<Result<Option<Arc<Packument>>>> {
        if !self.wanted.lock().expect("no holder of this lock panics").insert(name.clone()) {
            return None;
        }
        let registry = self.settings.registry_of(name);
        let is_damaged = self.damaged.lock().expect("no holder of this lock panics").contains(name);
        let cached = self.shared.cache.find(registry, name).filter(|_| !is_damaged);
        match (cached, self.settings.freshness) {
            (Some(cached), _) if self.is_sufficient(&cached) => Some(Ok(Some(cached.packument))),
            (_, Freshness::Offline) => Some(Err(problem::offline(&packument_subject(name)))),
            (cached, _) => {
                self.shared.arrivals.expect();
                if let Err(problem) = self.fetch_packument(name, registry, cached) {
                    self.shared
                        .arrivals
                        .push(Arrival::Packument { name: name.clone(), result: Err(problem) });
                }
                None
            }
        }
    }

    /// The cached packument of a name has a damaged record: the next request does not use it. False
    /// if this was said before.
    pub fn pass_over_cache(&self, name: &PackageName) -> bool {
        self.wanted.lock().expect("no holder of this lock panics").remove(name);
        self.damaged.lock().expect("no holder of this lock panics").insert(name.clone())
    }

    /// The cached packument of a name, if it may be used without a request, and until when, in
    /// seconds since 1970.
    pub(crate) fn find_fresh(&self, name: &PackageName) -> Option<(Arc<Packument>, u64)> {
        let cached = self.shared.cache.find(self.settings.registry_of(name), name)?;
        let until_s = self.sufficient_until_s(&cached)?;
        Some((cached.packument, until_s))
    }

    fn is_sufficient(&self, cached: &Cached) -> bool {
        self.sufficient_until_s(cached).is_some()
    }

    fn sufficient_until_s(&self, cached: &Cached) -> Option<u64> {
        match self.settings.freshness {
            Freshness::Online => cached.fresh_until_s(self.shared.now_s()),
            Freshness::PreferOffline | Freshness::Offline => Some(u64::MAX),
        }
    }

    /// Stamp of the cached packuments of all registries: while it is the same, none was added or
    /// replaced. `None` if a change may not show in it. `now`: since 1970.
    pub fn packuments_stamp(&self, now: Duration) -> Option<String> {
        let scoped = self.settings.scopes.iter().map(|(_, registry)| registry.as_str());
        self.shared.cache.stamp(scoped.chain([self.settings.registry.as_str()]), now)
    }

    /// Requests a packument once more, in full: the abbreviated document has no publish times.
    /// Returns an error if it cannot be fetched; otherwise an arrival follows.
    pub fn request_full_packument(&self, name: &PackageName) -> Result<()> {
        if self.settings.freshness == Freshness::Offline {
            return Err(problem::offline(&format!("the publish times of `{name}`")));
        }
        let registry = self.settings.registry_of(name);
        let job = self.packument_job(name, registry, None)?;
        self.shared.arrivals.expect();
        let fetched = self.fetch(Job::Packument(PackumentJob { document: Document::Full, ..job }));
        if let Err(problem) = fetched {
            self.shared.arrivals.push(Arrival::Packument { name: name.clone(), result: Err(problem) });
        }
        Ok(())
    }

    /// Requests a tarball. Larger size hints, in bytes, are fetched first.
    pub fn request_tarball(&self, id: u32, url: &str, size_hint: Option<u64>, delivery: Delivery) {
        self.shared.arrivals.expect();
        let wanted = parse_address(url).and_then(|url| {
            if self.settings.freshness == Freshness::Offline {
                return Err(problem::offline(&tarball_subject(&url)));
            }
            self.fetch(Job::Tarball(TarballJob { id, url, size_hint, delivery, wanted: timeline::now() }))
        });
        if let Err(problem) = wanted {
            self.shared.arrivals.push(Arrival::Tarball { id, result: Err(problem) });
        }
    }

    /// Waits for the next arrival; `None` when nothing is outstanding.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&self) -> Option<Arrival> {
        self.shared.arrivals.take(self.settings.limits.tick)
    }

    /// Sends a request to the registry's API and waits for the response, whatever its status. Only
    /// reads are tried again, and only reads follow redirects. Before there is a network thread,
    /// the caller's thread does its work: one request does not need two threads that wake each
    /// other.
    pub fn call(&self, request: ApiRequest) -> Result<ApiResponse> {
        let url = parse_address(&request.url)?;
        if self.settings.freshness == Freshness::Offline {
            return Err(problem::offline(&request.subject));
        }
        if let Network::Caller(runtime) = &mut *self.network() {
            return run_call(runtime, &self.shared, &url, &request);
        }
        let (reply, received) = std::sync::mpsc::sync_channel(1);
        self.fetch(Job::Api(Box::new(ApiJob { url, request, reply })))?;
        received.recv().unwrap_or_else(|_| Err(problem::network_stopped()))
    }

    /// The registry of a scope with its `@`, or of packages without one. It ends in `/`.
    pub fn registry_of_scope(&self, scope: Option<&str>) -> &str {
        self.settings.registry_of_scope(scope)
    }

    /// Whether a scope, with its `@`, has a registry of its own.
    pub fn has_registry(&self, scope: &str) -> bool {
        self.settings.scopes.iter().any(|(name, _)| name == scope)
    }

    /// The environment variable that the credentials for a package name, if it is not set. A
    /// registry may respond with 404 to a request without valid credentials.
    pub fn unset_variable(&self, name: &PackageName) -> Option<String> {
        let url = parse_address(&self.package_url(name, "")).ok()?;
        auth::unset_variable(&self.shared.keyring.find(&url)?)
    }

    /// The URL of a package's API below its registry: `path` follows the escaped name.
    pub fn package_url(&self, name: &PackageName, path: &str) -> String {
        format!("{}{}{path}", self.settings.registry_of(name), cache::escape(name.as_str()))
    }

    fn fetch_packument(&self, name: &PackageName, registry: &str, cached: Option<Cached>) -> Result<()> {
        self.fetch(Job::Packument(self.packument_job(name, registry, cached)?))
    }

    /// A cached document is confirmed in the form that it was fetched in: each has its own `ETag`.
    fn packument_job(
        &self,
        name: &PackageName,
        registry: &str,
        cached: Option<Cached>,
    ) -> Result<PackumentJob> {
        let is_full = cached.as_ref().is_some_and(|cached| cached.packument.has_publish_times());
        let document = if is_full { Document::Full } else { Document::Abbreviated };
        let url = parse_address(&format!("{registry}{}", cache::escape(name.as_str())))?;
        let known = cached.and_then(|cached| {
            let etag = HeaderValue::from_str(cached.packument.etag()?).ok()?;
            Some((cached.packument, etag))
        });
        let (name, registry, wanted) = (name.clone(), registry.to_owned(), timeline::now());
        Ok(PackumentJob { name, registry, url, document, known, wanted })
    }

    fn fetch(&self, job: Job) -> Result<()> {
        let mut network = self.network();
        if let Network::Caller(runtime) = &mut *network {
            let runtime = runtime.take().map_or_else(network_thread::runtime, Ok)?;
            *network = Network::Thread(NetworkThread::start(&self.shared, runtime)?);
        }
        match &mut *network {
            Network::Thread(thread) => thread.submit(job),
            Network::Caller(_) => Err(problem::network_stopped()),
        }
    }

    fn network(&self) -> MutexGuard<'_, Network> {
        self.network.lock().expect("no holder of this lock panics")
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({:?})", self.settings)
    }
}

/// Runs a call on this thread; the first one makes the runtime.
fn run_call(
    runtime: &mut Option<Runtime>,
    shared: &Shared,
    url: &Url,
    request: &ApiRequest,
) -> Result<ApiResponse> {
    if runtime.is_none() {
        *runtime = Some(network_thread::runtime()?);
    }
    let runtime = runtime.as_ref().expect("it was made above");
    runtime.block_on(async {
        // Connections notice first what happened since the last call: the server may have closed
        // them. At the first yield the kernel is asked, at the second the connections run.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        api::send(shared, url, request).await
    })
}

impl Shared {
    /// The caller's clock, advanced by the elapsed time.
    pub fn now_s(&self) -> u64 {
        self.start_s + self.started.elapsed().as_secs()
    }
}

/// An http or https URL that ends in a slash.
fn checked_registry(scope: &str, text: &str) -> Result<String> {
    let name = if scope.is_empty() { "registry".to_owned() } else { format!("{scope}:registry") };
    let bad = || problem::bad_setting(&name, text, "an http or https URL");
    let mut url = Url::parse(text).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad());
    }
    url.set_query(None);
    url.set_fragment(None);
    let text = String::from(url);
    Ok(if text.ends_with('/') { text } else { text + "/" })
}

fn parse_address(text: &str) -> Result<Url> {
    let bad = |address: String| -> Problem {
        problem::failed("a download", &RequestError::BadAddress { address }, 1)
    };
    // A string that is no URL may still contain a password, so it is not repeated.
    let url = Url::parse(text).map_err(|_| bad("the given string".to_owned()))?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        _ => Err(bad(redacted(&url))),
    }
}

pub(crate) fn packument_subject(name: &PackageName) -> String {
    format!("the packument of `{name}`")
}

pub(crate) fn tarball_subject(url: &Url) -> String {
    format!("the tarball `{}`", redacted(url))
}

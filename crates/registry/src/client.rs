//! The one door: say what is wanted, take what arrives. Nothing is started before something must be
//! fetched.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use hyper::header::HeaderValue;
use rusk_base::{Problem, Result, timeline};
use rusk_npm::name::PackageName;
use rusk_npm::packument::Packument;
use url::Url;

use crate::auth::Keyring;
use crate::cache::{self, Cache, Cached};
use crate::connect::Connector;
use crate::download::Download;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::inbox::Inbox;
use crate::pool::Pool;
use crate::problem::{self, shown};
use crate::proxy::Routes;
use crate::queue::{Delivery, Job, PackumentJob, TarballJob};
use crate::room::{Body, Room};
use crate::settings::{Freshness, Settings};

/// A connection to registries. Dropping it ends all requests.
pub struct Client {
    settings: Settings,
    shared: Arc<Shared>,
    engine: Mutex<Option<Engine>>,
    wanted: Mutex<HashSet<PackageName>>,
}

/// One answer.
#[derive(Debug)]
pub enum Arrival {
    /// `None`: the registry knows no such package.
    Packument { name: PackageName, result: Result<Option<Arc<Packument>>> },
    /// The bytes as they came, unverified. As long as they are kept, others may have to wait.
    Tarball { id: u32, result: Result<Body> },
    /// A large tarball, of which the first bytes have come. `Ended` follows.
    Begun { id: u32, download: Download },
    /// Nothing more comes of a download; what it came to, it says itself.
    Ended { id: u32 },
    /// No answer for a while: what has been waited for longest.
    Waiting { subject: String, waited: Duration },
    /// One request and how it ended, for those who watch; it answers nothing.
    Note { text: String },
}

/// What callers and threads have in common.
pub struct Shared {
    pub pool: Arc<Pool>,
    pub keyring: Keyring,
    pub inbox: Arc<Inbox>,
    pub room: Room,
    pub cache: Arc<Cache>,
    pub user_agent: HeaderValue,
    pub concurrency: usize,
    start_s: u64,
    started: Instant,
}

impl Client {
    /// Checks the settings. Threads and connections come with the first need of them.
    pub fn start(mut settings: Settings) -> Result<Client> {
        let scoped = settings.scopes.iter_mut().map(|(scope, registry)| (scope.as_str(), registry));
        for (scope, registry) in scoped.chain([("", &mut settings.registry)]) {
            *registry = checked_registry(scope, registry)?;
        }
        let routes = Routes::new(&settings.proxies)?;
        let connector = Connector::new(routes, settings.tls.clone(), settings.limits.clone());
        let user_agent = HeaderValue::from_str(&settings.user_agent)
            .map_err(|_| problem::bad_setting("user-agent", &settings.user_agent, "text of one line"))?;
        let shared = Shared {
            pool: Arc::new(Pool::new(connector)),
            keyring: Keyring::new(&settings.credentials),
            inbox: Arc::default(),
            room: Room::default(),
            cache: Arc::new(Cache::new(settings.cache_dir.clone())),
            user_agent,
            concurrency: settings.concurrency,
            start_s: settings.now_s,
            started: Instant::now(),
        };
        let shared = Arc::new(shared);
        Ok(Client { settings, shared, engine: Mutex::default(), wanted: Mutex::default() })
    }

    /// Resolves the default registry's name and connects to it, because something will be wanted
    /// soon.
    pub fn connect(&self) {
        if self.settings.freshness == Freshness::Offline {
            return;
        }
        if let Ok(url) = Url::parse(&self.settings.registry) {
            // Without a thread, the first request says why.
            let _ = self.fetch(Job::Connect(url));
        }
    }

    /// Asks for a package's packument, once for each name. What the cache says is told at once, or
    /// why nothing can be told; else an answer arrives.
    pub fn want_packument(&self, name: &PackageName) -> Option<Result<Option<Arc<Packument>>>> {
        if !self.wanted.lock().expect("no holder of this lock panics").insert(name.clone()) {
            return None;
        }
        let registry = self.settings.registry_of(name);
        let cached = self.shared.cache.find(registry, name);
        let sufficient = |cached: &Cached| match self.settings.freshness {
            Freshness::Online => cached.is_fresh(self.shared.now_s()),
            Freshness::PreferOffline | Freshness::Offline => true,
        };
        match (cached, self.settings.freshness) {
            (Some(cached), _) if sufficient(&cached) => Some(Ok(Some(cached.packument))),
            (_, Freshness::Offline) => Some(Err(problem::offline(&packument_subject(name)))),
            (cached, _) => {
                self.shared.inbox.expect();
                if let Err(problem) = self.fetch_packument(name, registry, cached) {
                    self.shared.inbox.push(Arrival::Packument { name: name.clone(), result: Err(problem) });
                }
                None
            }
        }
    }

    /// Asks for a tarball. The hint, in bytes, decides which of several waiting ones comes first.
    pub fn want_tarball(&self, id: u32, url: &str, size_hint: Option<u64>, delivery: Delivery) {
        self.shared.inbox.expect();
        let wanted = parse_address(url).and_then(|url| {
            if self.settings.freshness == Freshness::Offline {
                return Err(problem::offline(&tarball_subject(&url)));
            }
            self.fetch(Job::Tarball(TarballJob { id, url, size_hint, delivery, wanted: timeline::now() }))
        });
        if let Err(problem) = wanted {
            self.shared.inbox.push(Arrival::Tarball { id, result: Err(problem) });
        }
    }

    /// Waits for the next arrival; `None` when nothing is outstanding.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&self) -> Option<Arrival> {
        self.shared.inbox.take(self.settings.limits.tick)
    }

    fn fetch_packument(&self, name: &PackageName, registry: &str, cached: Option<Cached>) -> Result<()> {
        let url = parse_address(&format!("{registry}{}", cache::escape(name.as_str())))?;
        let known = cached.and_then(|cached| {
            let etag = HeaderValue::from_str(cached.packument.etag()?).ok()?;
            Some((cached.packument, etag))
        });
        let (name, registry, wanted) = (name.clone(), registry.to_owned(), timeline::now());
        self.fetch(Job::Packument(PackumentJob { name, registry, url, known, wanted }))
    }

    fn fetch(&self, job: Job) -> Result<()> {
        let mut engine = self.engine();
        if engine.is_none() {
            *engine = Some(Engine::start(&self.shared)?);
        }
        if let Some(engine) = engine.as_ref() {
            engine.want(job);
        }
        Ok(())
    }

    fn engine(&self) -> MutexGuard<'_, Option<Engine>> {
        self.engine.lock().expect("no holder of this lock panics")
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({:?})", self.settings)
    }
}

impl Shared {
    /// The caller's clock, moved on by ours.
    pub fn now_s(&self) -> u64 {
        self.start_s + self.started.elapsed().as_secs()
    }
}

/// An http or https address that ends in a slash.
fn checked_registry(scope: &str, text: &str) -> Result<String> {
    let name = if scope.is_empty() { "registry".to_owned() } else { format!("{scope}:registry") };
    let bad = || problem::bad_setting(&name, text, "an http or https address");
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
    let bad =
        |address: String| -> Problem { problem::failed("a download", &Failure::BadAddress { address }, 1) };
    // Text that is no address may still hold a password: it is not repeated.
    let url = Url::parse(text).map_err(|_| bad("what was given".to_owned()))?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some() => Ok(url),
        _ => Err(bad(shown(&url))),
    }
}

pub(crate) fn packument_subject(name: &PackageName) -> String {
    format!("the packument of `{name}`")
}

pub(crate) fn tarball_subject(url: &Url) -> String {
    format!("the tarball `{}`", shown(url))
}

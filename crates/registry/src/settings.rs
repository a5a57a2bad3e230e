//! All that a client is told: values only, gathered elsewhere from `.npmrc`, flags and the
//! environment.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use rusk_http::TlsOptions;
use rusk_npm::credential::Credential;
use rusk_npm::name::PackageName;

/// What to fetch from, as whom, and how patiently.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The registry of packages whose scope has none of its own.
    pub registry: String,
    /// Scope with its `@`, and its registry.
    pub scopes: Vec<(String, String)>,
    /// Address without its scheme (`//host/path/`), as `.npmrc` writes it, and what to show there.
    pub credentials: Vec<(String, Credential)>,
    pub proxies: Proxies,
    /// `cafile`, `ca` and `SSL_CERT_FILE` take the place of the system's store,
    /// `NODE_EXTRA_CA_CERTS` comes on top; `strict-ssl` says whether certificates are checked.
    /// Integrity guards tarballs all the same; packuments are then anyone's word.
    pub tls: TlsOptions,
    /// Where packuments are kept.
    pub cache_dir: PathBuf,
    /// Requests under way at a time.
    pub concurrency: usize,
    pub freshness: Freshness,
    pub user_agent: String,
    pub limits: Limits,
    /// Seconds since 1970 at the start.
    pub now_s: u64,
}

impl Settings {
    /// The defaults around the three things that have none.
    pub fn new(registry: impl Into<String>, cache_dir: impl Into<PathBuf>, now_s: u64) -> Settings {
        Settings {
            registry: registry.into(),
            scopes: Vec::new(),
            credentials: Vec::new(),
            proxies: Proxies::default(),
            tls: TlsOptions::default(),
            cache_dir: cache_dir.into(),
            concurrency: 64,
            freshness: Freshness::Online,
            user_agent: concat!("rusk/", env!("CARGO_PKG_VERSION")).to_owned(),
            limits: Limits::default(),
            now_s,
        }
    }

    /// The registry that answers for a package.
    pub fn registry_of(&self, package: &PackageName) -> &str {
        let own = package.scope().and_then(|scope| self.scopes.iter().find(|(name, _)| name == scope));
        own.map_or(&self.registry, |(_, registry)| registry)
    }
}

/// Proxies by the scheme of what is fetched; credentials may stand in the address.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    pub http: Option<String>,
    pub https: Option<String>,
    /// `NO_PROXY`, split: `host`, `.domain`, `host:port` or `*`.
    pub exceptions: Vec<String>,
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxies(http: {}, https: {})", self.http.is_some(), self.https.is_some())
    }
}

/// When the cache is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Inside the registry's max-age; then it is asked whether anything changed.
    Online,
    /// Whenever there is something.
    PreferOffline,
    /// Always: nothing is fetched.
    Offline,
}

/// How long each wait may last, and how often what may succeed later is tried.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From the first packet to a connection ready for requests, TLS and proxy included.
    pub connect: Duration,
    /// From a request to the head of its answer. Registries that render a big packument take their
    /// time.
    pub first_byte: Duration,
    /// Between two pieces of a body.
    pub idle: Duration,
    /// For the whole of an answer's body: the largest tarball at 300 kB/s. Else a server that sends
    /// a byte at a time keeps an install for as long as it likes.
    pub whole: Duration,
    /// Tries in all.
    pub attempts: u32,
    /// Before the second try; doubled for each one after.
    pub backoff_first: Duration,
    /// No pause is longer, whatever `Retry-After` asks for.
    pub backoff_max: Duration,
    /// How often [`Client::next`](crate::Client::next) speaks up while nothing arrives.
    pub tick: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(15),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(30),
            whole: Duration::from_secs(3600),
            attempts: 4,
            backoff_first: Duration::from_millis(250),
            backoff_max: Duration::from_secs(30),
            tick: Duration::from_secs(1),
        }
    }
}

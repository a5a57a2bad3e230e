//! Settings of the registry client: plain values, collected elsewhere from `.npmrc`, flags and the
//! environment.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use rusk_http::TlsOptions;
use rusk_npm::credential::Credential;
use rusk_npm::name::PackageName;

/// Registries, credentials, network options and limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The registry of packages whose scope has no registry of its own.
    pub registry: String,
    /// Scopes with `@`, and their registries.
    pub scopes: Vec<(String, String)>,
    /// URL prefixes without scheme (`//host/path/`), as in `.npmrc`, and their credentials.
    pub credentials: Vec<(String, Credential)>,
    /// Hosts (`host` or `host:port`) that get these credentials by https only.
    pub encrypted_hosts: BTreeSet<String>,
    pub proxies: Proxies,
    /// `cafile`, `ca` and `SSL_CERT_FILE` replace the system's root certificates,
    /// `NODE_EXTRA_CA_CERTS` adds to them, `strict-ssl` turns verification off. Tarballs are still
    /// checked by their integrity then; packuments are not.
    pub tls: TlsOptions,
    /// Directory of cached packuments.
    pub cache_dir: PathBuf,
    /// Packuments of one partition are not found in another one. `None`: that of most projects.
    pub cache_partition: Option<String>,
    /// Concurrent requests.
    pub concurrency: usize,
    pub freshness: Freshness,
    pub user_agent: String,
    pub limits: Limits,
    /// Seconds since 1970 at the start.
    pub now_s: u64,
}

impl Settings {
    /// Default settings for the three values that have no default.
    pub fn new(registry: impl Into<String>, cache_dir: impl Into<PathBuf>, now_s: u64) -> Settings {
        Settings {
            registry: registry.into(),
            scopes: Vec::new(),
            credentials: Vec::new(),
            encrypted_hosts: BTreeSet::new(),
            proxies: Proxies::default(),
            tls: TlsOptions::default(),
            cache_dir: cache_dir.into(),
            cache_partition: None,
            concurrency: 64,
            freshness: Freshness::Online,
            user_agent: concat!("rusk/", env!("CARGO_PKG_VERSION")).to_owned(),
            limits: Limits::default(),
            now_s,
        }
    }

    /// The registry of a package.
    pub fn registry_of(&self, package: &PackageName) -> &str {
        self.registry_of_scope(package.scope())
    }

    /// The registry of a scope with its `@`, or of packages without one.
    pub fn registry_of_scope(&self, scope: Option<&str>) -> &str {
        let own = scope.and_then(|scope| self.scopes.iter().find(|(name, _)| name == scope));
        own.map_or(&self.registry, |(_, registry)| registry)
    }
}

/// Proxies by the scheme of the requested URL; the address may contain credentials.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    pub http: Option<String>,
    pub https: Option<String>,
    /// Entries of `NO_PROXY`: `host`, `.domain`, `host:port` or `*`.
    pub exceptions: Vec<String>,
}

impl fmt::Debug for Proxies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxies(http: {}, https: {})", self.http.is_some(), self.https.is_some())
    }
}

/// When a cached packument is used without a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Within its max-age; after that it is revalidated.
    Online,
    /// Whenever there is one.
    PreferOffline,
    /// Always; nothing is fetched.
    Offline,
}

/// Timeouts and retries.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From the first packet to a usable connection, TLS and proxy included.
    pub connect: Duration,
    /// From a request to the response head. Registries take their time to render a big packument.
    pub first_byte: Duration,
    /// Between two chunks of a body; also the time over which its speed is measured.
    pub idle: Duration,
    /// For a whole body: the largest tarball at 300 kB/s. Without it a server that sends one byte
    /// at a time could block an install forever.
    pub whole: Duration,
    /// Attempts in all.
    pub attempts: u32,
    /// Delay before the second attempt; doubled for each further one.
    pub backoff_first: Duration,
    /// Longest delay, also if `Retry-After` is longer.
    pub backoff_max: Duration,
    /// How often [`Client::next`](crate::Client::next) reports progress while nothing arrives.
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

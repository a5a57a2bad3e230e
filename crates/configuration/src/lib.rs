//! Request and configuration of an install. The configuration is merged from all sources. In: the
//! project's directory, the host environment, flags; read here: `.npmrc` of project, user and
//! system, bunfig.toml of project and user. Out: a [`Configuration`].
//!
//! Precedence, highest first: flags, environment, bunfig.toml, the project's `.npmrc`, the user's,
//! the system's; bun, too, ranks bunfig.toml above every `.npmrc`. Absent: keys that choose a
//! program to run (`script-shell`, `git`, `node-options` …): none is ever read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::Result;
use rusk_lockfiles::Format;
use rusk_npm::bunfig::{Bunfig, Linker};
use rusk_npm::configuration_inputs::ConfigurationInputs;
use rusk_npm::credential::Credential;
use rusk_npm::hoisting_limit::HoistingLimit;
use rusk_npm::host;
use rusk_npm::name::PackageName;
use rusk_npm::npmrc::Layer;
use rusk_npm::release_age::{ReleaseAgeSettings, StabilityCheck};
use rusk_registry::{Proxies, TlsOptions};
use rusk_resolver::isolate::HoistPatterns;
use rusk_resolver::members::{MemberLinkRule, PeerRule};
use rusk_store::store::LinkCheck;

use crate::request::{
    Engines, ForeignSources, HostEnvironment, InstallRequest, Network, Omit, PlatformFlags, SavedRange,
    Scripts, TrustSettings, UnverifiedTarballs, Verify,
};
use interception::{ProjectNetwork, Protected};
use sources::Sources;

mod cache_partition;
pub mod effective;
mod encrypted_hosts;
mod interception;
mod linkers;
mod network;
mod problem;
mod registries;
mod release_age;
mod release_trust;
pub mod request;
mod sent_variables;
pub mod settings;
mod sources;
mod tool_settings;

const PROJECT_CACHE: &str = "`install.cache` in the project's bunfig.toml names a directory, which is not used: a \
     cache there could have changed packages; `--cache-dir` or RUSK_CACHE_DIR names one";

#[derive(Clone, Debug)]
pub struct Configuration {
    /// The default registry; ends in `/`, like every URL here.
    pub registry: String,
    /// `@scope` and its registry.
    pub scopes: Vec<(String, String)>,
    /// `//host/path/` and the credential to send there; the longest prefix wins. Prefixes are
    /// unique.
    pub credentials: Vec<(String, Credential)>,
    /// Hosts (`host` or `host:port`) that get credentials by https only.
    pub encrypted_hosts: BTreeSet<String>,
    project_network: ProjectNetwork,
    pub proxies: Proxies,
    pub tls: TlsOptions,
    pub cache_dir: PathBuf,
    pub cache: CacheUse,
    /// Of the cache of what no integrity verifies: where the project itself chooses how registries
    /// are reached.
    pub cache_partition: Option<String>,
    pub limits: Limits,
    pub defaults: Defaults,
    /// npm's `provenance`: whether publications carry a signed statement of their build.
    pub provenance: Option<bool>,
    /// Warnings for the user, one line each.
    pub warnings: Vec<String>,
    /// As warnings, given only when a project is installed for the first time.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheUse {
    Shared,
    /// bunfig's `cache.disable`.
    Off,
}

/// What happens in a project that asks for shared packages and uses a tool known to fail with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The project gets its own packages.
    UnlessAToolFails,
    /// `globalStoreFallback = false`.
    Always,
}

/// Limits of the HTTP client; `None` means the client's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// `fetch-retries`: attempts after the first.
    pub retries: Option<u32>,
    /// `fetch-timeout`.
    pub timeout: Option<Duration>,
    /// `maxsockets`: concurrent requests; at least 1.
    pub requests_max: Option<u32>,
}

/// Defaults for what a request's flags do not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    pub omit: Omit,
    pub range: SavedRange,
    pub scripts: Scripts,
    pub foreign_sources: ForeignSources,
    pub engines: Engines,
    pub other_tool: OtherToolRule,
    pub network: Network,
    pub lockfile: LockfileRule,
    pub writes: Writes,
    pub linker: Option<Linker>,
    /// Empty: this host's.
    pub platform: PlatformFlags,
    pub hoisting: HoistPatterns,
    /// Of the hoisted linker: Yarn's `nmHoistingLimits`.
    pub hoisting_limit: HoistingLimit,
    pub sharing: Sharing,
    pub workspace_links: MemberLinkRule,
    pub peers: PeerSettings,
    pub release_age: ReleaseAgeSettings,
    pub stability: StabilityCheck,
    pub release_trust: TrustSettings,
    pub unverified_tarballs: UnverifiedTarballs,
    /// Whether installs verify the signatures of registries.
    pub verify: Verify,
    pub link_check: LinkCheck,
    /// The module of the security scanner.
    pub scanner: Option<String>,
}

/// Whether peers that nothing provides are added. Each setting counts where the lockfile is of its
/// package manager: the others read a lockfile that has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerSettings {
    /// Not with npm's `legacy-peer-deps`.
    pub npm_adds: bool,
    /// pnpm's `autoInstallPeers`.
    pub pnpm_adds: bool,
}

impl PeerSettings {
    pub fn rule(self, format: Format) -> PeerRule {
        let adds = match format {
            Format::NpmLock | Format::NpmShrinkwrap => self.npm_adds,
            Format::Pnpm => self.pnpm_adds,
            Format::Bun | Format::Yarn => true,
        };
        if adds { PeerRule::Added } else { PeerRule::Existing }
    }
}

/// pnpm's `package-manager-strict`: what happens when package.json names another package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherToolRule {
    Warn,
    Refuse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockfileRule {
    Updated,
    Frozen,
}

/// bunfig's `dryRun`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    Allowed,
    None,
}

/// Command-line flags; they have the highest precedence.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    pub registry: Option<String>,
    /// The registry that package.json itself names, if no flag does: a project's file.
    pub project_registry: Option<String>,
    pub cache_dir: Option<PathBuf>,
}

impl Flags {
    pub fn of(request: &InstallRequest) -> Flags {
        Flags { registry: request.registry.clone(), cache_dir: request.cache_dir.clone(), ..Flags::default() }
    }
}

impl Configuration {
    pub fn load(project_dir: &Path, host: &HostEnvironment, flags: &Flags) -> Result<Configuration> {
        Configuration::load_with_inputs(project_dir, host, flags, &mut ConfigurationInputs::default())
    }

    /// As `load`; also collects the files that are read.
    pub fn load_with_inputs(
        project_dir: &Path,
        host: &HostEnvironment,
        flags: &Flags,
        inputs: &mut ConfigurationInputs,
    ) -> Result<Configuration> {
        let sources = Sources::read(project_dir, host, inputs)?;
        sent_variables::check(&sources, host, flags)?;
        let mut warnings = Vec::new();
        let mut registries = registries::gather(&sources, host, flags, &mut warnings)?;
        let mut proxies = network::proxies(&sources, host);
        let has_plain_registry = registries.urls().any(|url| url.starts_with("http:"));
        let encrypted_hosts = encrypted_hosts::find(&sources, host, flags, &registries);
        let plain_hosts = encrypted_hosts::plain(&encrypted_hosts, &registries);
        let mut protected = Protected {
            credentials: &mut registries.credentials,
            proxies: &mut proxies,
            has_plain_registry,
            plain_hosts,
        };
        warnings.extend(interception::drop_interceptable(&sources, host, flags, &mut protected));
        warnings.extend(encrypted_hosts::warning(&encrypted_hosts, &registries));
        let tls = network::tls_options(&sources, host);
        let cache_partition = cache_partition::find(&sources, &proxies, &tls);
        let mut notes = sources.notes.clone();
        let cache_dir = cache_dir(&sources.bunfig, host, flags).ok_or_else(problem::no_cache_dir)?;
        let names_other = |named: &String| cache_dir != bunfig_cache_dir(named, host);
        if chosen_cache_dir(host, flags).is_none()
            && sources.project_cache_dir.as_ref().is_some_and(names_other)
        {
            notes.push(PROJECT_CACHE.to_owned());
        }
        Ok(Configuration {
            registry: registries.default,
            scopes: registries.scopes,
            credentials: registries.credentials,
            encrypted_hosts,
            project_network: ProjectNetwork::of(&sources),
            proxies,
            tls,
            cache_dir,
            cache: match &sources.bunfig.cache {
                Some(cache) if cache.disable => CacheUse::Off,
                _ => CacheUse::Shared,
            },
            cache_partition,
            limits: network::limits(&sources),
            defaults: defaults(&sources),
            provenance: sources.boolean(None, "provenance"),
            warnings,
            notes,
        })
    }
}

impl Configuration {
    /// The registry of a package: that of its scope, else the default one.
    pub fn registry_of(&self, name: &PackageName) -> &str {
        let scoped = name.scope().and_then(|scope| self.scopes.iter().find(|(own, _)| own == scope));
        scoped.map_or(self.registry.as_str(), |(_, registry)| registry.as_str())
    }

    /// An error if a project's files would let others read a password or token that is sent to this
    /// URL, by the rules for the credentials of an install.
    pub fn check_secret_channel(&self, url: &str) -> Result<()> {
        let Some(url) = host::http_url(url) else { return Ok(()) };
        let to = host::of(&url);
        if url.scheme() == "http" && self.encrypted_hosts.contains(&to) {
            return Err(problem::secret_by_plain_http(&to));
        }
        let key = match url.scheme() {
            "http" => self.project_network.proxy,
            _ => self.project_network.certificates,
        };
        key.map_or(Ok(()), |key| Err(problem::secret_by_project_network(&to, key)))
    }
}

/// The path of the user's own `.npmrc`; `None` without a home directory.
pub fn user_npmrc(host: &HostEnvironment) -> Option<PathBuf> {
    sources::user_npmrc(&Layer::of_environment(&host.environment), host)
}

/// Files of user and machine that may have tokens, wherever they are.
pub fn files_with_tokens(host: &HostEnvironment) -> Result<Vec<PathBuf>> {
    sources::files_with_tokens(host)
}

/// The user's own bunfig.toml, whatever the project.
pub fn user_bunfig(host: &HostEnvironment) -> Result<Bunfig> {
    sources::read_user_bunfig(host)
}

/// The cache directory when no configuration file sets one.
pub fn usual_cache_dir(host: &HostEnvironment, flags: &Flags) -> Option<PathBuf> {
    cache_dir(&Bunfig::default(), host, flags)
}

/// The flag, `$RUSK_CACHE_DIR`, a `rusk` directory below the user's bunfig's cache directory, below
/// `$XDG_CACHE_HOME`, or below `~/.cache`.
fn cache_dir(bunfig: &Bunfig, host: &HostEnvironment, flags: &Flags) -> Option<PathBuf> {
    let configured = || bunfig.cache.as_ref()?.dir.as_ref().map(|dir| bunfig_cache_dir(dir, host));
    // XDG Base Directory Specification: relative paths are ignored.
    let xdg = || path_variable(host, "XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let usual = || xdg().or_else(|| host.home_dir.as_ref().map(|home| home.join(".cache")));
    let below_usual = || usual().map(|dir| dir.join("rusk"));
    chosen_cache_dir(host, flags).or_else(configured).or_else(below_usual)
}

/// The directory that the flag or `$RUSK_CACHE_DIR` names.
fn chosen_cache_dir(host: &HostEnvironment, flags: &Flags) -> Option<PathBuf> {
    let chosen = flags.cache_dir.clone().or_else(|| path_variable(host, "RUSK_CACHE_DIR"));
    chosen.map(|dir| host.current_dir.join(dir))
}

fn path_variable(host: &HostEnvironment, name: &str) -> Option<PathBuf> {
    host.environment.get(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The cache below a directory that bunfig.toml names.
fn bunfig_cache_dir(dir: &str, host: &HostEnvironment) -> PathBuf {
    host.current_dir.join(from_home(dir, host)).join("rusk")
}

/// Expands `~/path` to the home directory; returns other paths unchanged.
pub fn from_home(path: &str, host: &HostEnvironment) -> PathBuf {
    match (path.strip_prefix("~/"), &host.home_dir) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}

fn defaults(sources: &Sources) -> Defaults {
    let bunfig = &sources.bunfig;
    let (release_age, stability) = release_age::settings(sources);
    let set = |own: Option<bool>, key: &str| sources.boolean(own, key) == Some(true);
    Defaults {
        omit: omit(sources),
        range: match set(bunfig.exact, "save-exact") {
            true => SavedRange::Exact,
            false => saved_range(sources),
        },
        scripts: if set(bunfig.ignore_scripts, "ignore-scripts") { Scripts::Ignore } else { Scripts::Run },
        foreign_sources: match sources.allows(bunfig.allow_foreign_sources, "allow-foreign-sources") {
            true => ForeignSources::Allowed,
            false => ForeignSources::Refused,
        },
        engines: if set(None, "engine-strict") { Engines::Refuse } else { Engines::Warn },
        other_tool: match set(None, "package-manager-strict") {
            true => OtherToolRule::Refuse,
            false => OtherToolRule::Warn,
        },
        network: match (set(bunfig.offline, "offline"), set(bunfig.prefer_offline, "prefer-offline")) {
            (true, _) => Network::Offline,
            (_, true) => Network::PreferOffline,
            _ => Network::Online,
        },
        lockfile: match set(bunfig.frozen_lockfile, "frozen-lockfile") || bunfig.production == Some(true) {
            true => LockfileRule::Frozen,
            false => LockfileRule::Updated,
        },
        writes: if bunfig.dry_run == Some(true) { Writes::None } else { Writes::Allowed },
        linker: linkers::linker(sources),
        platform: platform(sources),
        hoisting: linkers::hoisting(sources),
        hoisting_limit: linkers::hoisting_limit(sources),
        sharing: linkers::sharing(sources),
        workspace_links: match sources.boolean(bunfig.link_workspace_packages, "link-workspace-packages") {
            Some(false) => MemberLinkRule::FromRegistry,
            _ => MemberLinkRule::Linked,
        },
        peers: PeerSettings {
            npm_adds: !set(None, "legacy-peer-deps"),
            pnpm_adds: sources.boolean(None, "auto-install-peers") != Some(false),
        },
        release_age,
        stability,
        release_trust: release_trust::settings(sources),
        unverified_tarballs: match sources
            .allows(bunfig.allow_unverified_tarballs, "allow-unverified-tarballs")
        {
            true => UnverifiedTarballs::Allowed,
            false => UnverifiedTarballs::Refused,
        },
        verify: match set(bunfig.verify_signatures, "verify-signatures") {
            true => Verify::Signatures,
            false => Verify::Integrity,
        },
        link_check: match sources.boolean(bunfig.verify_store_integrity, "verify-store-integrity") {
            Some(true) => LinkCheck::Modified,
            Some(false) => LinkCheck::Nothing,
            None => LinkCheck::default(),
        },
        scanner: bunfig.scanner.clone(),
    }
}

/// npm's and pnpm's `save-prefix`; another prefix than theirs counts as none.
fn saved_range(sources: &Sources) -> SavedRange {
    match sources.highest(|layer| layer.one("save-prefix").map(str::to_owned)).as_deref() {
        Some("~") => SavedRange::Tilde,
        Some("") => SavedRange::Version,
        _ => SavedRange::Caret,
    }
}

/// npm's `os`, `cpu` and `libc`, and `supportedArchitectures` of pnpm and Yarn.
fn platform(sources: &Sources) -> PlatformFlags {
    let list = |key: &str| sources.highest(|layer: &Layer| layer.all(key)).unwrap_or_default();
    PlatformFlags { os: list("os"), cpu: list("cpu"), libc: list("libc") }
}

/// npm's `omit` minus its `include`, plus `production`, plus the groups that bunfig turns off.
fn omit(sources: &Sources) -> Omit {
    let bunfig = &sources.bunfig;
    let list = |key: &str| sources.highest(|layer: &Layer| layer.all(key)).unwrap_or_default();
    let (omitted, included) = (list("omit"), list("include"));
    let named =
        |group: &str| omitted.iter().any(|name| name == group) && !included.iter().any(|name| name == group);
    let production = sources.boolean(bunfig.production, "production") == Some(true);
    Omit {
        development: bunfig.dev.map_or_else(|| named("dev") || production, |dev| !dev || production),
        optional: bunfig.optional.map_or_else(|| named("optional"), |optional| !optional),
        peer: bunfig.peer.map_or_else(|| named("peer"), |peer| !peer),
    }
}

#[cfg(test)]
mod tests;

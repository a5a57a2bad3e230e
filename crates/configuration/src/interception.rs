//! Protects credentials from interception by a project's own configuration: a cloned project must
//! not choose who reads the user's tokens. In: the sources and the merged values. Out: the same
//! without what could be intercepted. The rule is the same for every file of a project (`.npmrc`,
//! bunfig.toml, and the files of pnpm and Yarn), unless the user's own settings have
//! `trust-project-network`:
//!
//! - where the project decides which certificates are trusted (`strict-ssl=false`, `ca`, `cafile`),
//!   the user's credentials are not used, except at hosts that are asked by plain HTTP;
//! - its proxy gets encrypted connections only, and no requests by plain HTTP.

use std::collections::BTreeSet;

use rusk_npm::bunfig::Registry;
use rusk_npm::credential::{Address, Credential};
use rusk_npm::host as hosts;
use rusk_npm::npmrc::{Layer, credentials};
use rusk_registry::Proxies;

use super::Flags;
use super::sent_variables::{self, known_hosts};
use super::sources::Sources;
use crate::request::HostEnvironment;

const HTTP_PROXIES: [&str; 2] = ["proxy", "http-proxy"];
const HTTPS_PROXY: &str = "https-proxy";

/// The merged values of the network.
pub(super) struct Protected<'a> {
    pub(super) credentials: &'a mut Vec<(String, Credential)>,
    pub(super) proxies: &'a mut Proxies,
    /// Whether some registry is asked by plain HTTP.
    pub(super) has_plain_registry: bool,
    /// Hosts that get their credentials in plain text: certificates protect nothing there.
    pub(super) plain_hosts: BTreeSet<String>,
}

/// Removes the credentials and proxies that the project could intercept, and returns a warning.
pub(super) fn drop_interceptable(
    sources: &Sources,
    host: &HostEnvironment,
    flags: &Flags,
    protected: &mut Protected<'_>,
) -> Option<String> {
    let certificates = certificate_keys(sources);
    let proxy = HTTP_PROXIES.into_iter().find(|key| names_proxy(sources, key));
    if (certificates.is_empty() && proxy.is_none()) || is_trusted(sources) {
        return None;
    }
    let own = credentials_of_project(sources, host, flags);
    let is_own = |credential: &(String, Credential)| own.contains(credential);
    let trusting = "`trust-project-network=true` in your own .npmrc allows it";
    let mut warning = None;
    if !certificates.is_empty() {
        let count = protected.credentials.len();
        let is_plain =
            |prefix: &str| hosts::of_prefix(prefix).is_some_and(|host| protected.plain_hosts.contains(&host));
        protected.credentials.retain(|own| is_own(own) || is_plain(&own.0));
        if protected.credentials.len() < count {
            let keys: Vec<String> = certificates.iter().map(|key| format!("`{key}`")).collect();
            let keys = keys.join(" and ");
            let text = format!("the project sets {keys}: your own credentials are not sent; {trusting}");
            warning = Some(text);
        }
    }
    if let Some(key) = proxy.filter(|_| !protected.credentials.iter().all(is_own)) {
        protected.proxies.http = None;
        let text = || format!("the project sets `{key}`: it is not used for plain HTTP; {trusting}");
        warning = warning.or_else(|| protected.has_plain_registry.then(text));
    }
    warning
}

/// Whether the project decides how registries are reached, and the user does not trust it.
pub(super) fn chooses_network(sources: &Sources) -> bool {
    let mut proxies = HTTP_PROXIES.into_iter().chain([HTTPS_PROXY]);
    let names_any = !certificate_keys(sources).is_empty() || proxies.any(|key| names_proxy(sources, key));
    names_any && !is_trusted(sources)
}

/// Keys by which a project's files decide who can read what is sent; none if the user trusts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProjectNetwork {
    /// Certificates, of encrypted connections.
    pub(super) certificates: Option<&'static str>,
    /// The proxy of plain connections.
    pub(super) proxy: Option<&'static str>,
}

impl ProjectNetwork {
    pub(super) fn of(sources: &Sources) -> ProjectNetwork {
        if is_trusted(sources) {
            return ProjectNetwork::default();
        }
        ProjectNetwork {
            certificates: certificate_keys(sources).into_iter().next(),
            proxy: HTTP_PROXIES.into_iter().find(|key| names_proxy(sources, key)),
        }
    }
}

fn is_trusted(sources: &Sources) -> bool {
    own_layers(sources).into_iter().find_map(|layer| layer.permission("trust-project-network")) == Some(true)
}

/// Those that no project can write.
pub(super) fn own_layers(sources: &Sources) -> [&Layer; 3] {
    [&sources.environment, &sources.user, &sources.machine]
}

fn project_layers(sources: &Sources) -> [&Layer; 2] {
    [&sources.tool, &sources.project]
}

/// Keys by which the project changes the certificates that are trusted.
fn certificate_keys(sources: &Sources) -> BTreeSet<&'static str> {
    let is_off = |layer: &Layer| layer.truth("strict-ssl") == Some(false);
    let is_off_anyway = own_layers(sources).into_iter().any(is_off);
    let mut keys = BTreeSet::new();
    if !is_off_anyway && project_layers(sources).into_iter().any(is_off) {
        keys.insert("strict-ssl");
    }
    for key in ["ca", "cafile"] {
        let own = own_layers(sources).into_iter().find_map(|layer| layer.all(key));
        let mut of_project = project_layers(sources).into_iter().filter_map(|layer| layer.all(key));
        if of_project.any(|value| Some(value) != own) {
            keys.insert(key);
        }
    }
    keys.extend(sources.project_bunfig.certificates.then_some("install.ca"));
    keys
}

fn names_proxy(sources: &Sources, key: &str) -> bool {
    let own = own_layers(sources).into_iter().find_map(|layer| layer.one(key));
    let is_on = |value: &str| !matches!(value, "" | "false") && Some(value) != own;
    project_layers(sources).into_iter().any(|layer| layer.one(key).is_some_and(is_on))
}

/// Credentials that the project itself has: its author knows them. One that is made of a variable
/// is the user's, where the project names a host of the user's for it.
fn credentials_of_project(
    sources: &Sources,
    host: &HostEnvironment,
    flags: &Flags,
) -> Vec<(String, Credential)> {
    let mut own = credentials(&project_layers(sources));
    for layer in project_layers(sources) {
        let urls = layer.one("registry").into_iter().chain(layer.scopes().map(|(_, url)| url));
        let addresses = urls.filter_map(Address::parse);
        own.extend(addresses.filter_map(|address| Some((address.prefix, address.credential?))));
    }
    own.extend(sources.project_bunfig.credentials.iter().cloned());
    if !sent_variables::is_ci(host) {
        let known = known_hosts(sources, host, flags);
        let sent: BTreeSet<String> =
            sent_variables::sent(sources).into_iter().map(|(to, _)| to.host).collect();
        own.retain(|(prefix, _)| {
            let to = hosts::of_prefix(prefix);
            !to.is_some_and(|to| known.contains(&to) && sent.contains(&to))
        });
    }
    own
}

/// What a project's own bunfig.toml has, before it is merged with the user's.
#[derive(Debug, Default)]
pub(super) struct ProjectBunfig {
    pub(super) credentials: Vec<(String, Credential)>,
    /// Whether it names certificates.
    pub(super) certificates: bool,
}

impl ProjectBunfig {
    pub(super) fn of<'a>(
        registries: impl Iterator<Item = &'a Registry>,
        certificates: bool,
    ) -> ProjectBunfig {
        let pairs = registries.filter_map(|it| it.prefix.clone().zip(it.credential.clone()));
        ProjectBunfig { credentials: pairs.collect(), certificates }
    }
}

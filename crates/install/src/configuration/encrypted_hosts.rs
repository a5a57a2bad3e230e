//! Hosts that get credentials by https only: a cloned project or its lockfile must not send the
//! user's token in plain text by naming the user's registry with `http:`. In: the sources, the
//! registries. Out: hosts. A host counts if a registry there has an address with `https:`, and no
//! setting of the user's own has one with `http:`. The default registry always counts.

use std::collections::BTreeSet;

use rusk_npm::credential::{Address, default_registry};

use super::Flags;
use super::interception::own_layers;
use super::registries::Registries;
use super::sent_variables::host_of;
use super::sources::Sources;
use crate::request::HostEnvironment;

/// `host` or `host:port`.
pub(super) fn find(
    sources: &Sources,
    host: &HostEnvironment,
    flags: &Flags,
    registries: &Registries,
) -> BTreeSet<String> {
    let own = own_urls(sources, host, flags);
    let mut hosts = BTreeSet::from([host_of(default_registry())]);
    hosts.extend(own.iter().map(String::as_str).chain(registries.urls()).filter_map(|url| by("https:", url)));
    for plain in own.iter().filter_map(|url| by("http:", url)) {
        hosts.remove(&plain);
    }
    hosts
}

/// Hosts of registries that get credentials by plain HTTP.
pub(super) fn plain(encrypted: &BTreeSet<String>, registries: &Registries) -> BTreeSet<String> {
    registries.urls().filter_map(|url| by("http:", url)).filter(|host| !encrypted.contains(host)).collect()
}

/// The first registry that is asked by plain HTTP, and therefore without its credentials.
pub(super) fn warning(hosts: &BTreeSet<String>, registries: &Registries) -> Option<String> {
    let has_credentials =
        |host: &String| registries.credentials.iter().any(|(prefix, _)| host_of(prefix) == *host);
    let mut plain = registries.urls().filter_map(|url| by("http:", url));
    let found = plain.find(|host| hosts.contains(host) && has_credentials(host))?;
    Some(format!("the project asks `{found}` by http: your credentials for it are sent by https only"))
}

/// The host of a URL with this scheme.
fn by(scheme: &str, url: &str) -> Option<String> {
    url.starts_with(scheme).then(|| host_of(url))
}

/// Of registries that no project can write.
fn own_urls(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Vec<String> {
    let variable = host.environment.get("BUN_CONFIG_REGISTRY").map(String::as_str);
    let layers = own_layers(sources).into_iter();
    let of_layers =
        layers.flat_map(|layer| layer.one("registry").into_iter().chain(layer.scopes().map(|(_, url)| url)));
    let texts = flags.registry.as_deref().into_iter().chain(variable).chain(of_layers);
    let addresses = texts.filter_map(Address::parse).map(|address| address.url);
    addresses.chain(sources.user_urls.iter().cloned()).collect()
}

//! Hosts that get credentials by https only: a cloned project or its lockfile must not send the
//! user's token in plain text by naming the user's registry with `http:`. In: the sources, the
//! registries. Out: hosts. A host counts if a registry there has an address with `https:`, and no
//! setting of the user's own has one with `http:`. The default registry always counts.

use std::collections::BTreeSet;

use rusk_npm::credential::{Address, default_registry};
use rusk_npm::host as hosts;

use super::Flags;
use super::interception::own_layers;
use super::registries::Registries;
use super::sources::Sources;
use crate::request::HostEnvironment;

/// `host` or `host:port`.
pub(super) fn find(
    sources: &Sources,
    host: &HostEnvironment,
    flags: &Flags,
    registries: &Registries,
) -> BTreeSet<String> {
    named(&own_urls(sources, host, flags), registries.urls())
}

/// Those that count whatever a project says.
pub(super) fn of_user(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> BTreeSet<String> {
    named(&own_urls(sources, host, flags), std::iter::empty())
}

fn named<'a>(own: &'a [String], others: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let urls = own.iter().map(String::as_str).chain([default_registry()]).chain(others);
    let mut hosts: BTreeSet<String> = urls.filter_map(|url| by("https", url)).collect();
    for plain in own.iter().filter_map(|url| by("http", url)) {
        hosts.remove(&plain);
    }
    hosts
}

/// Hosts of registries that get credentials by plain HTTP.
pub(super) fn plain(encrypted: &BTreeSet<String>, registries: &Registries) -> BTreeSet<String> {
    registries.urls().filter_map(|url| by("http", url)).filter(|host| !encrypted.contains(host)).collect()
}

/// The first registry that is asked by plain HTTP, and therefore without its credentials.
pub(super) fn warning(encrypted: &BTreeSet<String>, registries: &Registries) -> Option<String> {
    let has_credentials = |host: &String| {
        let mut prefixes = registries.credentials.iter().map(|(prefix, _)| prefix);
        prefixes.any(|prefix| hosts::of_prefix(prefix).as_ref() == Some(host))
    };
    let mut plain = registries.urls().filter_map(|url| by("http", url));
    let found = plain.find(|host| encrypted.contains(host) && has_credentials(host))?;
    Some(format!("the project asks `{found}` by http: your credentials for it are sent by https only"))
}

/// The host of a URL with this scheme.
fn by(scheme: &str, url: &str) -> Option<String> {
    hosts::http_url(url).filter(|url| url.scheme() == scheme).as_ref().map(hosts::of)
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

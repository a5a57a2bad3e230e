//! Variables of the user's environment that a project's files would send to a registry or a proxy
//! of its own: `//host/:_authToken=${TOKEN}` in a cloned repository. In: the sources. Out: nothing,
//! or an error; the user is asked once for each host and variable. Absent: hosts that the user's
//! own settings name, and the default registry: a project may use the user's token there, but by
//! plain HTTP only where the user does. In a CI job no user can be asked, and the project's scripts
//! see the same variables anyway.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rusk_base::{Result, files};
use rusk_npm::credential::{Address, default_registry};
use rusk_npm::host;
use rusk_npm::npmrc::{Layer, credential_key};

use super::sources::Sources;
use super::{Flags, encrypted_hosts};
use crate::problem;
use crate::request::HostEnvironment;

/// Of what the user allowed: a line for each, some dozens.
const ALLOWED_BYTES_MAX: u64 = 1 << 20;

/// Keys whose values are addresses that requests go to.
const PROXIES: [&str; 3] = ["proxy", "http-proxy", "https-proxy"];

/// Where a value is sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Destination {
    /// With its port.
    pub(super) host: String,
    /// Whether it is part of a URL with `http:`. A credential of a host is not: it is sent by the
    /// rule for credentials.
    is_plain_url: bool,
}

impl Destination {
    fn of_host(host: String) -> Destination {
        Destination { host, is_plain_url: false }
    }

    fn of_url(url: &host::Url) -> Destination {
        Destination { host: host::of(url), is_plain_url: url.scheme() == "http" }
    }

    fn of_registry(text: &str) -> Option<Destination> {
        host::http_url(&Address::parse(text)?.url).as_ref().map(Destination::of_url)
    }

    fn of_proxy(text: &str) -> Option<Destination> {
        host::proxy_url(text).as_ref().map(Destination::of_url)
    }
}

/// A destination, and the variable that it would get.
type Sent = (Destination, String);

pub(super) fn check(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Result<()> {
    let sent = sent(sources);
    if sent.is_empty() || is_ci(host) {
        return Ok(());
    }
    let encrypted = encrypted_hosts::of_user(sources, host, flags);
    let is_exposed = |to: &Destination| to.is_plain_url && encrypted.contains(&to.host);
    if let Some((to, name)) = sent.iter().find(|(to, _)| is_exposed(to)) {
        return Err(problem::variable_sent_plainly(name, &to.host));
    }
    let known = known_hosts(sources, host, flags);
    let unknown: Vec<&Sent> = sent.iter().filter(|(to, _)| !known.contains(&to.host)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let path = allowed_path(host);
    let allowed = match &path {
        Some(path) => files::find_string(path, ALLOWED_BYTES_MAX)?.unwrap_or_default(),
        None => String::new(),
    };
    let mut added = String::new();
    for (Destination { host: to, .. }, name) in unknown {
        let line = format!("{to} {name}\n");
        if allowed.split_inclusive('\n').any(|known| known == line) {
            continue;
        }
        let question = format!("this project sends `{name}` of your environment to `{to}`: allow it? [y/N] ");
        match host.interaction.and_then(|interaction| (interaction.confirm)(&question)) {
            Some(true) => added += &line,
            _ => return Err(problem::variable_sent(name, to)),
        }
    }
    match path.filter(|_| !added.is_empty()) {
        Some(path) => {
            path.parent().map_or(Ok(()), files::create_directories)?;
            files::write_through_links(&path, (allowed + &added).as_bytes())
        }
        None => Ok(()),
    }
}

pub(super) fn sent(sources: &Sources) -> BTreeSet<Sent> {
    let mut sent = BTreeSet::new();
    for layer in [&sources.project, &sources.tool] {
        for (key, names) in layer.variables() {
            if let Some(to) = destination(layer, key) {
                sent.extend(names.iter().map(|name| (to.clone(), name.clone())));
            }
        }
    }
    for (prefix, names) in &sources.project_variables {
        let to = host::of_prefix(prefix).map(Destination::of_host);
        sent.extend(to.into_iter().flat_map(|to| names.iter().map(move |name| (to.clone(), name.clone()))));
    }
    sent
}

/// Where the value of a key is sent; `None`: nowhere, as an address that no connection can use.
fn destination(layer: &Layer, key: &str) -> Option<Destination> {
    if let Some((prefix, _)) = credential_key(key) {
        return host::of_prefix(prefix).map(Destination::of_host);
    }
    if key == "registry" || key.ends_with(":registry") {
        return Destination::of_registry(layer.one(key)?);
    }
    match PROXIES.contains(&key) {
        true => Destination::of_proxy(layer.one(key)?),
        false => None,
    }
}

pub(super) fn known_hosts(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> BTreeSet<String> {
    let variable = host.environment.get("BUN_CONFIG_REGISTRY").map(String::as_str);
    let registries = [Some(default_registry()), flags.registry.as_deref(), variable].into_iter().flatten();
    let mut known: BTreeSet<String> =
        registries.filter_map(|text| Destination::of_registry(text).map(|to| to.host)).collect();
    known.extend(sources.user_prefixes.iter().filter_map(|prefix| host::of_prefix(prefix)));
    for layer in [&sources.environment, &sources.user, &sources.machine] {
        known.extend(layer.keys().filter_map(|key| destination(layer, key).map(|to| to.host)));
        let trusted = layer.all("trusted-registries").unwrap_or_default();
        let trusted = trusted.iter().flat_map(|value| value.split(','));
        known.extend(trusted.filter_map(|text| host::of_url_or_name(text.trim())));
    }
    known
}

pub(super) fn is_ci(host: &HostEnvironment) -> bool {
    host.environment.get("CI").is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// In the user's own configuration: the cache may be shared or deleted.
fn allowed_path(host: &HostEnvironment) -> Option<PathBuf> {
    let xdg = host.environment.get("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let dir = xdg.or_else(|| host.home_dir.as_ref().map(|home| home.join(".config")));
    dir.map(|dir| dir.join("rusk/trusted-registries"))
}

#[cfg(test)]
mod tests;

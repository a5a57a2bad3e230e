//! Variables of the user's environment that a project's files would send to a registry or a proxy
//! of its own: `//host/:_authToken=${TOKEN}` in a cloned repository. In: the sources. Out: nothing,
//! or an error; the user is asked once for each host and variable. Absent: hosts that the user's
//! own settings name, and the default registry: a project may use the user's token there. In a CI
//! job no user can be asked, and the project's scripts see the same variables anyway.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rusk_base::{Result, files};
use rusk_npm::credential::default_registry;
use rusk_npm::npmrc::Layer;

use super::Flags;
use super::sources::Sources;
use crate::problem;
use crate::request::HostEnvironment;

/// Of what the user allowed: a line for each, some dozens.
const ALLOWED_BYTES_MAX: u64 = 1 << 20;

/// Keys whose values are addresses that requests go to.
const PROXIES: [&str; 3] = ["proxy", "http-proxy", "https-proxy"];

/// A host with its port, and the variable that it would get.
type Sent = (String, String);

pub(super) fn check(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Result<()> {
    let sent = sent(sources);
    if sent.is_empty() || is_ci(host) {
        return Ok(());
    }
    let known = known_hosts(sources, host, flags);
    let unknown: Vec<&Sent> = sent.iter().filter(|(to, _)| !known.contains(to)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let path = allowed_path(host);
    let allowed = match &path {
        Some(path) => files::find_string(path, ALLOWED_BYTES_MAX)?.unwrap_or_default(),
        None => String::new(),
    };
    let mut added = String::new();
    for (to, name) in unknown {
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
            files::write_atomically(&path, (allowed + &added).as_bytes())
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
        sent.extend(names.iter().map(|name| (host_of(prefix), name.clone())));
    }
    sent
}

/// The host that gets the value of a key; `None`: it is not sent.
fn destination(layer: &Layer, key: &str) -> Option<String> {
    let is_address = key == "registry" || key.ends_with(":registry") || PROXIES.contains(&key);
    match key.starts_with("//") {
        true => Some(host_of(key)),
        false if is_address => layer.one(key).map(host_of),
        false => None,
    }
}

pub(super) fn known_hosts(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> BTreeSet<String> {
    let mut known = BTreeSet::from([host_of(default_registry())]);
    known.extend(flags.registry.as_deref().map(host_of));
    known.extend(host.environment.get("BUN_CONFIG_REGISTRY").map(|text| host_of(text)));
    known.extend(sources.user_prefixes.iter().map(|prefix| host_of(prefix)));
    for layer in [&sources.environment, &sources.user, &sources.machine] {
        known.extend(layer.keys().filter_map(|key| destination(layer, key)));
        let trusted = layer.all("trusted-registries").unwrap_or_default();
        known.extend(trusted.iter().flat_map(|value| value.split(',')).map(|text| host_of(text.trim())));
    }
    known
}

/// `host:port` of a URL, of `//host/path/`, or of a host alone, without credentials.
pub(super) fn host_of(text: &str) -> String {
    let rest = text.split_once("//").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A key of `.npmrc` without a path: `//host:_authToken`.
    let authority = authority.split(":_").next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default().to_lowercase()
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

//! Protects credentials from interception by a project's own configuration. A project's files may
//! name a proxy and may choose which certificates are trusted; with both, they could read every
//! request, the user's tokens included. A proxy alone can read plain HTTP. In: the sources and the
//! merged values. Out: the same without what could be intercepted.

use rusk_npm::credential::Credential;
use rusk_npm::npmrc::{Layer, credentials};
use rusk_registry::Proxies;

use super::sources::Sources;

/// Removes the credentials and proxies that the project could intercept, and returns a warning.
pub(super) fn drop_interceptable(
    sources: &Sources,
    gathered: &mut Vec<(String, Credential)>,
    proxies: &mut Proxies,
) -> Option<&'static str> {
    let own = credentials(&[&sources.project]);
    let is_own = |credential: &(String, Credential)| own.contains(credential);
    if !names_proxy(&sources.project) || gathered.iter().all(is_own) {
        return None;
    }
    proxies.http = None;
    if !configures_tls(sources) {
        return None;
    }
    gathered.retain(is_own);
    Some("the project configures both a proxy and trusted certificates: only its own credentials are used")
}

fn names_proxy(layer: &Layer) -> bool {
    let is_on = |value: &str| !matches!(value, "" | "false");
    ["proxy", "http-proxy", "https-proxy"].into_iter().any(|key| layer.one(key).is_some_and(is_on))
}

/// bunfig.toml of project and user are merged here, and count as the project's.
fn configures_tls(sources: &Sources) -> bool {
    let (project, bunfig) = (&sources.project, &sources.bunfig);
    project.truth("strict-ssl") == Some(false)
        || project.all("ca").is_some()
        || project.one("cafile").is_some()
        || bunfig.ca.is_some()
        || bunfig.cafile.is_some()
}

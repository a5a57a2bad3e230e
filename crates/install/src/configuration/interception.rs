//! The project's files as an eavesdropper: they may name a proxy, and they may say whose
//! certificates are believed. Whoever wrote both can read every request, the user's tokens
//! included; a proxy alone can read what goes over plain http. In: the sources, and what was
//! gathered from them. Out: the same without what could be overheard.

use rusk_npm::credential::Credential;
use rusk_npm::npmrc::{Layer, credentials};
use rusk_registry::Proxies;

use super::sources::Sources;

/// Takes away what the project must not listen to, and says so.
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
    if !chooses_trust(sources) {
        return None;
    }
    gathered.retain(is_own);
    Some("the project names a proxy and whose certificates to believe: only its own credentials are used")
}

fn names_proxy(layer: &Layer) -> bool {
    let is_on = |value: &str| !matches!(value, "" | "false");
    ["proxy", "http-proxy", "https-proxy"].into_iter().any(|key| layer.one(key).is_some_and(is_on))
}

/// bunfig.toml of project and user are one by now, and count as the project's.
fn chooses_trust(sources: &Sources) -> bool {
    let (project, bunfig) = (&sources.project, &sources.bunfig);
    project.truth("strict-ssl") == Some(false)
        || project.all("ca").is_some()
        || project.one("cafile").is_some()
        || bunfig.ca.is_some()
        || bunfig.cafile.is_some()
}

//! Refuses tarballs that nothing verifies: at a URL outside of their package's registry, without an
//! integrity. In: the packages to install. Out: an error that names one. Absent: tarballs that
//! package.json itself names by URL.

use rusk_base::Result;
use rusk_npm::graph::{Graph, PackageId, Source};

use crate::configuration::Configuration;
use crate::problem;
use crate::request::{InstallRequest, UnverifiedTarballs, Verify};

pub fn check(graph: &Graph, configuration: &Configuration, request: &InstallRequest) -> Result<()> {
    if request.unverified_tarballs == UnverifiedTarballs::Allowed || request.verify == Verify::Nothing {
        return Ok(());
    }
    match graph.package_ids().find(|&id| is_unverified(graph, id, configuration)) {
        None => Ok(()),
        Some(id) => {
            let Source::Npm { tarball, .. } = &graph.package(id).source else { return Ok(()) };
            Err(problem::unverified_tarball(&graph.label(id), host(tarball).unwrap_or_default()))
        }
    }
}

fn is_unverified(graph: &Graph, id: PackageId, configuration: &Configuration) -> bool {
    let package = graph.package(id);
    let Source::Npm { tarball, .. } = &package.source else { return false };
    // Another address is refused when it is fetched.
    let is_fetched = ["http://", "https://"].iter().any(|scheme| tarball.starts_with(scheme));
    if !is_fetched || host(tarball).is_none_or(str::is_empty) || package.integrity.is_some() {
        return false;
    }
    let scope = graph.package_name(id).scope();
    let of_scope = configuration.scopes.iter().find(|(own, _)| Some(own.as_str()) == scope);
    let registry = of_scope.map_or(configuration.registry.as_str(), |(_, registry)| registry);
    host(tarball) != host(registry)
}

/// The host and port of a URL, without credentials.
fn host(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?', '#']).next()?;
    Some(authority.rsplit('@').next().unwrap_or(authority))
}

#[cfg(test)]
mod tests;

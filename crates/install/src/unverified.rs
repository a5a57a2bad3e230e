//! Refuses tarballs that nothing verifies: without an integrity, at a URL outside of their
//! package's registry, or at one that no package.json of the project names. In: the packages to
//! install. Out: an error that names one.

use rusk_base::Result;
use rusk_configuration::request::{ForeignSources, InstallRequest, UnverifiedTarballs, Verify};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, PackageId, Source, Text};
use rusk_npm::host;
use rusk_npm::specifier::Specifier;
use rusk_resolver::rules::{effective_literal, of_manifest};

use crate::context::InstallContext;
use crate::problem;

pub fn check(graph: &Graph, context: &InstallContext, request: &InstallRequest) -> Result<()> {
    if request.unverified_tarballs == UnverifiedTarballs::Allowed || request.verify == Verify::Nothing {
        return Ok(());
    }
    let outside = graph.package_ids().find_map(|id| {
        let package = graph.package(id);
        let url = match &package.source {
            _ if package.integrity.is_some() => None,
            Source::Npm { tarball, .. } => {
                is_outside(tarball, context.configuration.registry_of(graph.package_name(id)))
                    .then_some(tarball)
            }
            Source::RemoteTarball { url } if request.foreign_sources == ForeignSources::Refused => {
                Some(url).filter(|url| !is_named(graph, id, url, context))
            }
            _ => None,
        };
        Some((id, host::of_url(url?)?))
    });
    outside.map_or(Ok(()), |(id, host)| Err(problem::unverified_tarball(&graph.label(id), &host)))
}

/// Whether a tarball is on another host than the registry, or is not encrypted as the registry is.
/// What is no address of an HTTP server is refused when it is fetched.
fn is_outside(tarball: &str, registry: &str) -> bool {
    let (Some(url), Some(registry)) = (host::http_url(tarball), host::http_url(registry)) else {
        return false;
    };
    let is_exposed = registry.scheme() == "https" && url.scheme() == "http";
    is_exposed || host::of(&url) != host::of(&registry)
}

/// Whether the project itself wants the package from this host, in a package.json or by an
/// override. bun.lock may bind any dependency to any package.
fn is_named(graph: &Graph, id: PackageId, url: &str, context: &InstallContext) -> bool {
    let rules = of_manifest(&context.project.members.project.manifest);
    graph.package_ids().any(|owner| {
        let is_bound = |edge: &DependencyId| graph.binding(*edge) == Some(id);
        graph.dependencies_of(owner).filter(is_bound).any(|edge| {
            project_literal(graph, owner, edge, &rules).is_some_and(|(name, literal)| {
                let wanted = Specifier::parse(&name, &literal);
                matches!(wanted, Ok(Specifier::TarballUrl(wanted)) if host::of_url(&wanted) == host::of_url(url))
            })
        })
    })
}

/// Name and specifier of a dependency that the project decides about.
fn project_literal(
    graph: &Graph,
    owner: PackageId,
    edge: DependencyId,
    rules: &Rules,
) -> Option<(String, Text)> {
    let dependency = graph.dependency(edge);
    let name = graph.name(dependency.name);
    let literal = effective_literal(rules, graph, owner, name, &dependency.literal);
    let is_local = matches!(
        graph.package(owner).source,
        Source::Root | Source::Workspace { .. } | Source::Directory { .. } | Source::Link { .. }
    );
    (is_local || literal != dependency.literal).then(|| (name.to_string(), literal))
}

#[cfg(test)]
mod tests;

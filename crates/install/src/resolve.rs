//! Versions: the project's manifests and the lockfile in, a bound graph out. No I/O of its own:
//! packuments and the manifests of local packages come from a [`MetadataSource`].
//!
//! The outcome does not depend on the order in which packuments arrive. Every dependency takes the
//! best version its range means, on its own; dependencies of the project itself see those before
//! them; peers are bound when all else is known; and what was newly chosen is then collapsed onto
//! the fewest versions. What the lockfile already settled stays as it is.

mod clean;
mod collapse;
mod decide;
mod initial;
mod non_registry;
mod peers;
mod pick;

mod release;
mod rules;

use std::collections::HashSet;
use std::sync::Arc;

use rusk_base::Result;
use rusk_npm::bun_lock::{Lockfile, Rules};
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, Release};

use crate::project::Members;

pub use initial::{Update, find_mismatch};
pub use non_registry::source_of_request;

/// Where the resolver gets what it has not been given.
pub trait MetadataSource {
    /// Says that the packument of `name` will be needed. Never waits; asking twice is free. True
    /// when it is there.
    fn request(&mut self, name: &PackageName) -> bool;

    /// The packument of a wanted name; waits for it. `None`: the registry has no such package.
    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>>;

    /// The next wanted packument to arrive, whichever it is; `None` when none is on its way.
    fn next(&mut self) -> Result<Option<PackageName>>;

    /// A version was chosen: its tarball will most likely be needed. False when it does not run
    /// here: what it alone wants is not needed either.
    fn on_version_chosen(
        &mut self,
        package: PackageId,
        name: &PackageName,
        release: &Release<'_>,
    ) -> Result<bool>;

    /// The package.json of a folder, tarball or repository, and what its place is called from now
    /// on.
    fn fetch_manifest(&mut self, source: &Source) -> Result<NonRegistryPackage>;
}

/// A package that is not in a registry.
pub struct NonRegistryPackage {
    pub manifest: Manifest,
    /// The place, with the commit or the integrity that was found there.
    pub source: Source,
    pub integrity: Option<rusk_npm::integrity::Integrity>,
    /// A `binding.gyp` lies in it: npm would build it.
    pub has_binding: bool,
}

/// What was decided.
pub struct Resolution {
    pub graph: Graph,
    pub rules: Rules,
    /// One line each, in the order of the graph.
    pub warnings: Vec<String>,
    /// For those who want to know: optional packages that were left out, and why.
    pub details: Vec<String>,
    /// What newly chosen packages ask of `node` and its like, by `name@version`.
    pub engines: Vec<(String, Pairs)>,
    /// Packuments that were looked at.
    pub packuments_used: usize,
}

/// Decides every version that the lockfile leaves open.
pub fn resolve(
    members: &Members,
    lockfile: Option<&Lockfile>,
    update: &Update,
    metadata: &mut dyn MetadataSource,
) -> Result<Resolution> {
    let initial = initial::initial_graph(members, lockfile, update)?;
    let mut resolver = decide::Resolver::new(initial, metadata);
    resolver.decide_direct()?;
    loop {
        resolver.decide_open()?;
        if !resolver.decide_peers()? {
            break;
        }
    }
    resolver.decide_unsatisfied();
    let mut resolution = resolver.finish();
    collapse::collapse(&mut resolution.graph, &resolution.rules, resolution.settled);
    let graph = clean::reachable(&resolution.graph);
    let chosen: HashSet<String> = graph.package_ids().map(|id| graph.label(id)).collect();
    let engines = resolution.engines.into_iter().filter(|(label, _)| chosen.contains(label));
    Ok(Resolution {
        graph,
        rules: resolution.rules,
        warnings: resolution.warnings,
        details: resolution.details,
        engines: engines.collect(),
        packuments_used: resolution.packuments_used,
    })
}

#[cfg(test)]
mod tests;

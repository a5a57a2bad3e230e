//! Resolver: the project's manifests and the lockfile in, a bound graph out. No I/O of its own:
//! packuments and the manifests of local packages come from a [`MetadataSource`].
//!
//! The result does not depend on the order in which packuments arrive. Every dependency takes the
//! best version in its range independently; direct dependencies of the project also see the
//! versions chosen for those before them. Peers are bound when everything else is resolved.
//! Finally, newly chosen versions are collapsed onto the fewest versions. Versions from the
//! lockfile stay.

mod clean;
mod collapse;
mod decide;
mod extensions;
pub mod hoist;
mod initial;
pub mod isolate;
pub mod linked_directories;
mod locked;
pub mod members;
pub mod migrated_settings;
mod non_registry;
mod peers;
mod pick;
pub mod problem;
mod release;
mod restored;
pub mod rules;
mod violated_peers;

use std::collections::HashSet;
use std::sync::Arc;

use rusk_base::Result;
use rusk_lockfiles::Lockfile;
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, Release};
use rusk_npm::release_age::AgeRule;
use rusk_npm::semver::Version;

use crate::members::Members;

pub use initial::{Update, bin, find_mismatch};
pub use non_registry::source_of_request;
pub use pick::{Versions, YoungVersion};
pub use violated_peers::{ViolatedPeer, violated_peers};

/// Source of packuments and manifests for the resolver.
pub trait MetadataSource {
    /// Requests the packument of `name`. Does not block; repeated requests are free. True when it
    /// is available.
    fn request(&mut self, name: &PackageName) -> bool;

    /// The packument of a requested name; waits for it. `None`: the registry has no such package.
    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>>;

    /// Drops a packument with a damaged record: the next request asks the registry. False if the
    /// registry sent it in this process, so that it cannot be better.
    fn drop_damaged(&mut self, _: &PackageName) -> bool {
        false
    }

    /// As `packument`, with an intact record of this version, if it has the version.
    fn packument_with(&mut self, name: &PackageName, version: &Version) -> Result<Option<Arc<Packument>>> {
        let packument = self.packument(name)?;
        let is_damaged = packument.as_ref().is_some_and(|packument| {
            packument.find(&version.to_string()).is_some_and(|at| packument.release(at).is_none())
        });
        if !is_damaged || !self.drop_damaged(name) {
            return Ok(packument);
        }
        self.request(name);
        self.packument(name)
    }

    /// The next requested packument to arrive; `None` when no request is open.
    fn next(&mut self) -> Result<Option<PackageName>>;

    /// A version was chosen: its tarball will most likely be needed. False when it does not support
    /// this platform: then dependencies of it alone are not needed either.
    fn on_version_chosen(
        &mut self,
        package: PackageId,
        name: &PackageName,
        release: &Release<'_>,
    ) -> Result<bool>;

    /// The minimum age of a package's versions; `None`: versions of any age are picked.
    fn age_rule(&self, _: &PackageName) -> Option<AgeRule> {
        None
    }

    /// A version was passed over because of the minimum age.
    fn on_passed_over(&mut self, _: PassedOver) {}

    /// The environment variable that credentials for a package need, if it is not set: then the
    /// registry may have the package all the same.
    fn unset_variable(&self, _: &PackageName) -> Option<String> {
        None
    }

    /// Whether packages of a registry may depend on repositories and URLs.
    fn allows_foreign_sources(&self) -> bool {
        false
    }

    /// Whether the rules are npm's: a directory that `file:` names is linked instead of copied, and
    /// what only `peerDependenciesMeta` of a release names is no peer.
    fn follows_npm(&self) -> bool {
        false
    }

    /// The package.json of a directory, tarball or repository, and its exact source.
    fn fetch_manifest(&mut self, source: &Source) -> Result<NonRegistryPackage>;
}

/// A version that would have been chosen without the minimum age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    pub name: PackageName,
    pub young: YoungVersion,
    /// The version that was chosen instead, if there is one.
    pub chosen: Option<Version>,
}

/// A package that is not in a registry.
pub struct NonRegistryPackage {
    pub manifest: Manifest,
    /// The source, with the commit or the integrity that was found.
    pub source: Source,
    pub integrity: Option<rusk_npm::integrity::Integrity>,
    /// It contains a `binding.gyp`: npm would build it.
    pub has_binding: bool,
}

/// Result of a resolution.
pub struct Resolution {
    pub graph: Graph,
    pub rules: Rules,
    /// By package of the graph: the package of the lockfile that it is.
    pub origins: Vec<Option<PackageId>>,
    /// One line each, in the order of the graph.
    pub warnings: Vec<String>,
    /// Newly chosen packages that are deprecated, by `name@version`, and why.
    pub deprecated: Vec<(String, String)>,
    /// For `--verbose`: optional packages that were left out, and why.
    pub details: Vec<String>,
    /// `engines` of newly chosen packages, by `name@version`.
    pub engines: Vec<(String, Pairs)>,
    /// Number of packuments that were used.
    pub packuments_used: usize,
}

/// Resolves every dependency that the lockfile does not resolve.
pub fn resolve(
    members: &Members,
    lockfile: Option<&Lockfile>,
    update: &Update,
    metadata: &mut dyn MetadataSource,
) -> Result<Resolution> {
    let initial = initial::initial_graph(members, lockfile, update, metadata)?;
    let locked_ids = initial.locked_ids.clone();
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
    let settled = if *update == Update::Deduplicate { 0 } else { resolution.settled };
    collapse::collapse(&mut resolution.graph, &resolution.rules, settled);
    let (graph, before) = clean::reachable(&resolution.graph);
    let origins = before.iter().map(|id| locked_ids.get(id.0 as usize).copied().flatten()).collect();
    let chosen: HashSet<String> = graph.package_ids().map(|id| graph.label(id)).collect();
    let engines = resolution.engines.into_iter().filter(|(label, _)| chosen.contains(label));
    let deprecated = resolution.deprecated.into_iter().filter(|(label, _)| chosen.contains(label));
    Ok(Resolution {
        graph,
        rules: resolution.rules,
        origins,
        warnings: resolution.warnings,
        deprecated: deprecated.collect(),
        details: resolution.details,
        engines: engines.collect(),
        packuments_used: resolution.packuments_used,
    })
}

#[cfg(test)]
mod tests;

//! Store keys of packages, and the URLs of their tarballs. A package that is verified by an
//! integrity has one key in all projects. Others have keys of their own, so that no project gets
//! what another one's settings let through.

use std::cell::OnceCell;

use rusk_configuration::Configuration;
use rusk_configuration::request::Verify;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::name::PackageName;
use rusk_store::Key;

use crate::downloads::DownloadRequest;
use crate::patches::{PatchFile, Patches};

/// What an install verifies, and the cache partition of what it does not.
#[derive(Clone, Copy, Debug)]
pub struct Verification<'a> {
    pub verify: Verify,
    pub partition: Option<&'a str>,
}

impl<'a> Verification<'a> {
    pub fn of(configuration: &'a Configuration, verify: Verify) -> Verification<'a> {
        Verification { verify, partition: configuration.cache_partition.as_deref() }
    }

    /// The integrity that the store verifies.
    fn verified(self, integrity: Option<Integrity>) -> Option<Integrity> {
        integrity.filter(|_| self.verify != Verify::Nothing)
    }

    /// What tells the bytes of a tarball apart that no integrity verifies. No integrity has this
    /// form.
    fn proof_of_unverified(self, url: &str) -> String {
        let mut proof = url.to_owned();
        if self.verify == Verify::Nothing {
            proof.push_str("\nunverified");
        }
        if let Some(partition) = self.partition {
            proof.push_str("\npartition ");
            proof.push_str(partition);
        }
        proof
    }
}

/// Download request for a registry's release.
pub fn release_request(
    name: &PackageName,
    version: &str,
    url: &str,
    integrity: Option<Integrity>,
    verification: Verification<'_>,
) -> DownloadRequest {
    let verify = verification.verify;
    let proof = match verification.verified(integrity) {
        Some(integrity) => integrity.to_string(),
        None => verification.proof_of_unverified(url),
    };
    let (integrity, identity) = match verify {
        Verify::Integrity | Verify::Signatures => (integrity, Some((name.to_string(), version.to_owned()))),
        Verify::Nothing => (None, None),
    };
    let key = Key::new(name.as_str(), version, &proof);
    DownloadRequest { key, url: url.to_owned(), integrity, identity, size_hint: None }
}

/// Download request for a package of the graph; `None` for one that is in no registry.
pub fn download_request(
    graph: &Graph,
    id: PackageId,
    configuration: &Configuration,
    verify: Verify,
) -> Option<DownloadRequest> {
    let package = graph.package(id);
    let name = graph.package_name(id);
    match &package.source {
        Source::Npm { version, tarball } => {
            let version = version.to_string();
            let url = match tarball.is_empty() {
                true => conventional_url(configuration, name, &version),
                false => tarball.to_string(),
            };
            let verification = Verification::of(configuration, verify);
            Some(release_request(name, &version, &url, package.integrity, verification))
        }
        _ => None,
    }
}

/// Store keys of the packages of one graph, each computed once.
pub struct StoreKeys<'a> {
    configuration: &'a Configuration,
    patches: &'a Patches,
    verify: Verify,
    /// By package; `None` for those in no registry.
    keys: Vec<OnceCell<Option<Key>>>,
}

impl<'a> StoreKeys<'a> {
    /// For a graph, and for clones of it.
    pub fn of(
        graph: &Graph,
        configuration: &'a Configuration,
        patches: &'a Patches,
        verify: Verify,
    ) -> StoreKeys<'a> {
        let keys = graph.package_ids().map(|_| OnceCell::new()).collect();
        StoreKeys { configuration, patches, verify, keys }
    }

    /// The patch of a package, and the key of the package without it.
    pub fn patch(&self, graph: &Graph, id: PackageId) -> Option<(&'a PatchFile, Key)> {
        let patch = self.patches.of(graph, id)?;
        Some((patch, self.original(graph, id)?.0))
    }

    /// The key of a package without its patch, and the proof in it.
    fn original(&self, graph: &Graph, id: PackageId) -> Option<(Key, String)> {
        let package = graph.package(id);
        let Source::Npm { version, .. } = &package.source else { return None };
        let verification = Verification::of(self.configuration, self.verify);
        let proof = match verification.verified(package.integrity) {
            // The key of a package with integrity does not depend on its URL.
            Some(integrity) => integrity.to_string(),
            None => {
                let url = download_request(graph, id, self.configuration, self.verify)?.url;
                verification.proof_of_unverified(&url)
            }
        };
        Some((Key::new(graph.package_name(id).as_str(), &version.to_string(), &proof), proof))
    }

    pub fn find(&self, graph: &Graph, id: PackageId) -> Option<&Key> {
        let make = || {
            let Source::Npm { version, .. } = &graph.package(id).source else { return None };
            let (key, proof) = self.original(graph, id)?;
            let (name, version) = (graph.package_name(id).as_str(), version.to_string());
            Some(self.patches.find(name, &version).map_or(key, |patch| patch.key(name, &version, &proof)))
        };
        self.keys[id.0 as usize].get_or_init(make).as_ref()
    }

    /// Identifies a package in node_modules: equal stamps mean equal files.
    pub fn stamp(&self, graph: &Graph, id: PackageId) -> String {
        match (self.find(graph, id), graph.package(id).integrity) {
            (Some(key), _) => key.dir_name().to_owned(),
            (None, Some(integrity)) => format!("{} {integrity}", graph.label(id)),
            (None, None) => graph.label(id),
        }
    }
}

/// `https://registry.test/@scope/name/-/name-1.0.0.tgz`: the conventional URL of a tarball, for a
/// release without one.
pub fn conventional_url(configuration: &Configuration, name: &PackageName, version: &str) -> String {
    let registry = configuration.registry_of(name);
    let version = version.split('+').next().unwrap_or(version);
    format!("{}/{name}/-/{}-{version}.tgz", registry.trim_end_matches('/'), name.base())
}

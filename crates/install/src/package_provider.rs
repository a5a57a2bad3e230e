//! Package provider: gives the resolver packuments from the registry and manifests from disk, and
//! requests tarballs. It holds what arrives until it is needed, and reports progress.

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use rusk_base::{Result, files};
use rusk_configuration::request::{ForeignSources, HostEnvironment};
use rusk_git::{
    FetchedCommit, RepositorySource, UnpackedTarball, from_tarball, local_tarball, lock_source, parse_lock,
};
use rusk_npm::graph::{Constraints, PackageId, Platform, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, Release};
use rusk_npm::release_age::{AgeRule, ReleaseAge};
use rusk_npm::semver::Version;
use rusk_npm::specifier::{Committish, jsr};
use rusk_registry::{Arrival, Body, Client, Delivery};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_resolver::{MetadataSource, NonRegistryPackage, PassedOver};
use rusk_store::Package;

use crate::downloads::{DownloadRequest, Downloads};
use crate::engines::NodeVersion;
use crate::event::{InstallEvent, Reporter};
use crate::problem;
use crate::store_keys::{self, Verification};

/// Whether tarballs are requested as soon as their version is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefetch {
    /// For packages of this platform.
    Tarballs(Platform),
    Off,
}

pub struct PackageProvider<'a> {
    pub client: &'a Client,
    pub downloads: Downloads<'a>,
    pub reporter: &'a mut dyn Reporter,
    pub node: NodeVersion<'a>,
    prefetch: Prefetch,
    project: &'a Path,
    verification: Verification<'a>,
    requested: HashSet<PackageName>,
    /// Arrived after a request, and not yet returned by `next`.
    arrived: VecDeque<PackageName>,
    /// Not dropped: a thousand `munmap` calls before the process ends would be wasted.
    packuments: ManuallyDrop<HashMap<PackageName, Option<Arc<Packument>>>>,
    failed: HashMap<PackageName, rusk_base::Problem>,
    /// Requested once more in full, for their publish times.
    requested_in_full: HashSet<PackageName>,
    release_age: Option<&'a ReleaseAge>,
    /// Versions that may be younger, by package.
    admitted: HashMap<PackageName, Vec<Version>>,
    passed_over: Vec<PassedOver>,
    foreign_sources: ForeignSources,
    follows_npm: bool,
    cache_dir: &'a Path,
    host: &'a HostEnvironment,
    /// The tarball that is awaited outside of `downloads`.
    direct_tarball: Option<Result<Body>>,
    direct_tarball_count: u32,
}

/// Ids from here on are those of tarballs outside of `downloads`.
const DIRECT_ID_FIRST: u32 = 1 << 31;

/// What a package provider works with.
#[derive(Clone, Copy)]
pub struct ProviderContext<'a> {
    pub client: &'a Client,
    pub project: &'a Path,
    pub cache_dir: &'a Path,
    pub host: &'a HostEnvironment,
    pub release_age: Option<&'a ReleaseAge>,
    pub foreign_sources: ForeignSources,
    /// As [`MetadataSource::follows_npm`].
    pub follows_npm: bool,
}

impl<'a> PackageProvider<'a> {
    pub fn new(
        context: ProviderContext<'a>,
        downloads: Downloads<'a>,
        reporter: &'a mut dyn Reporter,
        prefetch: Prefetch,
        verification: Verification<'a>,
    ) -> PackageProvider<'a> {
        PackageProvider {
            client: context.client,
            project: context.project,
            cache_dir: context.cache_dir,
            host: context.host,
            downloads,
            reporter,
            node: NodeVersion::new(context.host, context.cache_dir),
            prefetch,
            verification,
            requested: HashSet::new(),
            arrived: VecDeque::new(),
            packuments: ManuallyDrop::default(),
            failed: HashMap::new(),
            requested_in_full: HashSet::new(),
            release_age: context.release_age,
            admitted: HashMap::new(),
            passed_over: Vec::new(),
            foreign_sources: context.foreign_sources,
            follows_npm: context.follows_npm,
            direct_tarball: None,
            direct_tarball_count: 0,
        }
    }

    /// package.json of a directory, relative to the project.
    pub fn directory_manifest(&self, path: &str) -> Result<String> {
        let file = self.project.join(path).join(MANIFEST_NAME);
        let text = files::find_string(&file, MANIFEST_BYTES_MAX as u64)?;
        text.ok_or_else(|| problem::no_local_package(path))
    }

    /// An absolute path of text, relative to the project.
    fn relative(&self, path: &str) -> String {
        let found = std::fs::canonicalize(path).ok();
        let found = found.map(|dir| files::relative(self.project, &dir));
        found.and_then(|dir| dir.into_os_string().into_string().ok()).unwrap_or_else(|| path.to_owned())
    }

    /// Waits for one response of any kind. False when no request is open.
    fn receive(&mut self) -> Result<bool> {
        match self.client.next() {
            None => return Ok(false),
            Some(Arrival::Packument { name, result }) => {
                if self.record_packument(&name, result) {
                    self.arrived.push_back(name);
                }
            }
            Some(Arrival::Tarball { id, result }) if id >= DIRECT_ID_FIRST => {
                self.direct_tarball = Some(result)
            }
            Some(Arrival::Tarball { id, result }) => {
                self.downloads.on_tarball(id, result)?;
                self.show_downloads();
            }
            Some(Arrival::DownloadStarted { id, download }) => {
                self.downloads.on_stream_start(id, download)?
            }
            Some(Arrival::DownloadEnded { .. }) => {
                self.downloads.on_stream_end()?;
                self.show_downloads();
            }
            Some(Arrival::Note { text }) => self.reporter.on_event(InstallEvent::Detail(&text)),
            Some(Arrival::Waiting { subject, waited }) => {
                self.reporter.on_event(InstallEvent::Waiting { subject: &subject, waited });
            }
        }
        Ok(true)
    }

    /// False when the document was requested once more: with a minimum age, publish times decide,
    /// and the abbreviated document of a package that changed recently lacks them.
    fn record_packument(&mut self, name: &PackageName, result: Result<Option<Arc<Packument>>>) -> bool {
        let rule = self.age_rule(name);
        let result = match result {
            Ok(Some(packument)) if rule.is_some_and(|rule| rule.needs_times(&packument)) => {
                match self.requested_in_full.insert(name.clone()) {
                    true => match self.client.request_full_packument(name) {
                        Ok(()) => return false,
                        Err(problem) => Err(problem),
                    },
                    false => Ok(Some(packument)),
                }
            }
            result => result,
        };
        match result {
            Ok(packument) => self.packuments.insert(name.clone(), packument).map_or((), drop),
            Err(problem) => self.failed.insert(name.clone(), problem).map_or((), drop),
        }
        let done = self.packuments.len() + self.failed.len();
        self.reporter.on_event(InstallEvent::Resolving { done, total: self.requested.len() });
        true
    }

    /// Packages whose registry does not say when their versions were published.
    pub fn without_publish_times(&self) -> Vec<&str> {
        let lacks_times = |name: &&PackageName| {
            let packument = self.packuments.get(*name).and_then(Option::as_ref);
            packument.is_some_and(|packument| !packument.has_publish_times())
        };
        let mut names: Vec<&str> =
            self.requested_in_full.iter().filter(lacks_times).map(PackageName::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The versions that the minimum age kept from being chosen since the last call.
    pub fn take_passed_over(&mut self) -> Vec<PassedOver> {
        std::mem::take(&mut self.passed_over)
    }

    /// Exempts a version from the minimum age.
    pub fn admit(&mut self, name: &PackageName, version: Version) {
        self.admitted.entry(name.clone()).or_default().push(version);
    }

    /// A packument that has arrived.
    pub fn find_packument(&self, name: &PackageName) -> Option<&Packument> {
        self.packuments.get(name)?.as_deref()
    }

    /// Fetches packuments once more in full, for their publish times, and waits for them.
    pub fn fetch_in_full(&mut self, names: &[PackageName]) -> Result<()> {
        let mut awaited: HashSet<&PackageName> = HashSet::new();
        for name in names {
            if self.requested_in_full.insert(name.clone()) {
                self.client.request_full_packument(name)?;
                awaited.insert(name);
            }
        }
        while !awaited.is_empty() {
            let Some(name) = self.next()? else { break };
            awaited.remove(&name);
            if let Some(problem) = self.failed.remove(&name) {
                return Err(problem);
            }
        }
        Ok(())
    }

    /// Finds a package that is in no registry in the store; fetches it when it is missing.
    pub fn fetch_package(
        &mut self,
        name: &PackageName,
        source: &Source,
        integrity: Option<Integrity>,
    ) -> Result<Package> {
        match source {
            Source::Git { .. } | Source::Github { .. } => {
                let git_source = parse_lock(&source.text())?;
                if let Committish::Reference(commit) = &git_source.committish
                    && let Some(package) =
                        self.downloads.store().find(&rusk_git::key(name.as_str(), &git_source, commit))?
                {
                    return Ok(package);
                }
                Ok(self.fetch_commit(&git_source)?.package)
            }
            _ => {
                if let Some(integrity) = &integrity {
                    let key = rusk_git::tarball::key(name.as_str(), &source.text(), &integrity.to_string());
                    if let Some(package) = self.downloads.store().find(&key)? {
                        return Ok(package);
                    }
                }
                Ok(self.unpack_tarball(source, integrity.as_ref())?.package)
            }
        }
    }

    fn fetch_commit(&self, source: &RepositorySource) -> Result<FetchedCommit> {
        rusk_git::fetch(source, self.cache_dir, &self.host.environment, self.downloads.store())
    }

    /// Unpacks a tarball from disk or from a URL into the store.
    fn unpack_tarball(&mut self, source: &Source, expected: Option<&Integrity>) -> Result<UnpackedTarball> {
        let label = source.text();
        match source {
            Source::LocalTarball { path } => {
                let bytes = local_tarball(&self.project.join(&**path))?;
                from_tarball(&bytes, &label, expected, self.downloads.store())
            }
            _ => {
                let body = self.fetch_bytes(&label)?;
                from_tarball(&body, &label, expected, self.downloads.store())
            }
        }
    }

    /// Fetches a URL with unknown contents.
    fn fetch_bytes(&mut self, url: &str) -> Result<Body> {
        let id = DIRECT_ID_FIRST + self.direct_tarball_count;
        self.direct_tarball_count += 1;
        self.client.request_tarball(id, url, None, Delivery::Whole);
        while self.direct_tarball.is_none() && self.receive()? {}
        self.direct_tarball.take().unwrap_or_else(|| Err(problem::tarball_missing(url)))
    }

    fn show_downloads(&mut self) {
        let tally = self.downloads.tally();
        let (done, total, bytes) = (tally.received, tally.requested, tally.bytes);
        self.reporter.on_event(InstallEvent::Downloading { done, total, bytes });
    }

    /// Waits until every tarball has arrived.
    pub fn receive_tarballs(&mut self) -> Result<()> {
        while !self.downloads.is_complete() && self.receive()? {}
        Ok(())
    }

    /// False when the release does not support this platform.
    fn prefetch_tarball(&mut self, name: &PackageName, release: &Release<'_>) -> Result<bool> {
        let Prefetch::Tarballs(platform) = &self.prefetch else { return Ok(true) };
        if !Constraints::of(&release.os, &release.cpu, &release.libc).admits(platform) {
            return Ok(false);
        }
        let integrity = release.integrity.and_then(Integrity::parse);
        let integrity = integrity.or_else(|| release.shasum.and_then(Integrity::from_shasum));
        // Without a URL, the conventional one is tried after resolution.
        let Some(url) = release.tarball.filter(|url| !url.is_empty()) else { return Ok(true) };
        let download = store_keys::release_request(name, release.version, url, integrity, self.verification);
        self.downloads
            .prefetch(self.client, DownloadRequest { size_hint: release.unpacked_bytes, ..download })?;
        Ok(true)
    }
}

impl MetadataSource for PackageProvider<'_> {
    fn unset_variable(&self, name: &PackageName) -> Option<String> {
        self.client.unset_variable(name)
    }

    fn follows_npm(&self) -> bool {
        self.follows_npm
    }

    fn allows_foreign_sources(&self) -> bool {
        self.foreign_sources == ForeignSources::Allowed
    }

    fn request(&mut self, name: &PackageName) -> bool {
        // The default registry is not asked: there, the name could be anybody's.
        if name.scope() == Some(jsr::SCOPE) && !self.client.has_registry(jsr::SCOPE) {
            self.failed.insert(name.clone(), problem::no_jsr_registry(name));
            return true;
        }
        if self.requested.insert(name.clone())
            && let Some(result) = self.client.request_packument(name)
        {
            return self.record_packument(name, result);
        }
        self.packuments.contains_key(name) || self.failed.contains_key(name)
    }

    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>> {
        loop {
            if let Some(packument) = self.packuments.get(name) {
                return Ok(packument.clone());
            }
            if let Some(problem) = self.failed.remove(name) {
                return Err(problem);
            }
            if !self.receive()? {
                return Err(rusk_resolver::problem::nothing_arrives(name));
            }
        }
    }

    fn drop_damaged(&mut self, name: &PackageName) -> bool {
        let is_first = self.client.pass_over_cache(name);
        if is_first {
            let text = format!("the cached packument of `{name}` is damaged, and fetched again");
            self.reporter.on_event(InstallEvent::Detail(&text));
            self.packuments.remove(name);
            self.requested.remove(name);
        }
        is_first
    }

    fn next(&mut self) -> Result<Option<PackageName>> {
        loop {
            if let Some(name) = self.arrived.pop_front() {
                return Ok(Some(name));
            }
            if !self.receive()? {
                return Ok(None);
            }
        }
    }

    fn on_version_chosen(&mut self, _: PackageId, name: &PackageName, release: &Release<'_>) -> Result<bool> {
        self.node.start_query(&release.engines);
        self.prefetch_tarball(name, release)
    }

    fn age_rule(&self, name: &PackageName) -> Option<AgeRule> {
        let rule = self.release_age?.rule_for(name.as_str())?;
        Some(match self.admitted.get(name) {
            Some(versions) => rule.exempting(versions),
            None => rule,
        })
    }

    fn on_passed_over(&mut self, passed_over: PassedOver) {
        self.passed_over.push(passed_over);
    }

    fn fetch_manifest(&mut self, source: &Source) -> Result<NonRegistryPackage> {
        match source {
            Source::Directory { path } | Source::Link { path } => {
                let text = self.directory_manifest(path)?;
                let has_binding = files::exists(&self.project.join(&**path).join("binding.gyp"));
                let source = match source {
                    // package-lock.json has no absolute paths.
                    Source::Link { path } if self.follows_npm && path.starts_with('/') => {
                        Source::Link { path: self.relative(path).into() }
                    }
                    source => source.clone(),
                };
                Ok(NonRegistryPackage {
                    manifest: Manifest::parse(&text)?,
                    source,
                    integrity: None,
                    has_binding,
                })
            }
            Source::Git { .. } | Source::Github { .. } => {
                let git_source = parse_lock(&source.text())?;
                let found = self.fetch_commit(&git_source)?;
                let source = lock_source(&git_source, &found.commit);
                let has_binding = found.package.index.manifest.scripts.binding_gyp;
                let manifest = with_name(&found.manifest_text, found.name)?;
                Ok(NonRegistryPackage { manifest, source, integrity: None, has_binding })
            }
            Source::LocalTarball { .. } | Source::RemoteTarball { .. } => {
                let found = self.unpack_tarball(source, None)?;
                let integrity = Some(found.integrity);
                let manifest = with_name(&found.manifest_text, found.name)?;
                let has_binding = found.package.index.manifest.scripts.binding_gyp;
                Ok(NonRegistryPackage { manifest, source: source.clone(), integrity, has_binding })
            }
            Source::Root | Source::Workspace { .. } | Source::Npm { .. } => {
                unreachable!("members and releases have no manifest to fetch")
            }
        }
    }
}

/// A manifest, with the name that was made up for one without a name.
fn with_name(text: &str, name: String) -> Result<Manifest> {
    let mut manifest = Manifest::parse(text)?;
    manifest.name = Some(name);
    Ok(manifest)
}

//! Where the resolver is served: packuments and tarballs from the registry, manifests from disk. It
//! keeps what arrives until it is asked for, and tells the watcher how far things are.

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use rusk_base::{Result, files};
use rusk_npm::graph::{Constraints, PackageId, Platform, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, Release};
use rusk_npm::specifier::Committish;
use rusk_registry::{Arrival, Body, Client, Delivery};
use rusk_store::Package;

use crate::downloads::{Downloads, Order};
use crate::engines::Node;
use crate::event::{Event, Events};
use crate::problem;
use crate::project::MANIFEST_NAME;
use crate::repository::{self, FoundTarball, from_tarball, local_tarball, lock_source, parse_lock};
use crate::request::{Host, Verify};
use crate::resolve::{Market, Visit};
use crate::source;

/// Whether tarballs are fetched as soon as their version is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// For packages that run here.
    Tarballs(Platform),
    Nothing,
}

pub struct Shop<'a> {
    pub client: &'a Client,
    pub downloads: Downloads<'a>,
    pub events: &'a mut dyn Events,
    pub node: Node<'a>,
    ahead: Ahead,
    project: &'a Path,
    verify: Verify,
    wanted: HashSet<PackageName>,
    /// Arrived after it was asked for, and not yet announced by `next`.
    fresh: VecDeque<PackageName>,
    /// Unmapped by the end of the process: a thousand calls earlier would do no good.
    packuments: ManuallyDrop<HashMap<PackageName, Option<Arc<Packument>>>>,
    refused: HashMap<PackageName, rusk_base::Problem>,
    cache_dir: &'a Path,
    host: &'a Host,
    /// The one tarball that is waited for outside the downloads.
    loose: Option<Result<Body>>,
    loose_count: u32,
}

/// Ids from here on are those of tarballs outside the downloads.
const LOOSE_FIRST: u32 = 1 << 31;

/// Where a shop stands.
#[derive(Clone, Copy)]
pub struct Premises<'a> {
    pub client: &'a Client,
    pub project: &'a Path,
    pub cache_dir: &'a Path,
    pub host: &'a Host,
}

impl<'a> Shop<'a> {
    pub fn new(
        premises: Premises<'a>,
        downloads: Downloads<'a>,
        events: &'a mut dyn Events,
        ahead: Ahead,
        verify: Verify,
    ) -> Shop<'a> {
        Shop {
            client: premises.client,
            project: premises.project,
            cache_dir: premises.cache_dir,
            host: premises.host,
            downloads,
            events,
            node: Node::new(premises.host, premises.cache_dir),
            ahead,
            verify,
            wanted: HashSet::new(),
            fresh: VecDeque::new(),
            packuments: ManuallyDrop::default(),
            refused: HashMap::new(),
            loose: None,
            loose_count: 0,
        }
    }

    /// Waits for one arrival of any kind. False when nothing is on its way.
    fn receive(&mut self) -> Result<bool> {
        match self.client.next() {
            None => return Ok(false),
            Some(Arrival::Packument { name, result }) => {
                self.keep(&name, result);
                self.fresh.push_back(name);
            }
            Some(Arrival::Tarball { id, result }) if id >= LOOSE_FIRST => self.loose = Some(result),
            Some(Arrival::Tarball { id, result }) => {
                self.downloads.arrived(id, result)?;
                self.show_downloads();
            }
            Some(Arrival::Begun { id, download }) => self.downloads.begun(id, download)?,
            Some(Arrival::Ended { .. }) => {
                self.downloads.ended()?;
                self.show_downloads();
            }
            Some(Arrival::Note { text }) => self.events.event(Event::Detail(&text)),
            Some(Arrival::Waiting { subject, waited }) => {
                self.events.event(Event::Waiting { subject: &subject, waited });
            }
        }
        Ok(true)
    }

    fn keep(&mut self, name: &PackageName, result: Result<Option<Arc<Packument>>>) {
        match result {
            Ok(packument) => self.packuments.insert(name.clone(), packument).map_or((), drop),
            Err(problem) => self.refused.insert(name.clone(), problem).map_or((), drop),
        }
        let done = self.packuments.len() + self.refused.len();
        self.events.event(Event::Resolving { done, total: self.wanted.len() });
    }

    /// A package that is in no registry, in the store; fetched when it is not there yet.
    pub fn bring(
        &mut self,
        name: &PackageName,
        source: &Source,
        integrity: Option<Integrity>,
    ) -> Result<Package> {
        match source {
            Source::Git { .. } | Source::Github { .. } => {
                let wanted = parse_lock(&source.text())?;
                if let Committish::Reference(commit) = &wanted.committish
                    && let Some(package) =
                        self.downloads.store().find(&repository::key(name.as_str(), &wanted, commit))?
                {
                    return Ok(package);
                }
                let found = repository::fetch(&wanted, self.cache_dir, self.host, self.downloads.store())?;
                Ok(found.package)
            }
            _ => {
                if let Some(integrity) = &integrity {
                    let key = repository::tarball::key(name.as_str(), &source.text(), &integrity.to_string());
                    if let Some(package) = self.downloads.store().find(&key)? {
                        return Ok(package);
                    }
                }
                Ok(self.unpack(source, integrity.as_ref())?.package)
            }
        }
    }

    /// A tarball from disk or from an address, in the store.
    fn unpack(&mut self, source: &Source, expected: Option<&Integrity>) -> Result<FoundTarball> {
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

    /// The bytes behind an address, of which nothing is known beforehand.
    fn fetch_bytes(&mut self, url: &str) -> Result<Body> {
        let id = LOOSE_FIRST + self.loose_count;
        self.loose_count += 1;
        self.client.want_tarball(id, url, None, Delivery::Whole);
        while self.loose.is_none() && self.receive()? {}
        self.loose.take().unwrap_or_else(|| Err(problem::tarball_missing(url)))
    }

    fn show_downloads(&mut self) {
        let tally = self.downloads.tally();
        let (done, total, bytes) = (tally.arrived, tally.ordered, tally.bytes);
        self.events.event(Event::Downloading { done, total, bytes });
    }

    /// Waits until every tarball is there.
    pub fn receive_tarballs(&mut self) -> Result<()> {
        while !self.downloads.is_complete() && self.receive()? {}
        Ok(())
    }

    /// False when it does not run here.
    fn fetch_ahead(&mut self, name: &PackageName, release: &Release<'_>) -> Result<bool> {
        let Ahead::Tarballs(platform) = &self.ahead else { return Ok(true) };
        if !Constraints::of(&release.os, &release.cpu, &release.libc).admits(platform) {
            return Ok(false);
        }
        let integrity = release.integrity.and_then(Integrity::parse);
        let integrity = integrity.or_else(|| release.shasum.and_then(Integrity::from_shasum));
        // Without an address, the place where registries keep tarballs is tried, once all is
        // decided.
        let Some(url) = release.tarball.filter(|url| !url.is_empty()) else { return Ok(true) };
        let order = source::release_order(name, release.version, url, integrity, self.verify);
        self.downloads.order(self.client, Order { size_hint: release.unpacked_bytes, ..order })?;
        Ok(true)
    }
}

impl Market for Shop<'_> {
    fn want(&mut self, name: &PackageName) -> bool {
        if self.wanted.insert(name.clone())
            && let Some(result) = self.client.want_packument(name)
        {
            self.keep(name, result);
            return true;
        }
        self.packuments.contains_key(name) || self.refused.contains_key(name)
    }

    fn packument(&mut self, name: &PackageName) -> Result<Option<Arc<Packument>>> {
        loop {
            if let Some(packument) = self.packuments.get(name) {
                return Ok(packument.clone());
            }
            if let Some(problem) = self.refused.remove(name) {
                return Err(problem);
            }
            if !self.receive()? {
                return Err(problem::nothing_arrives(name));
            }
        }
    }

    fn next(&mut self) -> Result<Option<PackageName>> {
        loop {
            if let Some(name) = self.fresh.pop_front() {
                return Ok(Some(name));
            }
            if !self.receive()? {
                return Ok(None);
            }
        }
    }

    fn chosen(&mut self, _: PackageId, name: &PackageName, release: &Release<'_>) -> Result<bool> {
        self.node.ask_for(&release.engines);
        self.fetch_ahead(name, release)
    }

    fn visit(&mut self, place: &Source) -> Result<Visit> {
        match place {
            Source::Folder { path } | Source::Link { path } => {
                let file = self.project.join(&**path).join(MANIFEST_NAME);
                let text = files::find_string(&file, MANIFEST_BYTES_MAX as u64)?;
                let text = text.ok_or_else(|| problem::no_local_package(path))?;
                let has_binding = files::exists(&self.project.join(&**path).join("binding.gyp"));
                let source = place.clone();
                Ok(Visit { manifest: Manifest::parse(&text)?, source, integrity: None, has_binding })
            }
            Source::Git { .. } | Source::Github { .. } => {
                let wanted = parse_lock(&place.text())?;
                let found = repository::fetch(&wanted, self.cache_dir, self.host, self.downloads.store())?;
                let source = lock_source(&wanted, &found.commit);
                let has_binding = found.package.index.manifest.scripts.binding_gyp;
                let manifest = named(&found.manifest_text, found.name)?;
                Ok(Visit { manifest, source, integrity: None, has_binding })
            }
            Source::LocalTarball { .. } | Source::RemoteTarball { .. } => {
                let found = self.unpack(place, None)?;
                let integrity = Some(found.integrity);
                let manifest = named(&found.manifest_text, found.name)?;
                let has_binding = found.package.index.manifest.scripts.binding_gyp;
                Ok(Visit { manifest, source: place.clone(), integrity, has_binding })
            }
            Source::Root | Source::Workspace { .. } | Source::Npm { .. } => {
                unreachable!("members and releases are not visited")
            }
        }
    }
}

/// A manifest, with the name that was made up for one that has none.
fn named(text: &str, name: String) -> Result<Manifest> {
    let mut manifest = Manifest::parse(text)?;
    manifest.name = Some(name);
    Ok(manifest)
}

//! Resolves dependencies one by one: which package satisfies each, in an order that does not depend
//! on arrival. `lookup` finds the candidates.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use rusk_base::{Problem, Result};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, NameId, PackageId, Role, Source, VERSIONS_MAX};
use rusk_npm::manifest::Pairs;
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, VersionId};
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use super::initial::{InitialGraph, Update};
use super::peers::PeerBindings;
use super::pick::Versions;
use super::rules::{self, effective_literal};
use super::{MetadataSource, extensions, release};
use crate::members::{MemberLinkRule, PeerRule};
use crate::problem;

mod lookup;

/// State of a resolution.
pub struct Resolver<'m> {
    pub(super) graph: Graph,
    pub(super) rules: Rules,
    pub(super) settled: u32,
    /// Packages below this id existed when the direct dependencies of the project were resolved; 0
    /// before that.
    direct: u32,
    pub(super) importers: Vec<PackageId>,
    link_rule: MemberLinkRule,
    pub(super) peer_rule: PeerRule,
    aliases: Vec<Alias>,
    /// Chosen for a direct dependency that names one version, or has another name.
    pinned: IdSet<PackageId>,
    update: Update,
    pub(super) metadata: &'m mut dyn MetadataSource,
    /// Packuments that have arrived; `None` for a name that the registry does not know.
    packuments: HashMap<PackageName, Option<CachedPackument>>,
    /// Packages that are in no registry, by the requested source.
    non_registry: HashMap<Source, PackageId>,
    /// Dependencies to look up.
    queue: VecDeque<DependencyId>,
    /// Dependencies that wait for a packument.
    waiting: HashMap<PackageName, Vec<DependencyId>>,
    /// Packages whose dependencies have been queued.
    queued_packages: IdSet<PackageId>,
    pub(super) owners: Owners,
    /// Optional dependencies and peers that no package satisfies.
    pub(super) unresolved: IdSet<DependencyId>,
    /// Peers whose range contains no version.
    pub(super) unsatisfied: Vec<(DependencyId, PackageName)>,
    pub(super) peers: PeerBindings,
    /// Packages that are not prefetched: they are bundled, do not support this platform, or may
    /// still be replaced by other versions.
    deferred: IdSet<PackageId>,
    /// By the dependency's position in the graph, so that their order does not depend on arrival.
    warnings: BTreeMap<(String, String), String>,
    /// Reasons, by `name@version`.
    deprecated: BTreeMap<String, String>,
    details: Vec<String>,
    engines: Vec<(String, Pairs)>,
}

/// A packument and its versions, parsed.
pub(super) struct CachedPackument {
    pub packument: Arc<Packument>,
    pub versions: Versions,
}

/// A direct dependency under another name: `"left": "npm:right@^1.0.0"`.
struct Alias {
    id: DependencyId,
    name: NameId,
    range: Range,
}

/// Which package declares a dependency, and the first dependent of a package.
#[derive(Default)]
pub(super) struct Owners {
    declares: IdMap<DependencyId, PackageId>,
    first: IdMap<PackageId, PackageId>,
}

impl Owners {
    pub fn declaring(&self, id: DependencyId) -> PackageId {
        self.declares[&id]
    }
}

/// State at the end of a resolution.
pub struct ResolverOutput {
    pub graph: Graph,
    pub rules: Rules,
    /// Packages below this id are the project's own, the lockfile's, or direct dependencies.
    pub settled: u32,
    pub warnings: Vec<String>,
    pub deprecated: BTreeMap<String, String>,
    pub details: Vec<String>,
    pub engines: Vec<(String, Pairs)>,
    pub packuments_used: usize,
}

/// Result of looking a dependency up.
enum DependencyLookup {
    Package(PackageId),
    /// The packument of this name is needed first.
    NeedsPackument(PackageName),
    Unresolvable,
}

impl<'m> Resolver<'m> {
    pub fn new(initial: InitialGraph, metadata: &'m mut dyn MetadataSource) -> Resolver<'m> {
        Resolver {
            graph: initial.graph,
            rules: initial.rules,
            settled: initial.settled,
            direct: 0,
            importers: initial.importers,
            link_rule: initial.link_rule,
            peer_rule: initial.peer_rule,
            aliases: Vec::new(),
            pinned: IdSet::default(),
            update: initial.update,
            metadata,
            packuments: HashMap::new(),
            non_registry: HashMap::new(),
            queue: VecDeque::new(),
            waiting: HashMap::new(),
            queued_packages: IdSet::default(),
            owners: Owners::default(),
            unresolved: initial.absent.into_iter().collect(),
            unsatisfied: Vec::new(),
            peers: PeerBindings::default(),
            deferred: IdSet::default(),
            warnings: BTreeMap::new(),
            deprecated: BTreeMap::new(),
            details: Vec::new(),
            engines: Vec::new(),
        }
    }

    pub fn finish(self) -> ResolverOutput {
        ResolverOutput {
            graph: self.graph,
            rules: self.rules,
            settled: self.direct,
            warnings: self.warnings.into_values().collect(),
            deprecated: self.deprecated,
            details: self.details,
            engines: self.engines,
            packuments_used: self.packuments.len(),
        }
    }

    /// Resolves the direct dependencies of the project and its members, in order: each sees the
    /// versions chosen for those before it. Packuments for all of them are requested first.
    pub fn decide_direct(&mut self) -> Result<()> {
        for importer in self.importers.clone() {
            self.queue_dependencies(importer);
        }
        self.aliases = self.find_aliases();
        let direct: Vec<DependencyId> = self.queue.drain(..).collect();
        for &id in &direct {
            // An error is reported when the dependency is resolved, where an optional one may still
            // be skipped.
            if let Ok(DependencyLookup::NeedsPackument(name)) =
                self.specifier(id).and_then(|specifier| self.lookup(id, &specifier))
            {
                self.metadata.request(&name);
            }
        }
        for &id in &direct {
            while let DependencyLookup::NeedsPackument(name) = self.decide(id)? {
                self.receive_packument(&name, id)?;
            }
            let pins = self.specifier(id).is_ok_and(|specifier| lookup::pins(&specifier));
            self.pinned.extend(self.graph.binding(id).filter(|_| pins));
        }
        self.direct = u32::try_from(self.graph.len()).expect("ids are 32 bits");
        Ok(())
    }

    /// Resolves everything else but peers, in the order in which packuments arrive: no decision
    /// here depends on another.
    pub fn decide_open(&mut self) -> Result<()> {
        loop {
            while let Some(id) = self.queue.pop_front() {
                if let DependencyLookup::NeedsPackument(name) = self.decide(id)? {
                    self.waiting.entry(name).or_default().push(id);
                }
            }
            if self.waiting.is_empty() {
                return Ok(());
            }
            let Some(name) = self.metadata.next()? else {
                let name = self.waiting.keys().next().expect("not empty").clone();
                return Err(problem::nothing_arrives(&name));
            };
            let dependents = self.waiting.remove(&name).unwrap_or_default();
            match dependents.first() {
                Some(&first) => self.receive_packument(&name, first)?,
                None => {
                    let packument = self.metadata.packument(&name)?;
                    self.cache_packument(name, packument);
                }
            }
            self.queue.extend(dependents);
        }
    }

    fn cache_packument(&mut self, name: PackageName, packument: Option<Arc<Packument>>) {
        let age = self.metadata.age_rule(&name);
        let cached = packument.map(|packument| CachedPackument {
            versions: Versions::of(Arc::clone(&packument), age),
            packument,
        });
        self.packuments.insert(name, cached);
    }

    /// Waits for a packument, which `id` needs.
    fn receive_packument(&mut self, name: &PackageName, id: DependencyId) -> Result<()> {
        let packument = self.metadata.packument(name);
        let packument = packument.map_err(|problem| problem.note(self.required_by(id)))?;
        self.cache_packument(name.clone(), packument);
        Ok(())
    }

    pub(super) fn cached_packument(
        &mut self,
        name: &PackageName,
        id: DependencyId,
    ) -> Result<Option<&CachedPackument>> {
        if !self.packuments.contains_key(name) {
            self.metadata.request(name);
            self.receive_packument(name, id)?;
        }
        Ok(self.packuments[name].as_ref())
    }

    /// Queues a package's dependencies, once; peers wait until the others are resolved.
    pub(super) fn queue_dependencies(&mut self, package: PackageId) {
        if !self.queued_packages.insert(package) {
            return;
        }
        for id in self.graph.dependencies_of(package) {
            self.owners.declares.insert(id, package);
            let bound = self.graph.binding(id);
            let role = self.graph.dependency(id).role;
            match bound {
                Some(bound) => self.reach(package, bound),
                None if role.is_peer() || self.unresolved.contains(&id) => {}
                None => self.queue.push_back(id),
            }
        }
    }

    pub(super) fn reach(&mut self, from: PackageId, package: PackageId) {
        self.owners.first.entry(package).or_insert(from);
        self.queue_dependencies(package);
    }

    /// Resolves a dependency as far as possible now.
    fn decide(&mut self, id: DependencyId) -> Result<DependencyLookup> {
        let specifier = match self.specifier(id) {
            Ok(specifier) => specifier,
            Err(problem) => return self.mark_unresolved(id, problem),
        };
        loop {
            let answer = match self.lookup(id, &specifier) {
                Ok(answer) => answer,
                Err(problem) => return self.mark_unresolved(id, problem),
            };
            match &answer {
                DependencyLookup::NeedsPackument(name) if self.metadata.request(name) => {
                    self.receive_packument(name, id)?;
                    continue;
                }
                DependencyLookup::Package(package) => {
                    self.graph.bind(id, Some(*package));
                    self.reach(self.owners.declares[&id], *package);
                }
                DependencyLookup::Unresolvable => drop(self.unresolved.insert(id)),
                DependencyLookup::NeedsPackument(_) => {}
            }
            return Ok(answer);
        }
    }

    fn mark_unresolved(&mut self, id: DependencyId, problem: Problem) -> Result<DependencyLookup> {
        self.fail_or_skip(id, problem)?;
        self.unresolved.insert(id);
        Ok(DependencyLookup::Unresolvable)
    }

    /// An error ends the install unless the dependency is optional.
    pub(super) fn fail_or_skip(&mut self, id: DependencyId, problem: Problem) -> Result<()> {
        match self.graph.dependency(id).role {
            // As bun warns: a name that is not registered may be taken by anyone later.
            Role::Optional => {
                let text = format!("{}: it is optional, and left out", problem.message());
                self.warn(id, text);
                self.details.push(self.required_by(id));
                Ok(())
            }
            Role::OptionalPeer => {
                self.details.push(format!("{}: {}", self.required_by(id), problem.message()));
                Ok(())
            }
            _ => Err(problem.note(self.required_by(id))),
        }
    }

    pub(super) fn warn(&mut self, id: DependencyId, text: String) {
        let name = self.graph.name(self.graph.dependency(id).name).to_string();
        self.warnings.insert((name, self.required_by(id)), text);
    }

    /// `wanted by app > ui > left`
    pub(super) fn required_by(&self, id: DependencyId) -> String {
        let mut names = vec![self.graph.name(self.graph.dependency(id).name).to_string()];
        let mut at = self.owners.declares.get(&id).copied();
        while let Some(package) = at {
            let is_project = self.graph.package(package).source == Source::Root;
            match &self.graph.project_name {
                Some(name) if is_project => names.push(name.to_string()),
                _ => names.push(self.graph.package_name(package).to_string()),
            }
            at = self.owners.first.get(&package).copied().filter(|_| !is_project && names.len() < CHAIN_MAX);
        }
        names.reverse();
        format!("wanted by {}", names.join(" > "))
    }

    /// The effective specifier, after overrides and catalogs.
    pub(super) fn specifier(&self, id: DependencyId) -> Result<Specifier> {
        let dependency = self.graph.dependency(id);
        let name = self.graph.name(dependency.name);
        let owner = self.owners.declares[&id];
        let literal = match dependency.role {
            Role::Workspace => format!("workspace:{}", dependency.literal).into(),
            _ => effective_literal(&self.rules, &self.graph, owner, name, &dependency.literal),
        };
        Specifier::parse(name.as_str(), &literal)
    }

    /// The package of a release: an existing one, or a new one. `None`: the packument is damaged
    /// and was dropped; another one must be requested.
    pub(super) fn package(
        &mut self,
        id: DependencyId,
        name: &PackageName,
        version: Version,
        at: VersionId,
    ) -> Result<Option<PackageId>> {
        let name_id = self.intern(name);
        let key = Source::Npm { version: version.clone(), tarball: "".into() };
        if let Some(known) = self.graph.find(name_id, &key) {
            return Ok(Some(known));
        }
        let cached = self.packuments[name].as_ref().expect("the version was picked from it");
        let packument = cached.packument.clone();
        let Some(release) = packument.release(at) else {
            if !self.metadata.drop_damaged(name) {
                return Err(problem::damaged_packument(name));
            }
            self.packuments.remove(name);
            return Ok(None);
        };
        if let Some(reason) = release.deprecated {
            self.deprecated.insert(format!("{name}@{version}"), reason.to_owned());
        }
        let (package, mut dependencies) =
            release::package(&mut self.graph, name_id, version.clone(), &release)?;
        if self.metadata.follows_npm() {
            release::drop_implied_peers(&self.graph, &release, &mut dependencies);
        }
        let extensions = Arc::clone(&self.rules.extensions);
        extensions::extend(&extensions, &mut self.graph, name, &version, &mut dependencies)?;
        rules::drop_removed(&self.rules, &self.graph, (name, Some(&version)), &mut dependencies);
        let package = self.graph.add(package, dependencies);
        self.check_size(package)?;
        if !release.engines.is_empty() {
            let pairs = release.engines.iter().map(|(name, range)| ((*name).to_owned(), (*range).to_owned()));
            self.engines.push((self.graph.label(package), pairs.collect()));
        }
        if self.is_deferred(id) || !self.metadata.on_version_chosen(package, name, &release)? {
            self.deferred.insert(package);
        }
        Ok(Some(package))
    }

    /// Whether a dependency's package is bundled in the tarball of its dependent; or is one of
    /// several fitting majors, and so likely to be collapsed onto another one; or is a dependency
    /// of such a package.
    fn is_deferred(&self, id: DependencyId) -> bool {
        let dependency = self.graph.dependency(id);
        dependency.bundled
            || dependency.literal.contains("||")
            || self.deferred.contains(&self.owners.declares[&id])
    }

    /// A registry could answer with new dependencies for ever; the limits stop it.
    fn check_size(&self, newest: PackageId) -> Result<()> {
        if self.graph.len() > PACKAGES_MAX || self.graph.bindings().len() > DEPENDENCIES_MAX {
            let label = self.graph.label(newest);
            return Err(problem::too_many_packages(&label, PACKAGES_MAX, DEPENDENCIES_MAX));
        }
        if self.graph.packages_named(self.graph.package(newest).name).len() > VERSIONS_MAX {
            return Err(problem::too_many_versions(self.graph.package_name(newest), VERSIONS_MAX));
        }
        Ok(())
    }

    fn intern(&mut self, name: &PackageName) -> NameId {
        self.graph.intern(name.as_str()).expect("it is a package name")
    }
}

/// Packages of one graph; the largest projects known have a quarter of it.
const PACKAGES_MAX: usize = 200_000;
/// Dependencies of one graph: ten for a package is much, this is twenty.
const DEPENDENCIES_MAX: usize = 4_000_000;

/// Longer chains are cut in messages.
const CHAIN_MAX: usize = 12;

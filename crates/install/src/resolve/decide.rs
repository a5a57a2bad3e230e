//! Deciding dependencies one by one: which package answers, from the members of the project, the lockfile,
//! the registry, or a place on disk.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use rusk_base::{Problem, Result};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, NameId, PackageId, Role, Source, VERSIONS_MAX};
use rusk_npm::manifest::Pairs;
use rusk_npm::name::PackageName;
use rusk_npm::packument::{Packument, VersionId};
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::{Naming, Specifier};

use super::pick::Versions;
use super::rules::effective_literal;
use super::start::{Start, Update};
use super::{Market, release};
use crate::problem;

/// The state of one resolution.
pub struct Resolver<'m> {
    pub(super) graph: Graph,
    pub(super) rules: Rules,
    pub(super) settled: u32,
    /// Packages below this id were there when the project's own dependencies had been decided; 0 before.
    direct: u32,
    pub(super) importers: Vec<PackageId>,
    update: Update,
    pub(super) market: &'m mut dyn Market,
    /// Packuments that have arrived; `None` for a name that the registry does not know.
    shelf: HashMap<PackageName, Option<Shelf>>,
    /// Packages that are in no registry, by the place they were asked for at.
    visited: HashMap<Source, PackageId>,
    /// Dependencies to look at.
    queue: VecDeque<DependencyId>,
    /// Dependencies whose packument is on its way.
    waiting: HashMap<PackageName, Vec<DependencyId>>,
    /// Packages whose dependencies have been queued.
    entered: HashSet<PackageId>,
    pub(super) owners: Owners,
    /// Optional dependencies and peers that nothing answers.
    pub(super) given_up: HashSet<DependencyId>,
    /// Peers whose range no version is in.
    pub(super) unsatisfied: Vec<(DependencyId, PackageName)>,
    /// Packages that were brought in for a peer alone.
    pub(super) for_peers: HashSet<PackageId>,
    /// By the place of the dependency, so that their order does not depend on arrivals.
    warnings: BTreeMap<(String, String), String>,
    details: Vec<String>,
    engines: Vec<(String, Pairs)>,
}

/// A packument and its versions, parsed.
pub(super) struct Shelf {
    pub packument: Arc<Packument>,
    pub versions: Versions,
}

/// Which package declares a dependency, and who first wanted a package.
#[derive(Default)]
pub(super) struct Owners {
    declares: HashMap<DependencyId, PackageId>,
    first: HashMap<PackageId, PackageId>,
}

impl Owners {
    pub fn declaring(&self, id: DependencyId) -> PackageId {
        self.declares[&id]
    }
}

/// The state after everything was decided.
pub struct Finished {
    pub graph: Graph,
    pub rules: Rules,
    /// Packages below this id are the project's own, the lockfile's, or what the project asks for itself.
    pub settled: u32,
    pub warnings: Vec<String>,
    pub details: Vec<String>,
    pub engines: Vec<(String, Pairs)>,
    pub looked_up: usize,
}

/// What a look at one dependency came to.
enum Answer {
    Package(PackageId),
    /// The packument of this name has to be there first.
    Needs(PackageName),
    Nothing,
}

impl<'m> Resolver<'m> {
    pub fn new(start: Start, market: &'m mut dyn Market) -> Resolver<'m> {
        Resolver {
            graph: start.graph,
            rules: start.rules,
            settled: start.settled,
            direct: 0,
            importers: start.importers,
            update: start.update,
            market,
            shelf: HashMap::new(),
            visited: HashMap::new(),
            queue: VecDeque::new(),
            waiting: HashMap::new(),
            entered: HashSet::new(),
            owners: Owners::default(),
            given_up: HashSet::new(),
            unsatisfied: Vec::new(),
            for_peers: HashSet::new(),
            warnings: BTreeMap::new(),
            details: Vec::new(),
            engines: Vec::new(),
        }
    }

    pub fn finish(self) -> Finished {
        Finished {
            graph: self.graph,
            rules: self.rules,
            settled: self.direct,
            warnings: self.warnings.into_values().collect(),
            details: self.details,
            engines: self.engines,
            looked_up: self.shelf.len(),
        }
    }

    /// What the project and its members ask for, in their order: each sees the versions chosen for those
    /// before it. Everything else is asked for meanwhile.
    pub fn decide_direct(&mut self) -> Result<()> {
        for importer in self.importers.clone() {
            self.enter(importer);
        }
        let direct: Vec<DependencyId> = self.queue.drain(..).collect();
        for &id in &direct {
            // What is wrong with it is said when it is answered, where an optional one may still stay away.
            if let Ok(Answer::Needs(name)) = self.look(id) {
                self.market.want(&name);
            }
        }
        for id in direct {
            while let Answer::Needs(name) = self.answer(id)? {
                let packument = self.market.packument(&name)?;
                self.shelve(name, packument);
            }
        }
        self.decide_peers()?;
        self.direct = u32::try_from(self.graph.len()).expect("ids are 32 bits");
        Ok(())
    }

    /// Everything else but peers, in whatever order packuments arrive: no decision here depends on another.
    pub fn decide_open(&mut self) -> Result<()> {
        loop {
            while let Some(id) = self.queue.pop_front() {
                if let Answer::Needs(name) = self.answer(id)? {
                    self.market.want(&name);
                    self.waiting.entry(name).or_default().push(id);
                }
            }
            if self.waiting.is_empty() {
                return Ok(());
            }
            let Some(name) = self.market.next()? else {
                let name = self.waiting.keys().next().expect("not empty").clone();
                return Err(problem::nothing_arrives(&name));
            };
            let packument = self.market.packument(&name)?;
            self.queue.extend(self.waiting.remove(&name).unwrap_or_default());
            self.shelve(name, packument);
        }
    }

    fn shelve(&mut self, name: PackageName, packument: Option<Arc<Packument>>) {
        let shelf = packument.map(|packument| Shelf { versions: Versions::of(&packument), packument });
        self.shelf.insert(name, shelf);
    }

    pub(super) fn shelved(&mut self, name: &PackageName) -> Result<Option<&Shelf>> {
        if !self.shelf.contains_key(name) {
            self.market.want(name);
            let packument = self.market.packument(name)?;
            self.shelve(name.clone(), packument);
        }
        Ok(self.shelf[name].as_ref())
    }

    /// Queues a package's dependencies, once; peers wait for the others.
    pub(super) fn enter(&mut self, package: PackageId) {
        if !self.entered.insert(package) {
            return;
        }
        for id in self.graph.dependencies_of(package) {
            self.owners.declares.insert(id, package);
            let bound = self.graph.binding(id);
            let role = self.graph.dependency(id).role;
            match bound {
                Some(bound) => self.reach(package, bound),
                None if role.is_peer() => {}
                None => self.queue.push_back(id),
            }
        }
    }

    pub(super) fn is_reached(&self, package: PackageId) -> bool {
        self.entered.contains(&package)
    }

    pub(super) fn reach(&mut self, from: PackageId, package: PackageId) {
        self.owners.first.entry(package).or_insert(from);
        self.enter(package);
    }

    /// Decides a dependency as far as that is possible now.
    fn answer(&mut self, id: DependencyId) -> Result<Answer> {
        let answer = match self.look(id) {
            Ok(answer) => answer,
            Err(problem) => {
                self.fail(id, problem)?;
                Answer::Nothing
            }
        };
        match answer {
            Answer::Package(package) => {
                self.graph.bind(id, Some(package));
                self.reach(self.owners.declares[&id], package);
            }
            Answer::Nothing => {
                self.given_up.insert(id);
            }
            Answer::Needs(_) => {}
        }
        Ok(answer)
    }

    /// A failure ends the install unless the dependency may stay away.
    pub(super) fn fail(&mut self, id: DependencyId, problem: Problem) -> Result<()> {
        let dependency = self.graph.dependency(id);
        match dependency.role {
            Role::Optional | Role::OptionalPeer => {
                self.details.push(format!("{}: {}", self.wanted_by(id), problem.message()));
                Ok(())
            }
            _ => Err(problem.note(self.wanted_by(id))),
        }
    }

    pub(super) fn warn(&mut self, id: DependencyId, text: String) {
        let name = self.graph.name(self.graph.dependency(id).name).to_string();
        self.warnings.insert((name, self.wanted_by(id)), text);
    }

    /// `wanted by app > ui > left`
    pub(super) fn wanted_by(&self, id: DependencyId) -> String {
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

    /// The specifier that counts, after overrides and catalogs.
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

    fn look(&mut self, id: DependencyId) -> Result<Answer> {
        let specifier = self.specifier(id)?;
        match &specifier {
            Specifier::Npm { name, range, .. } => self.look_for_range(id, name, range),
            Specifier::DistTag { name, tag, .. } => self.look_for_tag(id, name, tag),
            Specifier::Workspace(wanted) => self.look_for_member(id, wanted).map(Answer::Package),
            Specifier::Catalog { .. } => self.missing_catalog(id),
            local => self.look_elsewhere(id, local),
        }
    }

    fn look_for_range(&mut self, id: DependencyId, name: &PackageName, range: &Range) -> Result<Answer> {
        if let Some(member) = self.member_in_range(name, range) {
            return Ok(Answer::Package(member));
        }
        if let Some(package) = self.aliased(id, range).or_else(|| self.already_chosen(id, name, range)) {
            return Ok(Answer::Package(package));
        }
        let Some(shelf) = self.shelf.get(name) else { return Ok(Answer::Needs(name.clone())) };
        let picked = shelf.as_ref().and_then(|shelf| shelf.versions.pick(&shelf.packument, range).cloned());
        match picked {
            Some((version, at)) => Ok(Answer::Package(self.package(id, name, version, at)?)),
            None => Err(self.no_version(name, &self.range_text(id))),
        }
    }

    /// The range as somebody wrote it: `^1.0.0`, also where that stands behind `npm:left@`.
    pub(super) fn range_text(&self, id: DependencyId) -> String {
        let dependency = self.graph.dependency(id);
        let (owner, name) = (self.owners.declares[&id], self.graph.name(dependency.name));
        let literal = effective_literal(&self.rules, &self.graph, owner, name, &dependency.literal);
        match literal.strip_prefix("npm:") {
            Some(aliased) => aliased.rsplit_once('@').map_or("*", |(_, range)| range).to_owned(),
            None => literal.to_string(),
        }
    }

    pub(super) fn no_version(&self, name: &PackageName, wanted: &str) -> Problem {
        match self.shelf.get(name).and_then(Option::as_ref) {
            None => problem::no_package(name),
            Some(shelf) => problem::no_version(name, wanted, shelf.versions.newest()),
        }
    }

    /// A member of the project whose version is in range; one without a version answers `*`.
    pub(super) fn member_in_range(&self, name: &PackageName, range: &Range) -> Option<PackageId> {
        let name = self.graph.find_name(name.as_str())?;
        self.graph.packages_named(name).iter().copied().find(|&id| match &self.graph.package(id).source {
            Source::Workspace { version: Some(version), .. } => range.contains(version) || range.is_any(),
            Source::Workspace { version: None, .. } => range.is_any(),
            _ => false,
        })
    }

    /// The project may say that another package stands under this name. That counts for everybody whose range
    /// meets the one the project gave, and is met by what it led to.
    fn aliased(&self, id: DependencyId, range: &Range) -> Option<PackageId> {
        let name = self.graph.dependency(id).name;
        let direct = self.importers.iter().flat_map(|&importer| self.graph.dependencies_of(importer));
        direct.filter(|&other| other != id && self.graph.dependency(other).name == name).find_map(|other| {
            let Ok(Specifier::Npm { naming: Naming::Alias, range: given, .. }) = self.specifier(other) else {
                return None;
            };
            let mut bounds = given.alternatives().iter().flatten();
            let bound = self.graph.binding(other)?;
            let version = self.graph.package(bound).source.npm_version()?;
            let meets = bounds.any(|bound| range.contains(&bound.version)) && range.contains(version);
            meets.then_some(bound)
        })
    }

    /// A release that the lockfile holds, or that a dependency of the project chose, is good enough when it is in
    /// range. The project's dependencies are decided one after another, all others after them.
    fn already_chosen(&self, id: DependencyId, name: &PackageName, range: &Range) -> Option<PackageId> {
        let name_id = self.graph.find_name(name.as_str())?;
        let is_direct = self.importers.contains(&self.owners.declares[&id]);
        let is_updated = match &self.update {
            Update::Nothing => false,
            Update::Direct(names) => is_direct && names.iter().any(|updated| updated == name.as_str()),
            Update::Names(names) => names.iter().any(|updated| updated == name.as_str()),
            Update::Everything => true,
        };
        let candidates = self.graph.packages_named(name_id).iter().copied();
        let usable = candidates.filter(|id| match id.0 < self.settled {
            true => !is_updated,
            false => is_direct || id.0 < self.direct,
        });
        let versions = usable.filter_map(|id| Some((self.graph.package(id).source.npm_version()?, id)));
        versions.filter(|(version, _)| range.contains(version)).max().map(|(_, id)| id)
    }

    fn look_for_tag(&mut self, id: DependencyId, name: &PackageName, tag: &str) -> Result<Answer> {
        let Some(shelf) = self.shelf.get(name) else { return Ok(Answer::Needs(name.clone())) };
        let picked = shelf.as_ref().and_then(|shelf| shelf.versions.tagged(&shelf.packument, tag).cloned());
        match picked {
            Some((version, at)) => Ok(Answer::Package(self.package(id, name, version, at)?)),
            None => match self.member_in_range(name, &Range::any()) {
                Some(member) => Ok(Answer::Package(member)),
                None => Err(self.no_version(name, tag)),
            },
        }
    }

    /// `workspace:*`, `workspace:^1.0.0`, `workspace:other@*`, `workspace:packages/other`
    fn look_for_member(&self, id: DependencyId, wanted: &str) -> Result<PackageId> {
        let wanted = wanted.trim();
        let name = self.graph.name(self.graph.dependency(id).name);
        let (alias, range) = match wanted.get(1..).and_then(|rest| rest.rfind('@')) {
            Some(at) => (&wanted[..=at], wanted[at + 2..].trim()),
            None => (name.as_str(), wanted),
        };
        let members = || self.importers.iter().map(|&id| (id, self.graph.package(id)));
        let by_path = members().find(|(_, package)| match &package.source {
            Source::Workspace { path, .. } => {
                **path == *wanted.trim_start_matches("./").trim_end_matches('/')
            }
            _ => false,
        });
        if let Some((id, _)) = by_path {
            return Ok(id);
        }
        let by_name = members().find(|(_, package)| {
            matches!(package.source, Source::Workspace { .. })
                && self.graph.name(package.name).as_str() == alias
        });
        let (id, package) = by_name.ok_or_else(|| problem::no_member(alias))?;
        match &package.source {
            Source::Workspace { version: Some(version), .. } if !member_version_fits(range, version) => {
                Err(problem::member_version(alias, range, version))
            }
            _ => Ok(id),
        }
    }

    /// A published package's `catalog:` means nothing; in the project's own it is a mistake.
    fn missing_catalog(&self, id: DependencyId) -> Result<Answer> {
        let dependency = self.graph.dependency(id);
        match self.importers.contains(&self.owners.declares[&id]) {
            false => Ok(Answer::Nothing),
            true => Err(problem::no_catalog(self.graph.name(dependency.name), &dependency.literal)),
        }
    }

    fn look_elsewhere(&mut self, id: DependencyId, specifier: &Specifier) -> Result<Answer> {
        let name = self.graph.dependency(id).name;
        let owner = self.owners.declares[&id];
        let place = super::place::of(&self.graph, owner, specifier)?;
        if let Some(&package) = self.visited.get(&place) {
            return Ok(Answer::Package(package));
        }
        let visit = self.market.visit(&place)?;
        let package = super::place::package(&mut self.graph, name, visit)?;
        self.visited.insert(place, package);
        Ok(Answer::Package(package))
    }

    /// The package of a release: known already, or new.
    pub(super) fn package(
        &mut self,
        id: DependencyId,
        name: &PackageName,
        version: Version,
        at: VersionId,
    ) -> Result<PackageId> {
        let name_id = self.intern(name);
        let key = Source::Npm { version: version.clone(), tarball: "".into() };
        if let Some(known) = self.graph.find(name_id, &key) {
            return Ok(known);
        }
        let shelf = self.shelf[name].as_ref().expect("the version was picked from it");
        let packument = shelf.packument.clone();
        let release = packument.release(at).ok_or_else(|| problem::damaged_packument(name))?;
        if let Some(reason) = release.deprecated {
            self.warn(id, format!("{name}@{version} is deprecated: {reason}"));
        }
        let (package, dependencies) = release::package(&mut self.graph, name_id, version, &release)?;
        let package = self.graph.add(package, dependencies);
        self.check_size(package)?;
        if !release.engines.is_empty() {
            let pairs = release.engines.iter().map(|(name, range)| ((*name).to_owned(), (*range).to_owned()));
            self.engines.push((self.graph.label(package), pairs.collect()));
        }
        self.market.chosen(package, name, &release)?;
        Ok(package)
    }

    /// A registry can go on answering for ever; a project does not go on for ever wanting.
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
/// Dependencies of one graph: ten a package is much, this is twenty.
const DEPENDENCIES_MAX: usize = 4_000_000;

/// Chains in messages end here: longer ones help nobody.
const CHAIN_MAX: usize = 12;

/// `*`, `^` and `~` take any version of a member.
fn member_version_fits(range: &str, version: &Version) -> bool {
    matches!(range, "" | "*" | "^" | "~") || Range::parse(range).is_none_or(|range| range.contains(version))
}

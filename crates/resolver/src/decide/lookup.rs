//! Looks a dependency up: among the members of the project, in the packages chosen before, in the
//! registry, or on disk or at a URL. In: a dependency. Out: a package, or the packument needed
//! first.

use rusk_base::{Problem, Result};
use rusk_npm::graph::{Dependency, DependencyId, PackageId, Source};
use rusk_npm::name::PackageName;
use rusk_npm::packument::VersionId;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::{Naming, Specifier};

use super::{Alias, DependencyLookup, Resolver};
use crate::PassedOver;
use crate::initial::Update;
use crate::linked_directories;
use crate::members::MemberLinkRule;
use crate::non_registry;
use crate::pick::Versions;
use crate::problem;
use crate::rules::effective_literal;

impl Resolver<'_> {
    pub(super) fn lookup(&mut self, id: DependencyId, specifier: &Specifier) -> Result<DependencyLookup> {
        match specifier {
            // bun looks for this one in the registry alone, unless a member has a version.
            Specifier::Npm { name, naming: Naming::Alias, range, literal } if literal.is_empty() => {
                let member = self.member_with_version(name).filter(|_| self.links_members());
                self.lookup_range(id, name, range, member)
            }
            Specifier::Npm { name, range, .. } => {
                let member = self.member_in_range(name, range).filter(|_| self.links_members());
                self.lookup_range(id, name, range, member)
            }
            Specifier::DistTag { name, tag, .. } => self.lookup_tag(id, name, tag),
            Specifier::Workspace(specifier) => self.find_member(id, specifier).map(DependencyLookup::Package),
            Specifier::Catalog { .. } => self.missing_catalog(id),
            local => self.lookup_non_registry(id, local),
        }
    }

    fn lookup_range(
        &mut self,
        id: DependencyId,
        name: &PackageName,
        range: &Range,
        member: Option<PackageId>,
    ) -> Result<DependencyLookup> {
        if let Some(member) = member {
            return Ok(DependencyLookup::Package(member));
        }
        if let Some(package) = self.aliased(id, range).or_else(|| self.already_chosen(id, name, range)) {
            return Ok(DependencyLookup::Package(package));
        }
        let Some(cached) = self.packuments.get(name) else {
            return Ok(DependencyLookup::NeedsPackument(name.clone()));
        };
        let picked = cached.as_ref().and_then(|cached| cached.versions.pick(range));
        match picked {
            Some((version, at)) => {
                self.note_passed_over(name, &version, |versions| versions.pick(range));
                self.lookup_release(id, name, version, at)
            }
            None => {
                let wanted = self.range_text(id);
                self.note_too_young(name, &wanted);
                Err(self.no_version(name, &wanted))
            }
        }
    }

    fn lookup_release(
        &mut self,
        id: DependencyId,
        name: &PackageName,
        version: Version,
        at: VersionId,
    ) -> Result<DependencyLookup> {
        let package = self.package(id, name, version, at)?;
        let again = || DependencyLookup::NeedsPackument(name.clone());
        Ok(package.map_or_else(again, DependencyLookup::Package))
    }

    /// Tells the metadata source which version the minimum age kept from being chosen.
    fn note_passed_over(
        &mut self,
        name: &PackageName,
        picked: &Version,
        pick: impl Fn(&Versions) -> Option<(Version, VersionId)>,
    ) {
        let Some(Some(cached)) = self.packuments.get(name) else { return };
        if let Some(young) = cached.versions.passed_over(picked, pick) {
            let (name, chosen) = (name.clone(), Some(picked.clone()));
            self.metadata.on_passed_over(PassedOver { name, young, chosen });
        }
    }

    /// As `note_passed_over`, where no version is old enough.
    fn note_too_young(&mut self, name: &PackageName, wanted: &str) {
        let Some(Some(cached)) = self.packuments.get(name) else { return };
        if let Some(young) = cached.versions.youngest(wanted) {
            self.metadata.on_passed_over(PassedOver { name: name.clone(), young, chosen: None });
        }
    }

    /// The range as written: `^1.0.0`, also after `npm:left@` or `jsr:`.
    pub(crate) fn range_text(&self, id: DependencyId) -> String {
        let dependency = self.graph.dependency(id);
        let (owner, name) = (self.owners.declares[&id], self.graph.name(dependency.name));
        let literal = effective_literal(&self.rules, &self.graph, owner, name, &dependency.literal);
        let specifier = Specifier::parse(name.as_str(), &literal).ok();
        let wanted = specifier.as_ref().and_then(Specifier::wanted);
        wanted.unwrap_or(&literal).to_owned()
    }

    pub(crate) fn no_version(&self, name: &PackageName, wanted: &str) -> Problem {
        match self.packuments.get(name).and_then(Option::as_ref) {
            None => problem::no_package(name, self.metadata.unset_variable(name)),
            Some(cached) => match cached.versions.youngest(wanted) {
                Some(young) => problem::too_young(name, wanted, &young),
                None => problem::no_version(name, wanted, cached.versions.newest()),
            },
        }
    }

    /// A member of the project whose version is in range; one without a version satisfies `*`.
    pub(crate) fn member_in_range(&self, name: &PackageName, range: &Range) -> Option<PackageId> {
        let name = self.graph.find_name(name.as_str())?;
        self.graph.packages_named(name).iter().copied().find(|&id| match &self.graph.package(id).source {
            Source::Workspace { version: Some(version), .. } => range.contains(version) || range.is_any(),
            Source::Workspace { version: None, .. } => range.is_any(),
            _ => false,
        })
    }

    fn links_members(&self) -> bool {
        self.link_rule == MemberLinkRule::Linked
    }

    fn member_with_version(&self, name: &PackageName) -> Option<PackageId> {
        self.member_in_range(name, &Range::any())
            .filter(|&id| matches!(self.graph.package(id).source, Source::Workspace { version: Some(_), .. }))
    }

    /// The project may declare an alias: another package under this name. It applies to every
    /// dependency whose range includes a bound of the alias's range and the version that the alias
    /// is bound to.
    fn aliased(&self, id: DependencyId, range: &Range) -> Option<PackageId> {
        let name = self.graph.dependency(id).name;
        let aliases = self.aliases.iter().filter(|alias| alias.id != id && alias.name == name);
        aliases.filter_map(|alias| Some((self.graph.binding(alias.id)?, &alias.range))).find_map(
            |(bound, given)| {
                let mut bounds = given.alternatives().iter().flatten();
                let version = self.graph.package(bound).source.npm_version()?;
                let meets = bounds.any(|bound| range.contains(&bound.version)) && range.contains(version);
                meets.then_some(bound)
            },
        )
    }

    /// Aliases that the project and its members declare.
    pub(super) fn find_aliases(&self) -> Vec<Alias> {
        let direct = self.importers.iter().flat_map(|&importer| self.graph.dependencies_of(importer));
        let alias = |id: DependencyId| match self.specifier(id) {
            Ok(Specifier::Npm { naming: Naming::Alias, range, .. }) => {
                Some(Alias { id, name: self.graph.dependency(id).name, range })
            }
            _ => None,
        };
        direct.filter_map(alias).collect()
    }

    /// A release from the lockfile, or one chosen for a direct dependency of the project, is used
    /// when it is in range. Direct dependencies are resolved one after another, all others after
    /// them. As in bun, a direct dependency with a range does not hold another one back from a
    /// newer major version.
    fn already_chosen(&self, id: DependencyId, name: &PackageName, range: &Range) -> Option<PackageId> {
        let name_id = self.graph.find_name(name.as_str())?;
        let is_direct = self.importers.contains(&self.owners.declares[&id]);
        let is_updated = match &self.update {
            Update::Nothing | Update::Deduplicate => false,
            Update::Direct(names) | Update::Importers(names) => {
                is_direct && names.iter().any(|updated| updated == name.as_str())
            }
            Update::Names(names) => names.iter().any(|updated| updated == name.as_str()),
            Update::Everything => true,
        };
        let candidates = self.graph.packages_named(name_id).iter().copied();
        let usable = candidates.filter(|id| match id.0 < self.settled {
            true => !is_updated,
            false => is_direct || id.0 < self.direct,
        });
        let versions = usable.filter_map(|id| Some((self.graph.package(id).source.npm_version()?, id)));
        let in_range = versions.filter(|(version, _)| range.contains(version));
        let best = self.packuments.get(name).and_then(Option::as_ref).filter(|_| is_direct);
        let best = best.and_then(|cached| cached.versions.pick(range));
        let is_shared = |version: &Version, id: PackageId| match &best {
            Some((best, _)) if id.0 >= self.settled && !self.pinned.contains(&id) => {
                best.major == version.major
            }
            _ => true,
        };
        in_range.filter(|(version, id)| is_shared(version, *id)).max().map(|(_, id)| id)
    }

    fn lookup_tag(&mut self, id: DependencyId, name: &PackageName, tag: &str) -> Result<DependencyLookup> {
        let Some(cached) = self.packuments.get(name) else {
            return Ok(DependencyLookup::NeedsPackument(name.clone()));
        };
        let picked = cached.as_ref().and_then(|cached| cached.versions.tagged(tag));
        match picked {
            Some((version, at)) => {
                self.note_passed_over(name, &version, |versions| versions.tagged(tag));
                self.lookup_release(id, name, version, at)
            }
            None => match self.member_in_range(name, &Range::any()) {
                Some(member) => Ok(DependencyLookup::Package(member)),
                None => {
                    self.note_too_young(name, tag);
                    Err(self.no_version(name, tag))
                }
            },
        }
    }

    /// `workspace:*`, `workspace:^1.0.0`, `workspace:other@*`, `workspace:packages/other`
    pub(crate) fn find_member(&self, id: DependencyId, specifier: &str) -> Result<PackageId> {
        let specifier = specifier.trim();
        let name = self.graph.name(self.graph.dependency(id).name);
        let (alias, range) = match specifier.get(1..).and_then(|rest| rest.rfind('@')) {
            Some(at) => (&specifier[..=at], specifier[at + 2..].trim()),
            None => (name.as_str(), specifier),
        };
        let members = || self.importers.iter().map(|&id| (id, self.graph.package(id)));
        let by_path = members().find(|(_, package)| match &package.source {
            Source::Workspace { path, .. } => {
                **path == *specifier.trim_start_matches("./").trim_end_matches('/')
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

    /// In a published package `catalog:` has no meaning; in the project's own manifests it is an
    /// error.
    fn missing_catalog(&self, id: DependencyId) -> Result<DependencyLookup> {
        let dependency = self.graph.dependency(id);
        match self.importers.contains(&self.owners.declares[&id]) {
            false => Ok(DependencyLookup::Unresolvable),
            true => Err(problem::no_catalog(self.graph.name(dependency.name), &dependency.literal)),
        }
    }

    fn is_overridden(&self, id: DependencyId) -> bool {
        let Dependency { name, literal, .. } = self.graph.dependency(id);
        let (owner, name) = (self.owners.declares[&id], self.graph.name(*name));
        effective_literal(&self.rules, &self.graph, owner, name, literal) != *literal
    }

    fn lookup_non_registry(&mut self, id: DependencyId, specifier: &Specifier) -> Result<DependencyLookup> {
        let name = self.graph.dependency(id).name;
        let from = match self.is_overridden(id) {
            // The path is the project's.
            true => non_registry::source_of_request("", specifier)?,
            false => non_registry::source_of(&self.graph, self.owners.declares[&id], specifier)?,
        };
        self.check_foreign_source(id, &from)?;
        if let Some(package) = self.member_at(id, &from).or_else(|| self.non_registry.get(&from).copied()) {
            return Ok(DependencyLookup::Package(package));
        }
        let links = self.metadata.follows_npm();
        let visit = self.metadata.fetch_manifest(&linked_directories::linked(from.clone(), links))?;
        let is_followed = linked_directories::is_followed(&visit.source, links);
        let package = non_registry::add_package(&mut self.graph, name, visit, is_followed, &self.rules)?;
        self.non_registry.insert(from, package);
        Ok(DependencyLookup::Package(package))
    }

    /// A package that was published names a repository or URL, whose contents no registry has
    /// checked and which may change. An override of the project may name one.
    fn check_foreign_source(&self, id: DependencyId, from: &Source) -> Result<()> {
        let owner = self.owners.declares[&id];
        let dependency = self.graph.dependency(id);
        let name = self.graph.name(dependency.name);
        let is_published = !matches!(
            self.graph.package(owner).source,
            Source::Root | Source::Workspace { .. } | Source::Directory { .. } | Source::Link { .. }
        );
        let is_foreign =
            matches!(from, Source::Git { .. } | Source::Github { .. } | Source::RemoteTarball { .. });
        let is_accepted = || self.metadata.allows_foreign_sources() || self.is_overridden(id);
        if !is_published || !is_foreign || is_accepted() {
            return Ok(());
        }
        Err(problem::foreign_source(&self.graph.label(owner), name, &dependency.literal))
    }
}

impl Resolver<'_> {
    /// The member or project in the directory that `file:` names: it is linked, not copied. A
    /// member that `link:` names under its own name is in its place already.
    fn member_at(&self, id: DependencyId, source: &Source) -> Option<PackageId> {
        let (Source::Directory { path } | Source::Link { path }) = source else { return None };
        let is_there = |member: &PackageId| match &self.graph.package(*member).source {
            Source::Workspace { path: other, .. } => other == path,
            Source::Root => matches!(source, Source::Directory { .. }) && **path == *".",
            _ => false,
        };
        let member = self.importers.iter().copied().find(is_there)?;
        let is_named_so = self.graph.package(member).name == self.graph.dependency(id).name;
        (matches!(source, Source::Directory { .. }) || is_named_so).then_some(member)
    }
}

/// Whether a direct dependency decides the version for others, too.
pub(super) fn pins(specifier: &Specifier) -> bool {
    match specifier {
        Specifier::Npm { naming: Naming::Alias, .. } => true,
        Specifier::Npm { range, .. } => range.is_exact().is_some(),
        _ => false,
    }
}

/// `*`, `^` and `~` match any version of a member.
fn member_version_fits(range: &str, version: &Version) -> bool {
    matches!(range, "" | "*" | "^" | "~") || Range::parse(range).is_none_or(|range| range.contains(version))
}

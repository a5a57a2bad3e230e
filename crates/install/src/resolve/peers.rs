//! Binds peers, when everything else is resolved. A peer is bound to the highest version in range.
//! If there is none, it is bound out of range, with a warning, to the direct dependency of the
//! project, to the dependency of a package that depends on the dependent, or to a version added for
//! another peer. A version is added only when no package of that name exists.

use std::collections::{HashMap, HashSet};

use rusk_base::Result;
use rusk_npm::graph::{DependencyId, PackageId, Role, Source};
use rusk_npm::name::PackageName;
use rusk_npm::packument::VersionId;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::Specifier;

use super::decide::Resolver;

impl Resolver<'_> {
    /// Binds unbound peers. True when that added packages, whose own dependencies are unresolved
    /// now.
    pub fn decide_peers(&mut self) -> Result<bool> {
        let open = self.open_peers();
        for &id in &open {
            if let Ok(specifier) = self.specifier(id)
                && let Some(name) = specifier.registry_name()
                && self.provided(id, &specifier).is_none()
            {
                self.metadata.request(name);
            }
        }
        let mut added = false;
        for id in open {
            added |= self.decide_peer(id)?;
        }
        Ok(added)
    }

    /// Required peers that are unbound, breadth first from the project.
    fn open_peers(&self) -> Vec<DependencyId> {
        let mut open = Vec::new();
        for package in super::clean::breadth_first(&self.graph) {
            open.extend(self.graph.dependencies_of(package).filter(|&id| {
                self.graph.dependency(id).role == Role::Peer
                    && self.graph.binding(id).is_none()
                    && !self.unresolved.contains(&id)
            }));
        }
        open
    }

    fn decide_peer(&mut self, id: DependencyId) -> Result<bool> {
        let specifier = match self.specifier(id) {
            Ok(specifier) => specifier,
            Err(problem) => {
                self.unresolved.insert(id);
                self.warn(id, problem.message().to_owned());
                return Ok(false);
            }
        };
        if let Some(provided) = self.provided(id, &specifier) {
            self.bind_peer(id, provided, &specifier);
            return Ok(false);
        }
        let Some(name) = specifier.registry_name().cloned() else {
            self.unresolved.insert(id);
            return Ok(false);
        };
        match self.best(&name, &specifier)? {
            Some((version, at)) => {
                let package = self.package(id, &name, version, at)?;
                self.for_peers.insert(package);
                self.bind_peer(id, package, &specifier);
                Ok(true)
            }
            None if self.cached_packument(&name)?.is_none() => {
                let problem = self.no_version(&name, "");
                Err(problem.note(self.required_by(id)))
            }
            None => {
                self.unresolved.insert(id);
                self.unsatisfied.push((id, name));
                Ok(false)
            }
        }
    }

    /// Binds peers that no version satisfies to the highest existing version, at the end.
    pub fn decide_unsatisfied(&mut self) {
        for (id, name) in std::mem::take(&mut self.unsatisfied) {
            match (self.highest(&name), self.specifier(id)) {
                (Some(highest), Ok(specifier)) => self.bind_peer(id, highest, &specifier),
                _ => {
                    let problem = self.no_version(&name, &self.graph.dependency(id).literal);
                    self.warn(id, problem.message().to_owned());
                }
            }
        }
    }

    fn highest(&self, name: &PackageName) -> Option<PackageId> {
        let name = self.graph.find_name(name.as_str())?;
        let packages = self.graph.packages_named(name).iter().filter(|&&package| self.is_reached(package));
        let releases = packages
            .filter_map(|&package| Some((self.graph.package(package).source.npm_version()?, package)));
        releases.max().map(|(_, package)| package)
    }

    fn best(&mut self, name: &PackageName, specifier: &Specifier) -> Result<Option<(Version, VersionId)>> {
        let Some(cached) = self.cached_packument(name)? else { return Ok(None) };
        Ok(match specifier {
            Specifier::Npm { range, .. } => cached.versions.pick(range),
            Specifier::DistTag { tag, .. } => cached.versions.tagged(tag),
            _ => None,
        })
    }

    fn bind_peer(&mut self, id: DependencyId, package: PackageId, specifier: &Specifier) {
        self.graph.bind(id, Some(package));
        let owner = self.owners.declaring(id);
        self.reach(owner, package);
        let version = self.graph.package(package).source.npm_version();
        if let (Specifier::Npm { range, .. }, Some(version)) = (specifier, version)
            && !range.contains(version)
        {
            let label = self.graph.label(package);
            let (chain, wanted) = (self.required_by(id), self.range_text(id));
            let text = format!(
                "`{}` requires the peer `{}` at `{wanted}`, found {label} ({chain})",
                self.graph.package_name(owner),
                self.graph.name(self.graph.dependency(id).name),
            );
            self.warn(id, text);
        }
    }

    fn provided(&self, id: DependencyId, specifier: &Specifier) -> Option<PackageId> {
        let name = specifier.registry_name()?;
        let any = Range::any();
        let range = match specifier {
            Specifier::Npm { range, .. } => range,
            _ => &any,
        };
        if let Some(member) = self.member_in_range(name, range) {
            return Some(member);
        }
        let name_id = self.graph.find_name(name.as_str())?;
        let releases: Vec<(&Version, PackageId)> = self
            .graph
            .packages_named(name_id)
            .iter()
            .filter(|&&package| self.is_reached(package))
            .filter_map(|&package| Some((self.graph.package(package).source.npm_version()?, package)))
            .collect();
        let is_range = matches!(specifier, Specifier::Npm { .. });
        let in_range = releases.iter().filter(|(version, _)| is_range && range.contains(version)).max();
        if let Some((_, package)) = in_range {
            return Some(*package);
        }
        self.requested_by_others(id).or_else(|| {
            let added = releases.iter().filter(|(_, package)| self.for_peers.contains(package)).max();
            added.map(|(_, package)| *package)
        })
    }

    /// The package that the project, or a dependent of this package, has under the peer's name; of
    /// several dependents, the nearest.
    fn requested_by_others(&self, id: DependencyId) -> Option<PackageId> {
        let name = self.graph.dependency(id).name;
        let requests = |package: PackageId| {
            self.graph.dependencies_of(package).find_map(|other| {
                let dependency = self.graph.dependency(other);
                let counts = dependency.name == name && !dependency.role.is_peer();
                self.graph.binding(other).filter(|_| counts)
            })
        };
        let found = requests(PackageId(0)).or_else(|| {
            let dependents_of = self.dependents_of(self.owners.declaring(id));
            dependents_of.into_iter().find_map(requests)
        });
        found.filter(|&package| matches!(self.graph.package(package).source, Source::Npm { .. }))
    }

    /// The packages that depend on a package, and those that depend on them, nearest first.
    fn dependents_of(&self, package: PackageId) -> Vec<PackageId> {
        let mut dependents: HashMap<PackageId, Vec<PackageId>> = HashMap::new();
        for dependent in self.graph.package_ids() {
            for other in self.graph.dependencies_of(dependent) {
                if let Some(target) = self.graph.binding(other) {
                    dependents.entry(target).or_default().push(dependent);
                }
            }
        }
        let mut seen = HashSet::from([package]);
        let mut order = vec![package];
        let mut next = 0;
        while next < order.len() {
            for &dependent in dependents.get(&order[next]).map_or(&[][..], Vec::as_slice) {
                if seen.insert(dependent) {
                    order.push(dependent);
                }
            }
            next += 1;
        }
        order.split_off(1)
    }
}

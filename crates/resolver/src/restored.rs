//! Dependencies that the lockfile's packages lack, because an override that the project no longer
//! has removed them. In: the lockfile, the rules of package.json. Out: those dependencies, from the
//! packuments.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_lockfiles::Lockfile;
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Graph, PackageId, Role, Text};
use rusk_npm::name::PackageName;
use rusk_npm::overrides::Rule;

use crate::{MetadataSource, release};

/// By package of the lockfile.
pub type RestoredDependencies = HashMap<PackageId, Vec<RestoredDependency>>;

/// A dependency of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredDependency {
    pub name: PackageName,
    pub literal: Text,
    pub role: Role,
}

pub fn find(
    lockfile: &Lockfile,
    rules: &Rules,
    metadata: &mut dyn MetadataSource,
) -> Result<RestoredDependencies> {
    let mut restored = RestoredDependencies::new();
    let before = lockfile.rules.iter().flat_map(|rules| &rules.overrides.rules);
    let withdrawn: Vec<&Rule> =
        before.filter(|rule| rule.removes() && !rules.overrides.rules.contains(rule)).collect();
    let old = &lockfile.graph;
    let is_changed = |id: &PackageId| {
        let name = old.package_name(*id).as_str();
        let concerns = |rule: &&Rule| rule.parent.as_ref().is_none_or(|parent| parent.name == name);
        old.package(*id).source.npm_version().is_some() && withdrawn.iter().any(concerns)
    };
    let changed: Vec<PackageId> = old.package_ids().filter(is_changed).collect();
    for &id in &changed {
        metadata.request(old.package_name(id));
    }
    for id in changed {
        let name = old.package_name(id);
        let Some(version) = old.package(id).source.npm_version() else { continue };
        let Some(packument) = metadata.packument_with(name, version)? else { continue };
        let release = packument.find(&version.to_string()).and_then(|at| packument.release(at));
        let Some(release) = release else { continue };
        let mut graph = Graph::default();
        let own = graph.intern(name.as_str()).expect("it was a package name in the other graph");
        let (_, dependencies) = release::package(&mut graph, own, version.clone(), &release)?;
        let was_removed = |name: &str| withdrawn.iter().any(|rule| rule.target.name == name);
        let missing = dependencies.into_iter().filter_map(|dependency| {
            let name = graph.name(dependency.name).clone();
            let (literal, role) = (dependency.literal, dependency.role);
            was_removed(name.as_str()).then_some(RestoredDependency { name, literal, role })
        });
        restored.insert(id, missing.collect());
    }
    Ok(restored)
}

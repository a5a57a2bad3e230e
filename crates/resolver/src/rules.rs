//! Overrides and catalogs of the root package.json, which apply to all packages.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Dependency, Graph, PackageId, Role, Text};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::name::PackageName;
use rusk_npm::overrides::{Rule, Selector};
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::{Naming, Specifier};

/// The rules of a package.json, in the lockfile's order.
pub fn of_manifest(manifest: &Manifest) -> Rules {
    let sorted = |pairs: &Pairs| {
        let mut pairs: Vec<(Text, Text)> =
            pairs.iter().map(|(name, value)| (name.as_str().into(), value.as_str().into())).collect();
        pairs.sort();
        pairs
    };
    let mut overrides = manifest.overrides.clone();
    overrides.rules.sort_by(|a, b| (&a.parent, &a.target).cmp(&(&b.parent, &b.target)));
    let mut catalogs: Vec<(Text, Vec<(Text, Text)>)> =
        manifest.catalogs.iter().map(|(name, members)| (name.as_str().into(), sorted(members))).collect();
    catalogs.sort();
    let trusted = manifest.trusted_dependencies.as_ref();
    Rules {
        overrides,
        catalog: sorted(&manifest.catalog),
        catalogs,
        trusted: trusted.map(|names| names.iter().map(|name| name.as_str().into()).collect()),
        patched: sorted(&manifest.patched_dependencies),
        patch_hashes: None,
        extensions: Arc::clone(&manifest.package_extensions),
        extensions_checksum: rusk_lockfiles::extensions_checksum(&manifest.package_extensions)
            .map(Text::from),
    }
}

/// Names whose overrides differ.
pub fn changed_names(before: &Rules, after: &Rules) -> BTreeSet<String> {
    let differing = |a: &Rules, b: &Rules| {
        let rules = a.overrides.rules.iter().filter(|rule| !b.overrides.rules.contains(rule));
        rules.map(|rule| rule.target.name.clone()).collect::<Vec<_>>()
    };
    differing(before, after).into_iter().chain(differing(after, before)).collect()
}

/// Whether catalogs differ.
pub fn catalogs_differ(before: &Rules, after: &Rules) -> bool {
    before.catalog != after.catalog || before.catalogs != after.catalogs
}

/// Whether a dependency is a range that excludes `version`.
pub fn is_range_without(graph: &Graph, dependency: &Dependency, version: &Version) -> bool {
    let name = graph.name(dependency.name);
    match Specifier::parse(name.as_str(), &dependency.literal) {
        Ok(Specifier::Npm { naming: Naming::Own, range, .. }) => !range.contains(version) && !range.is_any(),
        _ => false,
    }
}

/// Whether a dependency is a range of versions, without another name.
pub fn is_range(graph: &Graph, dependency: &Dependency) -> bool {
    let name = graph.name(dependency.name);
    matches!(
        Specifier::parse(name.as_str(), &dependency.literal),
        Ok(Specifier::Npm { naming: Naming::Own, .. } | Specifier::DistTag { .. })
    )
}

/// The effective specifier for `literal` of `name`, required by `dependent`.
///
/// An alias (`npm:`, `jsr:`) is never overridden. Of several matching rules, the more specific one
/// wins: one with a parent, then one with a range.
pub fn effective_literal(
    rules: &Rules,
    graph: &Graph,
    dependent: PackageId,
    name: &PackageName,
    literal: &Text,
) -> Text {
    let version = graph.package(dependent).source.npm_version();
    let rule = find_rule(rules, (graph.package_name(dependent), version), name, literal);
    let replaced = match rule {
        Some(rule) => Arc::from(rule.literal.as_str()),
        None => literal.clone(),
    };
    match rules.catalog_literal(name.as_str(), &replaced) {
        same if *same == *replaced => replaced,
        resolved => resolved.into(),
    }
}

/// The rule that decides about a dependency of a package, by its name and the version of a release.
fn find_rule<'r>(
    rules: &'r Rules,
    dependent: (&PackageName, Option<&Version>),
    name: &PackageName,
    literal: &str,
) -> Option<&'r Rule> {
    let is_alias = ["npm:", "jsr:", "workspace:"].iter().any(|scheme| literal.starts_with(scheme));
    let fitting = rules.overrides.rules.iter().filter(|rule| {
        !is_alias
            && rule.target.name == name.as_str()
            && rule.target.fits(literal)
            && rule.parent.as_ref().is_none_or(|parent| parent_fits(parent, dependent))
    });
    fitting.max_by_key(|rule| (rule.parent.is_some(), !rule.target.range.is_empty()))
}

/// Takes away those of a package's dependencies that overrides remove, as pnpm does.
pub fn drop_removed(
    rules: &Rules,
    graph: &Graph,
    dependent: (&PackageName, Option<&Version>),
    dependencies: &mut Vec<Dependency>,
) {
    if !rules.overrides.remove_some() {
        return;
    }
    dependencies.retain(|dependency| {
        let rule = find_rule(rules, dependent, graph.name(dependency.name), &dependency.literal);
        dependency.role == Role::Workspace || !rule.is_some_and(Rule::removes)
    });
}

fn parent_fits(parent: &Selector, (name, version): (&PackageName, Option<&Version>)) -> bool {
    if name.as_str() != parent.name {
        return false;
    }
    if parent.range.is_empty() {
        return true;
    }
    let range = Range::parse(&parent.range);
    version.zip(range).is_some_and(|(version, range)| range.contains(version))
}

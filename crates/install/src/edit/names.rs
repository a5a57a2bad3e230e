//! Names of dependencies in `remove` and `update`: plain, as patterns (`@types/*`), or excluding
//! others (`!webpack`). In: a manifest and the names. Out: the dependencies that are meant.

use std::collections::BTreeSet;

use rusk_base::Result;
use rusk_npm::edit::groups_of;
use rusk_npm::manifest::Manifest;
use rusk_npm::wildcard;
use rusk_resolver::members::Members;

use crate::problem;

/// Each name must be a dependency of a member, and each pattern match one.
pub fn check(members: &mut Members, paths: &[String], names: &[String]) -> Result<()> {
    for name in names {
        let pattern = name.strip_prefix('!').unwrap_or(name);
        let mut is_found = false;
        for path in paths {
            let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
            is_found |= match wildcard::is_pattern(pattern) {
                true => all(&member.manifest).any(|own| wildcard::matches(pattern, own)),
                false => !groups_of(&member.text, pattern)?.is_empty(),
            };
        }
        match wildcard::is_pattern(pattern) {
            _ if is_found => {}
            true => return Err(problem::no_match(pattern)),
            false => return Err(problem::not_a_dependency(pattern)),
        }
    }
    Ok(())
}

/// The dependencies that the names mean, sorted; `None` without names: all of them, and those of
/// other packages too.
pub fn expand(manifest: &Manifest, names: &[String]) -> Option<Vec<String>> {
    if names.is_empty() {
        return None;
    }
    let only_excludes = names.iter().all(|name| name.starts_with('!'));
    let mut found: BTreeSet<String> =
        if only_excludes { all(manifest).cloned().collect() } else { BTreeSet::new() };
    for name in names.iter().filter(|name| !name.starts_with('!')) {
        found.extend(all(manifest).filter(|own| wildcard::matches(name, own)).cloned());
    }
    for name in names.iter().filter_map(|name| name.strip_prefix('!')) {
        found.retain(|own| !wildcard::matches(name, own));
    }
    Some(found.into_iter().collect())
}

fn all(manifest: &Manifest) -> impl Iterator<Item = &String> {
    manifest.groups().into_iter().flat_map(|(_, dependencies)| dependencies.iter().map(|(name, _)| name))
}

#[cfg(test)]
mod tests;

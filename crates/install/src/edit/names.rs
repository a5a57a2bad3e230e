//! Names of dependencies in `remove` and `update`: plain, as patterns (`@types/*`), or excluding
//! others (`!webpack`). In: a manifest and the names. Out: the dependencies that are meant.

use std::collections::BTreeSet;

use rusk_base::{Problem, Result};
use rusk_configuration::request::DependencyGroup;
use rusk_npm::edit::groups_of;
use rusk_npm::manifest::{Group, Manifest};
use rusk_npm::wildcard;
use rusk_resolver::members::{Members, ProjectMember};

use crate::problem;

/// Each name must be a dependency of a member, and each pattern match one.
pub fn check(members: &mut Members, paths: &[String], names: &[String]) -> Result<()> {
    for name in names {
        let pattern = name.strip_prefix('!').unwrap_or(name);
        match wildcard::is_pattern(pattern) {
            _ if is_found(members, paths, pattern)? => {}
            true => return Err(problem::no_match(pattern)),
            false => return Err(not_a_dependency(members, pattern)),
        }
    }
    Ok(())
}

/// Another member may have the dependency.
fn not_a_dependency(members: &Members, name: &str) -> Problem {
    let problem = problem::not_a_dependency(name);
    let has = |member: &&ProjectMember| groups_of(&member.text, name).is_ok_and(|groups| !groups.is_empty());
    match members.workspaces.iter().find(has) {
        Some(member) => {
            let path = &member.path;
            problem.hint(format!("`{path}` does: add `-F ./{path}`, or `-r` for all members"))
        }
        None => problem,
    }
}

/// Whether a name or pattern means a dependency of one of the members.
pub fn is_found(members: &mut Members, paths: &[String], pattern: &str) -> Result<bool> {
    for path in paths {
        let member = members.find_mut(path).ok_or_else(|| rusk_resolver::problem::no_member(path))?;
        let is_found = match wildcard::is_pattern(pattern) {
            true => all(&member.manifest, &[]).any(|own| wildcard::matches(pattern, own)),
            false => !groups_of(&member.text, pattern)?.is_empty(),
        };
        if is_found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What an update names.
pub struct UpdateNames<'a> {
    pub names: &'a [String],
    pub groups: &'a [DependencyGroup],
}

/// The dependencies that the names mean, sorted; `None` without names and groups: all of them, and
/// those of other packages too.
pub fn expand(manifest: &Manifest, wanted: &UpdateNames<'_>) -> Option<Vec<String>> {
    let UpdateNames { names, groups } = *wanted;
    if names.is_empty() && groups.is_empty() {
        return None;
    }
    let only_excludes = names.iter().all(|name| name.starts_with('!'));
    let mut found: BTreeSet<String> =
        if only_excludes { all(manifest, groups).cloned().collect() } else { BTreeSet::new() };
    for name in names.iter().filter(|name| !name.starts_with('!')) {
        found.extend(all(manifest, groups).filter(|own| wildcard::matches(name, own)).cloned());
    }
    for name in names.iter().filter_map(|name| name.strip_prefix('!')) {
        found.retain(|own| !wildcard::matches(name, own));
    }
    Some(found.into_iter().collect())
}

/// Whether the groups that an update names include a group of package.json.
pub fn includes(groups: &[DependencyGroup], group: Group) -> bool {
    groups.is_empty() || groups.iter().any(|own| super::manifest_group(*own) == Some(group))
}

fn all<'a>(manifest: &'a Manifest, groups: &'a [DependencyGroup]) -> impl Iterator<Item = &'a String> {
    let wanted = manifest.groups().into_iter().filter(move |(group, _)| includes(groups, *group));
    wanted.flat_map(|(_, dependencies)| dependencies.iter().map(|(name, _)| name))
}

#[cfg(test)]
mod tests;

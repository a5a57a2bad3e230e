//! Ranges that an update within them raises. In: a package.json and which dependencies are updated.
//! Out: the literals that wait for the installed version.

use rusk_npm::manifest::{self, Manifest};

use super::{PendingRange, is_replaced, latest_range};

/// Ranges of the form `^1.2.3` or `~1.2.3`, which get the version that is installed, as with bun
/// and pnpm. A peer's range says what fits, and stays.
pub(super) fn raised_ranges(
    manifest: &Manifest,
    is_wanted: &dyn Fn(manifest::Group, &String) -> bool,
) -> Vec<PendingRange> {
    let all = manifest.groups().into_iter().filter(|(group, _)| *group != manifest::Group::Peer);
    let all = all.flat_map(|(group, dependencies)| dependencies.iter().map(move |entry| (group, entry)));
    let is_patched = |name: &String| manifest.yarn_patches.iter().any(|patch| patch.package == *name);
    let wanted = all.filter(|(group, (name, _))| {
        is_wanted(*group, name) && !is_patched(name) && !is_replaced(manifest, *group, name)
    });
    let raised = wanted.filter_map(|(group, (name, literal))| {
        latest_range(name, group, literal).filter(|pending| is_simple(literal, &pending.prefix))
    });
    raised.collect()
}

/// Whether a range, after a prefix such as `npm:other@`, is of the form that is raised.
pub(super) fn is_simple(range: &str, prefix: &str) -> bool {
    let version = range.strip_prefix(prefix).unwrap_or(range).strip_prefix(['^', '~']);
    version.is_some_and(|version| {
        version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains([' ', '|'])
    })
}

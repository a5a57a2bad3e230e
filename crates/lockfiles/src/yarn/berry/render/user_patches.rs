//! Entries of the project's own patches, `left@patch:left@npm%3A1.0.0#~/left.patch`. In: those of
//! the old file, the package.json files. Out: those that are still wanted, at the version that the
//! package has now; the hash is of the patch alone. Absent: a patch that the file did not have:
//! `yarn install` adds it.

use std::collections::BTreeSet;

use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::yarn_patch::YarnPatch;

use super::super::super::descriptor;
use super::super::format::bound;
use super::super::table;
use super::{Entries, Renderer, joined, key_line, patched};
use crate::NewLockfile;

/// Groups of package.json that may have patches.
const GROUPS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "resolutions"];

pub(super) fn keep(renderer: &Renderer<'_, '_, '_>, new: &NewLockfile<'_>, entries: &mut Entries) {
    if renderer.old.user_patches.is_empty() {
        return;
    }
    let wanted = wanted(new);
    for (index, patch) in &renderer.old.user_patches {
        let block = renderer.table.entries[*index];
        let is_wanted = |descriptor: &&str| {
            let (_, range) = descriptor::split(descriptor);
            wanted.contains(range.split("::").next().unwrap_or(range))
        };
        let list: BTreeSet<String> = table::descriptors(block).filter(is_wanted).map(str::to_owned).collect();
        let resolution = block.text("resolution").unwrap_or_default();
        let body = body(new, patch, resolution, renderer.body(*index), entries);
        let Some(body) = body else { continue };
        if !list.is_empty() {
            let key = joined(&list);
            entries.insert(key.clone(), format!("{}\n{body}", key_line(&key)));
        }
    }
}

/// Literals of `patch:` that package.json files have.
fn wanted(new: &NewLockfile<'_>) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for member in new.members {
        let Ok(root) = json::parse(member.text, Dialect::Relaxed) else { continue };
        for group in GROUPS {
            let literals = root.find(group).map_or(&[][..], Node::members).iter();
            let literals = literals.filter_map(|member| member.node.as_str());
            wanted.extend(literals.filter(|it| it.starts_with("patch:")).map(str::to_owned));
        }
    }
    wanted
}

/// The entry as it was, or that of another version of its package.
fn body(
    new: &NewLockfile<'_>,
    patch: &YarnPatch,
    resolution: &str,
    old: &str,
    entries: &Entries,
) -> Option<String> {
    let before = resolution.split_once("::version=")?.1.split('&').next()?;
    let name = &patch.package;
    let literal = wanted_literal(new, name, patch)?;
    let descriptor = format!("{name}@{}", bound(&literal));
    let (_, package) = entries.iter().find(|(key, _)| key.split(", ").any(|own| own == descriptor))?;
    let line = package.lines().find_map(|line| line.strip_prefix("  version: "))?;
    let now = line.trim_matches('"');
    if now == before {
        return Some(old.to_owned());
    }
    let moved = resolution.replace(&format!("npm%3A{before}#"), &format!("npm%3A{now}#"));
    let moved = moved.replace(&format!("::version={before}"), &format!("::version={now}"));
    let package = package.split_once('\n').map_or("", |(_, body)| body);
    Some(patched(package, &moved))
}

/// What the patched package is wanted as: the literal in package.json, which the locator of the old
/// entry no longer has.
fn wanted_literal(new: &NewLockfile<'_>, name: &str, patch: &YarnPatch) -> Option<String> {
    let literals = wanted(new);
    let of_same_files = |literal: &String| {
        let wanted = YarnPatch::parse(name, literal)?;
        (wanted.files == patch.files && wanted.package == patch.package).then_some(wanted.literal)
    };
    literals.iter().find_map(of_same_files)
}

//! Checks of newly chosen releases: what the minimum age passed over is reported in one line, the
//! fix of a published advisory is let through, a version whose publisher's trust fell is refused.
//! In: what the resolver needs. Out: its resolution. Absent: versions of the lockfile, which were
//! checked when they were chosen.

mod fixes;
mod trust;

use std::collections::BTreeMap;

use rusk_base::{Result, folded};
use rusk_lockfiles::Lockfile;
use rusk_npm::release_age::duration_text;
use rusk_resolver::members::Members;
use rusk_resolver::{PassedOver, Resolution, Update};

use crate::context::InstallContext;
use crate::event::{InstallEvent, Reporter};
use crate::package_provider::PackageProvider;

/// A fix may need another one; a longer chain of versions of one day is passed over.
const FIX_ROUNDS_MAX: usize = 3;

/// Resolves, and again where a fix was passed over: what is young is known only then.
pub fn resolve(
    context: &InstallContext,
    members: &Members,
    old: Option<&Lockfile>,
    update: &Update,
    provider: &mut PackageProvider<'_>,
) -> Result<Resolution> {
    let mut found = Vec::new();
    for _ in 0..FIX_ROUNDS_MAX {
        let resolved = rusk_resolver::resolve(members, old, update, provider);
        let passed_over = provider.take_passed_over();
        let fixes = fixes::find(context, &passed_over, provider);
        if fixes.is_empty() {
            let resolution = resolved?;
            return checked(context, resolution, &passed_over, &found, provider);
        }
        for fix in &fixes {
            provider.admit(&fix.name, fix.version.clone());
        }
        found.extend(fixes);
    }
    let resolution = rusk_resolver::resolve(members, old, update, provider)?;
    let passed_over = provider.take_passed_over();
    checked(context, resolution, &passed_over, &found, provider)
}

fn checked(
    context: &InstallContext,
    resolution: Resolution,
    passed_over: &[PassedOver],
    fixes: &[fixes::Fix],
    provider: &mut PackageProvider<'_>,
) -> Result<Resolution> {
    trust::check(context, &resolution, provider)?;
    for fix in fixes {
        provider.reporter.on_event(InstallEvent::Warning(&fix.line()));
    }
    report_passed_over(&resolution, passed_over, provider.reporter);
    Ok(resolution)
}

/// One line for all versions that were passed over; the reasons are details.
fn report_passed_over(resolution: &Resolution, passed_over: &[PassedOver], reporter: &mut dyn Reporter) {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    let mut minimum_s = 0;
    for PassedOver { name, young, chosen } in passed_over {
        let Some(chosen) = chosen else { continue };
        let graph = &resolution.graph;
        let packages = graph.find_name(name.as_str()).map(|id| graph.packages_named(id)).unwrap_or_default();
        let is_used =
            |version| packages.iter().any(|&id| graph.package(id).source.npm_version() == Some(version));
        if is_used(chosen) && !is_used(&young.version) {
            let line = format!("{name} {} {}: {chosen} is used", young.version, young.age_text());
            lines.insert(format!("{name} {}", young.version), line);
            minimum_s = young.minimum_s;
        }
    }
    let minimum = duration_text(minimum_s);
    match lines.values().next() {
        None => {}
        Some(line) if lines.len() == 1 => {
            reporter.on_event(InstallEvent::Warning(&format!("{line} (minimum age: {minimum})")));
        }
        Some(_) => {
            lines.values().for_each(|line| reporter.on_event(InstallEvent::Detail(line)));
            let (count, list) = (lines.len(), folded::listed(lines.keys().map(String::as_str)));
            let text = format!(
                "{count} versions younger than {minimum} are not used: {list} (`--verbose` says why)"
            );
            reporter.on_event(InstallEvent::Warning(&text));
        }
    }
}

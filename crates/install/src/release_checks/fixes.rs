//! Fixes of published advisories among the versions that the minimum age passed over. In: those
//! versions. Out: the ones to let through: an advisory is about the version that would be used
//! instead, and not about the fix. Each registry is asked once, about its own packages, and only if
//! a version was passed over.

use std::collections::BTreeMap;

use rusk_base::problem::printable;
use rusk_npm::advisories::{Advisory, parse_response, request_body};
use rusk_npm::name::PackageName;
use rusk_npm::release_age::duration_text;
use rusk_npm::semver::Version;
use rusk_registry::{ApiMethod, ApiRequest};
use rusk_resolver::{MetadataSource, PassedOver};

use crate::context::InstallContext;
use crate::event::InstallEvent;
use crate::package_provider::PackageProvider;

/// A version that is used although it is young.
pub struct Fix {
    pub name: PackageName,
    pub version: Version,
    age_s: u64,
    /// What it fixes: an identifier, and its title.
    advisory: String,
}

impl Fix {
    pub fn line(&self) -> String {
        let Fix { name, version, age_s, advisory } = self;
        let age = duration_text(*age_s);
        format!("{name} {version}, published {age} ago, is used: it fixes {advisory}")
    }
}

/// The lowest fix for each version that was passed over.
pub fn find(
    context: &InstallContext,
    passed_over: &[PassedOver],
    provider: &mut PackageProvider<'_>,
) -> Vec<Fix> {
    let mut asked: BTreeMap<PackageName, Vec<String>> = BTreeMap::new();
    let mut candidates = Vec::new();
    for passed in passed_over {
        if let Some(instead) = instead(passed, provider) {
            let (versions, version) = (asked.entry(passed.name.clone()).or_default(), instead.to_string());
            if !versions.contains(&version) {
                versions.push(version);
            }
            candidates.push((passed, instead));
        }
    }
    if candidates.is_empty() {
        return Vec::new();
    }
    let advisories = advisories(context, &asked, provider);
    let mut fixes: Vec<Fix> = Vec::new();
    for (passed, instead) in candidates {
        let of_package: Vec<&Advisory> =
            advisories.iter().filter(|advisory| advisory.package == passed.name.as_str()).collect();
        let Some(advisory) = of_package.iter().find(|advisory| advisory.is_about(&instead)) else { continue };
        let is_known = |fix: &Fix| fix.name == passed.name;
        if let Some(fix) = fix(passed, &instead, advisory, &of_package, provider)
            && !fixes.iter().any(|known| is_known(known) && known.version == fix.version)
        {
            fixes.push(fix);
        }
    }
    fixes
}

/// The version that is used without the young one: the chosen one, or where none matches, the last
/// one before it that is old enough.
fn instead(passed: &PassedOver, provider: &PackageProvider<'_>) -> Option<Version> {
    if let Some(chosen) = &passed.chosen {
        return Some(chosen.clone());
    }
    let rule = provider.age_rule(&passed.name)?;
    let packument = provider.find_packument(&passed.name)?;
    let before = packument.versions().rev().filter_map(|(text, id)| Some((Version::parse(text)?, id)));
    let mut before =
        before.filter(|(version, _)| *version < passed.young.version && !version.is_prerelease());
    before
        .find(|(version, id)| rule.admits(version, rule.published_s(packument, *id)))
        .map(|(version, _)| version)
}

/// The lowest version between the two that no advisory is about.
fn fix(
    passed: &PassedOver,
    instead: &Version,
    advisory: &Advisory,
    advisories: &[&Advisory],
    provider: &PackageProvider<'_>,
) -> Option<Fix> {
    let packument = provider.find_packument(&passed.name)?;
    let rule = provider.age_rule(&passed.name)?;
    let takes_prereleases = passed.young.version.is_prerelease();
    let lowest = match &passed.chosen {
        Some(_) => instead,
        None => &passed.young.version,
    };
    let is_between =
        |version: &Version| version > instead && version >= lowest && *version <= passed.young.version;
    let is_safe = |version: &Version| !advisories.iter().any(|advisory| advisory.is_about(version));
    let versions = packument.versions().filter_map(|(text, id)| Some((Version::parse(text)?, id)));
    let mut fitting = versions
        .filter(|(version, _)| is_between(version) && (takes_prereleases || !version.is_prerelease()))
        .filter(|(version, _)| is_safe(version));
    let (version, id) = fitting.next()?;
    let age_s = rule.age_s(rule.published_s(packument, id)?);
    let id = advisory.url.rsplit('/').next().filter(|id| !id.is_empty()).unwrap_or(&advisory.id);
    let advisory = printable(&format!("{id} ({})", advisory.title)).into_owned();
    Some(Fix { name: passed.name.clone(), version, age_s, advisory })
}

/// A registry without advisories has none: then nothing is let through.
fn advisories(
    context: &InstallContext,
    packages: &BTreeMap<PackageName, Vec<String>>,
    provider: &mut PackageProvider<'_>,
) -> Vec<Advisory> {
    let mut by_registry: BTreeMap<&str, Vec<(&str, &[String])>> = BTreeMap::new();
    for (name, versions) in packages {
        let registry = provider.client.registry_of_scope(name.scope());
        by_registry.entry(registry).or_default().push((name.as_str(), versions));
    }
    let mut advisories = Vec::new();
    for (registry, packages) in by_registry {
        let request = ApiRequest {
            method: ApiMethod::Post,
            url: format!("{registry}-/npm/v1/security/advisories/bulk"),
            body: Some(request_body(packages.into_iter()).into_bytes()),
            headers: Vec::new(),
            subject: "the security advisories".to_owned(),
        };
        let answered = provider.client.call(request).ok().filter(|answer| answer.is_success());
        let text = answered.map(|answer| String::from_utf8_lossy(&answer.body).into_owned());
        match text.and_then(|text| parse_response(&text).ok().flatten()) {
            Some(found) => advisories.extend(found),
            None => {
                let source =
                    if registry == context.configuration.registry { "the registry" } else { registry };
                let text = format!("{source} has no advisories, so no young version is known to be a fix");
                provider.reporter.on_event(InstallEvent::Detail(&text));
            }
        }
    }
    advisories
}

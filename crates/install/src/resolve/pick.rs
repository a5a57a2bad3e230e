//! Which version of a package a range means, in bun's order of preference: `latest` where it fits, then the
//! highest release, then the highest prerelease; a deprecated version only where nothing else fits.

use rusk_npm::packument::{Packument, VersionId};
use rusk_npm::semver::{Comparator, Operator, Range, Version};

/// The versions of a packument, parsed once.
pub struct Versions {
    /// Ascending.
    versions: Vec<(Version, VersionId)>,
    latest: Option<usize>,
}

impl Versions {
    pub fn of(packument: &Packument) -> Versions {
        let versions: Vec<_> =
            packument.versions().filter_map(|(text, id)| Some((Version::parse(text)?, id))).collect();
        let latest = packument.dist_tag("latest").and_then(Version::parse);
        let latest = latest.and_then(|latest| versions.iter().position(|(version, _)| *version == latest));
        Versions { versions, latest }
    }

    /// The version a range means.
    pub fn pick(&self, packument: &Packument, range: &Range) -> Option<&(Version, VersionId)> {
        if let Some(exact) = range.is_exact() {
            return self.versions.iter().find(|(version, _)| version == exact);
        }
        let is_deprecated =
            |id: VersionId| packument.release(id).is_some_and(|release| release.deprecated.is_some());
        if let Some(latest) = self.latest.map(|index| &self.versions[index])
            && self.latest_answers(range, &latest.0)
            && !is_deprecated(latest.1)
        {
            return Some(latest);
        }
        let fitting = || self.versions.iter().rev().filter(|(version, _)| range.contains(version));
        let (prereleases, releases): (Vec<_>, Vec<_>) =
            fitting().partition(|(version, _)| version.is_prerelease());
        let by_preference: Vec<&(Version, VersionId)> = releases.into_iter().chain(prereleases).collect();
        let current = by_preference.iter().find(|(_, id)| !is_deprecated(*id));
        current.or(by_preference.first()).copied()
    }

    /// The version a dist-tag points at.
    pub fn tagged(&self, packument: &Packument, tag: &str) -> Option<&(Version, VersionId)> {
        let wanted = Version::parse(packument.dist_tag(tag)?)?;
        self.versions.iter().find(|(version, _)| *version == wanted)
    }

    /// The highest release, for messages.
    pub fn newest(&self) -> Option<&Version> {
        let newest_release = self.versions.iter().rev().find(|(version, _)| !version.is_prerelease());
        newest_release.or(self.versions.last()).map(|(version, _)| version)
    }

    /// A range that names prereleases asks for what it says, not for what is current.
    fn latest_answers(&self, range: &Range, latest: &Version) -> bool {
        range.is_any() || !names_prereleases(range) && range.contains(latest)
    }
}

fn names_prereleases(range: &Range) -> bool {
    // The upper bound of `^1.0.0`, `<2.0.0-0`, is not something that the range says.
    let is_bound = |it: &Comparator| it.operator == Operator::Less && it.version.to_string().ends_with("-0");
    let mut comparators = range.alternatives().iter().flatten();
    comparators.any(|comparator| comparator.version.is_prerelease() && !is_bound(comparator))
}

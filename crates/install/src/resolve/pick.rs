//! Picks the version of a package for a range, in bun's order of preference: `latest` if it is in
//! range, then the highest release, then the highest prerelease; a deprecated version only if
//! nothing else fits.

use std::cell::OnceCell;
use std::sync::Arc;

use rusk_npm::packument::{Packument, VersionId};
use rusk_npm::semver::{Comparator, Operator, Range, Version};

/// The versions of a packument, each parsed on first use: most ranges match `latest` or a version
/// close to the end.
pub struct Versions {
    packument: Arc<Packument>,
    /// By id, ascending; built when `latest` alone is not enough.
    parsed: OnceCell<Box<[OnceCell<Option<Version>>]>>,
    latest: Option<(Version, VersionId)>,
}

impl Versions {
    pub fn of(packument: Arc<Packument>) -> Versions {
        let mut versions = Versions { packument, parsed: OnceCell::new(), latest: None };
        versions.latest = versions.tagged("latest");
        versions
    }

    /// The version for a range.
    pub fn pick(&self, range: &Range) -> Option<(Version, VersionId)> {
        if let Some(exact) = range.is_exact() {
            return self.find(exact);
        }
        if let Some((latest, id)) = &self.latest
            && self.latest_answers(range, latest)
            && !self.is_deprecated(*id)
        {
            return self.latest.clone();
        }
        self.highest_where(|version| range.contains(version))
    }

    /// The highest release, else the highest prerelease; a deprecated one only if nothing else
    /// fits.
    fn highest_where(&self, fits: impl Fn(&Version) -> bool) -> Option<(Version, VersionId)> {
        let mut deprecated = None;
        for wants_prerelease in [false, true] {
            let fitting = self
                .descending()
                .filter(|(version, _)| version.is_prerelease() == wants_prerelease && fits(version));
            for (version, id) in fitting {
                if !self.is_deprecated(id) {
                    return Some((version.clone(), id));
                }
                deprecated.get_or_insert((version, id));
            }
        }
        deprecated.map(|(version, id)| (version.clone(), id))
    }

    /// The version for dependents that share it: the best of one of the ranges if all contain it,
    /// as bun chooses, else the best in all of them. `None` when there is none, or no range.
    pub fn pick_shared(&self, ranges: &[&Range]) -> Option<(Version, VersionId)> {
        let fits_all = |version: &Version| ranges.iter().all(|range| range.contains(version));
        let mut best = ranges.iter().filter_map(|range| self.pick(range));
        let shared = best.find(|(version, _)| fits_all(version));
        shared.or_else(|| self.highest_where(fits_all).filter(|_| !ranges.is_empty()))
    }

    /// The version a dist-tag points at.
    pub fn tagged(&self, tag: &str) -> Option<(Version, VersionId)> {
        self.find(&Version::parse(self.packument.dist_tag(tag)?)?)
    }

    /// The highest release, for messages.
    pub fn newest(&self) -> Option<&Version> {
        let newest_release = self.descending().find(|(version, _)| !version.is_prerelease());
        newest_release.or_else(|| self.descending().next()).map(|(version, _)| version)
    }

    /// Versions are nearly always in canonical form; else every version is parsed.
    fn find(&self, wanted: &Version) -> Option<(Version, VersionId)> {
        let text = wanted.to_string();
        if let Some((_, id)) = self.packument.versions().rev().find(|(written, _)| *written == text) {
            return Some((wanted.clone(), id));
        }
        let same = self.descending().find(|(version, _)| *version == wanted);
        same.map(|(version, id)| (version.clone(), id))
    }

    fn descending(&self) -> impl Iterator<Item = (&Version, VersionId)> {
        let make = || (0..self.packument.len()).map(|_| OnceCell::new()).collect();
        let parsed = self.parsed.get_or_init(make);
        parsed
            .iter()
            .zip(0..self.packument.len() as u32)
            .rev()
            .map(|(cell, id)| (VersionId(id), cell))
            .filter_map(|(id, cell)| {
                let version = cell.get_or_init(|| self.packument.version(id).and_then(Version::parse));
                Some((version.as_ref()?, id))
            })
    }

    fn is_deprecated(&self, id: VersionId) -> bool {
        self.packument.is_deprecated(id)
    }

    /// A range with prereleases does not prefer `latest`.
    fn latest_answers(&self, range: &Range, latest: &Version) -> bool {
        range.is_any() || !names_prereleases(range) && range.contains(latest)
    }
}

fn names_prereleases(range: &Range) -> bool {
    // The upper bound of `^1.0.0`, `<2.0.0-0`, is not a prerelease that the user wrote.
    let ends_so = |pre: &str| pre == "0" || pre.ends_with("-0");
    let is_bound = |it: &Comparator| it.operator == Operator::Less && it.version.pre().is_some_and(ends_so);
    let mut comparators = range.alternatives().iter().flatten();
    comparators.any(|comparator| comparator.version.is_prerelease() && !is_bound(comparator))
}

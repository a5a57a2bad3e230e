//! Picks the version of a package for a range, in bun's order of preference: `latest` if it is in
//! range, then the highest release, then the highest prerelease; a deprecated version only if
//! nothing else fits. Versions that are younger than the minimum age are passed over.

use std::cell::OnceCell;
use std::sync::Arc;

use rusk_npm::packument::{Packument, VersionId};
use rusk_npm::release_age::{AgeRule, Stability, duration_text};
use rusk_npm::semver::{Comparator, Operator, Range, Version};

/// The versions of a packument, each parsed on first use: most ranges match `latest` or a version
/// close to the end.
pub struct Versions {
    packument: Arc<Packument>,
    /// By id, ascending; built when `latest` alone is not enough.
    parsed: OnceCell<Box<[OnceCell<Option<Version>>]>>,
    latest: Option<(Version, VersionId)>,
    /// `None`: versions of any age are picked.
    age: Option<AgeRule>,
}

/// A version that was passed over because it is too young.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YoungVersion {
    pub version: Version,
    /// `None`: the registry has no time of it, but of others.
    pub age_s: Option<u64>,
    pub minimum_s: u64,
}

impl YoungVersion {
    /// `was published 5 hours ago`.
    pub fn age_text(&self) -> String {
        match self.age_s {
            Some(age_s) => format!("was published {} ago", duration_text(age_s)),
            None => "has no publish time".to_owned(),
        }
    }
}

impl Versions {
    pub fn of(packument: Arc<Packument>, age: Option<AgeRule>) -> Versions {
        let mut versions = Versions { packument, parsed: OnceCell::new(), latest: None, age };
        versions.latest = versions.find_tagged("latest");
        versions
    }

    /// The version for a range.
    pub fn pick(&self, range: &Range) -> Option<(Version, VersionId)> {
        if let Some(exact) = range.is_exact() {
            return self.find(exact).filter(|(version, id)| self.is_admitted(version, *id));
        }
        if let Some((latest, id)) = &self.latest
            && self.latest_answers(range, latest)
            && !self.is_deprecated(*id)
        {
            if self.is_admitted(latest, *id) {
                return self.latest.clone();
            }
            // The tag stands for the newest version before it that is old enough.
            let before = self.highest_where(|version| version <= latest && range.contains(version));
            if before.is_some() {
                return before;
            }
        }
        self.highest_where(|version| range.contains(version))
    }

    /// The highest release, else the highest prerelease; a deprecated one only if nothing else
    /// fits.
    fn highest_where(&self, fits: impl Fn(&Version) -> bool) -> Option<(Version, VersionId)> {
        let fitting = |wants_prerelease: bool| {
            let is_wanted = move |version: &Version| version.is_prerelease() == wants_prerelease;
            self.descending()
                .filter(move |(version, _)| is_wanted(version))
                .filter(|(version, _)| fits(version))
        };
        for wants_deprecated in [false, true] {
            for wants_prerelease in [false, true] {
                let usable =
                    fitting(wants_prerelease).filter(|(_, id)| self.is_deprecated(*id) == wants_deprecated);
                if let Some((version, id)) = self.first_of_age(usable) {
                    return Some((version.clone(), id));
                }
            }
        }
        None
    }

    /// The first of descending versions that is old enough, and that no newer one replaced soon; if
    /// all were, the first that is old enough.
    fn first_of_age<'v>(
        &self,
        mut versions: impl Iterator<Item = (&'v Version, VersionId)>,
    ) -> Option<(&'v Version, VersionId)> {
        let Some(age) = &self.age else { return versions.next() };
        let mut newer_published_s = None;
        let mut first = None;
        for (version, id) in versions {
            let published_s = age.published_s(&self.packument, id);
            if !age.admits(version, published_s) {
                newer_published_s = published_s;
                continue;
            }
            let (Some(newer_s), Some(published_s)) = (newer_published_s, published_s) else {
                return first.or(Some((version, id)));
            };
            first = first.or(Some((version, id)));
            match age.stability(published_s, newer_s) {
                Stability::Stable => return Some((version, id)),
                _ if age.is_exempt(version) => return Some((version, id)),
                Stability::Unchecked => return first,
                Stability::Unstable => newer_published_s = Some(published_s),
            }
        }
        first
    }

    fn is_admitted(&self, version: &Version, id: VersionId) -> bool {
        self.age.as_ref().is_none_or(|age| age.admits(version, age.published_s(&self.packument, id)))
    }

    /// The version that `pick` would choose without the minimum age, if that is another one than
    /// the one that was picked.
    pub fn passed_over(
        &self,
        picked: &Version,
        pick: impl Fn(&Versions) -> Option<(Version, VersionId)>,
    ) -> Option<YoungVersion> {
        let age = self.age.as_ref().filter(|age| age.may_be_young(&self.packument))?;
        let (version, id) = pick(&Versions::of(Arc::clone(&self.packument), None))?;
        self.young(age, version, id).filter(|young| young.version != *picked)
    }

    /// The newest version that a range or a dist-tag would have without the minimum age.
    pub fn youngest(&self, wanted: &str) -> Option<YoungVersion> {
        let age = self.age.as_ref()?;
        let (version, id) = match Range::parse(wanted) {
            Some(range) => {
                let newest = self.descending().find(|(version, _)| range.contains(version));
                newest.map(|(version, id)| (version.clone(), id))
            }
            None => self.find_tagged(wanted),
        }?;
        let is_young = !age.admits(&version, age.published_s(&self.packument, id));
        self.young(age, version, id).filter(|_| is_young)
    }

    /// `None` where the registry has no times.
    fn young(&self, age: &AgeRule, version: Version, id: VersionId) -> Option<YoungVersion> {
        age.published_s(&self.packument, id)?;
        let age_s = self.packument.published_s(id).map(|published_s| age.age_s(published_s));
        Some(YoungVersion { version, age_s, minimum_s: age.minimum_s() })
    }

    /// The version for dependents that share it: the best of one of the ranges if all contain it,
    /// as bun chooses, else the best in all of them. `None` when there is none, or no range.
    pub fn pick_shared(&self, ranges: &[&Range]) -> Option<(Version, VersionId)> {
        let fits_all = |version: &Version| ranges.iter().all(|range| range.contains(version));
        let mut best = ranges.iter().filter_map(|range| self.pick(range));
        let shared = best.find(|(version, _)| fits_all(version));
        shared.or_else(|| self.highest_where(fits_all).filter(|_| !ranges.is_empty()))
    }

    /// The version a dist-tag points at; if it is too young, the newest before it that is not. A
    /// tag of a release never stands for a prerelease, and one of a prerelease for those of its
    /// kind: `beta.2` for `beta.3`.
    pub fn tagged(&self, tag: &str) -> Option<(Version, VersionId)> {
        let (tagged, id) = self.find_tagged(tag)?;
        if self.is_admitted(&tagged, id) {
            return Some((tagged, id));
        }
        let kind = |version: &Version| version.pre().map(|pre| pre.split('.').next().map(str::to_owned));
        let wanted = kind(&tagged);
        let before = self.highest_where(|version| *version <= tagged && kind(version) == wanted);
        before.or_else(|| self.highest_where(|version| *version < tagged && !version.is_prerelease()))
    }

    fn find_tagged(&self, tag: &str) -> Option<(Version, VersionId)> {
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

#[cfg(test)]
mod tests;

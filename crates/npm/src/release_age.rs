//! Minimum age of releases: versions that were published too recently are not resolved to, so that
//! there is time to notice a malicious one. In: an age, the time, exclusions. Out: for each package
//! a rule that admits versions. Absent: the clock, configuration files.

use crate::package_exclusions::PackageExclusions;
use crate::packument::{Packument, VersionId};
use crate::semver::Version;

const MINUTE_S: u64 = 60;
const HOUR_S: u64 = 60 * MINUTE_S;
const DAY_S: u64 = 24 * HOUR_S;
const WEEK_S: u64 = 7 * DAY_S;

/// The minimum age where none is configured: nearly all malicious versions were noticed within a
/// day.
pub const DEFAULT_MINIMUM_S: u64 = DAY_S;

/// The settings as they are configured, without the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseAgeSettings {
    /// Seconds; `None` where nothing is configured.
    pub minimum_s: Option<u64>,
    /// `None` where nothing is configured.
    pub excludes: Option<Vec<String>>,
}

impl ReleaseAgeSettings {
    /// These settings; what they leave open is that of `lower`.
    #[must_use]
    pub fn over(&self, lower: &ReleaseAgeSettings) -> ReleaseAgeSettings {
        ReleaseAgeSettings {
            minimum_s: self.minimum_s.or(lower.minimum_s),
            excludes: self.excludes.clone().or_else(|| lower.excludes.clone()),
        }
    }
}

/// Whether a version is passed over although it is old enough, because a newer one followed soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StabilityCheck {
    /// bun's: of several versions published close together, none is chosen.
    On,
    /// npm and pnpm have none.
    Off,
}

/// Where the minimum age comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgeOrigin {
    Configured,
    /// [`DEFAULT_MINIMUM_S`]: of a registry that does not even say when a package last changed, no
    /// publish times are asked for.
    Default,
}

/// How a minimum age is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgeMode {
    pub origin: AgeOrigin,
    pub stability: StabilityCheck,
}

/// The minimum age at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseAge {
    minimum_s: u64,
    /// Seconds since 1970.
    now_s: u64,
    excluded: PackageExclusions,
    mode: AgeMode,
}

impl ReleaseAge {
    /// An exclusion that cannot be read is returned, to be reported: it excludes nothing.
    pub fn new(minimum_s: u64, now_s: u64, excludes: &[String], mode: AgeMode) -> (ReleaseAge, Vec<String>) {
        let (excluded, unread) = PackageExclusions::parse(excludes);
        (ReleaseAge { minimum_s, now_s, excluded, mode }, unread)
    }

    pub fn minimum_s(&self) -> u64 {
        self.minimum_s
    }

    /// The rule for a package; `None` if it is excluded.
    pub fn rule_for(&self, name: &str) -> Option<AgeRule> {
        let exempt = self.excluded.exempt_versions(name)?;
        Some(AgeRule { minimum_s: self.minimum_s, now_s: self.now_s, mode: self.mode, exempt })
    }
}

/// The minimum age of one package's versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgeRule {
    minimum_s: u64,
    now_s: u64,
    mode: AgeMode,
    /// Versions that may be of any age.
    exempt: Vec<Version>,
}

/// How an admitted version relates to the next newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    Stable,
    /// The newer one followed soon.
    Unstable,
    /// So old that it does not matter any more.
    Unchecked,
}

impl AgeRule {
    /// The same rule, with more versions that may be of any age.
    #[must_use]
    pub fn exempting(mut self, versions: &[Version]) -> AgeRule {
        self.exempt.extend_from_slice(versions);
        self
    }

    pub fn minimum_s(&self) -> u64 {
        self.minimum_s
    }

    /// When a version was published, for this rule: one whose time is missing, though others have
    /// one, counts as published now. `None` where the registry has no times.
    pub fn published_s(&self, packument: &Packument, id: VersionId) -> Option<u64> {
        let counts_as_young = || packument.lacks_publish_time(id) && self.may_be_young(packument);
        packument.published_s(id).or_else(|| counts_as_young().then_some(self.now_s))
    }

    /// Seconds since the publication.
    pub fn age_s(&self, published_s: u64) -> u64 {
        self.now_s.saturating_sub(published_s)
    }

    /// Whether a version is old enough, by [`AgeRule::published_s`]. Without a time it is, as in
    /// npm and bun: the registry publishes none.
    pub fn admits(&self, version: &Version, published_s: Option<u64>) -> bool {
        self.is_exempt(version) || published_s.is_none_or(|published_s| !self.is_young(published_s))
    }

    pub fn is_exempt(&self, version: &Version) -> bool {
        self.exempt.contains(version)
    }

    fn is_young(&self, published_s: u64) -> bool {
        self.age_s(published_s) < self.minimum_s
    }

    /// bun's check: a version that was replaced within the minimum age, a week at most, is
    /// unstable. Versions that are older by a week than they must be are not checked.
    pub fn stability(&self, published_s: u64, newer_published_s: u64) -> Stability {
        let window_s = self.minimum_s.min(WEEK_S);
        let checked_s = self.minimum_s.saturating_add(WEEK_S);
        if self.mode.stability == StabilityCheck::Off || self.age_s(published_s) > checked_s {
            return Stability::Unchecked;
        }
        match newer_published_s.saturating_sub(published_s) >= window_s {
            true => Stability::Stable,
            false => Stability::Unstable,
        }
    }

    /// Whether the document must be fetched in full: the abbreviated one has no publish times. If
    /// it was not modified since the minimum age, every version is old enough.
    pub fn needs_times(&self, packument: &Packument) -> bool {
        self.may_be_young(packument) && !packument.has_publish_times()
    }

    /// Whether any version may be too young.
    pub fn may_be_young(&self, packument: &Packument) -> bool {
        match packument.modified_s() {
            Some(modified_s) => self.is_young(modified_s),
            // A time that cannot be read may be any.
            None if packument.modified().is_some() => true,
            None => self.mode.origin == AgeOrigin::Configured || packument.has_publish_times(),
        }
    }
}

/// A time span in seconds: `259200`, `90m`, `12 hours`, `3d`, `2 weeks`.
pub fn parse_seconds(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit_s = match unit.trim() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1,
        "m" | "min" | "mins" | "minute" | "minutes" => MINUTE_S,
        "h" | "hr" | "hrs" | "hour" | "hours" => HOUR_S,
        "d" | "day" | "days" => DAY_S,
        "w" | "week" | "weeks" => WEEK_S,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit_s)
}

/// A number of days as npm's `min-release-age` has it: `7`, `0.5`.
pub fn parse_days(text: &str) -> Option<u64> {
    let days: f64 = text.trim().parse().ok()?;
    // A century is longer than npm exists; more is a mistake.
    (0.0..=36_500.0).contains(&days).then_some((days * DAY_S as f64) as u64)
}

/// `3 days`, `5 hours`, `1 minute`: the largest unit that fits, rounded down.
pub fn duration_text(seconds: u64) -> String {
    let units = [(DAY_S, "day"), (HOUR_S, "hour"), (MINUTE_S, "minute")];
    let (count, unit) = match units.into_iter().find(|(unit_s, _)| seconds >= *unit_s) {
        Some((unit_s, unit)) => (seconds / unit_s, unit),
        None => (seconds, "second"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests;

//! Trust in the publisher of a release: a version that lost the provenance or the trusted
//! publishing that versions before it had was perhaps published by a thief of a token. In: a
//! policy, a packument, one of its versions. Out: what was lost. Absent: the clock, configuration
//! files, verifying attestations.

use crate::package_exclusions::PackageExclusions;
use crate::packument::{Packument, PublisherTrust, VersionId};
use crate::semver::Version;

/// Versions published longer ago are not checked: a stolen version of a package with provenance
/// was always noticed within days, while maintainers do change how they publish.
pub const DEFAULT_IGNORED_AFTER_S: u64 = 30 * 24 * 60 * 60;

/// The settings as they are configured, without the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustSettings {
    /// `None` where nothing is configured.
    pub policy: Option<TrustPolicy>,
    /// `None` where nothing is configured.
    pub excludes: Option<Vec<String>>,
    /// Seconds.
    pub ignored_after_s: Option<u64>,
}

/// pnpm's `trustPolicy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustPolicy {
    /// `no-downgrade`
    NoDowngrade,
    Off,
}

impl TrustPolicy {
    pub fn of_name(name: &str) -> Option<TrustPolicy> {
        match name {
            "no-downgrade" => Some(TrustPolicy::NoDowngrade),
            "off" => Some(TrustPolicy::Off),
            _ => None,
        }
    }
}

impl TrustSettings {
    /// These settings; what they leave open is that of `lower`.
    #[must_use]
    pub fn over(&self, lower: &TrustSettings) -> TrustSettings {
        TrustSettings {
            policy: self.policy.or(lower.policy),
            excludes: self.excludes.clone().or_else(|| lower.excludes.clone()),
            ignored_after_s: self.ignored_after_s.or(lower.ignored_after_s),
        }
    }
}

/// Which releases are refused at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseTrust {
    ignored_after_s: u64,
    /// Seconds since 1970.
    now_s: u64,
    excluded: PackageExclusions,
}

/// What a version lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustLoss {
    pub trust: PublisherTrust,
    /// The last version before it that had more, and what it had.
    pub before: Version,
    pub trust_before: PublisherTrust,
}

/// What a document says about one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustVerdict {
    Kept,
    Lost(TrustLoss),
    /// The full document decides: this one has no publish times.
    NeedsTimes,
}

impl ReleaseTrust {
    /// `None` if the policy is off. Beside it, the exclusions that could not be read.
    pub fn new(settings: &TrustSettings, now_s: u64) -> (Option<ReleaseTrust>, Vec<String>) {
        if settings.policy == Some(TrustPolicy::Off) {
            return (None, Vec::new());
        }
        let (excluded, unread) = PackageExclusions::parse(settings.excludes.as_deref().unwrap_or_default());
        let ignored_after_s = settings.ignored_after_s.unwrap_or(DEFAULT_IGNORED_AFTER_S);
        (Some(ReleaseTrust { ignored_after_s, now_s, excluded }), unread)
    }

    /// Judges a version. In an abbreviated document, which has no times, lower versions stand for
    /// earlier ones, and a loss among them is only a suspicion.
    pub fn judge(&self, packument: &Packument, id: VersionId) -> TrustVerdict {
        let Some(version) = packument.version(id).and_then(Version::parse) else { return TrustVerdict::Kept };
        let exempt = self.excluded.exempt_versions(packument.name());
        if exempt.is_none_or(|exempt| exempt.contains(&version)) || self.is_old(packument.modified_s()) {
            return TrustVerdict::Kept;
        }
        let published_s = packument.published_s(id);
        if self.is_old(published_s) {
            return TrustVerdict::Kept;
        }
        match find_loss(packument, id, &version, published_s) {
            None => TrustVerdict::Kept,
            Some(_) if !packument.has_publish_times() => TrustVerdict::NeedsTimes,
            Some(loss) => TrustVerdict::Lost(loss),
        }
    }

    /// As [`ReleaseTrust::judge`], by a document that is the registry's full one, even if it has no
    /// times.
    pub fn judge_in_full(&self, packument: &Packument, id: VersionId) -> Option<TrustLoss> {
        match self.judge(packument, id) {
            TrustVerdict::Kept => None,
            TrustVerdict::Lost(loss) => Some(loss),
            TrustVerdict::NeedsTimes => {
                let version = packument.version(id).and_then(Version::parse)?;
                find_loss(packument, id, &version, None)
            }
        }
    }

    fn is_old(&self, time_s: Option<u64>) -> bool {
        time_s.is_some_and(|time_s| self.now_s.saturating_sub(time_s) > self.ignored_after_s)
    }
}

/// The newest of the earlier versions with the most trust, if that is more than this one has. A
/// release is not compared with prereleases: many are published by hand, or by another build.
fn find_loss(
    packument: &Packument,
    id: VersionId,
    version: &Version,
    published_s: Option<u64>,
) -> Option<TrustLoss> {
    let trust = packument.trust(id);
    let is_earlier = |other: VersionId| match published_s {
        Some(published_s) => packument.published_s(other).is_some_and(|other_s| other_s < published_s),
        None => other < id,
    };
    let stronger = packument.versions().filter(|&(_, other)| packument.trust(other) > trust);
    let earlier = stronger.filter(|&(_, other)| other != id && is_earlier(other));
    let parsed = earlier.filter_map(|(text, other)| Some((Version::parse(text)?, other)));
    let fitting = parsed.filter(|(other, _)| version.is_prerelease() || !other.is_prerelease());
    let (before, other) = fitting.max_by_key(|&(_, other)| (packument.trust(other), other))?;
    Some(TrustLoss { trust, before, trust_before: packument.trust(other) })
}

#[cfg(test)]
mod tests;

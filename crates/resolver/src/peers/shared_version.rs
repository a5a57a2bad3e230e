//! Chooses the version that is added for the peers on one name. In: the versions of the packument
//! and the ranges of all peers. Out: a version; none when the existing ones have to do.
//!
//! A version in all ranges is chosen if there is one, so that one copy serves everybody. Where the
//! ranges exclude each other, peers that already have a version in range are left out of account,
//! then peers that were found late, which get versions of their own. If the rest still has no
//! version in common, it shares an existing one, or the best for the first, as bun does.

use rusk_npm::packument::VersionId;
use rusk_npm::semver::{Range, Version};

use crate::pick::Versions;

/// The range of one peer.
pub struct Demand {
    pub range: Range,
    pub status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An existing version is in range.
    Provided,
    Open,
    /// Open, and declared by a package that was itself added for a peer.
    Late,
}

/// `demands`: in bun's order.
pub fn shared_version(versions: &Versions, mut demands: Vec<Demand>) -> Option<(Version, VersionId)> {
    // A range without a version would exclude everything.
    demands.retain(|demand| demand.status == Status::Provided || versions.pick(&demand.range).is_some());
    let with = |counts: &dyn Fn(Status) -> bool| -> Vec<&Range> {
        let mut ranges: Vec<&Range> = Vec::new();
        for demand in demands.iter().filter(|demand| counts(demand.status)) {
            if !ranges.contains(&&demand.range) {
                ranges.push(&demand.range);
            }
        }
        ranges
    };
    let early = with(&|status| status == Status::Open);
    let is_provided = demands.iter().any(|demand| demand.status == Status::Provided);
    let shared = versions.pick_shared(&with(&|_| true));
    let shared = shared.or_else(|| versions.pick_shared(&with(&|status| status != Status::Provided)));
    let shared = shared.or_else(|| versions.pick_shared(&early));
    shared.or_else(|| versions.pick(early.first().filter(|_| !is_provided)?))
}

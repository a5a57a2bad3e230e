//! The minimum age of releases for one run. In: flags, the configuration, pnpm-workspace.yaml. Out:
//! the age and its exclusions, each from the highest source that has one.

use rusk_npm::release_age::{ReleaseAge, ReleaseAgeSettings, StabilityCheck};

use crate::configuration::Defaults;

/// `None` where no age is configured, or it is 0. Beside it, the exclusions that could not be read.
pub fn release_age(
    flags: &ReleaseAgeSettings,
    defaults: &Defaults,
    workspace: &ReleaseAgeSettings,
    now_s: u64,
) -> (Option<ReleaseAge>, Vec<String>) {
    let sources = [
        (flags, StabilityCheck::On),
        (&defaults.release_age, defaults.stability),
        (workspace, StabilityCheck::Off),
    ];
    let age = sources.iter().find_map(|(settings, check)| Some((settings.minimum_s?, *check)));
    let excludes = sources.iter().find_map(|(settings, _)| settings.excludes.as_deref());
    match age.filter(|(minimum_s, _)| *minimum_s > 0) {
        None => (None, Vec::new()),
        Some((minimum_s, check)) => {
            let (age, unread) = ReleaseAge::new(minimum_s, now_s, excludes.unwrap_or_default(), check);
            (Some(age), unread)
        }
    }
}

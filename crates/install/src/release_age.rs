//! The minimum age of releases for one run. In: flags, the configuration, pnpm-workspace.yaml. Out:
//! the age and its exclusions, each from the highest source that has one; a day where none has.

use rusk_configuration::Defaults;
use rusk_npm::release_age::{
    AgeMode, AgeOrigin, DEFAULT_MINIMUM_S, ReleaseAge, ReleaseAgeSettings, StabilityCheck,
};

/// `None` where an age of 0 is configured. Beside it, the exclusions that could not be read.
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
    let configured = sources.iter().find_map(|(settings, stability)| {
        let mode = AgeMode { origin: AgeOrigin::Configured, stability: *stability };
        Some((settings.minimum_s?, mode))
    });
    let by_default = AgeMode { origin: AgeOrigin::Default, stability: StabilityCheck::Off };
    let (minimum_s, mode) = configured.unwrap_or((DEFAULT_MINIMUM_S, by_default));
    if minimum_s == 0 {
        return (None, Vec::new());
    }
    let excludes = sources.iter().find_map(|(settings, _)| settings.excludes.as_deref());
    let (age, unread) = ReleaseAge::new(minimum_s, now_s, excludes.unwrap_or_default(), mode);
    (Some(age), unread)
}

//! The minimum age of releases in the configuration files. In: the sources. Out: seconds, and
//! exclusions: bun's keys, npm's `min-release-age` in days, pnpm's `minimum-release-age` in
//! minutes. A value that is no age is an error: ignored, it would admit what it should not.

use rusk_base::Result;
use rusk_npm::npmrc::Layer;
use rusk_npm::release_age::{ReleaseAgeSettings, StabilityCheck, parse_days};

use super::sources::{LayerOrigin, Sources};

const OF_NPM: &str = "min-release-age";
const OF_PNPM: &str = "minimum-release-age";

/// The environment comes first, then bunfig.toml, then the `.npmrc` files.
pub(super) fn settings(sources: &Sources) -> (ReleaseAgeSettings, StabilityCheck) {
    let bunfig = &sources.bunfig;
    let (of_environment, of_bunfig) = (seconds(&sources.environment), bunfig.minimum_release_age_s);
    let files = sources.files();
    let of_files = files.iter().find_map(|layer| seconds(layer));
    let stability = match of_environment.is_none() && of_bunfig.is_some() {
        true => StabilityCheck::On,
        false => StabilityCheck::Off,
    };
    let excluded = excludes(&sources.environment).or_else(|| bunfig.minimum_release_age_excludes.clone());
    let settings = ReleaseAgeSettings {
        minimum_s: of_environment.or(of_bunfig).or(of_files),
        excludes: excluded.or_else(|| files.iter().find_map(|layer| excludes(layer))),
    };
    (settings, stability)
}

/// An error for an age that is none.
pub(super) fn check(layer: &Layer, origin: &LayerOrigin<'_>) -> Result<()> {
    origin
        .check(layer, OF_NPM, "a number of days such as `3` or `0.5`", &|text| parse_days(text).is_some())?;
    let is_minutes = |text: &str| minutes(text).is_some();
    origin.check(layer, OF_PNPM, "a whole number of minutes such as `1440`", &is_minutes)
}

fn seconds(layer: &Layer) -> Option<u64> {
    layer.one(OF_NPM).and_then(parse_days).or_else(|| layer.one(OF_PNPM).and_then(minutes))
}

/// In seconds.
pub(super) fn minutes(text: &str) -> Option<u64> {
    text.parse::<u64>().ok()?.checked_mul(60)
}

/// npm also separates names by commas.
fn excludes(layer: &Layer) -> Option<Vec<String>> {
    let of_npm = layer.all("min-release-age-exclude");
    let values = of_npm.or_else(|| layer.all("minimum-release-age-exclude"))?;
    let names = values.iter().flat_map(|value| value.split(',')).map(str::trim);
    Some(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

//! The trust policy of releases in the configuration files. In: the sources. Out: the policy, its
//! exclusions, its window: bunfig's keys, and pnpm's in `.npmrc` and pnpm-workspace.yaml, whose
//! window is in minutes. A policy that is none is an error: ignored, it would admit everything.

use rusk_base::Result;
use rusk_npm::npmrc::Layer;
use rusk_npm::release_trust::{TrustPolicy, TrustSettings};

use super::release_age::minutes;
use super::sources::{LayerOrigin, Sources};

const POLICY: &str = "trust-policy";
const IGNORED_AFTER: &str = "trust-policy-ignore-after";

/// The environment comes first, then bunfig.toml, then the files.
pub(super) fn settings(sources: &Sources) -> TrustSettings {
    let files = sources.files().into_iter().map(of_layer);
    let of_files = files.reduce(|higher, lower| higher.over(&lower)).unwrap_or_default();
    of_layer(&sources.environment).over(&sources.bunfig.release_trust).over(&of_files)
}

/// An error for a policy or a window that is none.
pub(super) fn check(layer: &Layer, origin: &LayerOrigin<'_>) -> Result<()> {
    let is_policy = |text: &str| TrustPolicy::of_name(text).is_some();
    origin.check(layer, POLICY, "`no-downgrade` or `off`", &is_policy)?;
    let is_minutes = |text: &str| minutes(text).is_some();
    origin.check(layer, IGNORED_AFTER, "a whole number of minutes such as `43200`", &is_minutes)
}

fn of_layer(layer: &Layer) -> TrustSettings {
    let names = layer.all("trust-policy-exclude").map(|values| {
        let names = values.iter().flat_map(|value| value.split(',')).map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    });
    TrustSettings {
        policy: layer.one(POLICY).and_then(TrustPolicy::of_name),
        excludes: names,
        ignored_after_s: layer.one(IGNORED_AFTER).and_then(minutes),
    }
}

//! The trust policy of releases in the configuration files. In: the sources. Out: the policy, its
//! exclusions, its window: bunfig's keys, and pnpm's in `.npmrc` and pnpm-workspace.yaml, whose
//! window is in minutes.

use rusk_npm::npmrc::Layer;
use rusk_npm::release_trust::{TrustPolicy, TrustSettings};

use super::sources::Sources;

/// The environment comes first, then bunfig.toml, then the files.
pub(super) fn settings(sources: &Sources) -> TrustSettings {
    let files = sources.files().into_iter().map(of_layer);
    let of_files = files.reduce(|higher, lower| higher.over(&lower)).unwrap_or_default();
    of_layer(&sources.environment).over(&sources.bunfig.release_trust).over(&of_files)
}

fn of_layer(layer: &Layer) -> TrustSettings {
    let names = layer.all("trust-policy-exclude").map(|values| {
        let names = values.iter().flat_map(|value| value.split(',')).map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    });
    TrustSettings {
        policy: layer.one("trust-policy").and_then(TrustPolicy::of_name),
        excludes: names,
        ignored_after_s: layer
            .number("trust-policy-ignore-after")
            .and_then(|minutes| minutes.checked_mul(60)),
    }
}

//! Linker and hoist patterns from the configuration. In: the sources. Out: a linker, and which
//! undeclared names are linked. bunfig.toml takes precedence over `.npmrc`, where bun reads pnpm's
//! and npm's keys.

use rusk_lockfiles::settings::yarnrc::HOISTING_LIMITS;
use rusk_npm::bunfig::Linker;
use rusk_npm::hoisting_limit::HoistingLimit;
use rusk_npm::npmrc::Layer;
use rusk_resolver::isolate::HoistPatterns;

use super::Sharing;
use super::sources::Sources;
use rusk_npm::name_patterns::NamePatterns;

/// `globalStore` shares packages unless the hoisted linker is configured.
pub(super) fn linker(sources: &Sources) -> Option<Linker> {
    match (configured_linker(sources), sources.bunfig.global_store) {
        (None | Some(Linker::Isolated), Some(true)) => Some(Linker::Global),
        (configured, _) => configured,
    }
}

pub(super) fn sharing(sources: &Sources) -> Sharing {
    match sources.bunfig.global_store_fallback {
        Some(false) => Sharing::Always,
        _ => Sharing::UnlessAToolFails,
    }
}

fn configured_linker(sources: &Sources) -> Option<Linker> {
    sources.bunfig.linker.or_else(|| {
        sources.highest(|layer| {
            let node_linker = match layer.one("node-linker") {
                Some("isolated") => Some(Linker::Isolated),
                Some("hoisted") => Some(Linker::Hoisted),
                _ => None,
            };
            node_linker.or_else(|| match layer.one("install-strategy")? {
                "linked" => Some(Linker::Isolated),
                "hoisted" => Some(Linker::Hoisted),
                _ => None,
            })
        })
    })
}

pub(super) fn hoisting_limit(sources: &Sources) -> HoistingLimit {
    let named = sources.highest(|layer| layer.one(HOISTING_LIMITS).map(HoistingLimit::of_name));
    named.flatten().unwrap_or_default()
}

pub(super) fn hoisting(sources: &Sources) -> HoistPatterns {
    let bunfig = &sources.bunfig;
    let patterns = |own: &Option<Vec<String>>, key: &str| {
        let found = own.clone().or_else(|| sources.highest(|layer: &Layer| layer.all(key)));
        found.map(NamePatterns::new)
    };
    let hidden = match sources.boolean(bunfig.hoist, "hoist") {
        Some(false) => Some(NamePatterns::new(Vec::new())),
        _ => patterns(&bunfig.hoist_pattern, "hoist-pattern"),
    };
    let everything = || NamePatterns::new(vec!["*".to_owned()]);
    let public = match sources.boolean(None, "shamefully-hoist") {
        Some(true) => Some(everything()),
        _ => patterns(&bunfig.public_hoist_pattern, "public-hoist-pattern"),
    };
    HoistPatterns { hidden, public }
}

//! Whether a package's `engines` are met. In: its ranges and the versions there are. Out: what is
//! not met. Absent: what follows from it, which the caller's flags decide.

use crate::semver::{Prereleases, Range, Rules, Syntax, Version};

/// As npm checks engines: a nightly `24.0.0-pre` is a 24.
const RULES: Rules = Rules { syntax: Syntax::Strict, prereleases: Prereleases::Included };

/// An engine whose version is outside the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    pub engine: String,
    pub wanted: String,
    pub found: String,
}

/// Checks the engines whose version is known; a range that is none is never met, as in npm.
pub fn unmet(engines: &[(String, String)], versions: &[(&str, &str)]) -> Vec<Unmet> {
    let check = |(engine, wanted): &(String, String)| {
        let (_, found) = versions.iter().find(|(name, _)| name == engine)?;
        let version = Version::parse(found)?;
        let met = wanted.is_empty()
            || Range::parse_with(wanted, RULES).is_some_and(|range| range.contains(&version));
        (!met).then(|| Unmet { engine: engine.clone(), wanted: wanted.clone(), found: (*found).to_owned() })
    };
    engines.iter().filter_map(check).collect()
}

#[cfg(test)]
mod tests;

//! The field `engines`: whether its ranges match. In: ranges, and versions of the engines. Out: the
//! ranges that do not match. Absent: the consequences; the caller's flags decide.

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

/// Checks the engines whose version is known. An invalid range never matches, as in npm.
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

//! The hash of Yarn's own patch of a package. Only Yarn has the patches, so the hashes are listed:
//! `yarn install` of 4.4.1, 4.9.2, 4.14.1 and 4.18.0 wrote them for each version. In: a version,
//! the patches that the lockfile has, the version of Yarn. Out: the hash. Absent: the patches.

use rusk_npm::semver::Version;

use super::tool_version::ToolVersion;

/// A patch that the lockfile has: the version of its package, and the hash.
pub(super) type KnownPatch<'t> = (&'t str, &'t str);

/// Versions that have the same patch in every version of Yarn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    Fsevents {
        major: u64,
    },
    /// 4.8 to 5.6.
    Typescript {
        major: u64,
        minor: u64,
    },
    /// From 5.7 on: the newest patch that a version of Yarn has.
    NewestTypescript,
    /// One patch for all versions.
    All,
}

impl Range {
    fn of(name: &str, version: &str) -> Option<Range> {
        let version = Version::parse(version)?;
        let (major, minor) = (version.major, version.minor);
        Some(match name {
            "fsevents" => Range::Fsevents { major },
            "typescript" if (major, minor) >= (5, 7) => Range::NewestTypescript,
            "typescript" => Range::Typescript { major, minor },
            _ => Range::All,
        })
    }

    fn hash(self, tool: ToolVersion) -> Option<&'static str> {
        Some(match self {
            Range::All => tool.resolve_patch(),
            Range::Fsevents { major: 1 } => "d11327",
            Range::Fsevents { major: 2 } => "df0bf1",
            Range::Typescript { major: 4, minor: 8 } => "1a91c8",
            Range::Typescript { major: 4, minor: 9 } => "289587",
            Range::Typescript { major: 5, minor: 0 } => "b5f058",
            Range::Typescript { major: 5, minor: 1 } => "5da071",
            Range::Typescript { major: 5, minor: 2 } => "f3b441",
            Range::Typescript { major: 5, minor: 3 } => "e012d7",
            Range::Typescript { major: 5, minor: 4 } => "5adc0c",
            Range::Typescript { major: 5, minor: 5 } => "379a07",
            Range::Typescript { major: 5, minor: 6 } => "8c6c40",
            // Since Yarn 4.9.
            Range::NewestTypescript => "5786d5",
            Range::Fsevents { .. } | Range::Typescript { .. } => return None,
        })
    }
}

/// The hash that the lockfile has for a version with the same patch, else the listed one, else one
/// that the lockfile has for any version.
pub(super) fn of<'t>(
    name: &str,
    version: &str,
    known: &[KnownPatch<'t>],
    tool: ToolVersion,
) -> Option<&'t str> {
    let range = Range::of(name, version);
    let same = known.iter().find(|(other, _)| Range::of(name, other) == range);
    let same = same.map(|&(_, hash)| hash);
    same.or_else(|| range.and_then(|range| range.hash(tool))).or_else(|| known.first().map(|&(_, hash)| hash))
}

/// The version and the hash of a locator, `name@patch:…::version=1.0.0&hash=abc`.
pub(super) fn known(locator: &str) -> Option<KnownPatch<'_>> {
    let (version, hash) = locator.split_once("::version=")?.1.split_once("&hash=")?;
    Some((version, hash.split('&').next().unwrap_or(hash)))
}

#[cfg(test)]
mod tests;

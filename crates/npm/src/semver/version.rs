//! One version. In: a string. Out: a value with an order.

use super::Syntax;
use super::grammar::{self, NUMBER_MAX, Tail};
use std::cmp::Ordering;
use std::fmt;

/// A longer string is not a version, as in node-semver.
pub const VERSION_BYTES_MAX: usize = 256;

/// A version such as `1.2.3-beta.4+linux`.
///
/// Equality and order compare all parts, the build last; [`Version::cmp_precedence`] ignores the
/// build, as ranges do.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Version {
    pub major: u64,
    pub minor: u64,
    pub patch: u64,
    /// Dot separated identifiers, numbers without leading zeros.
    pre: Option<Box<str>>,
    build: Option<Box<str>>,
}

/// Why a string is not a version. Loose ranges ignore parts of another form, but not numbers that
/// are too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flaw {
    Shape,
    Size,
}

impl Version {
    /// Parses versions of registries and manifests: loosely.
    pub fn parse(text: &str) -> Option<Version> {
        Version::parse_with(text, Syntax::Loose)
    }

    pub fn parse_with(text: &str, syntax: Syntax) -> Option<Version> {
        Version::read(text, syntax).ok()
    }

    pub(super) fn read(text: &str, syntax: Syntax) -> Result<Version, Flaw> {
        let trimmed = text.trim_matches(grammar::is_blank);
        let bare = match syntax {
            Syntax::Strict => trimmed.strip_prefix('v').unwrap_or(trimmed),
            Syntax::Loose => trimmed.trim_start_matches(grammar::is_prefix),
        };
        let ([major, minor, patch], tail) = split(bare, syntax).ok_or(Flaw::Shape)?;
        if text.len() > VERSION_BYTES_MAX {
            return Err(Flaw::Size);
        }
        let mut version = Version::new(major, minor, patch, tail.pre)?;
        version.build = tail.build.map(Box::from);
        Ok(version)
    }

    /// Parts that were read from a range.
    pub(super) fn new(major: u64, minor: u64, patch: u64, pre: Option<&str>) -> Result<Version, Flaw> {
        if major.max(minor).max(patch) > NUMBER_MAX {
            return Err(Flaw::Size);
        }
        let pre = pre.map(without_leading_zeros);
        // The dash may have made it longer by one; the displayed version must be parsable again.
        if pre.as_ref().is_some_and(|pre| pre.len() + "0.0.0-".len() > VERSION_BYTES_MAX) {
            return Err(Flaw::Size);
        }
        Ok(Version { major, minor, patch, pre, build: None })
    }

    /// The prerelease without its dash: `beta.4`.
    pub fn pre(&self) -> Option<&str> {
        self.pre.as_deref()
    }

    /// The build metadata without its plus.
    pub fn build(&self) -> Option<&str> {
        self.build.as_deref()
    }

    pub fn is_prerelease(&self) -> bool {
        self.pre.is_some()
    }

    /// Semver's precedence: the build does not count.
    pub fn cmp_precedence(&self, other: &Version) -> Ordering {
        self.numbers().cmp(&other.numbers()).then_with(|| match (self.pre(), other.pre()) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(left), Some(right)) => cmp_identifiers(left, right),
        })
    }

    pub(super) fn without_build(self) -> Version {
        Version { build: None, ..self }
    }

    pub(super) fn numbers(&self) -> [u64; 3] {
        [self.major, self.minor, self.patch]
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.cmp_precedence(other).then_with(|| self.build.cmp(&other.build))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if let Some(pre) = &self.pre {
            write!(f, "-{pre}")?;
        }
        if let Some(build) = &self.build {
            write!(f, "+{build}")?;
        }
        Ok(())
    }
}

fn split(text: &str, syntax: Syntax) -> Option<([u64; 3], Tail<'_>)> {
    let (major, rest) = grammar::number(text, syntax)?;
    let (minor, rest) = grammar::number(rest.strip_prefix('.')?, syntax)?;
    let (patch, tail) = grammar::patch_and_tail(rest.strip_prefix('.')?, syntax)?;
    Some(([major, minor, patch], tail))
}

fn without_leading_zeros(pre: &str) -> Box<str> {
    let is_plain = |identifier: &str| identifier == "0" || !identifier.starts_with('0');
    if pre.split('.').all(is_plain) {
        return pre.into();
    }
    let shorten = |identifier| match grammar::is_numeric(identifier) {
        true => Some(identifier.trim_start_matches('0')).filter(|digits| !digits.is_empty()).unwrap_or("0"),
        false => identifier,
    };
    pre.split('.').map(shorten).collect::<Vec<_>>().join(".").into()
}

/// Identifier by identifier; of two lists that agree so far the longer is greater.
fn cmp_identifiers(left: &str, right: &str) -> Ordering {
    let mut rights = right.split('.');
    for left in left.split('.') {
        let Some(right) = rights.next() else { return Ordering::Greater };
        let order = match (grammar::is_numeric(left), grammar::is_numeric(right)) {
            // Numbers here have no leading zeros and may be too long for any integer.
            (true, true) => left.len().cmp(&right.len()).then_with(|| left.cmp(right)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => left.cmp(right),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    match rights.next() {
        Some(_) => Ordering::Less,
        None => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests;

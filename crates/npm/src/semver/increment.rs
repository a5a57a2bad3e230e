//! The next version, exactly as node-semver's `inc` computes it.

use super::{Range, Version};

/// Which part of a version is raised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Increment {
    Major,
    Minor,
    Patch,
    Premajor,
    Preminor,
    Prepatch,
    Prerelease,
}

impl Increment {
    pub const ALL: [Increment; 7] = [
        Increment::Patch,
        Increment::Minor,
        Increment::Major,
        Increment::Prepatch,
        Increment::Preminor,
        Increment::Premajor,
        Increment::Prerelease,
    ];

    /// As on npm's command line.
    pub fn name(self) -> &'static str {
        match self {
            Increment::Major => "major",
            Increment::Minor => "minor",
            Increment::Patch => "patch",
            Increment::Premajor => "premajor",
            Increment::Preminor => "preminor",
            Increment::Prepatch => "prepatch",
            Increment::Prerelease => "prerelease",
        }
    }
}

impl Version {
    /// The next version; the build is left out. `identifier`: what a prerelease begins with, such
    /// as `beta`. `None` if a number becomes too large.
    pub fn increment(&self, by: Increment, identifier: Option<&str>) -> Option<Version> {
        let Version { major, minor, patch, .. } = *self;
        let is_release = !self.is_prerelease();
        let fresh = |numbers: [u64; 3]| {
            let [major, minor, patch] = numbers;
            Version::new(major, minor, patch, Some(&first_prerelease(identifier))).ok()
        };
        let release = |numbers: [u64; 3]| {
            let [major, minor, patch] = numbers;
            Version::new(major, minor, patch, None).ok()
        };
        match by {
            // A prerelease of the version that is wanted becomes that version.
            Increment::Major if is_release || minor != 0 || patch != 0 => release([major + 1, 0, 0]),
            Increment::Major => release([major, 0, 0]),
            Increment::Minor if is_release || patch != 0 => release([major, minor + 1, 0]),
            Increment::Minor => release([major, minor, 0]),
            Increment::Patch if is_release => release([major, minor, patch + 1]),
            Increment::Patch => release([major, minor, patch]),
            Increment::Premajor => fresh([major + 1, 0, 0]),
            Increment::Preminor => fresh([major, minor + 1, 0]),
            Increment::Prepatch => fresh([major, minor, patch + 1]),
            Increment::Prerelease if is_release => fresh([major, minor, patch + 1]),
            Increment::Prerelease => {
                let next = next_prerelease(self.pre().unwrap_or_default(), identifier)?;
                Version::new(major, minor, patch, Some(&next)).ok()
            }
        }
    }
}

/// Whether a text can be an identifier of a prerelease: `beta`, or several with dots between them.
pub fn is_prerelease_identifier(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    // A number would be compared as one, and is no name.
    text.split('.').all(is_part) && Range::parse(text).is_none()
}

fn first_prerelease(identifier: Option<&str>) -> String {
    identifier.map_or_else(|| "0".to_owned(), |identifier| format!("{identifier}.0"))
}

/// Raises the last number; begins again with another identifier.
fn next_prerelease(pre: &str, identifier: Option<&str>) -> Option<String> {
    let parts: Vec<&str> = pre.split('.').collect();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(identifier) = identifier {
        let is_same = parts[0] == identifier && parts.get(1).is_some_and(|part| is_number(part));
        if !is_same {
            return Some(first_prerelease(Some(identifier)));
        }
    }
    let Some(last) = parts.iter().rposition(|part| is_number(part)) else { return Some(format!("{pre}.0")) };
    let number = parts[last].parse::<u64>().ok()?.checked_add(1)?.to_string();
    let raised = parts.iter().enumerate().map(|(at, part)| if at == last { number.as_str() } else { part });
    Some(raised.collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests;

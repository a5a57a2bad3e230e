//! What differs between the versions of the format. In: `__metadata`. Out: how descriptors are
//! written. Before version 8, the ranges of dependencies have no protocol.

use rusk_base::Result;
use rusk_npm::semver::Range;

use super::super::descriptor;
use super::super::syntax::{Block, FILE};
use crate::problem;

/// `version` of `__metadata`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BerryVersion(u32);

const OLDEST: u32 = 6;
const NEWEST: u32 = 10;

/// Packages that Yarn patches for itself, whether or not a project asks for it.
pub(super) const PATCHED_BY_YARN: [&str; 3] = ["fsevents", "resolve", "typescript"];

pub(in super::super) fn version(metadata: &Block<'_>) -> Result<BerryVersion> {
    let text = metadata.text("version").unwrap_or("none");
    match text.parse::<u32>() {
        Ok(number) if (OLDEST..=NEWEST).contains(&number) => Ok(BerryVersion(number)),
        _ => Err(problem::version(FILE, metadata.line, text, "6 to 10, or the format of Yarn 1")
            .hint("write it again with Yarn 3 or newer: `yarn install --mode=update-lockfile`")),
    }
}

impl BerryVersion {
    fn has_protocols(self) -> bool {
        self.0 >= 8
    }

    /// The range of a dependency as an entry has it.
    pub fn written(self, literal: &str) -> String {
        if self.has_protocols() { bound(literal) } else { literal.to_owned() }
    }

    /// The descriptor of Yarn's own patch.
    pub fn patch_descriptor(self, name: &str, literal: &str) -> String {
        match self.has_protocols() {
            true => {
                format!("{name}@patch:{name}@{}#optional!builtin<compat/{name}>", encoded(&bound(literal)))
            }
            false => format!("{name}@patch:{name}@{}#~builtin<compat/{name}>", encoded(literal)),
        }
    }

    /// The locator of Yarn's own patch, but for its parameters.
    pub fn patch_locator(self, name: &str, version: &str) -> String {
        let mark = if self.has_protocols() { "optional!" } else { "~" };
        format!("{name}@patch:{name}@npm%3A{version}#{mark}builtin<compat/{name}>::version={version}")
    }
}

/// The range of a descriptor, with its protocol. A range of the file may have it already: of
/// `npm:^5 || ^6`, a part alone is a range too.
pub(super) fn bound(literal: &str) -> String {
    if literal.contains(':') {
        return literal.to_owned();
    }
    let is_tag = !literal.is_empty()
        && literal.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    match is_tag || Range::parse(literal).is_some() {
        true => format!("npm:{literal}"),
        false => literal.to_owned(),
    }
}

/// The range as a package.json has it: `npm:` stays where an alias follows.
pub(super) fn plain(range: &str) -> &str {
    match range.strip_prefix("npm:") {
        Some(rest) if Range::parse(rest).is_some() || !is_alias(rest) => rest,
        _ => range,
    }
}

fn is_alias(rest: &str) -> bool {
    let (name, range) = descriptor::split(rest);
    !range.is_empty() || name.starts_with('@')
}

fn encoded(range: &str) -> String {
    range.replace('%', "%25").replace(':', "%3A").replace('#', "%23")
}

/// As in the parameters of a locator.
pub(super) fn parameter(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'!' | b'*' => {
                out.push(char::from(byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

//! `bun.lock`, the text lockfile. In: its source text. Out: a bound [`Graph`] and the project's
//! rules; or the source text of these. Reading binds every dependency to a package by the paths of
//! the file; rendering an unchanged graph returns the same bytes. The format's rules are in
//! `docs/contributing/lockfile-format.md`.

mod bind;
mod read;
mod render;

use std::sync::Arc;

use crate::graph::{Graph, Text};
use crate::overrides::Overrides;
use crate::package_extensions::PackageExtensions;

pub use read::parse;
pub use render::render;

/// The file's name in a project.
pub const FILE_NAME: &str = "bun.lock";

/// A lockfile larger than this is not one: 100,000 packages take about 40 MB.
pub const BYTES_MAX: u64 = 256 << 20;

/// The content of the file, except the tree, which can be computed from the graph.
#[derive(Clone, Debug, Default)]
pub struct Lockfile {
    /// `None` for a project that has no lockfile yet.
    pub format: Option<Format>,
    /// The default linker of a project without a setting; stored as read.
    pub config_version: ConfigVersion,
    pub graph: Graph,
    pub rules: Rules,
}

/// The entries of the project's package.json that the lockfile repeats, because they decide
/// versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Sorted by parent and target.
    pub overrides: Overrides,
    /// Name and range, sorted by name.
    pub catalog: Vec<(Text, Text)>,
    /// Catalogs by name, sorted.
    pub catalogs: Vec<(Text, Vec<(Text, Text)>)>,
    /// `trustedDependencies` of package.json; `None` if it has no such key.
    pub trusted: Option<Vec<Text>>,
    /// `name@version` and the patch's path.
    pub patched: Vec<(Text, Text)>,
    /// By the same keys, the SHA-256 of the patches in hexadecimal, which pnpm-lock.yaml repeats.
    /// `None` where the patches were not read.
    pub patch_hashes: Option<Vec<(Text, Text)>>,
    /// pnpm-lock.yaml repeats their checksum, other lockfiles nothing of them.
    pub extensions: Arc<PackageExtensions>,
    pub extensions_checksum: Option<Text>,
}

/// `lockfileVersion`. What differs between them is how strictly they are read, but for 0, which
/// repeats the dependencies of workspaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    V0,
    V1,
    V2,
    V3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConfigVersion {
    V0,
    #[default]
    V1,
}

impl Format {
    pub const NEWEST: Format = Format::V3;

    pub fn number(self) -> u32 {
        self as u32
    }

    pub fn from_number(number: u32) -> Option<Format> {
        [Format::V0, Format::V1, Format::V2, Format::V3].into_iter().find(|format| format.number() == number)
    }
}

impl Rules {
    /// Whether a rule applies only to some dependents or some versions.
    pub fn has_scoped_overrides(&self) -> bool {
        self.overrides.rules.iter().any(|rule| rule.parent.is_some() || !rule.target.range.is_empty())
    }

    /// Whether any rule is about this name.
    pub fn names_override(&self, name: &str) -> bool {
        self.overrides.rules.iter().any(|rule| rule.target.name == name)
    }

    /// The literal to which `catalog:` or `catalog:group` refers. Other literals, and references
    /// that the catalog does not have, are returned unchanged.
    pub fn catalog_literal<'a>(&'a self, name: &str, literal: &'a str) -> &'a str {
        let Some(group) = literal.strip_prefix("catalog:").map(str::trim) else { return literal };
        let named =
            || self.catalogs.iter().find(|(catalog, _)| **catalog == *group).map(|(_, members)| members);
        let members = if group.is_empty() { Some(&self.catalog) } else { named() };
        let entry = members.and_then(|members| members.iter().find(|(member, _)| **member == *name));
        entry.map_or(literal, |(_, range)| range)
    }
}

#[cfg(test)]
mod tests;

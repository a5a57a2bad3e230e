//! Versions and ranges, parsed and ordered exactly as by npm's node-semver 7. In: strings. Out:
//! values. Absent: coercion of arbitrary strings, and "greater than the complete range".

#[cfg(test)]
mod cases;
mod grammar;
mod increment;
mod range;
mod version;

pub use increment::{Increment, is_prerelease_identifier};
pub use range::{Comparator, Operator, Range};
pub use version::Version;

/// How forgiving the reading is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// The grammar of semver.org, with a leading `v` allowed.
    Strict,
    /// Also leading zeros, `=1.2.3`, `1.2.3beta`; in ranges, invalid parts are ignored. Package
    /// managers parse the data of registries like this.
    Loose,
}

/// Which prereleases a range contains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prereleases {
    /// Those of a patch that a comparator of the range names with a prerelease, as npm installs.
    Named,
    /// All between the bounds, as npm checks `engines`.
    Included,
}

/// How a range is read. `prereleases` belongs here because it moves bounds: `1.x` begins at
/// `1.0.0`, or at `1.0.0-0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    pub syntax: Syntax,
    pub prereleases: Prereleases,
}

impl Rules {
    /// How npm reads the ranges of dependencies.
    pub const DEPENDENCY: Rules = Rules { syntax: Syntax::Loose, prereleases: Prereleases::Named };
}

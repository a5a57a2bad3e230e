//! `pnpm-lock.yaml`, version 9: what each member and each package is bound to. In: the text and the
//! package.json files, or a new graph. Out: a graph in which every dependency is bound to what pnpm
//! gives it, or the text that pnpm writes for it.
//!
//! A package whose peers differ between dependents has one entry in `snapshots` for each choice,
//! and each of them is a package of the graph. Absent: versions 5 and 6, which pnpm 8 wrote.

mod dep_path;
mod importers;
mod instances;
mod read;
mod render;
mod snapshots;

/// Settings that the file repeats; the rest is in the text itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PnpmDetails {
    /// `autoInstallPeers`.
    pub installs_peers: bool,
}

pub use read::read;
pub use render::render;

#[cfg(test)]
mod tests;

//! Yarn 2 and newer: one entry for the descriptors that lead to one locator, with its dependencies,
//! peers, programs and platforms; the members of the workspace are entries too. The checksums are
//! those of Yarn's own archives, so they say nothing about a registry's tarball.

mod entry;
mod format;
mod own_peers;
mod patch_hash;
mod read;
mod render;
mod table;
mod tool_version;

pub use format::BerryVersion;
pub(super) use format::version;
pub use own_peers::BerryDetails;
pub(super) use read::read;
pub(super) use render::render;
pub use tool_version::{ToolVersion, begin};

#[cfg(test)]
mod tests;

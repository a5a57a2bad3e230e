//! Paths of the repository and of the target directory; functions of files and directories.

use std::path::{Path, PathBuf};

pub use rusk_testkit::files::{copy, empty, find, remove, remove_file, write};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository").to_owned()
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

//! An image made a root: unpacked once, found again by its digest. In: an OCI image layout, as a
//! folder or as a tar, and the cache. Out: a folder, and how the image wants its program run.
//! Everything in an image may lie: blobs are held against their digests, and no entry of a layer
//! leaves the root. What is unpacked becomes visible by one rename. Absent: fetching images, zstd,
//! extended attributes, device nodes.

mod digest;
mod layer;
mod layout;
pub mod manifest;
mod shelf;

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::sys::mounts::ZeroUmask;
use rusk_base::{Result, files, sys};

use crate::problem;
use layer::{Owners, Unpacking};
use layout::Layout;
use manifest::{Config, Manifest};
use shelf::Shelf;
pub use shelf::prune;

/// What counts in images and what they say of themselves; real indexes and manifests have a few
/// kilobytes.
const TEXT_BYTES_MAX: u64 = 8 << 20;

/// The most images that one index may lead through before the one that is meant.
const INDEXES_MAX: usize = 4;

#[derive(Clone, Debug)]
pub struct Image {
    pub root: PathBuf,
    pub defaults: Defaults,
}

/// What the image's maker wanted, where the command line says nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub variables: Vec<(OsString, OsString)>,
    pub workdir: Option<PathBuf>,
    pub user: Option<String>,
    /// The program and its arguments; may be empty.
    pub words: Vec<String>,
}

/// Whether a path is to be taken for an image, and not for a root.
pub fn is_image(path: &Path) -> bool {
    path.is_file() || path.join("oci-layout").is_file()
}

/// The root that an image makes, unpacked if that was not done before. `waiting` hears how long
/// another has been at it.
pub fn provide(source: &Path, cache_dir: &Path, waiting: &mut dyn FnMut(Duration)) -> Result<Image> {
    let layout = Layout::open(source)?;
    let wanted = choose(&layout)?;
    let owners = if sys::user_namespace::effective_ids().user == 0 { Owners::Kept } else { Owners::Ours };
    let shelf = Shelf::open(cache_dir)?;
    let name = shelf.name(&wanted, owners);
    if let Some(image) = shelf.find(&name)? {
        return Ok(image);
    }
    let lock = shelf.lock(waiting)?;
    if let Some(image) = shelf.find(&name)? {
        return Ok(image);
    }
    let manifest = Manifest::parse(&layout.read_blob(&wanted, TEXT_BYTES_MAX)?)
        .map_err(|found| problem::bad_image(source, &found))?;
    let config = layout.read_blob(&manifest.config, TEXT_BYTES_MAX)?;
    Config::parse(&config).map_err(|found| problem::bad_image(source, &found))?;
    let staged = shelf.stage(&lock)?;
    let folder = staged.make_root()?;
    let mut unpacking = Unpacking::new(folder.as_fd(), owners);
    let umask = ZeroUmask::set();
    for wanted in &manifest.layers {
        let blob = layout.open_blob(wanted)?;
        unpacking
            .apply(blob, wanted)
            .map_err(|problem| problem.note(format!("image: `{}`", source.display())))?;
    }
    drop(umask);
    files::write_atomically(&staged.path().join(shelf::CONFIG_NAME), &config)?;
    staged.publish(&name, source)?;
    let found = shelf.find(&name)?;
    found.ok_or_else(|| problem::bad_image(source, "it could not be read after it was unpacked"))
}

/// The manifest that is meant for this machine.
fn choose(layout: &Layout) -> Result<digest::Digest> {
    let bad = |found: String| problem::bad_image(layout.source(), &found);
    let mut index = layout.read_index(TEXT_BYTES_MAX)?;
    for _ in 0..INDEXES_MAX {
        match manifest::choose(&index).map_err(bad)? {
            manifest::Chosen::Manifest(digest) => return Ok(digest),
            manifest::Chosen::Index(digest) => index = layout.read_blob(&digest, TEXT_BYTES_MAX)?,
        }
    }
    Err(bad(format!("its index leads through more than {INDEXES_MAX} others")))
}

#[cfg(test)]
mod tests;

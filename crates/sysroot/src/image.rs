//! OCI images as sysroots: unpacked once, cached by digest. In: an OCI image layout, as a directory
//! or a tar, and the cache. Out: a root directory, and the image's defaults for its program.
//!
//! Images are untrusted: blobs are verified against their digests, and no entry of a layer leaves
//! the root. An unpacked image becomes visible by one rename. Absent: downloading, zstd, extended
//! attributes, device nodes.

mod cache;
mod digest;
mod layer;
mod layout;
pub mod manifest;

use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::sys::mounts::ZeroUmask;
use rusk_base::{Result, files, sys};

use crate::problem;
use cache::ImageCache;
pub use cache::prune;
use layer::{LayerUnpacker, Owners};
use layout::Layout;
use manifest::{Config, Manifest};

/// Largest index, manifest or configuration; real ones have a few kilobytes.
const DOCUMENT_BYTES_MAX: u64 = 8 << 20;

/// Nested indexes that are followed.
const INDEXES_MAX: usize = 4;

#[derive(Clone, Debug)]
pub struct Image {
    pub root: PathBuf,
    pub defaults: Defaults,
}

/// Defaults of the image, where the command line has no option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub variables: Vec<(OsString, OsString)>,
    pub workdir: Option<PathBuf>,
    pub user: Option<String>,
    /// The program and its arguments; may be empty.
    pub arguments: Vec<String>,
}

/// Whether a path is an image rather than a root directory.
pub fn is_image(path: &Path) -> bool {
    path.is_file() || path.join("oci-layout").is_file()
}

/// Returns the root of an image, unpacked if it is not cached yet. `waiting` is called with the
/// time waited for another process that unpacks.
pub fn provide(source: &Path, cache_dir: &Path, waiting: &mut dyn FnMut(Duration)) -> Result<Image> {
    let layout = Layout::open(source)?;
    let wanted = select(&layout)?;
    let owners =
        if sys::user_namespace::effective_ids().user == 0 { Owners::Preserved } else { Owners::Current };
    let cache = ImageCache::open(cache_dir)?;
    let name = cache.name(&wanted, owners);
    if let Some(image) = cache.find(&name)? {
        return Ok(image);
    }
    let lock = cache.lock(waiting)?;
    if let Some(image) = cache.find(&name)? {
        return Ok(image);
    }
    let manifest = Manifest::parse(&layout.read_blob(&wanted, DOCUMENT_BYTES_MAX)?)
        .map_err(|found| problem::bad_image(source, &found))?;
    let config = layout.read_blob(&manifest.config, DOCUMENT_BYTES_MAX)?;
    Config::parse(&config).map_err(|found| problem::bad_image(source, &found))?;
    let staged = cache.stage(&lock)?;
    let directory = staged.make_root()?;
    let mut unpacking = LayerUnpacker::new(directory.as_fd(), owners);
    let umask = ZeroUmask::set();
    for wanted in &manifest.layers {
        let blob = layout.open_blob(wanted)?;
        unpacking
            .apply(blob, wanted)
            .map_err(|problem| problem.note(format!("image: `{}`", source.display())))?;
    }
    drop(umask);
    files::write_atomically(&staged.path().join(cache::CONFIG_NAME), &config)?;
    staged.publish(&name, source)?;
    let found = cache.find(&name)?;
    found.ok_or_else(|| problem::bad_image(source, "it could not be read after it was unpacked"))
}

/// The manifest for this platform.
fn select(layout: &Layout) -> Result<digest::Digest> {
    let bad = |found: String| problem::bad_image(layout.source(), &found);
    let mut index = layout.read_index(DOCUMENT_BYTES_MAX)?;
    for _ in 0..INDEXES_MAX {
        match manifest::select(&index).map_err(bad)? {
            manifest::IndexEntry::Manifest(digest) => return Ok(digest),
            manifest::IndexEntry::Index(digest) => index = layout.read_blob(&digest, DOCUMENT_BYTES_MAX)?,
        }
    }
    Err(bad(format!("its index leads through more than {INDEXES_MAX} others")))
}

#[cfg(test)]
mod tests;

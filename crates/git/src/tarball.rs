//! Packages from tarballs outside of a registry: `file:x.tgz`, `https://host/x.tgz`. In: bytes.
//! Out: a package of the store and the integrity for bun.lock. Absent: the network.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::credential::without_credentials;
use rusk_npm::integrity::Integrity;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_npm::name::PackageName;
use rusk_store::integrity::{of_sha512, verify};
use rusk_store::tarball::{inflate, read_files};
use rusk_store::{Expected, Key, Package, Store};

use crate::problem;

/// Limit for a tarball on disk: the largest published packages are below half of it.
const TARBALL_BYTES_MAX: u64 = 1 << 30;
/// Block size of tar.
const BLOCK: usize = 512;

/// A tarball that is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpackedTarball {
    /// The name in package.json, or the one that bun makes up: the file name without its extension.
    pub name: String,
    pub package: Package,
    pub key: Key,
    /// Contents of package.json in the tarball.
    pub manifest_text: String,
    /// Of the tarball's bytes, `sha512-…`: the entry's last element, and the contents of `.bun-tag`
    /// in the package.
    pub integrity: Integrity,
}

/// Reads a tarball on disk.
pub fn local_tarball(path: &Path) -> Result<Vec<u8>> {
    files::read_bytes(path, TARBALL_BYTES_MAX)
}

/// The store's key of such a tarball; `integrity` as in the lockfile. Its directory has the name of
/// the key, so there are no credentials in it.
pub fn key(name: &str, source_label: &str, integrity: &str) -> Key {
    Key::new(name, &without_credentials(source_label), integrity)
}

/// Verifies a tarball against the lockfile and adds its files to the store, with bun's `.bun-tag`.
/// `source_label`: the path or URL, as in the lockfile.
pub fn from_tarball(
    bytes: &[u8],
    source_label: &str,
    expected: Option<&Integrity>,
    store: &Store,
) -> Result<UnpackedTarball> {
    let source_label = &without_credentials(source_label);
    let verified = verify(expected, bytes);
    let hash = verified.map_err(|error| error.note(format!("in the tarball `{source_label}`")))?;
    let integrity = of_sha512(&hash);
    inflate::with_tar(bytes, |tar| {
        let manifest_text = manifest_text(tar, source_label)?;
        let name = name_in(&manifest_text, fallback_name(source_label))?;
        let key = key(&name, source_label, &integrity.to_string());
        let package = match store.find(&key)? {
            Some(package) => package,
            None => store.add(&key, &with_tag(&integrity.to_string(), tar), &Expected::default())?,
        };
        Ok(UnpackedTarball { name, package, key, manifest_text, integrity })
    })
    .map_err(|error| error.note(format!("in the tarball `{source_label}`")))
}

fn manifest_text(tar: &[u8], source_label: &str) -> Result<String> {
    let files = read_files(tar)?;
    let at = files.binary_search_by(|file| file.path.as_ref().cmp("package.json"));
    let body = at.map(|at| files[at].body.as_ref()).map_err(|_| problem::no_manifest_in(source_label))?;
    match body.len() > MANIFEST_BYTES_MAX {
        true => Err(problem::no_manifest_in(source_label)),
        false => Ok(String::from_utf8_lossy(body).into_owned()),
    }
}

/// The name in a package.json, or `fallback` if it has no valid name.
pub(super) fn name_in(manifest_text: &str, fallback: &str) -> Result<String> {
    let root = json::parse(manifest_text, Dialect::Relaxed).map_err(problem::manifest_text)?;
    let stated = root.find("name").and_then(Node::as_str);
    let name = stated.filter(|name| PackageName::parse(name).is_ok());
    Ok(name.unwrap_or(fallback).to_owned())
}

/// `../left-1.0.0.tar.gz` is `left-1.0.0`.
fn fallback_name(source_label: &str) -> &str {
    let path = source_label.split(['#', '?']).next().unwrap_or(source_label);
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".tgz").or_else(|| file.strip_suffix(".tar.gz")).unwrap_or(file)
}
/// The tar with `.bun-tag` as its first file; a package that has one already keeps it.
pub(super) fn with_tag(tag: &str, tar: &[u8]) -> Vec<u8> {
    let mut tagged = Vec::with_capacity(2 * BLOCK + tar.len());
    tagged.resize(BLOCK, 0);
    let mut put = |at: usize, field: &[u8]| tagged[at..at + field.len()].copy_from_slice(field);
    put(0, b"package/.bun-tag");
    put(100, b"0000644\0");
    put(124, format!("{:011o}\0", tag.len()).as_bytes());
    // The checksum is computed with blanks in its own field: tar(5).
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = tagged.iter().map(|&byte| u32::from(byte)).sum();
    tagged[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    tagged.extend_from_slice(tag.as_bytes());
    tagged.resize(tagged.len().next_multiple_of(BLOCK), 0);
    tagged.extend_from_slice(tar);
    tagged
}

#[cfg(test)]
mod tests;

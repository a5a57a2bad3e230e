//! A package's files to the tarball that a registry would serve: well formed, the same bytes every
//! time. Absent: the malformed ones, which `tarball` builds.

use crate::tarball::Builder;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libdeflater::{CompressionLvl, Compressor};
use sha1::Sha1;
use sha2::{Digest, Sha512};

/// A file of a package, its path relative to the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub body: Vec<u8>,
}

impl File {
    /// 0755 for scripts that say who runs them, as npm packs them, else 0644.
    fn mode(&self) -> u32 {
        if self.body.starts_with(b"#!") { 0o755 } else { 0o644 }
    }
}

/// The gzipped tar of these files, below `package/`.
pub fn tarball(files: &[File]) -> Vec<u8> {
    let tar = files.iter().fold(Builder::new(), |tar, file| {
        tar.file_with_mode(&format!("package/{}", file.path), &file.body, file.mode())
    });
    gzip(&tar.tar())
}

/// Stored, not compressed: another release of the compressor cannot change an integrity in a test.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let level = CompressionLvl::new(0).expect("level 0 stores");
    let mut compressor = Compressor::new(level);
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed).expect("the bound is large enough");
    packed.truncate(length);
    packed
}

pub fn integrity(bytes: &[u8]) -> String {
    format!("sha512-{}", STANDARD.encode(Sha512::digest(bytes)))
}

pub fn sha1_hex(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

//! A package's files to the tarball that a registry would serve: well formed, the same bytes every time.
//! Absent: the malformed ones, which `tarball` builds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libdeflater::{CompressionLvl, Compressor};
use sha1::Sha1;
use sha2::{Digest, Sha512};

const BLOCK_BYTES: usize = 512;

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
    let mut tar = Vec::new();
    for file in files {
        tar.extend_from_slice(&header(file));
        tar.extend_from_slice(&file.body);
        tar.resize(tar.len().next_multiple_of(BLOCK_BYTES), 0);
    }
    tar.resize(tar.len() + 2 * BLOCK_BYTES, 0);
    gzip(&tar)
}

/// A ustar header: name, mode, size and a fixed time, so that the same files give the same bytes.
fn header(file: &File) -> [u8; BLOCK_BYTES] {
    let mut block = [0; BLOCK_BYTES];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    let path = format!("package/{}", file.path);
    assert!(path.len() <= 100, "`{path}` is longer than the name in a tar header");
    put(0, &path);
    put(100, &format!("{:07o}", file.mode()));
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{:011o}", file.body.len()));
    put(136, "03560116604");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    put(263, "00");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    block
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

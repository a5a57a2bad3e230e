//! Writes the tarball of a package: a tar archive in gzip, the same bytes for the same files.
//! Times, owners and umask do not count: every entry has npm's date and mode 644, or 755 if the
//! owner may execute it. In: a list of files. Out: the tarball with its digests.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use libdeflater::{CompressionLvl, Compressor};
use rusk_base::Result;
use rusk_npm::integrity::{Algorithm, Integrity};
use sha1::{Digest, Sha1};
use sha2::Sha512;

use crate::file_list::{FileList, PackageFile};
use crate::problem;

/// 1985-10-26 08:15:00 UTC: the time npm gives to every file.
const MODIFIED_SECONDS: u64 = 499_162_500;
const BLOCK_BYTES: usize = 512;
/// Length of the name and of the prefix in a ustar header.
const NAME_BYTES: usize = 100;
const PREFIX_BYTES: usize = 155;
/// The largest size that eleven octal digits hold.
const SIZE_MAX: u64 = 0o777_7777_7777;
/// As good as zlib's best level, in less time.
const LEVEL_DEFAULT: i32 = 9;

#[derive(Clone, Debug, Default)]
pub struct TarballOptions {
    /// 0 (stored) to 9.
    pub level: Option<u8>,
    /// Paths of programs, which are executable for everyone.
    pub programs: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Tarball {
    pub bytes: Vec<u8>,
    pub integrity: Integrity,
    /// SHA-1 in hexadecimal.
    pub shasum: String,
    pub unpacked_bytes: u64,
}

/// Packs the files of `dir`. `manifest` replaces the content of package.json.
pub fn write(dir: &Path, list: &FileList, manifest: &str, options: &TarballOptions) -> Result<Tarball> {
    let mut archive = Archive::default();
    let mut unpacked_bytes = 0;
    for file in &list.files {
        let content = match file.path.as_str() {
            "package.json" => manifest.as_bytes().to_vec(),
            path => read_file(&dir.join(path), path, file.bytes)?,
        };
        let is_program = file.mode & 0o100 != 0 || options.programs.contains(&file.path);
        let mode = if is_program { 0o755 } else { 0o644 };
        unpacked_bytes += content.len() as u64;
        archive.file(&format!("package/{}", file.path), mode, &content)?;
    }
    let level = options.level.map_or(LEVEL_DEFAULT, i32::from);
    Ok(Tarball::new(gzip(&archive.finish(), level), unpacked_bytes))
}

/// Reads a tarball: its files, and the text of its package.json.
pub fn read(bytes: Vec<u8>) -> Result<(Tarball, FileList, String)> {
    let mut manifest = None;
    let list = rusk_store::tarball::inflate::with_tar(&bytes, |tar| {
        let files = rusk_store::tarball::read_files(tar)?;
        Ok(files
            .iter()
            .map(|file| {
                if file.path == "package.json" {
                    manifest = Some(String::from_utf8_lossy(&file.body).into_owned());
                }
                let (path, bytes) = (file.path.to_string(), file.body.len() as u64);
                PackageFile { path, bytes, mode: u32::from(file.mode) }
            })
            .collect::<Vec<_>>())
    })?;
    let manifest = manifest.ok_or_else(problem::no_manifest)?;
    let unpacked_bytes = list.iter().map(|file| file.bytes).sum();
    Ok((Tarball::new(bytes, unpacked_bytes), FileList { files: list, ..FileList::default() }, manifest))
}

impl Tarball {
    fn new(bytes: Vec<u8>, unpacked_bytes: u64) -> Tarball {
        let integrity = Integrity::new(Algorithm::Sha512, &Sha512::digest(&bytes));
        let shasum = Sha1::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let integrity = integrity.expect("SHA-512 has 64 bytes");
        Tarball { bytes, integrity, shasum, unpacked_bytes }
    }
}

/// Reads a file that must still have the size that was listed.
fn read_file(file: &Path, path: &str, bytes: u64) -> Result<Vec<u8>> {
    let failed = |error| problem::read(file, error);
    let open = File::open(file).map_err(failed)?;
    let mut content = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
    open.take(bytes + 1).read_to_end(&mut content).map_err(failed)?;
    match content.len() as u64 == bytes {
        true => Ok(content),
        false => Err(problem::file_changed(path)),
    }
}

fn gzip(archive: &[u8], level: i32) -> Vec<u8> {
    let level = CompressionLvl::new(level).unwrap_or_default();
    let mut compressor = Compressor::new(level);
    let mut bytes = vec![0; compressor.gzip_compress_bound(archive.len())];
    let length = compressor.gzip_compress(archive, &mut bytes).expect("the buffer has the bound's size");
    bytes.truncate(length);
    // The operating system that the header names: unknown, as npm writes, and the same everywhere.
    bytes[9] = 255;
    bytes
}

/// A tar archive in the ustar format, with pax headers for what ustar cannot hold.
#[derive(Default)]
struct Archive(Vec<u8>);

impl Archive {
    fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> Result<()> {
        let size = content.len() as u64;
        let split = split_path(path);
        let mut records = String::new();
        if split.is_none() || !path.is_ascii() {
            records.push_str(&pax_record("path", path));
        }
        if size > SIZE_MAX {
            records.push_str(&pax_record("size", &size.to_string()));
        }
        if !records.is_empty() {
            let name = truncated(path.rsplit('/').next().unwrap_or(path), NAME_BYTES - "PaxHeader/".len());
            self.header(("", &format!("PaxHeader/{name}")), 0o644, records.len() as u64, b'x');
            self.content(records.as_bytes());
        }
        let fallback = ("", truncated(path, NAME_BYTES));
        self.header(split.unwrap_or(fallback), mode, size.min(SIZE_MAX), b'0');
        self.content(content);
        if path.len() > 4096 { Err(problem::path_too_long(path)) } else { Ok(()) }
    }

    fn header(&mut self, (prefix, name): (&str, &str), mode: u32, size: u64, kind: u8) {
        let mut header = [0_u8; BLOCK_BYTES];
        let mut put = |at: usize, field: &[u8]| header[at..at + field.len()].copy_from_slice(field);
        put(0, name.as_bytes());
        put(100, format!("{mode:06o} \0").as_bytes());
        put(124, format!("{size:011o} ").as_bytes());
        put(136, format!("{MODIFIED_SECONDS:011o} ").as_bytes());
        put(148, b"        ");
        put(156, &[kind]);
        put(257, b"ustar\x0000");
        put(345, prefix.as_bytes());
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.0.extend_from_slice(&header);
    }

    /// Adds bytes, up to a whole block.
    fn content(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        self.0.resize(self.0.len().next_multiple_of(BLOCK_BYTES), 0);
    }

    /// Two empty blocks end an archive.
    fn finish(mut self) -> Vec<u8> {
        self.0.resize(self.0.len() + 2 * BLOCK_BYTES, 0);
        self.0
    }
}

/// A path as prefix and name of a ustar header; `None` when it does not fit.
fn split_path(path: &str) -> Option<(&str, &str)> {
    if path.len() <= NAME_BYTES {
        return Some(("", path));
    }
    let slashes = path.match_indices('/').map(|(at, _)| at);
    let mut fitting = slashes.filter(|&at| at <= PREFIX_BYTES && path.len() - at - 1 <= NAME_BYTES);
    fitting.next().map(|at| (&path[..at], &path[at + 1..]))
}

/// `LENGTH KEY=VALUE\n`, where the length counts itself.
fn pax_record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len() + 1;
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    format!("{length}{rest}")
}

fn truncated(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

#[cfg(test)]
mod tests;

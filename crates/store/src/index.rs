//! The index of a stored package: its directories, its files, and what linking needs of its
//! manifest, so that a warm link neither lists a directory nor parses JSON. In: [`Index`]. Out:
//! bytes, and back.
//!
//! The bytes, numbers little endian: magic, total length `u32`, CRC-32 of what follows `u32`;
//! SHA-512 of the tarball; when its files were written, in nanoseconds of Unix time, `u64`; name
//! and version (`u16` length, UTF-8), flags `u8`, a count of bins and each one's name and path;
//! counts of directories and files; where each path ends in the text, `u32`; mode `u16`, size
//! `u32`, number `u32` and CRC-32 of each file; the text of all paths. Counts are `u32`.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::manifest::{Bin, InstallScripts, Manifest};
use crate::tarball::File;

/// Changes whenever the format does: an index of another format is no index, and the package is
/// added anew.
const MAGIC: &[u8; 8] = b"rusk-ix4";
const HEAD_BYTES: usize = 16;
/// The digest and the time.
const PROOF_BYTES: usize = 64 + 8;
/// Bytes of an index: paths and records of half a million files of ordinary length.
pub const BYTES_MAX: usize = 64 << 20;

/// What is known of a stored package. Its paths stay bytes until somebody wants them: most installs
/// link few packages of those they know.
#[derive(Clone)]
pub struct Index {
    pub manifest: Arc<Manifest>,
    /// Of the tarball, computed when it was added.
    pub sha512: [u8; 64],
    /// When its files were written, in nanoseconds of Unix time: a file with a later time was
    /// changed.
    pub written_ns: u64,
    dir_count: usize,
    file_count: usize,
    /// Where the ends of the paths begin in the bytes.
    ends_at: usize,
    bytes: Bytes,
}

/// The bytes of an index: its own, or a part of those of many.
#[derive(Clone)]
pub struct Bytes {
    all: Arc<dyn Deref<Target = [u8]> + Send + Sync>,
    part: Range<usize>,
}

/// The directories and files of a package, none of whose paths leads out of it.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    dir_count: usize,
    /// Ends of directory paths, then of file paths, in `text`.
    ends: &'a [[u8; 4]],
    records: &'a [[u8; RECORD_BYTES]],
    text: &'a str,
}

/// Mode, size, number and checksum.
const RECORD_BYTES: usize = 14;

/// A file of a stored package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    pub path: &'a str,
    /// Permission bits before the umask.
    pub mode: u16,
    pub bytes: u32,
    /// By which the store names it.
    pub number: u32,
    /// CRC-32 of its bytes.
    pub checksum: u32,
}

/// What proves the contents of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Of the tarball.
    pub sha512: [u8; 64],
    /// As in [`Index`].
    pub written_ns: u64,
}

impl Index {
    /// Of files and directories, both sorted by path.
    pub fn new(manifest: Manifest, proof: Proof, dirs: &[&str], files: &[Entry<'_>]) -> Index {
        let Proof { sha512, written_ns } = proof;
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&sha512);
        out.extend_from_slice(&written_ns.to_le_bytes());
        push_manifest(&mut out, &manifest);
        push_u32(&mut out, dirs.len());
        push_u32(&mut out, files.len());
        let ends_at = out.len();
        let paths = || dirs.iter().copied().chain(files.iter().map(|file| file.path));
        let mut end = 0;
        for path in paths() {
            end += path.len();
            push_u32(&mut out, end);
        }
        for file in files {
            out.extend_from_slice(&file.mode.to_le_bytes());
            out.extend_from_slice(&file.bytes.to_le_bytes());
            out.extend_from_slice(&file.number.to_le_bytes());
            out.extend_from_slice(&file.checksum.to_le_bytes());
        }
        paths().for_each(|path| out.extend_from_slice(path.as_bytes()));
        let length = length_u32(out.len()).to_le_bytes();
        let checksum = libdeflater::crc32(&out[HEAD_BYTES..]).to_le_bytes();
        out[8..12].copy_from_slice(&length);
        out[12..16].copy_from_slice(&checksum);
        let (dir_count, file_count) = (dirs.len(), files.len());
        let manifest = Arc::new(manifest);
        Index { manifest, sha512, written_ns, dir_count, file_count, ends_at, bytes: Bytes::from(out) }
    }

    /// Reads what [`Index::as_bytes`] gave; `None` when these bytes are anything else. Of its paths
    /// nothing is said yet.
    pub fn parse(bytes: Bytes) -> Option<Index> {
        let (head, body) = bytes.split_at_checked(HEAD_BYTES)?;
        let word = |at: usize| head[at..at + 4].try_into().map(u32::from_le_bytes).ok();
        if &head[..8] != MAGIC || word(8)? as usize != bytes.len() || word(12)? != libdeflater::crc32(body) {
            return None;
        }
        let mut reader = IndexReader { rest: body };
        let sha512 = *reader.take(64)?.first_chunk()?;
        let written_ns = u64::from_le_bytes(*reader.take(8)?.first_chunk()?);
        let manifest = reader.manifest()?;
        let dir_count = reader.count(4)?;
        let file_count = reader.count(4 + RECORD_BYTES)?;
        let ends_at = bytes.len() - reader.rest.len();
        reader.take(dir_count.checked_add(file_count)?.checked_mul(4)?)?;
        reader.take(file_count.checked_mul(RECORD_BYTES)?)?;
        let stays_inside = stays_inside(&manifest);
        let manifest = Arc::new(manifest);
        stays_inside.then_some(Index { manifest, sha512, written_ns, dir_count, file_count, ends_at, bytes })
    }

    /// The bytes that [`Index::parse`] takes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn file_count(&self) -> usize {
        self.file_count
    }

    /// The paths; `None` when one leads out of the package or they are none. A project may say
    /// where the cache lies, and so bring such a one along.
    pub fn listing(&self) -> Option<Listing<'_>> {
        let rest = self.bytes.get(self.ends_at..)?;
        let (ends, rest) = rest.split_at_checked((self.dir_count + self.file_count) * 4)?;
        let (records, text) = rest.split_at_checked(self.file_count * RECORD_BYTES)?;
        let listing = Listing {
            dir_count: self.dir_count,
            ends: ends.as_chunks().0,
            records: records.as_chunks().0,
            text: std::str::from_utf8(text).ok()?,
        };
        (listing.ends_hold() && listing.stays_inside()).then_some(listing)
    }
}

impl<'a> Listing<'a> {
    /// Directories below the package's own, parents first.
    pub fn dirs(self) -> impl ExactSizeIterator<Item = &'a str> {
        (0..self.dir_count).map(move |at| self.path(at))
    }

    /// Files, sorted by path.
    pub fn files(self) -> impl ExactSizeIterator<Item = Entry<'a>> {
        (0..self.records.len()).map(move |at| self.file(at))
    }

    fn file(self, at: usize) -> Entry<'a> {
        let [m0, m1, b0, b1, b2, b3, n0, n1, n2, n3, checksum @ ..] = self.records[at];
        Entry {
            path: self.path(self.dir_count + at),
            mode: u16::from_le_bytes([m0, m1]),
            bytes: u32::from_le_bytes([b0, b1, b2, b3]),
            number: u32::from_le_bytes([n0, n1, n2, n3]),
            checksum: u32::from_le_bytes(checksum),
        }
    }

    /// The number by which the store names a file.
    pub fn number_of(self, path: &str) -> Option<u32> {
        let at = |at: usize| self.path(self.dir_count + at);
        let (mut low, mut high) = (0, self.records.len());
        while low < high {
            let middle = low.midpoint(high);
            match at(middle).cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.file(middle).number),
            }
        }
        None
    }

    /// Whether the package has this file.
    pub fn has_file(self, path: &str) -> bool {
        self.number_of(path).is_some()
    }

    fn path(self, at: usize) -> &'a str {
        let end = |at: usize| u32::from_le_bytes(self.ends[at]) as usize;
        &self.text[if at == 0 { 0 } else { end(at - 1) }..end(at)]
    }

    /// Whether every end is on a character's border and not before the one in front.
    fn ends_hold(self) -> bool {
        let mut start = 0;
        for end in self.ends.iter().map(|end| u32::from_le_bytes(*end)) {
            if end < start || !self.text.is_char_boundary(end as usize) {
                return false;
            }
            start = end;
        }
        start as usize == self.text.len()
    }

    fn stays_inside(self) -> bool {
        (0..self.ends.len()).all(|at| is_plain(self.path(at)))
    }
}

impl Bytes {
    /// A part of bytes that others use, too; `None` where it is none.
    pub fn part(all: &Arc<dyn Deref<Target = [u8]> + Send + Sync>, part: Range<usize>) -> Option<Bytes> {
        all.get(part.clone())?;
        Some(Bytes { all: Arc::clone(all), part })
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes { part: 0..bytes.len(), all: Arc::new(bytes) }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.all[self.part.clone()]
    }
}

/// Whenever the files were written.
impl PartialEq for Index {
    fn eq(&self, other: &Index) -> bool {
        let contents = HEAD_BYTES + PROOF_BYTES..;
        self.sha512 == other.sha512 && self.bytes.get(contents.clone()) == other.bytes.get(contents)
    }
}

impl Eq for Index {}

impl std::fmt::Debug for Index {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("Index");
        shown.field("manifest", &self.manifest).field("listing", &self.listing()).finish_non_exhaustive()
    }
}

/// Whether the programs are files of the package, to be called by a plain name.
fn stays_inside(manifest: &Manifest) -> bool {
    manifest
        .bins
        .iter()
        .all(|bin| is_plain(&bin.path) && !matches!(&*bin.name, "." | "..") && !bin.name.contains('/'))
}

/// Whether a path has no part that is empty, `.` or `..`. Nearly none has one that begins with a
/// dot, or two slashes.
fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    let starts_badly = |pair: &[u8]| (pair[0] == b'/') & matches!(pair[1], b'.' | b'/');
    let is_suspect = matches!(first, b'.' | b'/')
        || bytes.windows(2).fold(false, |found, pair| found | starts_badly(pair));
    let parts = || path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    *last != b'/' && (!is_suspect || parts())
}

/// Sorted files that the store names by their places.
pub fn entries<'a>(files: &'a [File<'_>]) -> Vec<Entry<'a>> {
    let entry = |(number, file): (usize, &'a File<'_>)| Entry {
        path: &file.path,
        mode: file.mode,
        bytes: length_u32(file.body.len()),
        number: length_u32(number),
        checksum: libdeflater::crc32(&file.body),
    };
    files.iter().enumerate().map(entry).collect()
}

fn flags(manifest: &Manifest) -> u8 {
    let InstallScripts { preinstall, install, postinstall, binding_gyp } = manifest.scripts;
    let set = [preinstall, install, postinstall, binding_gyp, manifest.bundles_dependencies];
    set.iter().enumerate().map(|(bit, &set)| u8::from(set) << bit).sum()
}

struct IndexReader<'a> {
    rest: &'a [u8],
}

impl<'a> IndexReader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    fn text(&mut self) -> Option<String> {
        let length = u16::from_le_bytes(*self.take(2)?.first_chunk()?);
        String::from_utf8(self.take(usize::from(length))?.to_vec()).ok()
    }

    /// A count of things that have at least `bytes_each` bytes, and so a bound on what is allocated
    /// for them.
    fn count(&mut self, bytes_each: usize) -> Option<usize> {
        let count = u32::from_le_bytes(*self.take(4)?.first_chunk()?) as usize;
        (count.checked_mul(bytes_each)? <= self.rest.len()).then_some(count)
    }

    fn manifest(&mut self) -> Option<Manifest> {
        let (name, version) = (self.text()?, self.text()?);
        let flags = self.take(1)?[0];
        let set = |bit: u8| flags & 1 << bit != 0;
        let mut bins = Vec::new();
        for _ in 0..self.count(4)? {
            bins.push(Bin { name: self.text()?, path: self.text()? });
        }
        let scripts =
            InstallScripts { preinstall: set(0), install: set(1), postinstall: set(2), binding_gyp: set(3) };
        Some(Manifest { name, version, bins, scripts, bundles_dependencies: set(4) })
    }
}

fn push_manifest(out: &mut Vec<u8>, manifest: &Manifest) {
    push_text(out, &manifest.name);
    push_text(out, &manifest.version);
    out.push(flags(manifest));
    push_u32(out, manifest.bins.len());
    for bin in &manifest.bins {
        push_text(out, &bin.name);
        push_text(out, &bin.path);
    }
}

fn push_u32(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&length_u32(count).to_le_bytes());
}

/// Names beyond 65,535 bytes are cut: npm's limit is 214.
fn push_text(out: &mut Vec<u8>, text: &str) {
    let text = &text[..text.floor_char_boundary(usize::from(u16::MAX))];
    out.extend_from_slice(&(text.len() as u16).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn length_u32(length: usize) -> u32 {
    u32::try_from(length).expect("a tarball unpacks to at most 2 GiB and an index is smaller")
}

#[cfg(test)]
mod tests;

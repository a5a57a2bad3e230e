//! OCI image layout: access to blobs. In: a directory, or a tar of one. Out: blobs by digest, as
//! streams or verified bytes. Of a tar, only headers are read until a blob is requested.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::OFlags;
use rusk_base::{Problem, Result, files};
use rusk_store::tarball::entries::{Body, Step, Walk};
use rusk_store::tarball::header::BLOCK;

use super::digest::Digest;
use crate::problem;

/// Files in a layout: a few for each layer of each image.
const FILES_MAX: usize = 20_000;

/// Largest extension header for a long name.
const EXTENSION_BYTES_MAX: u64 = 1 << 20;

pub struct Layout {
    source: PathBuf,
    kind: LayoutKind,
}

enum LayoutKind {
    Directory,
    /// Offset and size of each file.
    Tar(BTreeMap<Vec<u8>, (u64, u64)>),
}

pub struct Blob {
    pub file: File,
    /// Positioned at the file's start.
    pub bytes: u64,
}

impl Layout {
    pub fn open(source: &Path) -> Result<Layout> {
        let kind = match source.is_dir() {
            true => LayoutKind::Directory,
            false => LayoutKind::Tar(scan(source)?),
        };
        Ok(Layout { source: source.to_owned(), kind })
    }

    pub fn source(&self) -> &Path {
        &self.source
    }

    pub fn read_index(&self, bytes_max: u64) -> Result<Vec<u8>> {
        match &self.kind {
            LayoutKind::Directory => files::read_bytes(&self.source.join("index.json"), bytes_max),
            LayoutKind::Tar(_) => self.read(self.open_file("index.json")?, bytes_max),
        }
    }

    /// A blob's bytes, verified against its digest.
    pub fn read_blob(&self, wanted: &Digest, bytes_max: u64) -> Result<Vec<u8>> {
        let bytes = self.read(self.open_blob(wanted)?, bytes_max)?;
        match Digest::of(&bytes) {
            found if found == *wanted => Ok(bytes),
            found => Err(problem::blob_differs(found.hex(), wanted.hex())),
        }
    }

    pub fn open_blob(&self, wanted: &Digest) -> Result<Blob> {
        self.open_file(&format!("blobs/sha256/{}", wanted.hex()))
    }

    fn open_file(&self, path: &str) -> Result<Blob> {
        let missing = || problem::bad_image(&self.source, &format!("it has no `{path}`"));
        match &self.kind {
            LayoutKind::Directory => {
                // Opening a FIFO must not block.
                let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
                let opened =
                    File::options().read(true).custom_flags(flags.bits() as i32).open(self.source.join(path));
                let file = opened.map_err(|error| missing().cause(error))?;
                let found = file.metadata().map_err(|error| missing().cause(error))?;
                if found.is_file() { Ok(Blob { file, bytes: found.len() }) } else { Err(missing()) }
            }
            LayoutKind::Tar(places) => {
                let (at, bytes) = *places.get(path.as_bytes()).ok_or_else(missing)?;
                let mut file = File::open(&self.source).map_err(|error| missing().cause(error))?;
                file.seek(SeekFrom::Start(at)).map_err(|error| missing().cause(error))?;
                Ok(Blob { file, bytes })
            }
        }
    }

    fn read(&self, blob: Blob, bytes_max: u64) -> Result<Vec<u8>> {
        if blob.bytes > bytes_max {
            let found = format!("a text of it has {} bytes, expected at most {bytes_max}", blob.bytes);
            return Err(problem::bad_image(&self.source, &found));
        }
        let mut bytes = Vec::with_capacity(blob.bytes as usize);
        let read = blob.file.take(blob.bytes).read_to_end(&mut bytes);
        read.map_err(|error| problem::bad_image(&self.source, "it cannot be read").cause(error))?;
        Ok(bytes)
    }
}

/// Offset and size of each file of a tar. Bodies are skipped, except extension headers.
fn scan(source: &Path) -> Result<BTreeMap<Vec<u8>, (u64, u64)>> {
    let unread = |error: std::io::Error| problem::bad_image(source, "it cannot be read").cause(error);
    let mut file = File::open(source).map_err(unread)?;
    let total = file.metadata().map_err(unread)?.len();
    let (mut walk, mut places, mut at) = (Walk::default(), BTreeMap::new(), 0_u64);
    while total.saturating_sub(at) >= BLOCK as u64 {
        let mut block = [0; BLOCK];
        file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut block)).map_err(unread)?;
        at += BLOCK as u64;
        let step = walk.step(&block).map_err(|problem| no_tar(source, problem))?;
        let Step::Header { body_bytes, body, .. } = step else {
            if matches!(step, Step::End) {
                break;
            }
            continue;
        };
        if body_bytes > total - at {
            return Err(problem::bad_image(source, "it ends within one of its files"));
        }
        match body {
            Body::File { path, .. } => {
                if places.len() == FILES_MAX {
                    return Err(problem::bad_image(source, &format!("it has more than {FILES_MAX} files")));
                }
                let path = path.strip_prefix(b"./").unwrap_or(&path).to_owned();
                places.insert(path, (at, body_bytes));
            }
            Body::Extension(kind) => {
                let mut text = Vec::new();
                (&file).take(body_bytes.min(EXTENSION_BYTES_MAX)).read_to_end(&mut text).map_err(unread)?;
                walk.extend(kind, &text).map_err(|problem| no_tar(source, problem))?;
            }
            Body::PassedOver { .. } => {}
        }
        at = at.saturating_add(body_bytes.next_multiple_of(BLOCK as u64));
    }
    match places.contains_key(&b"index.json"[..]) {
        true => Ok(places),
        false => Err(problem::no_layout(source)),
    }
}

fn no_tar(source: &Path, cause: Problem) -> Problem {
    problem::no_layout(source).cause(cause)
}

//! Adds a large tarball while it is downloaded: files are written to the staging directory as they
//! arrive, and become a package once all of it arrived and has the expected digest. In: chunks.
//! Out: a package. The digest is checked first: a tarball with a wrong digest is reported as that,
//! whatever else is wrong with it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::os::fd::AsFd;

use rusk_base::Result;
use rusk_base::files::problem::write as unwritable;
use rusk_base::sys;
use rusk_base::timeline::{self, SpanKind};

use super::staging::Staged;
use super::{Expected, Package, Present, Store, check_manifest, now_ns};
use crate::index::Proof;
use crate::integrity::Digests;
use crate::tarball::entries::{Body, Step, Walk};
use crate::tarball::pieces::{Interruption, Pieces, Stream};
use crate::tarball::{self, FILES_MAX, File};
use crate::{Index, Key, Manifest, index, problem, unpack};

/// A written file; its number is its position in the tarball.
struct Written {
    path: String,
    mode: u16,
    bytes: u64,
    number: usize,
    checksum: u32,
}

/// What a tarball came to.
#[derive(Default)]
struct Unpacked {
    files: Vec<Written>,
    /// The source text of package.json.
    manifest: Vec<u8>,
}

impl Written {
    fn entry(&self) -> index::Entry<'_> {
        index::Entry {
            path: &self.path,
            mode: self.mode,
            bytes: u32::try_from(self.bytes).expect("a tarball unpacks to at most 2 GiB"),
            number: u32::try_from(self.number).expect("a tarball has at most half a million files"),
            checksum: self.checksum,
        }
    }
}

impl Store {
    /// As [`Store::add`], of a tarball whose pieces are still to come.
    pub fn add_arriving(
        &self,
        key: &Key,
        pieces: &mut Pieces<'_>,
        expected: &Expected<'_>,
    ) -> Result<Package> {
        self.put_arriving(key, pieces, expected, Present::Kept)
    }

    /// As [`Store::replace`], of a tarball whose pieces are still to come.
    pub fn replace_arriving(
        &self,
        key: &Key,
        pieces: &mut Pieces<'_>,
        expected: &Expected<'_>,
    ) -> Result<Package> {
        self.put_arriving(key, pieces, expected, Present::Replaced)
    }

    fn put_arriving(
        &self,
        key: &Key,
        pieces: &mut Pieces<'_>,
        expected: &Expected<'_>,
        present: Present,
    ) -> Result<Package> {
        loop {
            if let Some(package) = self.put_once(key, pieces, expected, present)? {
                return Ok(package);
            }
        }
    }

    /// `None` when all pieces come again.
    fn put_once(
        &self,
        key: &Key,
        pieces: &mut Pieces<'_>,
        expected: &Expected<'_>,
        present: Present,
    ) -> Result<Option<Package>> {
        let mut open = timeline::begin(SpanKind::Unpack).label(|| key.label().to_owned());
        open.note(|| "as it arrives".to_owned());
        let staging = self.staging()?;
        let staged = staging.make_dir()?;
        let mut stream = Stream::new(pieces, Digests::new(expected.integrity));
        // A wrong or incomplete download is reported before errors in its contents.
        let unpacked =
            unpack_files(&mut stream, &staged).map_err(|problem| stream.rest().err().unwrap_or(problem));
        let digests = match stream.finish() {
            Ok(digests) => digests,
            Err(Interruption::Again) => return Ok(None),
            Err(Interruption::Failed(problem)) => return Err(problem),
        };
        let finished = digests.verify().and_then(|sha512| finish(unpacked?, sha512, &staged, expected));
        let index = finished.map_err(|problem| problem::in_package(problem, key.label()))?;
        open.files(index.file_count());
        open.end();
        let _publishing = timeline::begin(SpanKind::Publish).label(|| key.label().to_owned());
        if present == Present::Replaced {
            self.remove(key)?;
        }
        self.publish(Package { key: key.clone(), index }, &staged).map(Some)
    }
}

/// Writes every file of the tar, each under the next number.
fn unpack_files(stream: &mut Stream<'_, '_>, staged: &Staged<'_>) -> Result<Unpacked> {
    let mut walk = Walk::default();
    let mut unpacked = Unpacked::default();
    while let Some(block) = stream.block()? {
        let (name, body_bytes, body) = match walk.step(&block)? {
            Step::End => break,
            Step::Nothing => continue,
            Step::Header { name, body_bytes, body, .. } => (name, body_bytes, body),
        };
        let path = match body {
            Body::File { path, mode } => {
                tarball::path_in_package(path)?.map(|path| (path.into_owned(), mode))
            }
            Body::Extension(kind) => {
                let mut text = Vec::new();
                stream.body(name, body_bytes, &mut |part| {
                    text.extend_from_slice(part);
                    Ok(())
                })?;
                walk.extend(kind, &text)?;
                continue;
            }
            Body::PassedOver { .. } => None,
        };
        match path {
            Some((path, mode)) => {
                let number = unpacked.files.len();
                if number == FILES_MAX {
                    return Err(problem::too_many("files", FILES_MAX));
                }
                let mode = tarball::mode_of(mode);
                let mut file = Written { path, mode, bytes: body_bytes, number, checksum: 0 };
                file.checksum = write(stream, name, &file, &mut unpacked.manifest, staged)?;
                unpacked.files.push(file);
            }
            None => stream.body(name, body_bytes, &mut |_| Ok(()))?,
        }
    }
    stream.rest()?;
    Ok(unpacked)
}

/// Writes one file, and returns its checksum; the text of package.json is also stored in memory.
fn write(
    stream: &mut Stream<'_, '_>,
    name: &[u8],
    file: &Written,
    manifest: &mut Vec<u8>,
    staged: &Staged<'_>,
) -> Result<u32> {
    let refused = |errno| unwritable(&staged.path().join(file.number.to_string()), errno);
    let is_manifest = file.path == "package.json";
    if is_manifest {
        Manifest::check_size(usize::try_from(file.bytes).unwrap_or(usize::MAX))?;
        manifest.clear();
    }
    let target = unpack::create(staged.dir(), &file.number.to_string(), file.mode).map_err(refused)?;
    let mut checksum = libdeflater::Crc::new();
    stream.body(name, file.bytes, &mut |part| {
        if is_manifest {
            manifest.extend_from_slice(part);
        }
        checksum.update(part);
        sys::write_all(target.as_fd(), part).map_err(refused)
    })?;
    Ok(checksum.sum())
}

/// The package's index. Files that later ones replaced go, programs are made runnable.
fn finish(
    unpacked: Unpacked,
    sha512: [u8; 64],
    staged: &Staged<'_>,
    expected: &Expected<'_>,
) -> Result<Index> {
    let Unpacked { files: mut written, manifest: text } = unpacked;
    // A stable sort: of equal paths the last in the archive stays last, and wins.
    written.sort_by(|a, b| a.path.cmp(&b.path));
    let mut replaced = Vec::new();
    written.dedup_by(|later, kept| {
        let same = later.path == kept.path;
        if same {
            std::mem::swap(later, kept);
            replaced.push(later.number);
        }
        same
    });
    for number in replaced {
        let refused = |errno| unwritable(&staged.path().join(number.to_string()), errno);
        sys::unlinkat(staged.dir(), number.to_string()).map_err(refused)?;
    }
    let manifest = Manifest::read(&files_of(&written, &text))?;
    check_manifest(&manifest, expected)?;
    let programs: HashSet<&str> = manifest.bins.iter().map(|bin| bin.path.as_str()).collect();
    for file in written.iter_mut().filter(|file| programs.contains(file.path.as_str())) {
        make_runnable(file, staged)?;
    }
    let files = files_of(&written, &text);
    let dirs = tarball::dirs_of(&files)?;
    let entries: Vec<index::Entry<'_>> = written.iter().map(Written::entry).collect();
    let index = Index::new(manifest, Proof { sha512, written_ns: now_ns() }, &dirs, &entries);
    staged.write_index(index.as_bytes())?;
    Ok(index)
}

fn make_runnable(file: &mut Written, staged: &Staged<'_>) -> Result<()> {
    let name = file.number.to_string();
    let changed = unpack::make_file_runnable(staged.dir(), &name, file.mode);
    let changed = changed.map_err(|errno| unwritable(&staged.path().join(&name), errno))?;
    if let Some(changed) = changed {
        (file.bytes, file.checksum) = (changed.bytes, changed.checksum);
    }
    file.mode = unpack::RUNNABLE;
    Ok(())
}

/// As they would be in memory; no body but that of package.json is there.
fn files_of<'a>(written: &'a [Written], manifest: &'a [u8]) -> Vec<File<'a>> {
    let file = |file: &'a Written| File {
        path: Cow::Borrowed(&file.path),
        body: Cow::Borrowed(if file.path == "package.json" { manifest } else { &[] }),
        mode: file.mode,
    };
    written.iter().map(file).collect()
}

#[cfg(test)]
mod tests;

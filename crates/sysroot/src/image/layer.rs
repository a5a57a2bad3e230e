//! Unpacking of an image layer over the lower ones. In: an untrusted blob, and the root so far.
//! Out: the root with the layer's files, and without those that its whiteouts remove. Paths are
//! resolved within the root, so no symbolic link leads outside. Owners, permissions and times are
//! preserved as far as permitted. Absent: device nodes, FIFOs, extended attributes.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::mounts::open_in_root;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};
use rusk_base::{Result, files};
use rusk_store::integrity::Digests;
use rusk_store::tarball::entries::{Body, Step, Walk};
use rusk_store::tarball::header::Header;
use rusk_store::tarball::pieces::{Interruption, Piece, Pieces, Stream};

use super::digest::{Digest, Hash};
use super::layout::Blob;
use crate::mount_point::{self, MountPointKind};
use crate::problem;

/// Entries of all layers; large images have about 300,000.
const ENTRIES_MAX: usize = 2_000_000;
/// Bytes of all layers, unpacked.
const UNPACKED_BYTES_MAX: u64 = 64 << 30;
/// The kernel's limit on a path.
const PATH_BYTES_MAX: usize = 4095;
const NAME_BYTES_MAX: usize = 255;
const PIECE_BYTES: usize = 128 << 10;

/// Whiteouts: as a prefix of a name, it removes that name; as a whole name, it removes all lower
/// entries of the directory.
const WHITEOUT_PREFIX: &[u8] = b".wh.";
const OPAQUE_WHITEOUT: &[u8] = b".wh..wh..opq";
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owners {
    /// Preserved; requires root privileges.
    Preserved,
    /// All files belong to the current user, so set-user-id bits are dropped.
    Current,
}

pub struct LayerUnpacker<'a> {
    root: BorrowedFd<'a>,
    owners: Owners,
    /// Entries that this layer wrote: inode of the directory, and name.
    written: HashSet<(u64, Vec<u8>)>,
    /// The directory of the last entry, which is often that of the next one.
    last: Option<(PathBuf, OwnedFd)>,
    entries: usize,
    bytes: u64,
}

impl<'a> LayerUnpacker<'a> {
    pub fn new(root: BorrowedFd<'a>, owners: Owners) -> LayerUnpacker<'a> {
        LayerUnpacker { root, owners, written: HashSet::new(), last: None, entries: 0, bytes: 0 }
    }

    pub fn apply(&mut self, blob: Blob, wanted: &Digest) -> Result<()> {
        self.written.clear();
        self.last = None;
        let Blob { mut file, bytes } = blob;
        let mut hash = Hash::default();
        let mut left = bytes;
        let mut is_first = true;
        let mut next = || {
            let mut piece = vec![0; PIECE_BYTES.min(usize::try_from(left).unwrap_or(PIECE_BYTES))];
            let count = file.read(&mut piece).map_err(problem::blob_unread)?;
            piece.truncate(count);
            left -= count as u64;
            hash.update(&piece);
            if std::mem::take(&mut is_first) && piece.starts_with(ZSTD) {
                return Err(problem::zstd());
            }
            Ok(if piece.is_empty() { Piece::End } else { Piece::Bytes(piece) })
        };
        let mut pieces = Pieces { bytes, next: &mut next };
        let mut stream = Stream::new(&mut pieces, Digests::new(None));
        let unpacked = self.unpack(&mut stream);
        match stream.finish() {
            Err(Interruption::Failed(problem)) => return Err(problem),
            Err(Interruption::Again) => return Err(problem::blob_unread(Errno::IO)),
            Ok(_) => {}
        }
        // A wrong digest is reported before errors in the content.
        match hash.finish() {
            found if found == *wanted => unpacked,
            found => Err(problem::blob_differs(found.hex(), wanted.hex())),
        }
    }

    fn unpack(&mut self, stream: &mut Stream<'_, '_>) -> Result<()> {
        let mut walk = Walk::default();
        while let Some(block) = stream.block()? {
            let (header, body_bytes, body) = match walk.step(&block)? {
                Step::End => break,
                Step::Nothing => continue,
                Step::Header { header, body_bytes, body, .. } => (header, body_bytes, body),
            };
            let (path, target) = match body {
                Body::Extension(kind) => {
                    let mut text = Vec::new();
                    stream.body(header.name, body_bytes, &mut |part| {
                        text.extend_from_slice(part);
                        Ok(())
                    })?;
                    walk.extend(kind, &text)?;
                    continue;
                }
                Body::File { path, .. } => (path, None),
                Body::PassedOver { path, target } => (path, Some(target)),
            };
            self.count(body_bytes)?;
            let refused = |errno| problem::entry(OsStr::from_bytes(&path), errno);
            let path = LayerPath::parse(&path)?;
            match (path, target) {
                (Some(path), None) => self.file(&path, &header, body_bytes, stream)?,
                (path, Some(target)) => {
                    stream.body(header.name, body_bytes, &mut |_| Ok(()))?;
                    if let Some(path) = path {
                        self.special(&path, &header, &target).map_err(refused)?;
                    }
                }
                (None, None) => stream.body(header.name, body_bytes, &mut |_| Ok(()))?,
            }
        }
        stream.rest()
    }

    fn count(&mut self, bytes: u64) -> Result<()> {
        self.entries += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        match self.entries > ENTRIES_MAX || self.bytes > UNPACKED_BYTES_MAX {
            true => Err(problem::image_too_large(ENTRIES_MAX, UNPACKED_BYTES_MAX)),
            false => Ok(()),
        }
    }

    /// A regular file, or a whiteout, which is one.
    fn file(
        &mut self,
        path: &LayerPath,
        header: &Header<'_>,
        bytes: u64,
        stream: &mut Stream<'_, '_>,
    ) -> Result<()> {
        let refused = |errno| problem::entry(path.path().as_os_str(), errno);
        if path.name.starts_with(WHITEOUT_PREFIX) {
            stream.body(header.name, bytes, &mut |_| Ok(()))?;
            return self.apply_whiteout(path).map_err(refused);
        }
        let (parent, name) = self.clear_path(path).map_err(refused)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let file = sys::openat(parent.as_fd(), name, flags, Mode::from_raw_mode(0o600)).map_err(refused)?;
        self.last = Some((path.parent.clone(), parent));
        stream.body(header.name, bytes, &mut |part| sys::write_all(file.as_fd(), part).map_err(refused))?;
        if self.owners == Owners::Preserved {
            sys::fchown(file.as_fd(), header.user(), header.group()).map_err(refused)?;
        }
        let mode = match self.owners {
            Owners::Preserved => header.mode & 0o7777,
            Owners::Current => header.mode & 0o777,
        };
        sys::fchmod(file.as_fd(), Mode::from_raw_mode(mode)).map_err(refused)?;
        sys::set_mtime(file.as_fd(), header.modified()).map_err(refused)
    }

    fn special(&mut self, path: &LayerPath, header: &Header<'_>, target: &[u8]) -> sys::Result<()> {
        match header.kind {
            b'5' | 0 => self.directory(path, header),
            b'2' => {
                let (parent, name) = self.clear_path(path)?;
                sys::symlinkat(OsStr::from_bytes(target), parent.as_fd(), name)?;
                if self.owners == Owners::Preserved {
                    sys::chownat(parent.as_fd(), name, header.user(), header.group())?;
                }
                self.last = Some((path.parent.clone(), parent));
                Ok(())
            }
            b'1' => self.hard_link(path, target),
            // Device nodes and FIFOs: unprivileged users must not create them, and a sysroot has
            // its own `/dev`.
            _ => Ok(()),
        }
    }

    fn directory(&mut self, path: &LayerPath, header: &Header<'_>) -> sys::Result<()> {
        let parent = self.parent(&path.parent)?;
        let name = path.name();
        let found = sys::lstatat(parent.as_fd(), name).map(|found| FileType::from_raw_mode(found.st_mode));
        if found != Ok(FileType::Directory) {
            let (parent, name) = self.clear_path(path)?;
            sys::mkdirat(parent.as_fd(), name, Mode::from_raw_mode(0o700))?;
        } else {
            self.remember(parent.as_fd(), path)?;
        }
        let directory = sys::openat(
            parent.as_fd(),
            name,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW,
            Mode::empty(),
        )?;
        if self.owners == Owners::Preserved {
            sys::fchown(directory.as_fd(), header.user(), header.group())?;
        }
        let mode = match self.owners {
            Owners::Preserved => header.mode & 0o7777,
            // An unreadable directory could not be removed later.
            Owners::Current => header.mode & 0o1777 | 0o700,
        };
        sys::fchmod(directory.as_fd(), Mode::from_raw_mode(mode))
    }

    fn hard_link(&mut self, path: &LayerPath, target: &[u8]) -> sys::Result<()> {
        let Ok(Some(source)) = LayerPath::parse(target) else { return Err(Errno::INVAL) };
        if source == *path {
            return Ok(());
        }
        let directory =
            open_in_root(self.root, &source.parent, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
        let (parent, name) = self.clear_path(path)?;
        sys::linkat(directory.as_fd(), source.name(), parent.as_fd(), name)
    }

    /// Removes a path of lower layers, or all of their entries in its directory.
    fn apply_whiteout(&mut self, path: &LayerPath) -> sys::Result<()> {
        self.last = None;
        let directory =
            match open_in_root(self.root, &path.parent, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()) {
                Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
                directory => directory?,
            };
        if path.name == OPAQUE_WHITEOUT {
            return self.clear_directory(directory.as_fd());
        }
        match &path.name[WHITEOUT_PREFIX.len()..] {
            b"" | b"." | b".." => Err(Errno::INVAL),
            // Metadata of other builders.
            name if name.starts_with(WHITEOUT_PREFIX) => Ok(()),
            name => remove(directory.as_fd(), name),
        }
    }

    /// Removes entries that this layer did not write.
    fn clear_directory(&mut self, directory: BorrowedFd<'_>) -> sys::Result<()> {
        let number = sys::fstat(directory)?.st_ino;
        for entry in sys::directory::entries(directory)? {
            let name = entry.name.to_bytes();
            if !self.written.contains(&(number, name.to_owned())) {
                remove(directory, name)?;
            } else if entry.kind == FileType::Directory {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
                self.clear_directory(sys::openat(directory, entry.name, flags, Mode::empty())?.as_fd())?;
            }
        }
        Ok(())
    }

    /// Removes what is at a path; returns the path's directory.
    fn clear_path<'p>(&mut self, path: &'p LayerPath) -> sys::Result<(OwnedFd, &'p OsStr)> {
        let parent = self.parent(&path.parent)?;
        match sys::unlinkat(parent.as_fd(), path.name()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::ISDIR | Errno::PERM) => {
                self.last = None;
                remove(parent.as_fd(), &path.name)?;
            }
            Err(errno) => return Err(errno),
        }
        self.remember(parent.as_fd(), path)?;
        Ok((parent, path.name()))
    }

    fn remember(&mut self, parent: BorrowedFd<'_>, path: &LayerPath) -> sys::Result<()> {
        self.written.insert((sys::fstat(parent)?.st_ino, path.name.clone()));
        Ok(())
    }

    fn parent(&mut self, path: &Path) -> sys::Result<OwnedFd> {
        match self.last.take() {
            Some((last, directory)) if last == path => Ok(directory),
            _ => mount_point::create(self.root, path, MountPointKind::Directory),
        }
    }
}

/// The path of an entry.
#[derive(Debug, PartialEq, Eq)]
struct LayerPath {
    /// Absolute.
    parent: PathBuf,
    name: Vec<u8>,
}

impl LayerPath {
    /// `None` for the root itself.
    fn parse(path: &[u8]) -> Result<Option<LayerPath>> {
        let mut names = path.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b"."));
        let is_bad = |name: &[u8]| name == b".." || name.len() > NAME_BYTES_MAX || name.contains(&0);
        if path.len() > PATH_BYTES_MAX || names.clone().any(is_bad) {
            return Err(problem::entry_path(OsStr::from_bytes(path)));
        }
        let Some(name) = names.next_back() else { return Ok(None) };
        let parent = names.fold(PathBuf::from("/"), |path, name| path.join(OsStr::from_bytes(name)));
        Ok(Some(LayerPath { parent, name: name.to_owned() }))
    }

    fn name(&self) -> &OsStr {
        OsStr::from_bytes(&self.name)
    }

    fn path(&self) -> PathBuf {
        self.parent.join(self.name())
    }
}

fn remove(directory: BorrowedFd<'_>, name: &[u8]) -> sys::Result<()> {
    files::remove_tree_at(directory, Path::new(OsStr::from_bytes(name))).map_err(|_| Errno::NOTEMPTY)
}

#[cfg(test)]
pub mod tests;

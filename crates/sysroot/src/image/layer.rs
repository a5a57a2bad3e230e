//! A layer put over those below it. In: a blob, which is hostile, and the root as it is so far.
//! Out: the root with the layer's files in it and without those that it takes away. Every path is
//! found as if the root were `/`: a link of this layer or of another leads nowhere else. Owners,
//! permissions and times are kept as far as we may. Absent: device nodes and pipes, extended
//! attributes.

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
use crate::place::{self, Kind};
use crate::problem;

/// Files, folders and links of all layers; large images have some 300,000.
const ENTRIES_MAX: usize = 2_000_000;
/// Bytes of all layers, unpacked.
const UNPACKED_BYTES_MAX: u64 = 64 << 30;
/// What the kernel takes as a path.
const PATH_BYTES_MAX: usize = 4095;
const NAME_BYTES_MAX: usize = 255;
const PIECE_BYTES: usize = 128 << 10;

/// Marks what a layer takes away: in front of a name, that; as a whole name, all that other layers
/// put into a folder.
const GONE: &[u8] = b".wh.";
const ALL_GONE: &[u8] = b".wh..wh..opq";
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owners {
    /// As the image has them; takes the rights of root.
    Kept,
    /// Everything is ours. Nothing becomes another user's, so set-user-id bits are dropped.
    Ours,
}

pub struct Unpacking<'a> {
    root: BorrowedFd<'a>,
    owners: Owners,
    /// What this layer made: a folder by its number, and a name in it.
    made: HashSet<(u64, Vec<u8>)>,
    /// The folder that the last entry went to, most often the next one's.
    last: Option<(PathBuf, OwnedFd)>,
    entries: usize,
    bytes: u64,
}

impl<'a> Unpacking<'a> {
    pub fn new(root: BorrowedFd<'a>, owners: Owners) -> Unpacking<'a> {
        Unpacking { root, owners, made: HashSet::new(), last: None, entries: 0, bytes: 0 }
    }

    pub fn apply(&mut self, blob: Blob, wanted: &Digest) -> Result<()> {
        self.made.clear();
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
        // What is not what was asked for is told as that, before what stands in it.
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
            let place = Place::parse(&path)?;
            match (place, target) {
                (Some(place), None) => self.file(&place, &header, body_bytes, stream)?,
                (place, Some(target)) => {
                    stream.body(header.name, body_bytes, &mut |_| Ok(()))?;
                    if let Some(place) = place {
                        self.other(&place, &header, &target).map_err(refused)?;
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

    /// A plain file; or a mark, which is one.
    fn file(
        &mut self,
        place: &Place,
        header: &Header<'_>,
        bytes: u64,
        stream: &mut Stream<'_, '_>,
    ) -> Result<()> {
        let refused = |errno| problem::entry(place.path().as_os_str(), errno);
        if place.name.starts_with(GONE) {
            stream.body(header.name, bytes, &mut |_| Ok(()))?;
            return self.take_away(place).map_err(refused);
        }
        let (parent, name) = self.make_way(place).map_err(refused)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let file = sys::openat(parent.as_fd(), name, flags, Mode::from_raw_mode(0o600)).map_err(refused)?;
        self.last = Some((place.parent.clone(), parent));
        stream.body(header.name, bytes, &mut |part| sys::write_all(file.as_fd(), part).map_err(refused))?;
        if self.owners == Owners::Kept {
            sys::fchown(file.as_fd(), header.user(), header.group()).map_err(refused)?;
        }
        let mode = match self.owners {
            Owners::Kept => header.mode & 0o7777,
            Owners::Ours => header.mode & 0o777,
        };
        sys::fchmod(file.as_fd(), Mode::from_raw_mode(mode)).map_err(refused)?;
        sys::set_mtime(file.as_fd(), header.modified()).map_err(refused)
    }

    fn other(&mut self, place: &Place, header: &Header<'_>, target: &[u8]) -> sys::Result<()> {
        match header.kind {
            b'5' | 0 => self.folder(place, header),
            b'2' => {
                let (parent, name) = self.make_way(place)?;
                sys::symlinkat(OsStr::from_bytes(target), parent.as_fd(), name)?;
                if self.owners == Owners::Kept {
                    sys::chownat(parent.as_fd(), name, header.user(), header.group())?;
                }
                self.last = Some((place.parent.clone(), parent));
                Ok(())
            }
            b'1' => self.hard_link(place, target),
            // Devices and pipes: an ordinary user may not make them, and a root has its own `/dev`.
            _ => Ok(()),
        }
    }

    fn folder(&mut self, place: &Place, header: &Header<'_>) -> sys::Result<()> {
        let parent = self.parent(&place.parent)?;
        let name = place.name();
        let found = sys::lstatat(parent.as_fd(), name).map(|found| FileType::from_raw_mode(found.st_mode));
        if found != Ok(FileType::Directory) {
            let (parent, name) = self.make_way(place)?;
            sys::mkdirat(parent.as_fd(), name, Mode::from_raw_mode(0o700))?;
        } else {
            self.remember(parent.as_fd(), place)?;
        }
        let folder = sys::openat(
            parent.as_fd(),
            name,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW,
            Mode::empty(),
        )?;
        if self.owners == Owners::Kept {
            sys::fchown(folder.as_fd(), header.user(), header.group())?;
        }
        let mode = match self.owners {
            Owners::Kept => header.mode & 0o7777,
            // One that we could not look into could not be removed again.
            Owners::Ours => header.mode & 0o1777 | 0o700,
        };
        sys::fchmod(folder.as_fd(), Mode::from_raw_mode(mode))
    }

    fn hard_link(&mut self, place: &Place, target: &[u8]) -> sys::Result<()> {
        let Ok(Some(source)) = Place::parse(target) else { return Err(Errno::INVAL) };
        if source == *place {
            return Ok(());
        }
        let folder =
            open_in_root(self.root, &source.parent, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
        let (parent, name) = self.make_way(place)?;
        sys::linkat(folder.as_fd(), source.name(), parent.as_fd(), name)
    }

    /// What lower layers put at a place, or into its folder.
    fn take_away(&mut self, place: &Place) -> sys::Result<()> {
        self.last = None;
        let folder =
            match open_in_root(self.root, &place.parent, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()) {
                Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
                folder => folder?,
            };
        if place.name == ALL_GONE {
            return self.empty(folder.as_fd());
        }
        match &place.name[GONE.len()..] {
            b"" | b"." | b".." => Err(Errno::INVAL),
            // What other builders note for themselves.
            name if name.starts_with(GONE) => Ok(()),
            name => remove(folder.as_fd(), name),
        }
    }

    /// Removes what this layer did not make.
    fn empty(&mut self, folder: BorrowedFd<'_>) -> sys::Result<()> {
        let number = sys::fstat(folder)?.st_ino;
        for entry in sys::directory::entries(folder)? {
            let name = entry.name.to_bytes();
            if !self.made.contains(&(number, name.to_owned())) {
                remove(folder, name)?;
            } else if entry.kind == FileType::Directory {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
                self.empty(sys::openat(folder, entry.name, flags, Mode::empty())?.as_fd())?;
            }
        }
        Ok(())
    }

    /// The folder of a place at which nothing stands any more.
    fn make_way<'p>(&mut self, place: &'p Place) -> sys::Result<(OwnedFd, &'p OsStr)> {
        let parent = self.parent(&place.parent)?;
        match sys::unlinkat(parent.as_fd(), place.name()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::ISDIR | Errno::PERM) => {
                self.last = None;
                remove(parent.as_fd(), &place.name)?;
            }
            Err(errno) => return Err(errno),
        }
        self.remember(parent.as_fd(), place)?;
        Ok((parent, place.name()))
    }

    fn remember(&mut self, parent: BorrowedFd<'_>, place: &Place) -> sys::Result<()> {
        self.made.insert((sys::fstat(parent)?.st_ino, place.name.clone()));
        Ok(())
    }

    fn parent(&mut self, path: &Path) -> sys::Result<OwnedFd> {
        match self.last.take() {
            Some((last, folder)) if last == path => Ok(folder),
            _ => place::make(self.root, path, Kind::Folder),
        }
    }
}

/// Where an entry belongs.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// Absolute.
    parent: PathBuf,
    name: Vec<u8>,
}

impl Place {
    /// `None`: the root itself.
    fn parse(path: &[u8]) -> Result<Option<Place>> {
        let mut names = path.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b"."));
        let is_bad = |name: &[u8]| name == b".." || name.len() > NAME_BYTES_MAX || name.contains(&0);
        if path.len() > PATH_BYTES_MAX || names.clone().any(is_bad) {
            return Err(problem::entry_path(OsStr::from_bytes(path)));
        }
        let Some(name) = names.next_back() else { return Ok(None) };
        let parent = names.fold(PathBuf::from("/"), |path, name| path.join(OsStr::from_bytes(name)));
        Ok(Some(Place { parent, name: name.to_owned() }))
    }

    fn name(&self) -> &OsStr {
        OsStr::from_bytes(&self.name)
    }

    fn path(&self) -> PathBuf {
        self.parent.join(self.name())
    }
}

fn remove(folder: BorrowedFd<'_>, name: &[u8]) -> sys::Result<()> {
    files::remove_tree_at(folder, Path::new(OsStr::from_bytes(name))).map_err(|_| Errno::NOTEMPTY)
}

#[cfg(test)]
pub mod tests;

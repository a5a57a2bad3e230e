//! What a folder knows of itself: names that were asked for, a listing where one was cheaper, its
//! package.json; and of which epoch that is. In: a name. Out: what it is, short of following links.
//! All system calls on a folder's own entries are made here.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::sync::{Arc, PoisonError};

use rusk_base::sys::directory::{self, Batch};
use rusk_base::sys::{self, FileType, Mode, OFlags, OwnedFd};

use super::super::key::Key;
use super::super::listing::Listing;
use super::super::quick::QuickMap;
use super::super::whole::{self, Whole, WithStat};
use super::{Entry, Files, Folder};
use crate::failure::Failure;
use crate::options::Lifetime;
use crate::package::{self, Manifest, Package};
use crate::resolved::Resolved;
use crate::resolver::Kind;

/// Questions to a folder before it is listed: a listing of some twenty names takes four calls, and
/// answers them all.
const ASKED_BEFORE_LISTING: u32 = 2;
/// Questions to a folder whose names did not fit two batches before it is listed to its end.
const ASKED_BEFORE_ALL: u32 = 50;
/// Some 250 names.
const BATCH_BYTES: usize = 8 * 1024;

#[derive(Default)]
pub(super) struct Facts {
    epoch: usize,
    /// Of this folder, from before anything was learned. Not taken where nothing outlives the
    /// epoch.
    key: Option<Key>,
    is_settled: bool,
    asked: u32,
    listed: Listed,
    /// Names that were asked for alone, folders entered, links followed.
    names: QuickMap<Entry>,
    /// Folders that stood here before this one changed; each may still be the same.
    before: QuickMap<Arc<Folder>>,
    manifest: Option<(Option<Key>, Manifest)>,
    /// What specifiers stand for in files of this folder: by `require`, by `import`.
    answers: [QuickMap<Result<Resolved, Failure>>; 2],
}

#[derive(Default)]
enum Listed {
    #[default]
    No,
    /// Two batches of it; the rest waits in the open descriptor.
    Begun(Listing),
    All(Listing),
    /// It cannot be.
    Never,
}

/// What a folder can say of a name by itself.
pub(super) enum Seen {
    Entry(Entry),
    Link,
}

impl Facts {
    pub(super) fn is_of(&self, epoch: usize) -> bool {
        self.epoch == epoch
    }

    pub(super) fn answers(&self, kind: Kind) -> &QuickMap<Result<Resolved, Failure>> {
        &self.answers[usize::from(kind == Kind::Import)]
    }

    pub(super) fn answers_mut(&mut self, kind: Kind) -> &mut QuickMap<Result<Resolved, Failure>> {
        &mut self.answers[usize::from(kind == Kind::Import)]
    }

    /// The entry of a name that was asked for alone.
    pub(super) fn find_named(&self, name: &[u8]) -> Option<Entry> {
        self.names.get(name).cloned()
    }

    /// Remembers what `entry` says, unless somebody was faster.
    pub(super) fn named(&mut self, name: &[u8], entry: impl FnOnce() -> Entry) -> Entry {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let entry = entry();
        self.names.insert(name.into(), entry.clone());
        entry
    }

    /// What is known of a name. Folders are known once they were entered, links once they were
    /// followed.
    pub(super) fn find(&self, name: &[u8]) -> Option<Seen> {
        match &self.listed {
            Listed::All(listing) => match listing.find(name) {
                None => return Some(Seen::Entry(Entry::Absent)),
                Some(kind) if is_plain(kind) => return Some(Seen::Entry(Entry::File)),
                Some(_) => {}
            },
            Listed::Begun(listing) if listing.find(name).is_some_and(is_plain) => {
                return Some(Seen::Entry(Entry::File));
            }
            _ => {}
        }
        self.find_named(name).map(Seen::Entry)
    }

    /// Whether nothing is known of a name but that a listing may have it as a folder.
    pub(super) fn may_be_folder(&self, name: &[u8]) -> bool {
        let listed = match &self.listed {
            Listed::All(listing) => return self.find_named(name).is_none() && is_folder(listing.find(name)),
            Listed::Begun(listing) => listing.find(name),
            Listed::No | Listed::Never => None,
        };
        self.find_named(name).is_none() && (listed.is_none() || is_folder(listed))
    }

    /// What a name is, asked of the kernel if need be.
    pub(super) fn look(&mut self, folder: &Arc<Folder>, files: &Files, name: &[u8]) -> Seen {
        if let Some(seen) = self.find(name) {
            return seen;
        }
        self.ask(folder, files);
        match self.kind(folder, name) {
            Some(FileType::Symlink) => self.find_named(name).map_or(Seen::Link, Seen::Entry),
            Some(FileType::Directory) => {
                let before = self.before.remove(name).filter(|before| before.still_stands());
                let child = || Entry::Folder(before.unwrap_or_else(|| folder.child(files, name, None)));
                Seen::Entry(self.named(name, child))
            }
            // The listing says it from now on.
            Some(kind) if matches!(self.listed, Listed::All(_)) && is_plain(kind) => Seen::Entry(Entry::File),
            None if matches!(self.listed, Listed::All(_)) => Seen::Entry(Entry::Absent),
            Some(_) => Seen::Entry(self.named(name, || Entry::File)),
            None => Seen::Entry(self.named(name, || Entry::Absent)),
        }
    }

    /// The kind of a name: as listed, or asked for alone.
    fn kind(&self, folder: &Folder, name: &[u8]) -> Option<FileType> {
        let listed = match &self.listed {
            Listed::All(listing) => Some(listing.find(name)?),
            Listed::Begun(listing) => listing.find(name),
            Listed::No | Listed::Never => None,
        };
        if let Some(kind) = listed.filter(|&kind| kind != FileType::Unknown) {
            return Some(kind);
        }
        let (open, path) = folder.below_open(name);
        sys::lstatat(open, &*path).ok().map(|stat| FileType::from_raw_mode(stat.st_mode))
    }

    /// Counts a question, and lists the folder when there were enough.
    fn ask(&mut self, folder: &Folder, files: &Files) {
        self.asked = self.asked.saturating_add(1);
        match &self.listed {
            Listed::No if self.asked > ASKED_BEFORE_LISTING && folder.is_local => self.list(folder, files),
            Listed::Begun(_) if self.asked > ASKED_BEFORE_ALL => self.list_rest(folder),
            _ => {}
        }
    }

    fn list(&mut self, folder: &Folder, files: &Files) {
        let (open, path) = folder.below_open(b"");
        let path: &[u8] = if path.is_empty() { b"." } else { &path };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        match sys::openat(open, path, flags, Mode::empty()) {
            Ok(opened) => self.list_opened(folder, files, opened),
            Err(_) => self.listed = Listed::Never,
        }
    }

    /// Lists this folder, which somebody has just opened, unless it was listed.
    pub(super) fn list_opened(&mut self, folder: &Folder, files: &Files, opened: OwnedFd) {
        if !matches!(self.listed, Listed::No) || !folder.is_local {
            return;
        }
        let mut listing = Listing::default();
        // Only a descriptor that this folder keeps can wait for more questions.
        let calls = if folder.open.get().is_none() { 2 } else { usize::MAX };
        self.listed = match read_batches(&opened, &mut listing, calls) {
            Ok(End::Reached) => Listed::All(listing),
            Ok(End::NotYet) => Listed::Begun(listing),
            Err(_) => Listed::Never,
        };
        if matches!(self.listed, Listed::Begun(_)) || files.take_open() {
            // Another descriptor is there already only if this folder was listed in an earlier
            // epoch.
            let _ = folder.open.set(opened);
        }
    }

    fn list_rest(&mut self, folder: &Folder) {
        let Listed::Begun(mut listing) = std::mem::take(&mut self.listed) else { return };
        let Some(open) = folder.open.get() else { return };
        self.listed = match read_batches(open, &mut listing, usize::MAX) {
            Ok(_) => Listed::All(listing),
            Err(_) => Listed::Never,
        };
    }

    /// What somebody says is all there is.
    pub(super) fn take_listing(&mut self, names: &[(&[u8], FileType)]) {
        let mut listing = Listing::default();
        for &(name, kind) in names {
            listing.push(name, kind);
        }
        listing.sort();
        self.names.clear();
        self.listed = Listed::All(listing);
    }

    pub(super) fn manifest(&self) -> Option<Manifest> {
        self.manifest.as_ref().map(|(_, manifest)| manifest.clone())
    }

    /// Reads package.json, unless it is known that there is none or that it is the one read before.
    pub(super) fn read_manifest(&mut self, folder: &Folder, files: &Files, fields: &[String]) -> Manifest {
        if let Some(known) = self.manifest() {
            return known;
        }
        self.ask(folder, files);
        let known = match self.find(package::FILE_NAME) {
            Some(Seen::Entry(Entry::Absent | Entry::Folder(_))) => (None, Manifest::Absent),
            _ => self.read_package(folder, files, fields),
        };
        self.manifest = Some(known.clone());
        known.1
    }

    fn read_package(&mut self, folder: &Folder, files: &Files, fields: &[String]) -> (Option<Key>, Manifest) {
        let with_stat = if files.lifetime == Lifetime::Watch { WithStat::Yes } else { WithStat::No };
        let (open, path) = folder.below_open(package::FILE_NAME);
        match whole::read(open, &path, package::BYTES_MAX, with_stat) {
            Whole::Absent => (None, Manifest::Absent),
            Whole::Unreadable(reason) => (None, Manifest::Broken(reason.into())),
            Whole::Read { bytes, stat } => {
                let key = stat.as_ref().map(Key::new).filter(Key::is_settled);
                (key, Package::parse(folder.path(), &bytes, fields))
            }
        }
    }

    /// Begins the epoch: what cannot be relied on any more goes.
    pub(super) fn renew(&mut self, folder: &Folder, files: &Files) {
        if self.epoch == files.epoch() {
            return;
        }
        self.epoch = files.epoch();
        self.answers = Default::default();
        // Below a link nothing is kept from one epoch to the next, and these folders are made anew
        // in each.
        if files.lifetime == Lifetime::Run || folder.real.is_some() {
            return;
        }
        let found = folder.key();
        let stands = self.is_settled && folder.is_local && found.is_some() && found == self.key;
        self.is_settled = found.as_ref().is_some_and(Key::is_settled);
        self.key = found;
        if stands {
            self.names.retain(|_, entry| is_stable(entry));
        } else {
            self.forget();
        }
        self.renew_manifest(folder, stands);
    }

    fn forget(&mut self) {
        self.asked = 0;
        self.listed = Listed::No;
        for (name, entry) in std::mem::take(&mut self.names) {
            if let Entry::Folder(child) = entry
                && child.real.is_none()
            {
                self.before.insert(name, child);
            }
        }
    }

    /// A package.json that is the same file with the same times was parsed already.
    fn renew_manifest(&mut self, folder: &Folder, folder_stands: bool) {
        let Some((key, manifest)) = self.manifest.take() else { return };
        let stands = match (&key, &manifest) {
            (None, Manifest::Absent) => folder_stands,
            (None, _) => false,
            (Some(key), _) => {
                let (open, path) = folder.below_open(package::FILE_NAME);
                sys::statat(open, &*path).is_ok_and(|stat| Key::new(&stat) == *key)
            }
        };
        if stands {
            self.manifest = Some((key, manifest));
        }
    }
}

impl Folder {
    fn key(&self) -> Option<Key> {
        let (open, path) = match &self.parent {
            Some(parent) => parent.below_open(self.name()),
            None => (sys::CURRENT, (&b"/"[..]).into()),
        };
        sys::lstatat(open, &*path).ok().map(|stat| Key::new(&stat))
    }

    /// Whether the folder at this path is the one it was.
    fn still_stands(&self) -> bool {
        let known = self.facts.read().unwrap_or_else(PoisonError::into_inner).key;
        known.is_some_and(|known| self.key().is_some_and(|found| found.is_same_inode(&known)))
    }
}

fn is_folder(kind: Option<FileType>) -> bool {
    kind == Some(FileType::Directory)
}

fn is_plain(kind: FileType) -> bool {
    !matches!(kind, FileType::Directory | FileType::Symlink | FileType::Unknown)
}

/// Whether an entry says nothing that the folder's own key does not cover.
fn is_stable(entry: &Entry) -> bool {
    match entry {
        Entry::Absent | Entry::File => true,
        Entry::Folder(child) => child.real.is_none(),
        Entry::Linked(_) => false,
    }
}

enum End {
    Reached,
    NotYet,
}

/// Reads on from where the descriptor stands, at most `calls` times.
fn read_batches(open: &impl AsFd, listing: &mut Listing, calls: usize) -> sys::Result<End> {
    let mut buffer = [MaybeUninit::uninit(); BATCH_BYTES];
    let mut end = End::NotYet;
    for _ in 0..calls {
        let mut push = |name: &CStr, kind| listing.push(name.to_bytes(), kind);
        if directory::batch(open.as_fd(), &mut buffer, &mut push)? == Batch::Last {
            end = End::Reached;
            break;
        }
    }
    listing.sort();
    Ok(end)
}

//! One folder: what is in it, asked name by name until a listing is cheaper. In: a name. Out:
//! absent, a file, a folder. A folder on whose path a link stands is a node of its own, so that
//! `..` means what its path says; what is in it, the folder behind the link knows. Who holds a
//! folder's lock takes no other but that of a folder below.

mod descent;
mod facts;
mod links;

use std::borrow::Cow;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockWriteGuard};

use rusk_base::sys::{self, OwnedFd};

use super::Files;
use crate::failure::Failure;
use crate::package::Manifest;
use crate::resolved::Resolved;
use crate::resolver::Kind;
use facts::{Facts, Seen};

pub(crate) struct Folder {
    /// Absolute, without a slash at the end; the root's is empty.
    path: Box<[u8]>,
    parent: Option<Arc<Folder>>,
    /// Where the path leads when a link stands on it.
    real: Option<Arc<Folder>>,
    /// There is no such folder, but its path has others above it.
    is_absent: bool,
    /// Whether what is in it may be listed and remembered; see `mounts`.
    is_local: bool,
    open: OnceLock<OwnedFd>,
    facts: RwLock<Facts>,
}

/// What a name in a folder is.
#[derive(Clone)]
pub(crate) enum Entry {
    Absent,
    /// Anything but a folder, as Node counts.
    File,
    /// A file that a link leads to: its real folder and its name there.
    Linked(Arc<(Arc<Folder>, Box<[u8]>)>),
    Folder(Arc<Folder>),
}

impl Folder {
    pub(super) fn root(is_local: bool) -> Arc<Folder> {
        Arc::new(Folder::new(Box::default(), None, None, is_local))
    }

    fn new(
        path: Box<[u8]>,
        parent: Option<Arc<Folder>>,
        real: Option<Arc<Folder>>,
        is_local: bool,
    ) -> Folder {
        let facts = RwLock::default();
        Folder { path, parent, real, is_absent: false, is_local, open: OnceLock::new(), facts }
    }

    /// A folder that is not there: nothing is in it.
    pub(super) fn absent(path: Vec<u8>, parent: Arc<Folder>) -> Arc<Folder> {
        let folder = Folder::new(path.into(), Some(parent), None, false);
        Arc::new(Folder { is_absent: true, ..folder })
    }

    fn child(self: &Arc<Folder>, files: &Files, name: &[u8], real: Option<Arc<Folder>>) -> Arc<Folder> {
        let path = self.join(name);
        let is_local = files.mounts.find_local(&path).unwrap_or(self.is_local);
        Arc::new(Folder::new(path.into(), Some(self.clone()), real, is_local))
    }

    pub(crate) fn join(&self, name: &[u8]) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.path.len() + 1 + name.len());
        path.extend_from_slice(&self.path);
        path.push(b'/');
        path.extend_from_slice(name);
        path
    }

    /// Absolute; `/` for the root.
    pub(crate) fn path(&self) -> &[u8] {
        if self.path.is_empty() { b"/" } else { &self.path }
    }

    pub(crate) fn name(&self) -> &[u8] {
        let slash = self.path.iter().rposition(|&byte| byte == b'/');
        slash.map_or(b"", |slash| &self.path[slash + 1..])
    }

    pub(crate) fn parent(&self) -> Option<&Arc<Folder>> {
        self.parent.as_ref()
    }

    /// This folder by the path without links.
    pub(crate) fn real(self: &Arc<Folder>) -> &Arc<Folder> {
        self.real.as_ref().unwrap_or(self)
    }

    /// The folder of that name in this one.
    pub(crate) fn enter(self: &Arc<Folder>, files: &Files, name: &[u8]) -> Option<Arc<Folder>> {
        match self.find(files, name) {
            Entry::Folder(folder) => Some(folder),
            _ => None,
        }
    }

    /// What that name is, links followed.
    pub(crate) fn find(self: &Arc<Folder>, files: &Files, name: &[u8]) -> Entry {
        match &self.real {
            _ if self.is_absent => Entry::Absent,
            None => links::find(self, files, name, links::FOLLOWED_MAX).unwrap_or(Entry::Absent),
            Some(real) => self.find_beside(files, real, name),
        }
    }

    /// Below a link: what the real folder has; its folders get a path through the link.
    fn find_beside(self: &Arc<Folder>, files: &Files, real: &Arc<Folder>, name: &[u8]) -> Entry {
        let known = self.read(files, |facts| facts.find_named(name));
        if let Some(known) = known.flatten() {
            return known;
        }
        match real.find(files, name) {
            Entry::Folder(found) => {
                let mut facts = self.write(files);
                let child = || Entry::Folder(self.child(files, name, Some(found.real().clone())));
                facts.named(name, child)
            }
            entry => entry,
        }
    }

    /// The package.json in this folder, parsed once.
    pub(crate) fn manifest(self: &Arc<Folder>, files: &Files, main_fields: &[String]) -> Manifest {
        let real = self.real();
        if self.is_absent {
            return Manifest::Absent;
        }
        if let Some(Some(known)) = real.read(files, Facts::manifest) {
            return known;
        }
        real.write(files).read_manifest(real, files, main_fields)
    }

    /// What this specifier was found to stand for, in this epoch, for files of this folder.
    pub(crate) fn find_answer(
        &self,
        files: &Files,
        kind: Kind,
        specifier: &str,
    ) -> Option<Result<Resolved, Failure>> {
        self.read(files, |facts| facts.answers(kind).get(specifier.as_bytes()).cloned())?
    }

    pub(crate) fn remember_answer(
        &self,
        files: &Files,
        kind: Kind,
        specifier: &str,
        answer: &Result<Resolved, Failure>,
    ) {
        self.write(files).answers_mut(kind).insert(specifier.as_bytes().into(), answer.clone());
    }

    /// Says what is in this folder: all of it, and nothing else.
    pub(crate) fn hand_over(self: &Arc<Folder>, files: &Files, names: &[(&[u8], sys::FileType)]) {
        let real = self.real();
        real.write(files).take_listing(names);
    }

    /// What this folder itself can say without following a link.
    fn look(self: &Arc<Folder>, files: &Files, name: &[u8]) -> Seen {
        if let Some(Some(seen)) = self.read(files, |facts| facts.find(name)) {
            return seen;
        }
        self.write(files).look(self, files, name)
    }

    /// What is known, if it is of this epoch.
    fn read<T>(&self, files: &Files, ask: impl Fn(&Facts) -> T) -> Option<T> {
        let facts = self.facts.read().unwrap_or_else(PoisonError::into_inner);
        facts.is_of(files.epoch()).then(|| ask(&facts))
    }

    /// What is known, brought up to this epoch.
    fn write(&self, files: &Files) -> RwLockWriteGuard<'_, Facts> {
        let mut facts = self.facts.write().unwrap_or_else(PoisonError::into_inner);
        facts.renew(self, files);
        facts
    }

    /// The nearest folder held open, this one or above, and the path from there to a name in this
    /// folder.
    fn below_open<'f>(&'f self, name: &[u8]) -> (BorrowedFd<'f>, Cow<'f, [u8]>) {
        let mut above = Some(self);
        while let Some(folder) = above {
            if let Some(open) = folder.open.get() {
                let rest = &self.path[(folder.path.len() + 1).min(self.path.len())..];
                return (open.as_fd(), joined(rest, name).into());
            }
            above = folder.parent.as_deref();
        }
        (sys::CURRENT, self.join(name).into())
    }
}

fn joined(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(folder.len() + 1 + name.len());
    path.extend_from_slice(folder);
    if !folder.is_empty() && !name.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}

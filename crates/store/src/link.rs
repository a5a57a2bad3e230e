//! Links a stored package into a project. In: the package's index, an open directory and a path in
//! it. Out: the package's directories and files there, with one `mkdirat` per directory and one
//! `linkat` per file. Paths are relative to two open directories: the package's own, if it has many
//! files, and the target's, if its path is long. Absent: `.bin` links (see `bins`), removal of old
//! files.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::Result;
use rusk_base::files;
use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};

use crate::index::{Entry, Listing};
use crate::store::modified_ns;
use crate::{Backend, Package, Store, problem};

/// Links packages of one store into one file system. Shared by threads.
pub struct Linker<'a> {
    store: &'a Store,
    backend: Backend,
}

/// Bytes of a file that are compared at once.
const READ_BYTES: usize = 64 << 10;

/// Number of files linked between two checks for cancellation.
const FILES_BETWEEN_LOOKS: usize = 32;

/// How linking a package ended.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linked {
    Whole,
    /// The store has lost one of the package's files, one of them was changed, or its index is
    /// forged: remove the package there and add it again.
    StoreIncomplete,
}

impl<'a> Linker<'a> {
    pub fn new(store: &'a Store, backend: Backend) -> Linker<'a> {
        Linker { store, backend }
    }

    /// Makes the package appear at `target` in `dir`. Directories may be there already; files that
    /// are there are replaced.
    pub fn link_package(&self, package: &Package, dir: BorrowedFd<'_>, target: &str) -> Result<Linked> {
        make_dir(dir, target)?;
        self.fill_dir(package, dir, target)
    }

    /// The same, into a package's directory that is there.
    pub fn fill_dir(&self, package: &Package, dir: BorrowedFd<'_>, target: &str) -> Result<Linked> {
        Ok(linked(self.fill(package, dir, target, Part::ALL)?))
    }

    /// As [`Linker::link_package`], until asked to stop between two files. Answers with how many
    /// files are there; `None` where the store is incomplete.
    pub fn link_some(
        &self,
        package: &Package,
        dir: BorrowedFd<'_>,
        target: &str,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<usize>> {
        make_dir(dir, target)?;
        self.fill(package, dir, target, Part { is_over, ..Part::ALL })
    }

    /// Links what is left of a package of which [`Linker::link_some`] linked the first files.
    pub fn link_rest(
        &self,
        package: &Package,
        dir: BorrowedFd<'_>,
        target: &str,
        begun: usize,
    ) -> Result<Linked> {
        Ok(linked(self.fill(package, dir, target, Part { begun: Some(begun), ..Part::ALL })?))
    }

    /// Makes the directories and files of a part of a package. Answers as [`Linker::link_some`]
    /// does.
    fn fill(
        &self,
        package: &Package,
        dir: BorrowedFd<'_>,
        shown: &str,
        part: Part<'_>,
    ) -> Result<Option<usize>> {
        // In an inventory that somebody else wrote, perhaps.
        let Some(listing) = package.index.listing() else { return Ok(None) };
        let opened = match is_worth_opening(shown, listing) {
            true => Some(sys::open_directory(dir, shown)),
            false => None,
        };
        let opened =
            opened.transpose().map_err(|errno| files::problem::open_directory(Path::new(shown), errno))?;
        let target = match &opened {
            Some(opened) => Target { dir: opened.as_fd(), prefix: "", shown },
            None => Target { dir, prefix: shown, shown },
        };
        if part.begun.is_none() {
            make_dirs(listing, target)?;
        }
        self.link_files(package, listing, target, part)
    }

    fn link_files(
        &self,
        package: &Package,
        listing: Listing<'_>,
        target: Target<'_>,
        part: Part<'_>,
    ) -> Result<Option<usize>> {
        let begun = part.begun.unwrap_or(0);
        let mut source = Source::find(self.store, package, listing.files().len().saturating_sub(begun));
        let mut place = PathBuffer::below(target.prefix);
        let is_checked = self.store.checks_links(self.backend);
        for (count, file) in listing.files().enumerate().skip(begun) {
            if count % FILES_BETWEEN_LOOKS == 0 && (part.is_over)() {
                return Ok(Some(count));
            }
            let link = |source: &mut Source<'_>, place: &CStr| {
                let stored = source.of_number(file.number)?;
                if is_checked && is_changed(stored, file, package.index.written_ns)? {
                    return Err(CHANGED);
                }
                self.link_file(stored, target.dir, place, file)
            };
            let linked = place.of(file.path).and_then(|place| match link(&mut source, place) {
                // What was opened may have been replaced since.
                Err(Errno::NOENT) if source.close(package) => link(&mut source, place),
                outcome => outcome,
            });
            match linked {
                Ok(()) => {}
                Err(CHANGED) => return Ok(None),
                Err(Errno::NOENT) if self.has_lost(package, file.number) => {
                    return Ok(None);
                }
                Err(errno) => {
                    return Err(files::problem::link(&Path::new(target.shown).join(file.path), errno));
                }
            }
        }
        Ok(Some(listing.files().len()))
    }

    fn link_file(
        &self,
        source: Stored<'_>,
        dir: BorrowedFd<'_>,
        place: &CStr,
        file: Entry<'_>,
    ) -> sys::Result<()> {
        match self.bring(source, dir, place, file) {
            Err(Errno::EXIST) => {
                sys::unlinkat(dir, place)?;
                self.bring(source, dir, place, file)
            }
            outcome => outcome,
        }
    }

    fn bring(
        &self,
        source: Stored<'_>,
        dir: BorrowedFd<'_>,
        place: &CStr,
        file: Entry<'_>,
    ) -> sys::Result<()> {
        if self.backend != Backend::Hardlink {
            return self.backend.copy(source.dir, source.path, dir, place, file.mode);
        }
        match sys::linkat(source.dir, source.path, dir, place) {
            // Too many names for one file, or not ours to name (`fs.protected_hardlinks`): a copy
            // of this one.
            Err(Errno::MLINK | Errno::PERM) => {
                Backend::ReadWrite.copy(source.dir, source.path, dir, place, file.mode)
            }
            outcome => outcome,
        }
    }

    fn has_lost(&self, package: &Package, number: u32) -> bool {
        let path = format!("{}/{number}", package.key.dir_name());
        sys::lstatat(self.store.dir(), path).is_err_and(|errno| errno == Errno::NOENT)
    }
}

/// Of a file of the store whose bytes are not those of the package; no call here returns it.
const CHANGED: Errno = Errno::BADMSG;

/// Whether a file has other bytes than were unpacked. Its bytes are read only if its size or its
/// time are not those of an unpacked file.
fn is_changed(stored: Stored<'_>, file: Entry<'_>, written_ns: u64) -> sys::Result<bool> {
    let stat = sys::lstatat(stored.dir, stored.path)?;
    if u64::try_from(stat.st_size) != Ok(u64::from(file.bytes)) {
        return Ok(true);
    }
    if modified_ns(stat.st_mtime, stat.st_mtime_nsec as i64) <= written_ns {
        return Ok(false);
    }
    let opened = sys::openat(stored.dir, stored.path, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
    let (mut checksum, mut buffer) = (libdeflater::Crc::new(), vec![0; READ_BYTES]);
    loop {
        match sys::read(opened.as_fd(), &mut buffer)? {
            0 => return Ok(checksum.sum() != file.checksum),
            count => checksum.update(&buffer[..count]),
        }
    }
}

/// What of a package to link.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// The directories and so many files are there.
    begun: Option<usize>,
    is_over: &'a dyn Fn() -> bool,
}

impl Part<'_> {
    const ALL: Part<'static> = Part { begun: None, is_over: &|| false };
}

fn linked(count: Option<usize>) -> Linked {
    count.map_or(Linked::StoreIncomplete, |_| Linked::Whole)
}

/// A file of the store.
#[derive(Clone, Copy)]
struct Stored<'a> {
    dir: BorrowedFd<'a>,
    path: &'a CStr,
}

/// Where a package's files are in the store.
struct Source<'a> {
    store: BorrowedFd<'a>,
    /// The package's own directory.
    opened: Option<OwnedFd>,
    path: PathBuffer,
}

impl<'a> Source<'a> {
    /// Opening the directory takes two calls, and spares each file a look for a name of some fifty
    /// bytes: one in twenty of what linking takes.
    fn find(store: &'a Store, package: &Package, files: usize) -> Source<'a> {
        const FILES_MIN: usize = 32;
        let dir = package.key.dir_name();
        // What is wrong with it shows when a file is linked.
        let opened = (files >= FILES_MIN).then(|| sys::open_directory(store.dir(), dir).ok()).flatten();
        let path = PathBuffer::below(if opened.is_some() { "" } else { dir });
        Source { store: store.dir(), opened, path }
    }

    fn of_number(&mut self, number: u32) -> sys::Result<Stored<'_>> {
        let dir = self.opened.as_ref().map_or(self.store, AsFd::as_fd);
        Ok(Stored { dir, path: self.path.of_number(number)? })
    }

    /// From now on files are found by the package's name. False where they were before.
    fn close(&mut self, package: &Package) -> bool {
        self.path = PathBuffer::below(package.key.dir_name());
        self.opened.take().is_some()
    }
}

/// A package's directory, to be filled.
#[derive(Clone, Copy)]
struct Target<'a> {
    dir: BorrowedFd<'a>,
    /// From `dir`; empty when that is it.
    prefix: &'a str,
    /// The directory as a message names it.
    shown: &'a str,
}

/// Opening a directory takes two calls; from it, the way to each file is shorter by the directories
/// above.
fn is_worth_opening(target: &str, listing: Listing<'_>) -> bool {
    const STEPS_SPARED_MIN: usize = 128;
    let depth = target.bytes().filter(|byte| *byte == b'/').count();
    depth * (listing.dirs().len() + listing.files().len()) >= STEPS_SPARED_MIN
}

/// The directories in a package's own, which is there.
fn make_dirs(listing: Listing<'_>, target: Target<'_>) -> Result<()> {
    let mut path = PathBuffer::below(target.prefix);
    for name in listing.dirs() {
        let made = path.of(name).and_then(|path| sys::mkdirat(target.dir, path, Mode::from_raw_mode(0o777)));
        if made.is_err() {
            let separator = if target.prefix.is_empty() { "" } else { "/" };
            make_dir(target.dir, &format!("{}{separator}{name}", target.prefix))?;
        }
    }
    Ok(())
}

/// One directory, which may be there, and its parents if they are missing. A link to a directory is
/// not one: what it leads to is not ours.
fn make_dir(dir: BorrowedFd<'_>, path: &str) -> Result<()> {
    let mut made = sys::mkdirat(dir, path, Mode::from_raw_mode(0o777));
    if made == Err(Errno::NOENT)
        && let Some(parent) = Path::new(path).parent()
    {
        files::create_directories_at(dir, parent)?;
        made = sys::mkdirat(dir, path, Mode::from_raw_mode(0o777));
    }
    match made {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => {
            match sys::lstatat(dir, path).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
                Ok(FileType::Directory) => Ok(()),
                _ => Err(problem::target_not_dir(path)),
            }
        }
        Err(errno) => Err(files::problem::create_directory(Path::new(path), errno)),
    }
}

/// Digits of the largest number.
const DIGITS_MAX: usize = 10;

/// Paths below one directory, made in place: a prefix that stays, a rest that changes, the kernel's
/// final zero.
struct PathBuffer {
    bytes: Vec<u8>,
    prefix_bytes: usize,
}

impl PathBuffer {
    fn below(dir: &str) -> PathBuffer {
        let mut bytes = Vec::with_capacity(512);
        if !dir.is_empty() {
            bytes.extend_from_slice(dir.as_bytes());
            bytes.push(b'/');
        }
        PathBuffer { prefix_bytes: bytes.len(), bytes }
    }

    fn of_number(&mut self, number: u32) -> sys::Result<&CStr> {
        let (mut digits, mut rest) = ([0; DIGITS_MAX], number);
        let mut start = DIGITS_MAX;
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.of(str::from_utf8(&digits[start..]).map_err(|_| Errno::INVAL)?)
    }

    fn of(&mut self, path: &str) -> sys::Result<&CStr> {
        self.bytes.truncate(self.prefix_bytes);
        self.bytes.extend_from_slice(path.as_bytes());
        self.bytes.push(0);
        CStr::from_bytes_with_nul(&self.bytes).map_err(|_| Errno::INVAL)
    }
}

#[cfg(test)]
mod tests;

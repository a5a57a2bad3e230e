//! Staging directory beside node_modules: packages are built in it, and replaced ones are moved to
//! it before they are deleted. Only one install runs in a project at a time, so contents from
//! before were left by a killed install. A symbolic link where a directory of node_modules belongs
//! is removed itself; its target is never touched.

mod publish;
mod unfinished;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd, directory};
use rusk_base::{Result, files, timeline};

use super::ext4_placement;
use crate::event::{InstallEvent, Reporter};
use crate::member_entries::{Removable, RequestedNames};
use crate::virtual_store::VirtualStore;

pub use publish::FOREIGN_NAMES;

/// In the project's directory, on its file system, so that renames work.
pub const NAME: &str = ".rusk-staging";

pub struct StagingArea<'a> {
    project: BorrowedFd<'a>,
    project_path: &'a Path,
    staging_dir: StagingDir,
    moved_out: Cell<usize>,
    /// Directories made to build packages in.
    made: RefCell<HashSet<String>>,
    /// Directories of the project that were checked and are not links.
    real: RefCell<HashSet<PathBuf>>,
    /// What of a former install could not be removed: a warning.
    set_aside: Option<String>,
}

/// The staging directory alone, which threads build in together.
pub struct StagingDir {
    path: PathBuf,
    dir: OwnedFd,
}

impl<'a> StagingArea<'a> {
    /// `member_dirs`: other directories that package.json is written in.
    pub fn make(
        project: BorrowedFd<'a>,
        project_path: &'a Path,
        member_dirs: impl Iterator<Item = &'a str>,
    ) -> Result<StagingArea<'a>> {
        let path = project_path.join(NAME);
        let mut set_aside = None;
        if StagingArea::is_left(project) {
            for dir in member_dirs.chain(["."]) {
                unfinished::remove(project, dir)?;
            }
            set_aside = unfinished::clear_or_set_aside(project)?;
        }
        sys::mkdirat(project, NAME, Mode::from_raw_mode(0o777))
            .map_err(|errno| files::problem::create_directory(&path, errno))?;
        let dir =
            open_no_follow(project, NAME).map_err(|errno| files::problem::open_directory(&path, errno))?;
        let staging_dir = StagingDir::at(path, dir);
        let (moved_out, made, real) = Default::default();
        let staging = StagingArea { project, project_path, staging_dir, moved_out, made, real, set_aside };
        staging.hide_from_git()?;
        Ok(staging)
    }

    /// A killed install leaves the directory until the next one; it must not be committed
    /// meanwhile.
    fn hide_from_git(&self) -> Result<()> {
        let refused = |errno| files::problem::write(&self.staging_dir.path(".gitignore"), errno);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let file =
            sys::openat(self.fd(), ".gitignore", flags, Mode::from_raw_mode(0o666)).map_err(refused)?;
        sys::write_all(file.as_fd(), b"*\n").map_err(refused)
    }

    /// Whether a killed install left its directory in the project.
    pub fn is_left(project: BorrowedFd<'_>) -> bool {
        sys::lstatat(project, NAME).is_ok()
    }

    pub fn project(&self) -> BorrowedFd<'_> {
        self.project
    }

    pub fn staging_dir(&self) -> &StagingDir {
        &self.staging_dir
    }

    fn fd(&self) -> BorrowedFd<'_> {
        self.staging_dir.fd()
    }

    /// Makes a directory to build many packages in, unless it exists.
    pub fn make_dir(&self, name: &str, cache_dir: &Path) -> Result<()> {
        if !self.made.borrow_mut().insert(name.to_owned()) {
            return Ok(());
        }
        let refused = |errno| files::problem::create_directory(&self.staging_dir.path(name), errno);
        ext4_placement::take_directory(cache_dir, self.fd(), name)
            .or_else(|_| sys::mkdirat(self.fd(), name, Mode::from_raw_mode(0o777)))
            .map_err(refused)
    }

    /// Moves out what an install may have made in the node_modules of a member.
    pub fn move_out_installed(&self, dir: &str, requested: &RequestedNames<'_>) -> Result<()> {
        let opened = match open_no_follow(self.project, dir) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(()),
            Err(_) => return self.move_out(dir),
        };
        let found = Removable::find(opened.as_fd(), requested)
            .map_err(|errno| files::problem::open_directory(&self.project_path.join(dir), errno))?;
        match found {
            Removable::Everything => self.move_out(dir),
            Removable::Entries(names) => {
                names.iter().try_for_each(|name| self.move_out(&format!("{dir}/{name}")))
            }
        }
    }

    /// Moves something out of the project, to be deleted at the end.
    pub fn move_out(&self, path: &str) -> Result<()> {
        self.move_out_links_above(path)?;
        self.move_out_one(Path::new(path))?;
        // `@scope`, `node_modules` and the directories that contain them are removed when they are
        // empty.
        for parent in Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty()) {
            let name = parent.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_store = |dir: &Path| VirtualStore::ALL.iter().any(|store| dir == Path::new(store.path()));
            let is_entry = parent.parent().is_some_and(is_store);
            let is_ours = name.starts_with('@') || name == "node_modules" || is_store(parent) || is_entry;
            if !is_ours || sys::rmdirat(self.project, parent).is_err() {
                break;
            }
            self.real.borrow_mut().remove(parent);
        }
        Ok(())
    }

    fn move_out_one(&self, path: &Path) -> Result<()> {
        let number = self.moved_out.replace(self.moved_out.get() + 1);
        match sys::renameat(self.project, path, self.fd(), moved_out_name(number)) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            // On another file system, or a directory in a lower layer of overlayfs.
            Err(Errno::XDEV) => files::remove_tree_at(self.project, path),
            // A mount point stays, without its entries. A package that is one is somebody's own.
            Err(Errno::BUSY) if path.ends_with("node_modules") => {
                self.move_out_entries(&path.to_string_lossy(), |_| true)
            }
            Err(errno) => Err(files::problem::rename(&self.project_path.join(path), errno)),
        }
    }

    /// Checks every directory in a path, from its first node_modules on; moves out what is not a
    /// directory.
    fn move_out_links_above(&self, path: &str) -> Result<()> {
        for dir in dirs_within(path) {
            if self.real.borrow().contains(dir) {
                continue;
            }
            match sys::lstatat(self.project, dir).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
                Ok(FileType::Directory) => drop(self.real.borrow_mut().insert(dir.to_owned())),
                Ok(_) => self.move_out_one(dir)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Deletes what was moved out, while `work` runs; when `work` is done, this thread helps. What
    /// cannot be deleted is set aside, with a warning.
    pub fn clear_during<T>(self, reporter: &mut dyn Reporter, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let (project, moved_out) = (self.project, self.moved_out.get());
        let mut warn = |set_aside: Option<String>| {
            set_aside.iter().for_each(|text| reporter.on_event(InstallEvent::Warning(text)));
        };
        warn(self.set_aside.clone());
        if moved_out == 0 {
            let cleared = timeline::phase("clear away", || unfinished::clear_or_set_aside(project));
            return cleared.map(warn).and_then(|()| work());
        }
        let next = AtomicUsize::new(0);
        let dir = self.fd();
        let clear_taken = || -> Result<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= moved_out {
                    return Ok(());
                }
                files::remove_tree_at(dir, Path::new(&moved_out_name(number)))?;
            }
        };
        let clear = || timeline::phase("clear away", clear_taken);
        let here = timeline::current();
        std::thread::scope(|scope| {
            // Without a thread it is done here.
            let clearing = std::thread::Builder::new().spawn_scoped(scope, || {
                let _lane = here.enter("clear");
                clear()
            });
            let done = work();
            let cleared = clear();
            let joined = clearing.map(|thread| thread.join());
            if let Ok(Err(cause)) = joined {
                std::panic::resume_unwind(cause);
            }
            // Failed deletions are tried again, and reported, once.
            drop(cleared);
            let cleared = unfinished::clear_or_set_aside(project).map(warn);
            done.and_then(|done| cleared.map(|()| done))
        })
    }
}

impl StagingDir {
    /// A directory, and its path for messages.
    pub fn at(path: PathBuf, dir: OwnedFd) -> StagingDir {
        StagingDir { path, dir }
    }

    /// Opens the same directory again, for threads that outlive this value.
    pub fn reopen(&self) -> Result<StagingDir> {
        let dir = sys::open_directory(self.fd(), ".");
        let dir = dir.map_err(|errno| files::problem::open_directory(&self.path, errno))?;
        Ok(StagingDir::at(self.path.clone(), dir))
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }

    pub fn path(&self, staged: &str) -> PathBuf {
        self.path.join(staged)
    }

    /// Makes a directory that may exist, and its parents when they are missing.
    pub fn make_dir(&self, staged: &str) -> Result<()> {
        match sys::mkdirat(self.fd(), staged, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(Errno::NOENT) => files::create_directories_at(self.fd(), Path::new(staged)),
            Err(errno) => Err(files::problem::create_directory(&self.path(staged), errno)),
        }
    }

    /// Makes a symbolic link in an existing directory.
    pub fn link(&self, staged: &str, target: &str) -> Result<()> {
        sys::symlinkat(target, self.fd(), staged)
            .map_err(|errno| files::problem::link(&self.path(staged), errno))
    }
}

/// Names of things to be deleted.
fn moved_out_name(number: usize) -> String {
    format!("taken-{number}")
}

/// The parent directories of a path, from its first node_modules on, topmost first.
fn dirs_within(path: &str) -> impl Iterator<Item = &Path> {
    let is_inside = |dir: &&Path| dir.iter().any(|name| name == "node_modules");
    let dirs: Vec<&Path> = Path::new(path).ancestors().skip(1).take_while(is_inside).collect();
    dirs.into_iter().rev()
}

/// Opens a directory that must not be a symbolic link.
pub fn open_no_follow(dir: BorrowedFd<'_>, name: &str) -> sys::Result<OwnedFd> {
    sys::openat(dir, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW, Mode::empty())
}

fn make_parents(dir: BorrowedFd<'_>, path: &str) -> Result<()> {
    match Path::new(path).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => files::create_directories_at(dir, parent),
        _ => Ok(()),
    }
}

/// Opens a node_modules directory to link programs in; `None` when there is none. A `.bin` that is
/// not a directory is removed.
pub fn open_for_bins(project: BorrowedFd<'_>, dir: &str) -> Result<Option<OwnedFd>> {
    let node_modules = match open_no_follow(project, dir) {
        Ok(opened) => opened,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        Err(errno) => return Err(files::problem::open_directory(Path::new(dir), errno)),
    };
    let bin = sys::lstatat(node_modules.as_fd(), ".bin");
    if bin.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) != FileType::Directory) {
        files::remove_tree_at(node_modules.as_fd(), Path::new(".bin"))?;
    }
    Ok(Some(node_modules))
}

/// Removes links from `.bin` that no package provides any more.
pub fn remove_other_bins(node_modules: BorrowedFd<'_>, bins: &[(String, String)]) -> Result<()> {
    let bin = match open_no_follow(node_modules, ".bin") {
        Ok(bin) => bin,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(()),
        Err(errno) => return Err(files::problem::open_directory(Path::new(".bin"), errno)),
    };
    let refused = |errno| files::problem::open_directory(Path::new(".bin"), errno);
    let mut left = 0;
    for entry in directory::entries(bin.as_fd()).map_err(refused)? {
        match entry.name.to_str() {
            Ok(name) if bins.iter().any(|(wanted, _)| wanted == name) => left += 1,
            _ => files::remove_tree_at(bin.as_fd(), Path::new(OsStr::from_bytes(entry.name.to_bytes())))?,
        }
    }
    if left == 0 {
        let _ = sys::rmdirat(node_modules, ".bin");
    }
    Ok(())
}

#[cfg(test)]
mod tests;

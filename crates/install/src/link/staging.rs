//! A folder beside node_modules in which packages are built, and what is replaced waits for its end. Only one
//! install works in a project at a time, so whatever lies there from before was left by a killed one.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rusk_base::sys::{self, Errno, Mode, OFlags, directory};
use rusk_base::{Result, files};

/// In the project's folder, on its file system, so that renames work.
const NAME: &str = ".rusk-staging";

pub struct Staging<'a> {
    project: BorrowedFd<'a>,
    project_path: &'a Path,
    folder: OwnedFd,
    taken: AtomicUsize,
}

impl<'a> Staging<'a> {
    pub fn make(project: BorrowedFd<'a>, project_path: &'a Path) -> Result<Staging<'a>> {
        let path = project_path.join(NAME);
        files::remove_tree_at(project, Path::new(NAME))?;
        sys::mkdirat(project, NAME, Mode::from_raw_mode(0o777))
            .map_err(|errno| files::problem::make_folder(&path, errno))?;
        let folder =
            sys::open_folder(project, NAME).map_err(|errno| files::problem::open_folder(&path, errno))?;
        let staging = Staging { project, project_path, folder, taken: AtomicUsize::new(0) };
        staging.hide_from_git()?;
        Ok(staging)
    }

    /// A killed install leaves the folder behind until the next one; nobody shall commit it meanwhile.
    fn hide_from_git(&self) -> Result<()> {
        let refused = |errno| files::problem::write(&self.path(".gitignore"), errno);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let file =
            sys::openat(self.folder(), ".gitignore", flags, Mode::from_raw_mode(0o666)).map_err(refused)?;
        sys::write_all(file.as_fd(), b"*\n").map_err(refused)
    }

    /// Whether a killed install left its folder in the project.
    pub fn is_left(project: BorrowedFd<'_>) -> bool {
        sys::lstatat(project, NAME).is_ok()
    }

    pub fn project(&self) -> BorrowedFd<'_> {
        self.project
    }

    pub fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    pub fn path(&self, staged: &str) -> PathBuf {
        self.project_path.join(NAME).join(staged)
    }

    /// Makes a folder whose new folders the file system spreads over quiet places of the disk.
    pub fn make_folder(&self, name: &str) -> Result<()> {
        let refused = |errno| files::problem::make_folder(&self.project_path.join(NAME).join(name), errno);
        sys::mkdirat(self.folder(), name, Mode::from_raw_mode(0o777)).map_err(refused)?;
        let folder = sys::open_folder(self.folder(), name).map_err(refused)?;
        // Best effort: only ext4 has the flag.
        let _ = sys::set_top_of_hierarchy(folder.as_fd());
        Ok(())
    }

    /// Makes a symbolic link, and the folders it lies in.
    pub fn link(&self, staged: &str, target: &str) -> Result<()> {
        make_parents(self.folder(), staged)?;
        sys::symlinkat(target, self.folder(), staged)
            .map_err(|errno| files::problem::link(&self.project_path.join(staged), errno))
    }

    /// Puts something built here in its place; what was there is taken away.
    pub fn put(&self, staged: &str, path: &str) -> Result<()> {
        self.take(path)?;
        make_parents(self.project, path)?;
        sys::renameat(self.folder(), staged, self.project, path)
            .map_err(|errno| files::problem::rename(&self.project_path.join(path), errno))
    }

    /// Moves something out of the project, to be deleted at the end.
    pub fn take(&self, path: &str) -> Result<()> {
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        match sys::renameat(self.project, path, self.folder(), format!("taken-{number}")) {
            Ok(()) | Err(Errno::NOENT | Errno::NOTDIR) => {}
            Err(errno) => return Err(files::problem::rename(&self.project_path.join(path), errno)),
        }
        // `@scope` and `node_modules` go with the last of what was in them.
        for parent in Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty()) {
            let name = parent.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_ours = name.starts_with('@') || name == "node_modules";
            if !is_ours || sys::rmdirat(self.project, parent).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Deletes what was taken.
    pub fn clear(self) -> Result<()> {
        files::remove_tree_at(self.project, Path::new(NAME))
    }
}

fn make_parents(folder: BorrowedFd<'_>, path: &str) -> Result<()> {
    match Path::new(path).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => files::make_folders_at(folder, parent),
        _ => Ok(()),
    }
}

/// What package managers keep in node_modules; it describes a tree that is gone.
pub const FOREIGN: [&str; 9] = [
    ".bin",
    ".bun",
    ".deno",
    ".modules.yaml",
    ".package-lock.json",
    ".pnpm",
    ".store",
    ".yarn-integrity",
    ".yarn-state.yml",
];

impl Staging<'_> {
    /// Brings what tools keep in an old node_modules (`.cache`, `.vite` …) into the new one built here.
    pub fn keep_caches(&self, old: &str, new: &str) -> Result<()> {
        let Ok(folder) = sys::open_folder(self.project, old) else { return Ok(()) };
        let refused = |errno| files::problem::rename(&self.project_path.join(old), errno);
        for entry in directory::entries(folder.as_fd()).map_err(refused)? {
            let name = entry.name.to_string_lossy();
            if name.starts_with('.') && !FOREIGN.contains(&&*name) {
                let target = format!("{new}/{name}");
                sys::renameat(folder.as_fd(), entry.name.as_c_str(), self.folder(), &target)
                    .map_err(refused)?;
            }
        }
        Ok(())
    }
}

/// Removes links from `.bin` that no package offers any more.
pub fn remove_other_bins(node_modules: BorrowedFd<'_>, bins: &[(String, String)]) -> Result<()> {
    let bin = match sys::open_folder(node_modules, ".bin") {
        Ok(bin) => bin,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
        Err(errno) => return Err(files::problem::open_folder(Path::new(".bin"), errno)),
    };
    let refused = |errno| files::problem::remove(Path::new(".bin"), errno);
    let mut left = 0;
    for entry in directory::entries(bin.as_fd()).map_err(refused)? {
        match entry.name.to_str() {
            Ok(name) if bins.iter().any(|(wanted, _)| wanted == name) => left += 1,
            _ => sys::unlinkat(bin.as_fd(), entry.name.as_c_str()).map_err(refused)?,
        }
    }
    if left == 0 {
        let _ = sys::rmdirat(node_modules, ".bin");
    }
    Ok(())
}

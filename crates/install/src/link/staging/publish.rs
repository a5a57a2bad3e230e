//! Publishes what was built in the staging directory: by a rename, or entry by entry into a mount
//! point, or by a copy to another file system.

use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rusk_base::sys::{self, Errno, Mode, directory};
use rusk_base::{Result, files};

use super::{NAME, StagingArea, dirs_within, make_parents, open_no_follow};
use crate::member_entries::is_dir;
use crate::plan::RenameUnit;

/// Files of other package managers in node_modules; they describe a tree that is replaced.
pub const FOREIGN_NAMES: [&str; 11] = [
    ".bin",
    ".bun",
    ".deno",
    ".modules.yaml",
    ".package-lock.json",
    ".package-map.json",
    ".pnpm",
    ".pnpm-workspace-state-v1.json",
    ".store",
    ".yarn-integrity",
    ".yarn-state.yml",
];

/// Whether an entry of node_modules is of an install; a tool's cache (`.vite`, `.cache`) is not.
fn is_of_install(name: &str) -> bool {
    !name.starts_with('.') || FOREIGN_NAMES.contains(&name)
}

impl StagingArea<'_> {
    /// Moves something built here to its location; what was there is moved out.
    pub fn publish(&self, staged: &str, path: &str) -> Result<()> {
        self.move_out(path)?;
        make_parents(self.project, path)?;
        let refused = |errno| files::problem::rename(&self.project_path.join(path), errno);
        match sys::renameat(self.fd(), staged, self.project, path) {
            Err(Errno::XDEV) => self.copy_into_place(staged, path, refused),
            outcome => outcome.map_err(refused),
        }
    }

    /// Publishes the node_modules of the project. What tools keep in the old one stays. A mount
    /// point, such as a volume of a container, gets the entries.
    pub fn publish_tree(&self, staged: &str, path: &str) -> Result<()> {
        if self.is_mount_point(path) {
            self.move_out_entries(path, is_of_install)?;
            return self.publish_entries(staged, path);
        }
        self.move_tool_caches(path, staged)?;
        self.publish(staged, path)
    }

    /// Publishes a unit. Of a member's node_modules that keeps entries of its own, each entry.
    pub fn publish_unit(&self, staged: &str, unit: &RenameUnit<'_>) -> Result<()> {
        let is_node_modules = unit.is_dir() && unit.root.ends_with("/node_modules");
        match is_node_modules && is_dir(self.project, &unit.root) {
            true => self.publish_entries(staged, &unit.root),
            false => self.publish(staged, &unit.root),
        }
    }

    /// Publishes every entry of a directory built here; of scopes that exist, their packages.
    fn publish_entries(&self, staged: &str, path: &str) -> Result<()> {
        let refused = |errno| files::problem::open_directory(&self.staging_dir.path(staged), errno);
        let dir = open_no_follow(self.fd(), staged).map_err(refused)?;
        for entry in directory::entries(dir.as_fd()).map_err(refused)? {
            let name = entry.name.to_string_lossy();
            let (from, to) = (format!("{staged}/{name}"), format!("{path}/{name}"));
            match name.starts_with('@') && is_dir(self.project, &to) {
                true => self.publish_entries(&from, &to)?,
                false => self.publish(&from, &to)?,
            }
        }
        Ok(())
    }

    /// Whether entries of a directory can be replaced: looked at before the project's files change.
    pub fn check_writable(&self, path: &str) -> Result<()> {
        let path = self.project_path.join(path);
        match sys::metadata::access(&path, sys::metadata::Access::WRITE_OK) {
            Err(errno @ (Errno::ACCESS | Errno::ROFS)) => Err(files::problem::write(&path, errno)),
            _ => Ok(()),
        }
    }

    fn is_mount_point(&self, path: &str) -> bool {
        let told = sys::metadata::is_mount(self.project_path.join(path));
        told.ok().flatten().unwrap_or_else(|| {
            let device = |path: &str| sys::lstatat(self.project, path).ok().map(|stat| stat.st_dev);
            device(path).is_some_and(|inside| device(".") != Some(inside))
        })
    }

    /// Moves out the entries of a directory that `is_chosen` names.
    pub(super) fn move_out_entries(&self, path: &str, is_chosen: fn(&str) -> bool) -> Result<()> {
        let refused = |errno| files::problem::open_directory(&self.project_path.join(path), errno);
        let dir = open_no_follow(self.project, path).map_err(refused)?;
        for entry in directory::entries(dir.as_fd()).map_err(refused)? {
            let name = OsStr::from_bytes(entry.name.to_bytes());
            if name.to_str().is_none_or(is_chosen) {
                self.move_out_one(&Path::new(path).join(name))?;
            }
        }
        Ok(())
    }

    /// Copies something built here to another file system: first beside its location, so that it
    /// appears there whole.
    fn copy_into_place(
        &self,
        staged: &str,
        path: &str,
        refused: impl Fn(Errno) -> rusk_base::Problem,
    ) -> Result<()> {
        let above = dirs_within(path).next().or_else(|| Path::new(path).parent());
        let above = above.filter(|dir| *dir != Path::new("")).ok_or_else(|| refused(Errno::XDEV))?;
        let place = above.join(NAME);
        files::remove_tree_at(self.project, &place)?;
        sys::mkdirat(self.project, &place, Mode::from_raw_mode(0o777)).map_err(&refused)?;
        let copy = place.join("copy");
        files::copy_tree_at(self.fd(), Path::new(staged), self.project, &copy)?;
        sys::renameat(self.project, &copy, self.project, path).map_err(&refused)?;
        sys::rmdirat(self.project, &place).map_err(refused)?;
        files::remove_tree_at(self.fd(), Path::new(staged))
    }

    /// Moves caches of tools (`.cache`, `.vite` …) from the old node_modules to the new one.
    pub fn move_tool_caches(&self, old: &str, new: &str) -> Result<()> {
        let Ok(dir) = open_no_follow(self.project, old) else { return Ok(()) };
        let refused = |errno| files::problem::rename(&self.project_path.join(old), errno);
        for entry in directory::entries(dir.as_fd()).map_err(refused)? {
            let name = entry.name.to_string_lossy();
            if is_of_install(&name) {
                continue;
            }
            let target = format!("{new}/{name}");
            match sys::renameat(dir.as_fd(), entry.name.as_c_str(), self.fd(), &target) {
                // Of a lower layer of overlayfs; the old one goes with node_modules.
                Err(Errno::XDEV) => {
                    let name = Path::new(OsStr::from_bytes(entry.name.to_bytes()));
                    files::copy_tree_at(dir.as_fd(), name, self.fd(), Path::new(&target))?;
                }
                outcome => outcome.map_err(refused)?,
            }
        }
        Ok(())
    }
}

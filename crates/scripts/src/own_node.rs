//! A `node` for machines without one, and the other package managers that scripts call:
//! directories of the cache with links of these names to rusk, which answers as the program that it
//! is called by. In: the cache directory, the file of rusk. Out: the directories, for PATH. Absent:
//! links that others may have; each cache has its own.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::{files, sys};

use crate::environment::{find_in, has_no_colon};

/// Directory of the cache that has nothing but the link `node`.
const NODE: (&str, &[&str]) = ("node", &["node"]);
/// Directory of the cache with links of the names of package managers.
const MANAGERS: (&str, &[&str]) = ("managers", &MANAGER_NAMES);
/// The package managers whose arguments rusk understands when it is called by their name.
pub const MANAGER_NAMES: [&str; 7] = ["bun", "bunx", "npm", "npx", "pnpm", "pnpx", "yarn"];

/// What it takes to stand in for Node.
#[derive(Clone, Debug)]
pub struct OwnNode {
    pub cache_dir: PathBuf,
    /// Returns the file of rusk itself; called only when it is needed.
    pub program: fn() -> Option<PathBuf>,
    /// It is preferred to a `node` on PATH (`--bun`).
    pub is_preferred: bool,
}

impl OwnNode {
    /// The directory with the link `node`; `None` if that cannot be.
    pub fn provide(&self) -> Option<PathBuf> {
        let directory = self.links(NODE, &(self.program)()?)?;
        // The program may have been removed while it runs.
        find_in([directory.clone()].into_iter(), NODE.1[0].as_ref()).map(|_| directory)
    }

    /// The directory with the links of package managers. `program`: the file of rusk, if it is
    /// known.
    pub fn provide_managers(&self, program: Option<&Path>) -> Option<PathBuf> {
        match program {
            Some(program) => self.links(MANAGERS, program),
            None => self.links(MANAGERS, &(self.program)()?),
        }
    }

    /// Makes or corrects the links. Whatever is there was left by another version of rusk. The last
    /// one is made last, so that one look says that all are there.
    fn links(&self, (directory, names): (&str, &[&str]), program: &Path) -> Option<PathBuf> {
        let directory = self.cache_dir.join(directory);
        if !has_no_colon(&directory) {
            return None;
        }
        let last = sys::readlinkat(sys::CWD, directory.join(names.last()?));
        if !last.is_ok_and(|target| target.as_bytes() == program.as_os_str().as_bytes()) {
            files::create_directories(&directory).ok()?;
            names.iter().try_for_each(|name| self.make(program, &directory.join(name), name)).ok()?;
        }
        Some(directory)
    }

    /// Others may start programs meanwhile: the link is there at any time.
    fn make(&self, program: &Path, link: &Path, name: &str) -> sys::Result<()> {
        let temporary = self.cache_dir.join(format!("{name}.{}", files::unpredictable_name()));
        sys::symlinkat(program, sys::CWD, &temporary)?;
        sys::renameat(sys::CWD, &temporary, sys::CWD, link).inspect_err(|_| {
            let _ = files::remove_file(&temporary);
        })
    }
}

#[cfg(test)]
mod tests;

//! A `node` for machines without one, and the other package managers that scripts call:
//! directories of the cache with links of these names to rusk, which answers as the program that it
//! is called by. In: the cache directory, the file of rusk. Out: the directories, for PATH. Absent:
//! links that others may have; each cache has its own.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rusk_base::files;

use crate::environment::{find_in, has_no_colon};

/// Directory of the cache that has nothing but the link `node`.
const NODE: (&str, &[&str]) = ("node", &["node"]);
/// Directory of the cache with links of the names of package managers.
const MANAGERS: (&str, &[&str]) = ("managers", &MANAGER_NAMES);
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
        self.links(NODE)
    }

    /// The directory with the links of package managers.
    pub fn provide_managers(&self) -> Option<PathBuf> {
        self.links(MANAGERS)
    }

    /// Makes or corrects the links. Whatever is there was left by another version of rusk.
    fn links(&self, (directory, names): (&str, &[&str])) -> Option<PathBuf> {
        let directory = self.cache_dir.join(directory);
        if !has_no_colon(&directory) {
            return None;
        }
        let program = (self.program)()?;
        for name in names {
            let link = directory.join(name);
            if !fs::read_link(&link).is_ok_and(|target| target == program) {
                self.make(&program, &directory, &link, name).ok()?;
            }
        }
        // The program may have been removed while it runs.
        find_in([directory.clone()].into_iter(), names[0].as_ref()).map(|_| directory)
    }

    /// Others may start programs meanwhile: the link is there at any time.
    fn make(&self, program: &Path, directory: &Path, link: &Path, name: &str) -> std::io::Result<()> {
        fs::create_dir_all(directory)?;
        let temporary = self.cache_dir.join(format!("{name}.{}", files::unpredictable_name()));
        symlink(program, &temporary)?;
        fs::rename(&temporary, link).inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
        })
    }
}

#[cfg(test)]
mod tests;

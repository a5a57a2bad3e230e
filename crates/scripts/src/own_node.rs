//! A `node` for machines without one: a directory of the cache with a link of this name to rusk,
//! which answers as Node when it is called by it. In: the cache directory, the file of rusk. Out:
//! the directory, for PATH. Absent: a link that others may have; each cache has its own.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rusk_base::files;

use crate::environment::{find_in, has_no_colon};

/// Directory of the cache that has nothing but the link.
const DIRECTORY: &str = "node";
const NAME: &str = "node";

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
    /// The directory with the link, which is made or corrected; `None` if that cannot be. Whatever
    /// is there was left by another version of rusk.
    pub fn provide(&self) -> Option<PathBuf> {
        let directory = self.cache_dir.join(DIRECTORY);
        let link = directory.join(NAME);
        if !has_no_colon(&directory) {
            return None;
        }
        let program = (self.program)()?;
        if !fs::read_link(&link).is_ok_and(|target| target == program) {
            self.make(&program, &directory, &link).ok()?;
        }
        // The program may have been removed while it runs.
        find_in([directory.clone()].into_iter(), OsStr::new(NAME)).map(|_| directory)
    }

    /// Others may start programs meanwhile: the link is there at any time.
    fn make(&self, program: &Path, directory: &Path, link: &Path) -> std::io::Result<()> {
        fs::create_dir_all(directory)?;
        let temporary = self.cache_dir.join(format!("{NAME}.{}", files::unpredictable_name()));
        symlink(program, &temporary)?;
        fs::rename(&temporary, link).inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
        })
    }
}

#[cfg(test)]
mod tests;

//! The lock of a project for commands that edit its package.json or its lockfile without an
//! install: that one waits for the edit, and the edit for it.

use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::lock::{FileLock, TIMEOUT};
use rusk_configuration::request::HostEnvironment;
use rusk_configuration::{Configuration, Flags};

use crate::context::lock;
use crate::event::Reporter;
use crate::project::find_root;
use crate::state;

/// `cache_dir`: that of the flag. `None`: the cache cannot be written, so no install runs either.
pub fn lock_for_edit(
    dir: &Path,
    cache_dir: Option<PathBuf>,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<Option<FileLock>> {
    let root = find_root(dir)?;
    let cache_dir = Configuration::load(&root, host, &Flags { cache_dir, ..Flags::default() })?.cache_dir;
    match lock(&state::cache_prefix(&cache_dir, &root), reporter) {
        Err(problem) if problem.code() != TIMEOUT => Ok(None),
        locked => locked.map(Some),
    }
}

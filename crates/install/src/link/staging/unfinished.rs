//! What a killed install left: temporary files that were never renamed, and the staging directory.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::sys::{self, directory};
use rusk_base::{Result, files};

use super::NAME;

/// Files that are replaced by a rename; a temporary file beside one is `.NAME.` and 16 hexadecimal
/// digits.
const REPLACED: [&str; 7] = [
    "bun.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "yarn.lock",
];

/// A file that a backend was tried with.
const PROBE: &str = ".rusk-probe-";

/// Removes temporary files in a directory of the project, if it is there, and what was copied to a
/// file system that is mounted there.
pub fn remove(project: BorrowedFd<'_>, dir: &str) -> Result<()> {
    let refused = |errno| files::problem::remove(Path::new(dir), errno);
    let Ok(opened) = super::open_no_follow(project, dir) else { return Ok(()) };
    for entry in directory::entries(opened.as_fd()).map_err(refused)? {
        if entry.name.to_str().is_ok_and(is_temporary) {
            sys::unlinkat(opened.as_fd(), entry.name.as_c_str()).map_err(refused)?;
        }
    }
    let copies = [Path::new(dir).join("node_modules").join(NAME), Path::new(dir).join(NAME)];
    // The project's own is removed as a whole, or set aside.
    let copies = copies.iter().take(if dir == "." { 1 } else { 2 });
    copies.into_iter().try_for_each(|copy| files::remove_tree_at(project, copy))
}

fn is_temporary(name: &str) -> bool {
    let of_replaced = || {
        let rest = name.strip_prefix('.')?;
        REPLACED.iter().find_map(|replaced| rest.strip_prefix(replaced)?.strip_prefix('.'))
    };
    let ending = name.strip_prefix(PROBE).or_else(of_replaced);
    ending.is_some_and(|ending| ending.len() == 16 && ending.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Removes the staging directory. What cannot be removed (files of another user, a mount point)
/// gets another name, so that the next install can make the directory; the answer is a warning.
pub fn clear_or_set_aside(project: BorrowedFd<'_>) -> Result<Option<String>> {
    let Err(problem) = files::remove_tree_at(project, Path::new(NAME)) else { return Ok(None) };
    let aside = format!("{NAME}-{}", files::unpredictable_name());
    match sys::renameat(project, NAME, project, &aside) {
        Err(_) => Err(problem),
        Ok(()) => Ok(Some(format!(
            "what an install replaced cannot be deleted and is in `{aside}` now{}",
            std::error::Error::source(&problem).map(|cause| format!(": {cause}")).unwrap_or_default()
        ))),
    }
}

#[cfg(test)]
mod tests;

//! Files that have changed, as git knows it (`rusk test --changed`). In: a directory, a commit or
//! branch. Out: absolute paths: of uncommitted and of new files, and of those that differ from the
//! commit.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rusk_base::Result;

use crate::commands::problem;

/// `base`: a commit; `None`: the last one.
pub fn changed_files(directory: &Path, base: Option<&str>) -> Result<HashSet<PathBuf>> {
    let top = git(directory, &["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(OsStr::from_bytes(top.strip_suffix(b"\n").unwrap_or(&top)));
    let base = base.unwrap_or("HEAD");
    let differing = git(&top, &["diff", "--name-only", "-z", "--end-of-options", base, "--"])?;
    let new = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differing.split(|byte| *byte == 0).chain(new.split(|byte| *byte == 0));
    let path = |name: &[u8]| (!name.is_empty()).then(|| top.join(OsStr::from_bytes(name)));
    Ok(names.filter_map(path).collect())
}

fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(directory).stdin(Stdio::null()).env("LC_ALL", "C");
    let output = command.output().map_err(problem::no_git)?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(problem::git_failed(arguments[0], &String::from_utf8_lossy(&output.stderr))),
    }
}

//! The difference between a package and its edited copy, made by git.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, str};

use rusk_base::{Result, files};
use rusk_npm::patch::PackageFile;

use super::directories;
use crate::commands::problem;

/// As bun and pnpm do; and nothing of the user's configuration.
const ARGUMENTS: [&str; 13] = [
    "-c",
    "core.safecrlf=false",
    "-c",
    "core.quotePath=false",
    "diff",
    "--no-index",
    "--no-prefix",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--full-index",
    "--ignore-submodules",
];

/// `scratch`: a directory to be made, which the caller removes.
pub fn of(original: &BTreeMap<String, PackageFile>, edited: &Path, scratch: &Path) -> Result<Vec<u8>> {
    let (a, b) = (scratch.join("a"), scratch.join("b"));
    for (path, file) in original {
        let target = a.join(path);
        files::create_directories(target.parent().unwrap_or(&a))?;
        files::write_atomically(&target, &file.bytes)?;
        let mode = if file.mode & 0o111 == 0 { 0o644 } else { 0o755 };
        fs::set_permissions(&target, fs::Permissions::from_mode(mode))
            .map_err(|error| problem::copy(&target, error))?;
    }
    files::create_directories(&a)?;
    directories::copy(edited, &b)?;
    let mut command = Command::new("git");
    command.args(ARGUMENTS).args(["a", "b"]).current_dir(scratch).stdin(Stdio::null());
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null").env("LC_ALL", "C");
    command.env_remove("GIT_DIR").env_remove("GIT_EXTERNAL_DIFF");
    let output = command.output().map_err(problem::no_git)?;
    match output.status.code() {
        Some(0 | 1) => Ok(with_both_prefixes(&output.stdout)),
        _ => Err(problem::git_failed("diff", &String::from_utf8_lossy(&output.stderr))),
    }
}

/// Of a new or deleted file git names the one side twice: `diff --git b/x b/x`.
fn with_both_prefixes(diff: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(diff.len());
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        let names = line.strip_prefix(b"diff --git ").and_then(|names| str::from_utf8(names).ok());
        let path = names.and_then(|names| {
            let names = names.trim_end_matches('\n');
            let (from, to) = (names.get(..names.len() / 2)?, names.get(names.len() / 2 + 1..)?);
            (from.get(2..)? == to.get(2..)?).then(|| &from[2..])
        });
        match path {
            Some(path) => out.extend(format!("diff --git a/{path} b/{path}\n").into_bytes()),
            None => out.extend(line),
        }
    }
    out
}

#[cfg(test)]
mod tests;

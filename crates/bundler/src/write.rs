//! Writing of outputs: all files are written under other names first, then renamed, so that a full
//! disk or a signal leaves no half-written file. A signal that arrives meanwhile is obeyed when the
//! temporary files are removed. Pipes and devices are written when all files are there.

mod stage;
mod target;

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};

use crate::output::Bundle;
use crate::problem;
use stage::stage;
use target::WriteTarget;

/// A file to write, and its content in pieces.
pub type FileToWrite<'b> = (PathBuf, Vec<&'b [u8]>);

/// Tells which signal has arrived.
pub type Signals<'s> = &'s dyn Fn() -> Option<i32>;

/// How writing ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Written {
    All,
    /// Nothing was written.
    Interrupted(i32),
}

/// Writes all files below a directory.
pub fn write(bundle: &Bundle, directory: &Path) -> Result<()> {
    write_files(bundle, &files_below(bundle, directory), &|| None).map(drop)
}

/// The outputs of a bundle in a directory.
pub fn files_below<'b>(bundle: &'b Bundle, directory: &Path) -> Vec<FileToWrite<'b>> {
    let path = |path: &Path| files::normalized(&directory.join(path));
    bundle.files.iter().map(|file| (path(&file.path), file.bytes.slices().collect())).collect()
}

/// Writes files, all or none. No input of the bundle is replaced.
pub fn write_files(bundle: &Bundle, files: &[FileToWrite<'_>], signals: Signals<'_>) -> Result<Written> {
    let (mut regular, mut streams) = (Vec::new(), Vec::new());
    for (path, slices) in files {
        match target::find(path)? {
            WriteTarget::File(target) => {
                check_inputs(bundle, path, &target)?;
                regular.push((target, slices.as_slice()));
            }
            WriteTarget::Stream(stream) => streams.push((stream, slices)),
        }
    }
    let mut staged: Vec<(PathBuf, PathBuf)> = Vec::new();
    let written = stage(&regular, &mut staged, signals).and_then(|staged_all| {
        if staged_all == Written::All {
            for (from, to) in &staged {
                std::fs::rename(from, to).map_err(|error| problem::unwritable(to, &error))?;
            }
        }
        Ok(staged_all)
    });
    if !matches!(written, Ok(Written::All)) {
        for (from, _) in &staged {
            // What was renamed already is not there, and the first error is the one to report.
            let _ = std::fs::remove_file(from);
        }
        return written;
    }
    for (path, slices) in &streams {
        let written = target::write_stream(path, slices, signals)?;
        if written != Written::All {
            return Ok(written);
        }
    }
    Ok(Written::All)
}

/// The file of an executable, which is no input of the bundle.
pub(crate) fn executable_target(bundle: &Bundle, path: &Path) -> Result<PathBuf> {
    match target::find(path)? {
        WriteTarget::File(target) => {
            check_inputs(bundle, path, &target)?;
            Ok(target)
        }
        WriteTarget::Stream(stream) => Err(problem::executable_no_file(&stream)),
    }
}

/// `target`: where links of the path lead.
fn check_inputs(bundle: &Bundle, path: &Path, target: &Path) -> Result<()> {
    let real = target.canonicalize().unwrap_or_else(|_| target.to_owned());
    let is_input = |path: &Path| bundle.inputs.iter().any(|input| input == path);
    match is_input(path) || is_input(target) || is_input(&real) {
        true => Err(problem::output_over_input(path)),
        false => Ok(()),
    }
}

//! Writing of outputs: all files are written under other names first, then renamed, so that a full
//! disk or a signal leaves no half-written file. A signal that arrives meanwhile is obeyed when the
//! temporary files are removed.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};

use crate::output::Bundle;
use crate::problem;

/// A file to write.
pub type FileToWrite<'b> = (PathBuf, &'b [u8]);

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
    bundle.files.iter().map(|file| (path(&file.path), file.bytes.as_slice())).collect()
}

/// Writes files, all or none. No input of the bundle is replaced.
pub fn write_files(bundle: &Bundle, files: &[FileToWrite<'_>], signals: Signals<'_>) -> Result<Written> {
    if let Some((path, _)) = files.iter().find(|(path, _)| bundle.inputs.contains(path)) {
        return Err(problem::output_over_input(path));
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| path.is_dir()) {
        return Err(problem::unwritable(path, &std::io::ErrorKind::IsADirectory.into()));
    }
    let mut staged: Vec<(PathBuf, PathBuf)> = Vec::new();
    let written = stage(files, &mut staged, signals).and_then(|staged_all| {
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
    }
    written
}

fn stage(
    files: &[FileToWrite<'_>],
    staged: &mut Vec<(PathBuf, PathBuf)>,
    signals: Signals<'_>,
) -> Result<Written> {
    for (path, bytes) in files {
        if let Some(signal) = signals() {
            return Ok(Written::Interrupted(signal));
        }
        let parent = path.parent().unwrap_or(Path::new("/"));
        files::create_directories(parent)?;
        let temporary = parent.join(format!(".{}", files::unpredictable_name()));
        staged.push((temporary.clone(), path.clone()));
        std::fs::write(&temporary, bytes).map_err(|error| problem::unwritable(path, &error))?;
    }
    Ok(signals().map_or(Written::All, Written::Interrupted))
}

//! Writing of outputs: all files are written under other names first, then renamed, so that a full
//! disk or a signal leaves no half-written file.

use std::path::{Path, PathBuf};

use crate::output::Bundle;
use crate::problem;
use rusk_base::{Result, files};

/// Writes all files below a directory.
pub fn write(bundle: &Bundle, directory: &Path) -> Result<()> {
    for file in &bundle.files {
        let path = files::normalized(&directory.join(&file.path));
        if bundle.inputs.contains(&path) {
            return Err(problem::output_over_input(&path));
        }
    }
    let mut staged: Vec<(PathBuf, PathBuf)> = Vec::new();
    let written = stage(bundle, directory, &mut staged).and_then(|()| {
        for (from, to) in &staged {
            std::fs::rename(from, to).map_err(|error| problem::unwritable(to, &error))?;
        }
        Ok(())
    });
    if written.is_err() {
        for (from, _) in &staged {
            // What was renamed already is not there, and the first error is the one to report.
            let _ = std::fs::remove_file(from);
        }
    }
    written
}

fn stage(bundle: &Bundle, directory: &Path, staged: &mut Vec<(PathBuf, PathBuf)>) -> Result<()> {
    files::create_directories(directory)?;
    for file in &bundle.files {
        let path = directory.join(&file.path);
        let parent = path.parent().unwrap_or(directory);
        files::create_directories(parent)?;
        let temporary = parent.join(format!(".{}", files::unpredictable_name()));
        staged.push((temporary.clone(), path.clone()));
        std::fs::write(&temporary, &file.bytes).map_err(|error| problem::unwritable(&path, &error))?;
    }
    Ok(())
}

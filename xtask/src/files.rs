//! Where things stand: the repository, the build folder, folders to work in; copying and emptying
//! them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a directory of the repository").to_owned()
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Removes a folder and whatever it holds; one that is not there is no error.
pub fn remove(directory: &Path) -> Result<(), String> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(describe(directory, &error)),
        _ => Ok(()),
    }
}

/// Removes a file; one that is not there is no error.
pub fn remove_file(file: &Path) -> Result<(), String> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(describe(file, &error)),
        _ => Ok(()),
    }
}

/// The folder, new and empty.
pub fn empty(directory: &Path) -> Result<(), String> {
    remove(directory)?;
    fs::create_dir_all(directory).map_err(|error| describe(directory, &error))
}

/// Copies what a folder holds, symbolic links as links, `node_modules` left out.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| describe(to, &error))?;
    for entry in fs::read_dir(from).map_err(|error| describe(from, &error))?.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(|error| describe(&source, &error))?;
        if kind.is_dir() && entry.file_name() != "node_modules" {
            copy(&source, &target)?;
        } else if kind.is_symlink() {
            let link = fs::read_link(&source).map_err(|error| describe(&source, &error))?;
            symlink(link, &target).map_err(|error| describe(&target, &error))?;
        } else if kind.is_file() {
            fs::copy(&source, &target).map_err(|error| describe(&source, &error))?;
        }
    }
    Ok(())
}

/// The text of a file, `None` when it is not there.
pub fn find(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory).map_err(|error| describe(directory, &error))?;
    fs::write(path, text).map_err(|error| describe(path, &error))
}

fn describe(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

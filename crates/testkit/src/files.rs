//! Files and directories: copying, writing and emptying. Errors name the path.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

/// Removes a directory tree; a missing one is not an error.
pub fn remove(directory: &Path) -> Result<(), String> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(describe(directory, &error)),
        _ => Ok(()),
    }
}

/// Removes a file; a missing one is not an error.
pub fn remove_file(file: &Path) -> Result<(), String> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(describe(file, &error)),
        _ => Ok(()),
    }
}

/// Creates the directory, or empties it.
pub fn empty(directory: &Path) -> Result<(), String> {
    remove(directory)?;
    fs::create_dir_all(directory).map_err(|error| describe(directory, &error))
}

/// Copies a directory tree, symbolic links as links, without `node_modules`.
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

/// The content of a file, `None` if it cannot be read.
pub fn find(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory).map_err(|error| describe(directory, &error))?;
    fs::write(path, text).map_err(|error| describe(path, &error))
}

/// Lets everybody execute a file: another process writes it anew. While this one had it open, a
/// test in another thread may have started a process, which holds it open for writing until its
/// exec; a program in that state cannot start (`ETXTBSY`).
pub fn make_executable(path: &Path) {
    let draft = path.with_added_extension("draft");
    let failed = |error| -> () { panic!("{}: {error}", path.display()) };
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap_or_else(failed);
    fs::rename(path, &draft).unwrap_or_else(failed);
    let copied = Command::new("cp").arg("-p").arg(&draft).arg(path).status();
    assert!(copied.is_ok_and(|status| status.success()), "{}: cp failed", path.display());
    fs::remove_file(&draft).unwrap_or_else(failed);
}

fn describe(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

//! The version of the project's own package in its lockfile. `bun.lock` has those of the members,
//! npm's formats also that of the project. What the file does not have is not added.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_lockfiles::{BYTES_MAX, Format};
use rusk_npm::edit::replace_text;

/// Returns the files that changed.
pub fn write(package_dir: &Path, project_dir: &Path, version: &str) -> Result<Vec<PathBuf>> {
    let member = package_dir.strip_prefix(project_dir).unwrap_or(Path::new("")).to_string_lossy();
    let mut changed = Vec::new();
    for format in Format::ALL {
        let file = project_dir.join(format.file_name());
        let Some(text) = files::find_string(&file, BYTES_MAX)? else { continue };
        let new = with_version(format, &text, &member, version);
        if new != text {
            files::write_atomically(&file, new.as_bytes())?;
            changed.push(file);
        }
    }
    Ok(changed)
}

/// `member`: the path of the package in the project; empty for the project's own.
fn with_version(format: Format, text: &str, member: &str, version: &str) -> String {
    let paths: &[&[&str]] = match (format, member) {
        (Format::Bun, member) => &[&["workspaces", member, "version"]],
        (_, "") => &[&["version"], &["packages", "", "version"]],
        (_, member) => &[&["packages", member, "version"]],
    };
    paths.iter().fold(text.to_owned(), |text, path| replace_text(&text, path, version).unwrap_or(text))
}

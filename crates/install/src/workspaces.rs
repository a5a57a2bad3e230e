//! Finds the workspaces of a project by walking the directories that its patterns may match. In:
//! the project's directory and its patterns. Out: each workspace's path and the contents of its
//! package.json. Absent: parsing manifests.

use std::path::Path;

use rusk_base::sys::FileType;
use rusk_base::sys::directory::DirectoryEntry;
use rusk_base::{Result, files};
use rusk_npm::WorkspacePatterns;
use rusk_npm::manifest::MANIFEST_BYTES_MAX;

use crate::problem;

/// Directories searched before the patterns are refused as too wide: node_modules and hidden
/// directories do not count, and the largest known monorepos are below a tenth of it.
const DIRS_MAX: usize = 100_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// Relative to the project, with `/`.
    pub path: String,
    /// Contents of package.json.
    pub text: String,
}

/// Result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceScan {
    /// Sorted by path.
    pub workspaces: Vec<Workspace>,
    /// Directories that were listed, and the package.json of each matching directory without one:
    /// while these do not change, a scan would find the same.
    pub searched: Vec<String>,
}

/// What a directory that is named without a wildcard and has no package.json is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedDirectory {
    Required,
    /// Skipped, as pnpm does.
    Optional,
}

/// The workspaces, sorted by path. A directory without a package.json is skipped, but one that is
/// named without a wildcard may be required. The project itself is not a workspace.
pub fn scan(
    project_dir: &Path,
    patterns: &WorkspacePatterns,
    named: NamedDirectory,
) -> Result<WorkspaceScan> {
    let mut found = Vec::new();
    let mut searched = Vec::new();
    for path in patterns.paths() {
        match read(project_dir, path)? {
            Some(workspace) => {
                check_inside(project_dir, path)?;
                found.push(workspace);
            }
            None if named == NamedDirectory::Optional => searched.push(format!("{path}/package.json")),
            None => return Err(problem::no_workspace(path)),
        }
    }
    let mut waiting = vec![String::new()];
    let mut visited = 0;
    while let Some(dir) = waiting.pop().filter(|dir| patterns.may_contain(dir)) {
        visited += 1;
        if visited > DIRS_MAX {
            return Err(problem::too_many_dirs(DIRS_MAX));
        }
        searched.push(if dir.is_empty() { ".".to_owned() } else { dir.clone() });
        for entry in list(&project_dir.join(&dir))? {
            let Ok(name) = entry.name.into_string() else { continue };
            let path = if dir.is_empty() { name } else { format!("{dir}/{name}") };
            let kind = entry.kind;
            let matched = match kind == FileType::Symlink {
                true => patterns.matches_link(&path),
                false => kind == FileType::Directory && patterns.matches(&path),
            };
            if matched {
                match read(project_dir, &path)? {
                    Some(workspace) => {
                        if kind == FileType::Symlink {
                            check_inside(project_dir, &path)?;
                        }
                        found.push(workspace);
                    }
                    None => searched.push(format!("{path}/package.json")),
                }
            }
            if kind == FileType::Directory && patterns.may_contain(&path) {
                waiting.push(path);
            }
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found.dedup_by(|left, right| left.path == right.path);
    Ok(WorkspaceScan { workspaces: found, searched })
}

fn list(dir: &Path) -> Result<Vec<DirectoryEntry>> {
    files::read_directory(dir).map_err(|errno| problem::list(dir, errno.into()))
}

/// We write node_modules in a workspace, so a link must not lead out of the project.
fn check_inside(project_dir: &Path, path: &str) -> Result<()> {
    let real = |path: &Path| std::fs::canonicalize(path).map_err(|error| problem::list(path, error));
    match real(&project_dir.join(path))?.starts_with(real(project_dir)?) {
        true => Ok(()),
        false => Err(problem::workspace_outside(path)),
    }
}

fn read(project_dir: &Path, path: &str) -> Result<Option<Workspace>> {
    let file = project_dir.join(path).join("package.json");
    let text = files::find_string(&file, MANIFEST_BYTES_MAX as u64)?;
    Ok(text.map(|text| Workspace { path: path.to_owned(), text }))
}

#[cfg(test)]
mod tests;

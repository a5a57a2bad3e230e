//! A temporary directory that is a project: files in, files and tree listings out. Removed when
//! dropped.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::files;

/// Two directories side by side: `project`, where files are written and commands run, and `home`.
pub struct Project {
    top: PathBuf,
}

impl Project {
    /// An empty project under the system's temporary directory.
    #[allow(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Project {
        Project::inside(&std::env::temp_dir())
    }

    /// An empty project in memory where the system has a place for that: for tests with hundreds of
    /// installs, which would wait for the disk most of the time.
    pub fn in_memory() -> Project {
        let shared_memory = Path::new("/dev/shm");
        if shared_memory.is_dir() { Project::inside(shared_memory) } else { Project::new() }
    }

    /// An empty project in a directory of the caller's choice: on another file system, say.
    pub fn inside(folder: &Path) -> Project {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = folder.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let top = folder.join(format!("rusk-test-{}-{number}", std::process::id()));
        let project = Project { top };
        for folder in [project.path(), project.home()] {
            fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
        project
    }

    /// A project that holds these files.
    pub fn with(files: &[(&str, &str)]) -> Project {
        let project = Project::new();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// The directory of package.json. Absolute, without symbolic links.
    pub fn path(&self) -> PathBuf {
        self.top.join("project")
    }

    /// What HOME should be for programs run in this project.
    pub fn home(&self) -> PathBuf {
        self.top.join("home")
    }

    /// Writes a file, its directories included. `../home/.npmrc` is allowed.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Project {
        let path = self.path().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        }
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self
    }

    /// Lets everybody execute a file, see [`files::make_executable`].
    pub fn make_executable(&self, path: &str) -> &Project {
        files::make_executable(&self.path().join(path));
        self
    }

    /// The text of a file; panics when it is not there.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        self.find(path)
            .unwrap_or_else(|| panic!("no file `{path}` in the project; it holds {:#?}", self.tree("")))
    }

    /// The text of a file, `None` when it is not there.
    pub fn find(&self, path: &str) -> Option<String> {
        fs::read(self.path().join(path)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Removes a file or a directory with what it holds; one that is not there is no error.
    pub fn remove(&self, path: &str) {
        let path = self.path().join(path);
        let removed = match path.symlink_metadata() {
            Ok(entry) if entry.is_dir() => fs::remove_dir_all(&path),
            Ok(_) => fs::remove_file(&path),
            Err(_) => Ok(()),
        };
        removed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// What a directory of the project holds, see [`tree`].
    pub fn tree(&self, folder: &str) -> Vec<String> {
        tree(&self.path().join(folder))
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // A directory that cannot be removed is the temporary directory's business, not the test's.
        let _ = fs::remove_dir_all(&self.top);
    }
}

/// One line for each thing below a directory, sorted: `a/index.js`, `a/cli.js *` when it may be
/// executed, `.bin/a -> ../a/cli.js`, `empty/`. Directories that hold something are seen through
/// what they hold. What Rusk notes down for itself, in `node_modules/.rusk`, is not looked at.
pub fn tree(folder: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    list(folder, "", &mut lines);
    lines.sort();
    lines
}

fn list(folder: &Path, prefix: &str, lines: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_own = |name: &OsStr| name == ".rusk" && folder.ends_with("node_modules");
    for entry in entries.flatten().filter(|entry| !is_own(&entry.file_name())) {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let metadata = entry.metadata().unwrap_or_else(|error| panic!("{path}: {error}"));
        if metadata.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap_or_default();
            lines.push(format!("{path} -> {}", target.display()));
        } else if metadata.is_dir() {
            let before = lines.len();
            list(&entry.path(), &format!("{path}/"), lines);
            if lines.len() == before {
                lines.push(format!("{path}/"));
            }
        } else {
            let executable = metadata.permissions().mode() & 0o111 != 0;
            lines.push(if executable { format!("{path} *") } else { path });
        }
    }
}

#[cfg(test)]
mod tests;

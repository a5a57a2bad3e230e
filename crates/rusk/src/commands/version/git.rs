//! The git repository of a package: commits and tags a version. Git runs in the user's own
//! environment, with hooks and signatures as they are configured.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusk_base::{Result, files};

use crate::commands::problem;

pub struct Repository {
    dir: PathBuf,
}

impl Repository {
    /// The repository whose top directory this is.
    pub fn find(dir: &Path) -> Option<Repository> {
        files::exists(&dir.join(".git")).then(|| Repository { dir: dir.to_owned() })
    }

    /// Tracked files must have no changes: they would be part of the version's commit. Untracked
    /// files are no part of it.
    pub fn check_clean(&self) -> Result<()> {
        let changes = self.text(&["status", "--porcelain", "--untracked-files=no"])?;
        match changes.is_empty() {
            true => Ok(()),
            false => Err(problem::git_not_clean(&changes)),
        }
    }

    pub fn check_new_tag(&self, tag: &str) -> Result<()> {
        let found = self.output(&["rev-parse", "--quiet", "--verify", &format!("refs/tags/{tag}")])?;
        if found.status.success() { Err(problem::git_tag_exists(tag)) } else { Ok(()) }
    }

    /// The tag of a version that the current commit or its nearest ancestor has.
    pub fn latest_tag(&self) -> Result<String> {
        self.text(&["describe", "--tags", "--abbrev=0", "--match=*.*.*"])
    }

    /// Commits files, and what scripts staged. Ignored files are left out.
    pub fn commit(&self, changed: &[PathBuf], message: &str) -> Result<()> {
        for file in changed {
            let path = file.to_string_lossy();
            if !self.output(&["check-ignore", "--quiet", "--", &path])?.status.success() {
                self.text(&["add", "--", &path])?;
            }
        }
        let staged = self.output(&["diff", "--cached", "--quiet"])?;
        // The same version again leaves nothing to commit, and can still be tagged.
        match staged.status.success() {
            true => Ok(()),
            false => self.text(&["commit", "--message", message]).map(drop),
        }
    }

    pub fn tag(&self, tag: &str, message: &str) -> Result<()> {
        self.text(&["tag", "--message", message, "--", tag]).map(drop)
    }

    /// What a command prints, which must succeed.
    fn text(&self, arguments: &[&str]) -> Result<String> {
        let output = self.output(arguments)?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned()),
            false => Err(problem::git_failed(arguments[0], &String::from_utf8_lossy(&output.stderr))),
        }
    }

    fn output(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new("git");
        // A signature may need the terminal.
        command.args(arguments).current_dir(&self.dir).stdin(Stdio::inherit());
        command.output().map_err(problem::no_git)
    }
}

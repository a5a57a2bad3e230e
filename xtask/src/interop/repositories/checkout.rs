//! The files of one commit of a public repository. In: a directory of mirrors, or the network. Out:
//! the files, without a repository around them. Absent: submodules.

use super::list::Repository;
use crate::{files, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory that has `owner+name/repo` for each repository, as a Git directory. Without one,
/// commits are fetched.
pub struct Mirrors(pub Option<PathBuf>);

/// A commit in a local Git directory.
pub struct Commit {
    git_dir: PathBuf,
    hash: String,
    index: PathBuf,
}

impl Mirrors {
    pub fn find(&self, repository: &Repository, work: &Path) -> Result<Commit, String> {
        let name = repository.repository.replace('/', "+");
        let git_dir = match &self.0 {
            Some(mirrors) => mirrors.join(name).join("repo"),
            None => work.join("git").join(name),
        };
        let index = work.join("git").join(format!("{}.index", repository.name));
        let commit = Commit { git_dir, hash: repository.commit.clone(), index };
        files::write(&commit.index, "")?;
        if process::succeed(commit.git().args(["cat-file", "-e", &commit.hash])).is_err() {
            commit.fetch(&repository.repository)?;
        }
        Ok(commit)
    }
}

impl Commit {
    fn fetch(&self, repository: &str) -> Result<(), String> {
        files::empty(&self.git_dir)?;
        process::succeed(self.git().args(["init", "--quiet", "--bare"]))?;
        let address = format!("https://github.com/{repository}");
        process::succeed(self.git().args(["fetch", "--depth=1", "--quiet", &address, &self.hash])).map(drop)
    }

    /// Writes the files into the directory, which is emptied before. What a partial mirror does not
    /// have is left out; no lockfile is so large.
    pub fn checkout(&self, directory: &Path) -> Result<(), String> {
        files::empty(directory)?;
        files::remove_file(&self.index)?;
        process::succeed(self.git().args(["read-tree", &self.hash]))?;
        let prefix = format!("--prefix={}/", directory.display());
        process::run(self.git().args(["checkout-index", "--all", "--quiet", &prefix]))?;
        match files::find(&directory.join("package.json")) {
            Some(_) => Ok(()),
            None => Err(format!("{}: {} has no package.json", self.git_dir.display(), self.hash)),
        }
    }

    fn git(&self) -> Command {
        let mut git = Command::new("git");
        git.arg("--git-dir").arg(&self.git_dir).env("GIT_INDEX_FILE", &self.index);
        git
    }
}

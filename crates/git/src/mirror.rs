//! Bare mirror of one repository, `CACHE/git/HASH`: its branches and tags, and commits that were
//! requested by hash. It becomes visible by one rename and is used by one process at a time. In: a
//! URL, a committish. Out: commits, their package.json, their files as a tar. A mirror that cannot
//! be updated is made again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::lock::{FileLock, LockWait};
use rusk_base::{Result, files, sys};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_npm::semver::{Range, Version};
use rusk_npm::specifier::{Committish, Forge};

use super::git::{Git, GitCommand, GitOutput};
use super::{Environment, RepositorySource, lock_tag, tarball};
use crate::problem;

/// For a command that uses the network: a large repository on a slow connection.
const NETWORK_LIMIT: Duration = Duration::from_secs(900);
/// For a command that reads the mirror.
const LOCAL_LIMIT: Duration = Duration::from_secs(120);
/// For a lock held by another process that fetches the same repository.
const LOCK_LIMIT: Duration = Duration::from_secs(1200);
/// Files of one commit as a tar; the store has the same limit for any tarball.
const ARCHIVE_BYTES_MAX: usize = 2 << 30;
/// Names of a hundred thousand tags.
const TAGS_BYTES_MAX: usize = 16 << 20;
/// A hash and a newline.
const LINE_BYTES_MAX: usize = 1 << 10;
/// Refs for the default branch, and for what was fetched by hash or by its full name.
const OWN_REFS: &str = "refs/rusk";
/// Lines of git's error output in a problem.
const REASON_LINES_MAX: usize = 4;

pub struct Mirror<'a> {
    source: &'a RepositorySource,
    git: Git,
    /// `CACHE/git`.
    dir: PathBuf,
    path: PathBuf,
    staging: PathBuf,
    _lock: FileLock,
}

impl<'a> Mirror<'a> {
    /// Waits until no other process uses the mirror, which may not exist yet.
    pub fn open(
        source: &'a RepositorySource,
        cache_dir: &Path,
        environment: &Environment,
    ) -> Result<Mirror<'a>> {
        let dir = cache_dir.join("git");
        files::create_directories(&dir)?;
        let hash = rusk_store::integrity::sha512(source.url.as_bytes());
        let name: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let wait = LockWait { subject: "another fetch of this repository", limit: LOCK_LIMIT };
        let lock = FileLock::acquire(&dir.join(format!("{name}.lock")), wait, &mut |_| {})?;
        Ok(Mirror {
            source,
            git: Git::new(environment),
            path: dir.join(&name),
            staging: dir.join(format!("{name}.staging")),
            dir,
            _lock: lock,
        })
    }

    /// The requested commit: from the mirror when it is there and cannot have moved, else from the
    /// repository.
    pub fn find_commit(&self) -> Result<String> {
        if self.path.exists() {
            if let Some(commit) = self.find_immutable()? {
                return Ok(commit);
            }
            // The mirror was damaged by a killed git, or the repository was replaced: make a new
            // mirror.
            if !self.update(&self.path)?.success {
                self.make()?;
            }
        } else {
            self.make()?;
        }
        match self.find_in_refs()? {
            Some(commit) => Ok(commit),
            None => self.fetch_by_name()?.ok_or_else(|| {
                problem::no_commit(&self.source.committish.to_string(), &self.source.shown_url())
            }),
        }
    }

    /// Reads package.json of a commit.
    pub fn read_manifest(&self, commit: &str) -> Result<String> {
        let name = format!("{commit}:package.json");
        let output = self.read(&["cat-file", "blob", &name], MANIFEST_BYTES_MAX)?;
        match output.success {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(problem::no_manifest_in_commit(commit, &self.source.shown_url())),
        }
    }

    /// The files of a commit as a tar, below one directory, with bun's tag first.
    pub fn archive(&self, commit: &str) -> Result<Vec<u8>> {
        self.write_attributes()?;
        let arguments = ["archive", "--format=tar", "--prefix=package/", commit];
        let output = self.read(&arguments, ARCHIVE_BYTES_MAX)?;
        match output.success {
            true => Ok(tarball::with_tag(&lock_tag(self.source, commit), &output.stdout)),
            false => Err(self.failed("archive", &output)),
        }
    }

    /// Bun clones, so `export-ignore` and `export-subst` have no effect; GitHub's tarballs apply
    /// them.
    fn write_attributes(&self) -> Result<()> {
        let text = match self.source.github() {
            Some(_) => "",
            None => "* -export-ignore -export-subst\n",
        };
        files::create_directories(&self.path.join("info"))?;
        files::write_atomically(&self.path.join("info/attributes"), text.as_bytes())
    }

    fn make(&self) -> Result<()> {
        files::remove_tree(&self.staging)?;
        let staging = self.staging.to_string_lossy();
        let arguments = ["init", "--quiet", "--bare", "--template=", "--", &staging];
        let made = self.run(&self.dir, &arguments, LOCAL_LIMIT, LINE_BYTES_MAX)?;
        if !made.success {
            return Err(self.failed("init", &made));
        }
        let fetched = self.update(&self.staging)?;
        if !fetched.success {
            files::remove_tree(&self.staging)?;
            return Err(self.failed("fetch", &fetched));
        }
        files::remove_tree(&self.path)?;
        sys::renameat(sys::CWD, &self.staging, sys::CWD, &self.path)
            .map_err(|errno| files::problem::rename(&self.path, errno))
    }

    /// Fetches branches and tags, and the default branch if it is requested: a repository may have
    /// none.
    fn update(&self, mirror: &Path) -> Result<GitOutput> {
        let default = format!("+HEAD:{OWN_REFS}/default");
        let mut refspecs = vec!["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
        if self.source.committish == Committish::Head {
            refspecs.push(&default);
        }
        self.fetch(mirror, "--prune", &refspecs)
    }

    /// Fetches from the first URL that works; if none does, returns the first one's output.
    fn fetch(&self, mirror: &Path, prune: &str, refspecs: &[&str]) -> Result<GitOutput> {
        let mut refused = None;
        for address in addresses(&self.source.url) {
            let mut arguments =
                vec!["fetch", "--quiet", "--force", "--no-tags", "--no-recurse-submodules", prune];
            arguments.extend(["--", &address]);
            arguments.extend(refspecs);
            let output = self.run(mirror, &arguments, NETWORK_LIMIT, LINE_BYTES_MAX)?;
            if output.success {
                return Ok(output);
            }
            refused = refused.or(Some(output));
        }
        Ok(refused.expect("every source has an address"))
    }

    /// A tag or a commit in the mirror; `None` for a ref that can move.
    fn find_immutable(&self) -> Result<Option<String>> {
        let Committish::Reference(text) = &self.source.committish else { return Ok(None) };
        if is_whole_hash(text) {
            return self.commit_of(text);
        }
        if let Some(commit) = self.commit_of(&format!("refs/tags/{text}"))? {
            return Ok(Some(commit));
        }
        match is_hash(text) && self.commit_of(&format!("refs/heads/{text}"))?.is_none() {
            true => self.commit_of(text),
            false => Ok(None),
        }
    }

    fn find_in_refs(&self) -> Result<Option<String>> {
        match &self.source.committish {
            Committish::Head => self.commit_of(&format!("{OWN_REFS}/default")),
            Committish::Semver { range, .. } => match self.find_tag(range)? {
                Some(tag) => self.commit_of(&format!("refs/tags/{tag}")),
                None => Ok(None),
            },
            Committish::Reference(text) if is_whole_hash(text) => self.commit_of(text),
            Committish::Reference(text) => {
                // git's order of lookup, hashes last: `refs/…`, then tags, then branches.
                let whole = text.starts_with("refs/").then(|| text.to_string());
                let names = [format!("refs/tags/{text}"), format!("refs/heads/{text}")];
                let hash = is_hash(text).then(|| text.to_string());
                for name in whole.into_iter().chain(names).chain(hash) {
                    if let Some(commit) = self.commit_of(&name)? {
                        return Ok(Some(commit));
                    }
                }
                Ok(None)
            }
        }
    }

    /// Fetches a commit that is on no branch or tag, such as a pull request's, by its full hash or
    /// name.
    fn fetch_by_name(&self) -> Result<Option<String>> {
        let Committish::Reference(text) = &self.source.committish else { return Ok(None) };
        if !is_whole_hash(text) && !text.starts_with("refs/") {
            return Ok(None);
        }
        let name = format!("{OWN_REFS}/asked/{text}");
        match self.fetch(&self.path, "--no-prune", &[&format!("+{text}:{name}")])?.success {
            true => self.commit_of(&name),
            false => Ok(None),
        }
    }

    fn commit_of(&self, name: &str) -> Result<Option<String>> {
        let commit = format!("{name}^{{commit}}");
        let output = self.read(&["rev-parse", "--verify", "--quiet", &commit], LINE_BYTES_MAX)?;
        let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok((output.success && is_whole_hash(&line)).then_some(line))
    }

    /// The tag with the greatest version in a range.
    fn find_tag(&self, range: &Range) -> Result<Option<String>> {
        let arguments = ["for-each-ref", "--format=%(refname)", "refs/tags/"];
        let output = self.read(&arguments, TAGS_BYTES_MAX)?;
        if !output.success {
            return Err(self.failed("for-each-ref", &output));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let mut best: Option<(Version, &str)> = None;
        for tag in text.lines().filter_map(|line| line.strip_prefix("refs/tags/")) {
            let Some(version) = version_of_tag(tag).filter(|version| range.contains(version)) else {
                continue;
            };
            if best.as_ref().is_none_or(|(best, _)| version.cmp_precedence(best).is_gt()) {
                best = Some((version, tag));
            }
        }
        Ok(best.map(|(_, tag)| tag.to_owned()))
    }

    fn read(&self, arguments: &[&str], stdout_bytes_max: usize) -> Result<GitOutput> {
        self.run(&self.path, arguments, LOCAL_LIMIT, stdout_bytes_max)
    }

    fn run(
        &self,
        dir: &Path,
        arguments: &[&str],
        limit: Duration,
        stdout_bytes_max: usize,
    ) -> Result<GitOutput> {
        // Set explicitly, so that git does not search the parent directories of a damaged
        // repository.
        let in_mirror = dir != self.dir;
        let all = [if in_mirror { &["--git-dir=."][..] } else { &[] }, arguments].concat();
        self.git.run(&GitCommand { dir, arguments: &all, limit, stdout_bytes_max })
    }

    fn failed(&self, command: &str, output: &GitOutput) -> rusk_base::Problem {
        let shown = self.source.shown_url();
        // Git prints the URL, with its password.
        let stderr = output.stderr.replace(&self.source.url, &shown);
        let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        let lines = &lines[..lines.len().min(REASON_LINES_MAX)];
        problem::git_failed(command, &shown, lines)
    }
}

/// A whole hash is a commit and nothing else: in a locked dependency, a tag or a branch of that
/// name must not replace the commit.
fn is_whole_hash(text: &str) -> bool {
    is_hash(text) && text.len() == 40
}

/// 4 to 40 hex digits.
fn is_hash(text: &str) -> bool {
    (4..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// URLs of a repository. As in bun, an ssh URL of a known host is tried with HTTPS too: without an
/// ssh key, public repositories can still be read.
fn addresses(url: &str) -> Vec<String> {
    let mut addresses = vec![url.to_owned()];
    let rest = url.strip_prefix("ssh://").or_else(|| (!url.contains("://")).then_some(url));
    let rest = rest.map(|rest| rest.split_once('@').map_or(rest, |(_, rest)| rest));
    if let Some((host, path)) = rest.and_then(|rest| rest.split_once([':', '/'])) {
        let known = [Forge::Github, Forge::Gitlab, Forge::Bitbucket, Forge::Sourcehut];
        if known.iter().any(|forge| forge.host() == host) {
            addresses.push(format!("https://{host}/{}", path.trim_start_matches('/')));
        }
    }
    addresses
}

/// As npm's `lines-to-revs`: the version at the end of a tag, so that `v1.2.3` and `release-1.2.3`
/// match.
fn version_of_tag(tag: &str) -> Option<Version> {
    let bytes = tag.as_bytes();
    let starts = (0..bytes.len())
        .filter(|&at| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit()));
    let mut endings = starts.map(|at| &tag[at..]);
    endings.find(|ending| ends_as_version(ending)).and_then(Version::parse)
}

/// Three numbers, then nothing or a prerelease or build.
fn ends_as_version(text: &str) -> bool {
    let numbers_end = text.find(['-', '+']).unwrap_or(text.len());
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers = text[..numbers_end].split('.');
    let three =
        numbers.by_ref().take(3).filter(|part| is_number(part)).count() == 3 && numbers.next().is_none();
    three && text.len() != numbers_end + 1
}

#[cfg(test)]
mod tests;

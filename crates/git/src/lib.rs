//! Packages from git repositories. In: a URL for `git clone` and the committish after its `#`. Out:
//! a package of the store, the full hash of its commit and its package.json. A bare mirror of each
//! repository is in the cache, so that a known commit needs no network. Absent: submodules, which
//! bun leaves empty too, and scripts of any kind.

mod git;
pub mod lock_entry;
mod mirror;
mod problem;
pub mod tarball;

use std::collections::BTreeMap;
use std::path::Path;

use rusk_base::Result;
use rusk_base::timeline::{self, SpanKind};
use rusk_npm::specifier::{Committish, Forge, Specifier};
use rusk_store::{Expected, Key, Package, Store};

pub use git::{Git, GitCommand};
pub use lock_entry::{lock_source, lock_tag, parse_lock};
use mirror::Mirror;
pub use tarball::{UnpackedTarball, from_tarball, local_tarball};

/// Environment variables of the process that Git is started by.
pub type Environment = BTreeMap<String, String>;

/// A repository and a committish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositorySource {
    /// A URL for `git clone`: `https://host/path`, `file:///path`, `user@host:path`. A repository
    /// at GitHub that bun fetches as a tarball is `https://github.com/user/repo` and nothing else.
    pub url: String,
    pub committish: Committish,
}

/// A commit that is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedCommit {
    /// All 40 hex digits.
    pub commit: String,
    /// The name in package.json, or the one that bun makes up: [`RepositorySource::fallback_name`].
    pub name: String,
    pub package: Package,
    pub key: Key,
    /// Contents of package.json in the commit.
    pub manifest_text: String,
}

impl RepositorySource {
    /// From a specifier that names a repository; `None` for all others.
    pub fn of(specifier: &Specifier) -> Option<RepositorySource> {
        let (url, committish) = match specifier {
            Specifier::Git { url, committish, .. } => (url.to_string(), committish),
            Specifier::Github { owner, repo, committish } => {
                (format!("https://{}/{owner}/{repo}", Forge::Github.host()), committish)
            }
            _ => return None,
        };
        Some(RepositorySource { url, committish: committish.clone() })
    }

    /// Owner and name, when bun would fetch the repository from GitHub as a tarball.
    pub fn github(&self) -> Option<(&str, &str)> {
        let path =
            self.url.strip_prefix("https://")?.strip_prefix(Forge::Github.host())?.strip_prefix('/')?;
        let (owner, repo) = path.split_once('/')?;
        let is_plain =
            !owner.is_empty() && !repo.is_empty() && !repo.contains('/') && !repo.ends_with(".git");
        is_plain.then_some((owner, repo))
    }

    /// bun's name for a package whose package.json has no valid name: the last part of the URL,
    /// `.git` included.
    pub fn fallback_name(&self) -> &str {
        self.url.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or(&self.url)
    }

    /// The URL from its host on, without user, password and query.
    fn bare_address(&self) -> &str {
        let bare = self.url.split(['?', '#']).next().unwrap_or_default();
        let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
        let authority_end = bare.find('/').unwrap_or(bare.len());
        &bare[bare[..authority_end].rfind('@').map_or(0, |at| at + 1)..]
    }

    /// The URL without a password, for messages and file names.
    fn shown_url(&self) -> String {
        let Some((scheme, rest)) = self.url.split_once("://") else { return self.url.clone() };
        let authority_end = rest.find('/').unwrap_or(rest.len());
        match rest[..authority_end].rfind('@') {
            Some(at) if scheme != "ssh" => format!("{scheme}://{}", &rest[at + 1..]),
            _ => self.url.clone(),
        }
    }
}

/// The store's key of a commit: its [`FetchedCommit::name`], the URL, the full hash.
pub fn key(name: &str, source: &RepositorySource, commit: &str) -> Key {
    Key::new(name, &source.shown_url(), commit)
}

/// Finds the commit in the mirror or, if it is missing or may have moved, in the repository, and
/// adds its files to the store, with bun's `.bun-tag`.
pub fn fetch(
    source: &RepositorySource,
    cache_dir: &Path,
    environment: &Environment,
    store: &Store,
) -> Result<FetchedCommit> {
    check(source)?;
    let _open = timeline::begin(SpanKind::Repository).label(|| source.bare_address().to_owned());
    let mirror = Mirror::open(source, cache_dir, environment)?;
    let commit = mirror.find_commit()?;
    let manifest_text = mirror.read_manifest(&commit)?;
    let name = tarball::name_in(&manifest_text, source.fallback_name())?;
    let key = key(&name, source, &commit);
    let package = match store.find(&key)? {
        Some(package) => package,
        None => store.add(&key, &mirror.archive(&commit)?, &Expected::default())?,
    };
    Ok(FetchedCommit { commit, name, package, key, manifest_text })
}

/// Refuses anything that git or ssh would take for an option, a transport that runs a program, or
/// more than one argument.
fn check(source: &RepositorySource) -> Result<()> {
    let text = match &source.committish {
        Committish::Reference(text) => text,
        Committish::Head | Committish::Semver { .. } => "HEAD",
    };
    let is_forbidden = |character: char| character.is_whitespace() || character.is_control();
    if text.is_empty()
        || text.starts_with('-')
        || text.contains("..")
        || text.contains(|character| is_forbidden(character) || "~^:?*[\\".contains(character))
    {
        return Err(problem::git_reference(text));
    }
    match is_address(&source.url) && !source.url.contains(is_forbidden) {
        true => Ok(()),
        false => Err(problem::git_url(&source.shown_url())),
    }
}

/// A URL that git itself supports, or ssh's `host:path`; not `helper::address`.
fn is_address(url: &str) -> bool {
    let is_host = |host: &str| {
        let bare = host.rsplit('@').next().unwrap_or(host);
        !host.starts_with('-') && !bare.starts_with('-')
    };
    match url.split_once("://") {
        Some(("file", path)) => path.starts_with('/'),
        Some(("https" | "http" | "ssh" | "git", rest)) => {
            let host = rest.split('/').next().unwrap_or(rest);
            !host.is_empty() && is_host(host)
        }
        Some(_) => false,
        None => url.split_once(':').is_some_and(|(host, path)| {
            !host.is_empty()
                && !host.contains('/')
                && is_host(host)
                && !path.is_empty()
                && !path.starts_with(':')
        }),
    }
}

#[cfg(test)]
mod tests;

//! Entries of repositories in bun.lock, as bun 1.4.5 writes them: `["left@git+URL#COMMIT", {…},
//! "COMMIT"]`, and for GitHub `["left@github:USER/REPO#SHORT", {…}, "USER-REPO-SHORT"]`. In: a
//! repository and its commit. Out: the string after the name, the tag, and the reverse.

use rusk_base::Result;
use rusk_npm::graph::Source;
use rusk_npm::specifier::Specifier;

use super::RepositorySource;
use crate::problem;

/// Digits of a commit's hash in the names of GitHub's tarballs.
const SHORT_DIGITS: usize = 7;

/// The string after `name@`. Bun writes the URL as in package.json, scp's form with the prefix
/// `ssh://`, and after `#` the full hash whatever the committish was.
pub fn lock_repository(source: &RepositorySource, commit: &str) -> String {
    if let Some((owner, repo)) = source.github() {
        return format!("github:{owner}/{repo}#{}", short(commit));
    }
    let scheme = if source.url.contains("://") { "" } else { "ssh://" };
    format!("git+{scheme}{}#{commit}", source.url)
}

/// The entry's third element, and the contents of `.bun-tag` in the installed package: for GitHub
/// the name of the directory in its tarball, else the commit. Bun uses GitHub's capitalization; a
/// clone only knows the one in package.json.
pub fn lock_tag(source: &RepositorySource, commit: &str) -> String {
    match source.github() {
        Some((owner, repo)) => format!("{owner}-{repo}-{}", short(commit)),
        None => commit.to_owned(),
    }
}

/// Both as in the graph, without the prefix of the kind.
pub fn lock_source(source: &RepositorySource, commit: &str) -> Source {
    let repository = lock_repository(source, commit);
    let tag = lock_tag(source, commit).into();
    match repository.split_once(':') {
        Some(("github", place)) => Source::Github { repository: place.into(), tag },
        _ => Source::Git { repository: repository.trim_start_matches("git+").into(), tag },
    }
}

/// Parses what [`lock_repository`] or bun wrote; [`Source::text`] has the same form.
pub fn parse_lock(repository: &str) -> Result<RepositorySource> {
    let refused = || problem::git_lock(repository);
    // Bun writes `git+git://…`; npm has no such form.
    let literal = match repository.strip_prefix("git+") {
        Some(rest) if rest.starts_with("git://") => rest,
        _ => repository,
    };
    let specifier = Specifier::parse("repository", literal).map_err(|error| refused().cause(error))?;
    RepositorySource::of(&specifier).ok_or_else(refused)
}

fn short(commit: &str) -> &str {
    commit.get(..SHORT_DIGITS).unwrap_or(commit)
}

#[cfg(test)]
mod tests;

//! Repositories as bun 1.4.5 writes them into bun.lock: `["left@git+URL#COMMIT", {…}, "COMMIT"]`,
//! and for GitHub `["left@github:USER/REPO#SHORT", {…}, "USER-REPO-SHORT"]`. In: what was wanted
//! and its commit. Out: the text behind the name, the tag, and back.

use rusk_base::Result;
use rusk_npm::graph::Source;
use rusk_npm::specifier::Specifier;

use super::RepositorySource;
use crate::problem;

/// Digits of a commit's hash in the names that GitHub gives its tarballs.
const SHORT_DIGITS: usize = 7;

/// What stands behind `name@`. Bun writes the address as package.json has it, scp's form with
/// `ssh://` in front, and after `#` the whole hash whatever stood there.
pub fn lock_repository(source: &RepositorySource, commit: &str) -> String {
    if let Some((owner, repo)) = source.github() {
        return format!("github:{owner}/{repo}#{}", short(commit));
    }
    let scheme = if source.url.contains("://") { "" } else { "ssh://" };
    format!("git+{scheme}{}#{commit}", source.url)
}

/// The entry's third member, and what `.bun-tag` in the installed package holds: for GitHub the
/// name of the folder in its tarball, else the commit. Bun takes GitHub's own capitals; a clone
/// knows only the ones that were written.
pub fn lock_tag(source: &RepositorySource, commit: &str) -> String {
    match source.github() {
        Some((owner, repo)) => format!("{owner}-{repo}-{}", short(commit)),
        None => commit.to_owned(),
    }
}

/// Both as the graph has them, the scheme that tells their kind left off.
pub fn lock_source(source: &RepositorySource, commit: &str) -> Source {
    let repository = lock_repository(source, commit);
    let tag = lock_tag(source, commit).into();
    match repository.split_once(':') {
        Some(("github", place)) => Source::Github { repository: place.into(), tag },
        _ => Source::Git { repository: repository.trim_start_matches("git+").into(), tag },
    }
}

/// Reads what [`lock_repository`] or bun wrote, which is [`Source::text`] too.
pub fn parse_lock(repository: &str) -> Result<RepositorySource> {
    let refused = || problem::git_lock(repository);
    // Bun writes `git+git://…`, which package.json may say but npm does not know.
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

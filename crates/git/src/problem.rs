//! Errors of packages from Git repositories.

use rusk_base::Problem;

pub fn git_start(error: std::io::Error) -> Problem {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            Problem::new("no-git", "`git` is not on PATH, and a dependency is in a git repository")
                .hint("install git, for example with `apt-get install git`")
        }
        _ => Problem::new("git-failed", "cannot run `git`").cause(error),
    }
}

pub fn git_too_long(command: &str, limit_s: u64) -> Problem {
    Problem::new("git-timeout", format!("`git {command}` took longer than {limit_s} s and was ended"))
}

pub fn git_too_large(command: &str, bytes_max: usize) -> Problem {
    Problem::new("git-too-large", format!("`git {command}` wrote more than the limit of {bytes_max} bytes"))
}

/// `stderr`: lines that git printed.
pub fn git_failed(command: &str, url: &str, stderr: &[&str]) -> Problem {
    let problem = Problem::new("git-failed", format!("`git {command}` did not succeed for `{url}`"));
    stderr.iter().fold(problem, |problem, line| problem.note(*line))
}

pub fn git_url(url: &str) -> Problem {
    Problem::new(
        "git-address",
        format!("`{url}` is not a repository URL, expected a URL or `user@host:path`"),
    )
}

pub fn git_reference(text: &str) -> Problem {
    Problem::new("git-reference", format!("`{text}` is not a branch, tag or commit hash"))
}

pub fn git_lock(text: &str) -> Problem {
    Problem::new("git-lock", format!("`{text}` is not a repository, expected `git+URL#COMMIT` or `github:…`"))
}

/// `committish`: with its `#`; empty for the default branch.
pub fn no_commit(committish: &str, url: &str) -> Problem {
    match committish {
        "" => Problem::new("no-commit", format!("the repository `{url}` has no default branch")),
        _ => Problem::new("no-commit", format!("nothing in the repository `{url}` matches `{committish}`")),
    }
}

pub fn no_manifest_in_commit(commit: &str, url: &str) -> Problem {
    no_manifest_in(&format!("{url}#{commit}"))
}

pub fn no_manifest_in(source: &str) -> Problem {
    Problem::new("no-manifest", format!("`{source}` has no readable package.json"))
}

pub fn manifest_text(error: rusk_npm::json::SyntaxError) -> Problem {
    Problem::new("no-manifest", "`package.json` is not JSON").cause(error)
}

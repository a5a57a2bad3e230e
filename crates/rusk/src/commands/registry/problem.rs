//! Errors of the commands that talk to a registry's API.

use rusk_base::Problem;
use rusk_npm::name::PackageName;

/// `said`: the registry's own words.
pub fn registry_refused(
    subject: &str,
    status: u16,
    said: Option<&str>,
    with_credentials: bool,
    is_write: bool,
) -> Problem {
    let problem = Problem::new("registry-refused", format!("the registry refused {subject}: {status}"));
    let problem = match said {
        Some(said) => problem.note(format!("it says: {said}")),
        None => problem,
    };
    match (status, with_credentials) {
        (401 | 403, false) => problem.hint("log in with `rusk login`, or set `_authToken` in .npmrc"),
        (401, true) => problem.hint("the token may have expired: log in again with `rusk login`"),
        (404, false) if is_write => {
            problem.hint("log in with `rusk login`: registries hide packages from strangers")
        }
        _ => problem,
    }
}

pub fn bad_registry_answer(subject: &str) -> Problem {
    Problem::new(
        "bad-registry-answer",
        format!("the registry's response about {subject} is not what npm's API says"),
    )
    .hint("is `registry` set to the URL of a package registry?")
}

/// A statement is public, and so must be what it is about.
pub fn provenance_of_private(name: &str) -> Problem {
    Problem::new("provenance-private", format!("`{name}` is new or not public: its provenance would be"))
        .hint("publish it with `--access public`, or without `--provenance`")
}

pub fn package_is_private(name: &str) -> Problem {
    Problem::new(
        "package-private",
        format!("`{name}` is not published: package.json says `\"private\": true`"),
    )
    .hint("remove `private` from package.json to publish it")
}

pub fn bad_access(found: &str) -> Problem {
    Problem::new("bad-access", format!("the access is `{found}`, expected `public` or `restricted`"))
}

pub fn bad_tag(tag: &str) -> Problem {
    Problem::new(
        "bad-dist-tag",
        format!("`{tag}` cannot be a dist-tag, expected a name that is no version range"),
    )
}

pub fn prerelease_without_tag(version: &str) -> Problem {
    Problem::new("bad-dist-tag", format!("`{version}` is a prerelease and would become `latest`"))
        .hint("name its dist-tag, for example `--tag next`")
}

pub fn no_such_tag(name: &str, tag: &str) -> Problem {
    Problem::new("no-dist-tag", format!("`{name}` has no dist-tag `{tag}`"))
}

/// `expected`: what is missing.
pub fn dist_tag_usage(expected: &str) -> Problem {
    Problem::new("dist-tag-usage", format!("`rusk dist-tag` expects {expected}"))
        .hint("`rusk dist-tag --help` shows its forms")
}

pub fn bad_package_name(found: &str) -> Problem {
    Problem::new("bad-package-name", format!("`{found}` is not a package name"))
}

pub fn bad_range(found: &str) -> Problem {
    Problem::new("bad-range", format!("`{found}` is not a version range"))
}

pub fn no_package(name: &PackageName, session: &super::session::Session) -> Problem {
    let problem = Problem::new("no-package", format!("the registry has no package `{name}`"));
    rusk_npm::problem::with_unset_variable(problem, session.client.unset_variable(name))
}

pub fn no_version_in_range(name: &str, target: &str) -> Problem {
    Problem::new("no-version", format!("no published version of `{name}` is in `{target}`"))
}

pub fn no_message() -> Problem {
    Problem::new("no-message", "`rusk deprecate` needs a message after the package")
        .hint("an empty message, `''`, takes the deprecation back")
}

pub fn not_logged_in(registry: &str) -> Problem {
    Problem::new("not-logged-in", format!("there is no token for `{registry}`"))
        .hint("log in with `rusk login`")
}

pub fn no_home() -> Problem {
    Problem::new("no-home", "HOME is not an absolute path, so there is no ~/.npmrc")
        .hint("set NPM_CONFIG_USERCONFIG to the path of the file")
}

pub fn no_answer() -> Problem {
    Problem::new("no-answer", "standard input ended before the question was answered")
}

pub fn approval_timeout(seconds: u64) -> Problem {
    Problem::new("approval-timeout", format!("nothing was approved in the browser within {seconds} s"))
}

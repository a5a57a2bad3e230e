//! Errors of deployments.

use std::io;
use std::path::Path;

use rusk_base::Problem;

pub fn target_exists(target: &Path) -> Problem {
    Problem::new("deploy-target", format!("`{}` has files already", target.display()))
        .hint("name an empty or a new directory, or replace this one with `--force`")
}

pub fn target_no_dir(target: &Path) -> Problem {
    Problem::new("deploy-target", format!("`{}` is not a directory", target.display()))
}

pub fn target_is_project(target: &Path) -> Problem {
    Problem::new(
        "deploy-target",
        format!("the project is in `{}`, which would be replaced", target.display()),
    )
}

pub fn no_lockfile(file: &str) -> Problem {
    Problem::new("no-lockfile", format!("a deployment takes its versions from {file}, which is missing"))
        .hint("run `rusk install`")
}

pub fn mismatch(file: &str, reason: &str) -> Problem {
    Problem::new("frozen-lockfile", format!("{file} does not match package.json: {reason}"))
        .hint("run `rusk install`")
}

pub fn no_member(path: &str) -> Problem {
    Problem::new("no-member", format!("the project has no member in `{path}`"))
}

pub fn needs_root(member: &str) -> Problem {
    Problem::new(
        "deploy-dependency",
        format!("`{member}` depends on the root of the project, which has all members"),
    )
}

pub fn local_dependency(name: &str, path: &str) -> Problem {
    Problem::new("deploy-dependency", format!("`{name}` is `{path}` on this computer, which is not deployed"))
        .hint("make it a member of the project: list its directory in `workspaces`")
}

pub fn taken(path: &str) -> Problem {
    Problem::new("deploy-dependency", format!("the file `{path}` is where another member is deployed"))
}

pub fn copy(path: &Path, error: io::Error) -> Problem {
    Problem::new("copy", format!("cannot copy `{}`", path.display())).cause(error)
}

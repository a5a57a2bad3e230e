//! Everything that can go wrong in an install itself, rather than in the crates it calls.

use std::path::Path;
use std::process::ExitStatus;

use rusk_base::Problem;

pub(crate) fn no_workspace(path: &str) -> Problem {
    Problem::new("no-workspace", format!("`workspaces` names `{path}`, which has no package.json"))
}

pub(crate) fn too_many_folders(folders_max: usize) -> Problem {
    Problem::new("workspace-folders", format!("`workspaces` may match in more than {folders_max} folders"))
        .hint("write narrower patterns, such as `packages/*`")
}

pub(crate) fn list(folder: &Path, error: std::io::Error) -> Problem {
    Problem::new("folder-list", format!("cannot list `{}`", folder.display())).cause(error)
}

/// The address itself is not shown: it may hold a secret.
pub(crate) fn registry_address(source: &str) -> Problem {
    Problem::new(
        "registry-address",
        format!("`{source}` is no registry's address, expected `https://host/path/`"),
    )
}

pub(crate) fn no_cache_dir() -> Problem {
    Problem::new("no-cache-dir", "neither a home folder nor a folder for the cache is known")
        .hint("set `RUSK_CACHE_DIR`, or pass `--cache-dir`")
}

/// The user's own work went wrong: the only code here that ends the program with 1.
pub(crate) fn script_failed(name: &str, command: &str, folder: &Path, status: ExitStatus) -> Problem {
    let ending = match status.code() {
        Some(code) => format!("exit code {code}, expected 0"),
        // std has the names: `signal: 9 (SIGKILL)`.
        None => status.to_string().replacen(": ", " ", 1),
    };
    let problem = Problem::new("script-failed", format!("script `{name}` ended with {ending}"))
        .note(format!("command: `{command}`"))
        .note(format!("folder: `{}`", folder.display()));
    match (command, status.code()) {
        ("node-gyp rebuild", Some(127)) => problem.hint("run `rusk add -D node-gyp --ignore-scripts`"),
        _ => problem,
    }
}

pub(crate) fn script_start(name: &str, folder: &Path, error: std::io::Error) -> Problem {
    Problem::new("script-start", format!("cannot start script `{name}` in `{}`", folder.display()))
        .cause(error)
}

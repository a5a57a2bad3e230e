//! Errors of watching files.

use std::path::Path;

use rusk_base::Problem;

pub fn nothing_to_watch(path: &Path) -> Problem {
    Problem::new("nothing-to-watch", format!("cannot watch `{}`: no such file or directory", path.display()))
}

pub fn no_watch(call: &str, error: std::io::Error) -> Problem {
    Problem::new("no-watch", format!("cannot watch files: {call} failed")).cause(error)
}

/// `found`: directories that are watched already.
pub fn too_many_watches(found: usize) -> Problem {
    Problem::new(
        "too-many-watches",
        format!("the limit of inotify watches is reached after {found} directories"),
    )
    .hint("raise the sysctl `fs.inotify.max_user_watches`, or watch fewer directories with `--watch-path`")
}

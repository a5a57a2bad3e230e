//! Errors about global packages.

use std::io;
use std::path::Path;

use rusk_base::Problem;

pub fn no_global_dir() -> Problem {
    Problem::new("no-global-dir", "the directory of global packages is unknown without `HOME`")
        .hint("set `HOME` or `BUN_INSTALL`")
}

pub fn list(dir: &Path, error: io::Error) -> Problem {
    Problem::new("directory-list", format!("cannot list `{}`", dir.display())).cause(error)
}

pub fn link(path: &Path, error: io::Error) -> Problem {
    Problem::new("link", format!("cannot make the link `{}`", path.display())).cause(error)
}

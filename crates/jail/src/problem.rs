//! Everything that can go wrong with a jail.

use std::io;
use std::path::Path;

use rusk_base::Problem;
use rusk_base::sys::Errno;

pub fn no_landlock() -> Problem {
    Problem::new(
        "no-jail",
        "this kernel cannot confine install scripts: it has no Landlock, or it is disabled",
    )
    .note("Landlock is in Linux 5.13 and later, and must be in the kernel's list of security modules")
    .hint("`--no-jail` runs approved scripts unconfined")
}

pub fn no_ruleset(errno: Errno) -> Problem {
    Problem::new("no-jail", "the kernel did not create a Landlock ruleset for install scripts")
        .cause(errno)
        .hint("`--no-jail` runs approved scripts unconfined")
}

pub fn no_granted_path(path: &Path, errno: Errno) -> Problem {
    Problem::new("no-granted-path", format!("a script cannot be granted `{}`", path.display())).cause(errno)
}

pub fn no_descriptor(error: io::Error) -> Problem {
    Problem::new("no-jail", "no file descriptor is left for the ruleset of an install script").cause(error)
}

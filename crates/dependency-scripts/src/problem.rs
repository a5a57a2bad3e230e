//! Everything that can go wrong with a dependency's install script.

use std::io;
use std::path::Path;

use rusk_base::Problem;
use rusk_base::sys::Errno;
use rusk_scripts::Exit;

use crate::commands::LifecycleScript;
use crate::runner::ScriptedPackage;

/// Ends the install with 1, as a failed script of the project does.
pub fn script_failed(package: &ScriptedPackage, script: &LifecycleScript, exit: Exit) -> Problem {
    let message = format!("script `{}` of `{}` ended with {exit}", script.name, package.label);
    Problem::new("script-failed", message).note(format!("command: `{}`", script.command))
}

pub fn script_too_long(package: &ScriptedPackage, script: &LifecycleScript, limit_s: u64) -> Problem {
    let message = format!("script `{}` of `{}` ran for more than {limit_s} s", script.name, package.label);
    Problem::new("script-failed", message).note(format!("command: `{}`", script.command))
}

pub fn script_start(package: &ScriptedPackage, script: &LifecycleScript, error: io::Error) -> Problem {
    Problem::new("script-start", format!("cannot start script `{}` of `{}`", script.name, package.label))
        .note(format!("command: `{}`", script.command))
        .cause(error)
}

pub fn interrupted(signal: i32) -> Problem {
    Problem::new("script-interrupted", format!("signal {signal} ended the install scripts")).ended_by(signal)
}

pub fn no_processes(error: io::Error) -> Problem {
    Problem::new("script-start", "cannot watch the processes of install scripts").cause(error)
}

pub fn private_directory(directory: &Path, error: io::Error) -> Problem {
    Problem::new("script-directory", format!("cannot create `{}` for an install script", directory.display()))
        .cause(error)
}

pub fn no_host(host: &str) -> Problem {
    Problem::new("no-host", format!("`{host}` cannot be granted to a script: it is no host"))
        .note("expected `example.com`, `example.com:443`, `*.example.com`, or an IP address")
}

pub fn grant_through_link(path: &Path) -> Problem {
    let message = format!(
        "the grant of `{}` leads through a symbolic link that a script may have made",
        path.display()
    );
    Problem::new("script-directory", message)
        .note("it is in a directory that a script may write to, or could in an earlier install")
        .hint("remove the link; if it is yours, grant the path that it leads to")
}

pub fn no_grant(path: &Path, errno: Errno) -> Problem {
    Problem::new("script-directory", format!("cannot open `{}` for a script", path.display())).cause(errno)
}

pub fn not_copied(path: &Path, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Problem {
    let message = format!("cannot replace the hard link `{}` by a copy", path.display());
    Problem::new("script-directory", message).cause(error)
}

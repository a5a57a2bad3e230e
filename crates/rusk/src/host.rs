//! The host environment as values: environment variables, directories, CPUs, the time. Other crates
//! may not read these themselves, so they are read here, once.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusk_base::timeline::phase;
use rusk_base::{Result, files, sys};
use rusk_install::HostEnvironment;
use rusk_scripts::Caller;

use crate::problem;

mod node;
pub mod node_headers;
mod scanner;

/// The variables that are UTF-8; the others mean nothing to us, and children inherit them all the
/// same.
pub fn environment() -> BTreeMap<String, String> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The directory to work in: where rusk was started, or the one that `--cwd` names.
pub fn current_dir(wanted: Option<&Path>) -> Result<PathBuf> {
    let started = sys::current_dir().map_err(|errno| problem::no_current_dir(errno.into()))?;
    let started = PathBuf::from(OsString::from_vec(started.into_bytes()));
    let Some(wanted) = wanted else {
        return Ok(started);
    };
    let dir = started.join(wanted);
    match fs::canonicalize(&dir).and_then(|path| fs::read_dir(&path).map(|_| path)) {
        Ok(path) => Ok(path),
        Err(error) => Err(problem::bad_directory(&dir, error)),
    }
}

/// The time since 1970.
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The nearest directory with a package.json, from `start` upwards.
pub fn find_project(start: &Path) -> Option<&Path> {
    start.ancestors().find(|dir| files::is_file(&dir.join("package.json")))
}

/// Everything an install may know.
pub fn host(current_dir: PathBuf, environment: BTreeMap<String, String>) -> HostEnvironment {
    HostEnvironment {
        current_dir,
        home_dir: environment.get("HOME").filter(|home| home.starts_with('/')).map(PathBuf::from),
        processors,
        now_s: now().as_secs(),
        user_agent: user_agent(),
        script_output: rustix::stdio::stderr(),
        node_version: node::version,
        node_headers: node_headers::provide,
        program: || env::current_exe().ok(),
        interaction: Some(scanner::INTERACTION),
        environment,
    }
}

/// At least 1; two dozen system calls where control groups limit them.
pub fn processors() -> usize {
    phase("count processors", || thread::available_parallelism().map_or(1, |count| count.get()))
}

/// All variables, as they were given to us.
pub fn variables() -> Vec<(OsString, OsString)> {
    env::vars_os().collect()
}

/// This program, as the kernel knows it.
pub fn program() -> Result<PathBuf> {
    env::current_exe().map_err(problem::no_program_file)
}

/// The directories of PATH, in order.
pub fn path_dirs() -> Vec<PathBuf> {
    env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default()
}

/// Who runs a script, and from where. `command`: what npm calls it.
pub fn caller(current_dir: PathBuf, command: &'static str) -> Caller {
    let own_node = rusk_install::scripts::own_node(&host(current_dir.clone(), environment()));
    Caller {
        own_node,
        current_dir,
        variables: env::vars_os().collect(),
        user_agent: user_agent(),
        program: env::current_exe().ok(),
        command: Some(command),
    }
}

/// `rusk/0.1.0 linux x64`, in Node's names.
fn user_agent() -> String {
    let processor = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("rusk/{} {} {processor}", env!("CARGO_PKG_VERSION"), env::consts::OS)
}

#[cfg(test)]
mod tests;

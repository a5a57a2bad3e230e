//! Environment of a script. In: the script's package, the caller's directory and environment
//! variables. Out: environment variables, and the directories of PATH. Absent: reading the current
//! directory and the environment of this process.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, FileType};

use crate::own_node::OwnNode;

/// The directory, environment and command with which the user ran rusk.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Absolute.
    pub current_dir: PathBuf,
    /// All environment variables; they need not be UTF-8.
    pub variables: Vec<(OsString, OsString)>,
    pub user_agent: String,
    /// The file of rusk itself.
    pub program: Option<PathBuf>,
    /// The command's name in npm: `run-script`, `exec`.
    pub command: Option<&'static str>,
    /// What stands in for a `node` that PATH does not have; `None`: nothing does.
    pub own_node: Option<OwnNode>,
}

impl Caller {
    fn path(&self) -> Vec<&Path> {
        let path = self.variables.iter().find(|(name, _)| name == "PATH");
        path.map(|(_, value)| split_path(value)).unwrap_or_default()
    }

    /// The directories of our own `node`, if it is needed, and of package managers. `base`: what
    /// relative directories of PATH are relative to.
    pub fn own_program_dirs(&self, base: &Path) -> Vec<PathBuf> {
        self.stand_in(self.find_node(base).as_deref()).into_iter().chain(self.managers()).collect()
    }

    /// They are the last of PATH: those that the machine has are preferred.
    fn managers(&self) -> Option<PathBuf> {
        self.own_node.as_ref()?.provide_managers(self.program.as_deref())
    }

    fn stand_in(&self, found: Option<&Path>) -> Option<PathBuf> {
        let own = self.own_node.as_ref().filter(|own| own.is_preferred || found.is_none())?;
        own.provide()
    }

    fn find_node(&self, base: &Path) -> Option<PathBuf> {
        find_in(self.path().iter().map(|directory| base.join(directory)), OsStr::new("node"))
    }
}

/// Project and package of the programs and scripts. Directories are absolute.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The topmost directory whose `node_modules/.bin` is on PATH.
    pub project_dir: &'a Path,
    /// The project's directory or a workspace's.
    pub package_dir: &'a Path,
    /// `None` if there is no package.json.
    pub identity: Option<Identity<'a>>,
    pub caller: &'a Caller,
}

/// Name, version and config of package.json.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    pub name: Option<&'a str>,
    pub version: Option<&'a str>,
    /// Names and values of its `config`.
    pub config: &'a [(String, String)],
}

#[derive(Debug)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
    /// Number of variables that all scripts share; those of one script follow.
    shared_count: usize,
    /// The directories of PATH, absolute; those of the project are first.
    path: Vec<PathBuf>,
    /// Number of directories of the project.
    local_count: usize,
}

impl Environment {
    pub fn of(setting: &Setting<'_>) -> Environment {
        let Setting { project_dir, package_dir, caller, .. } = setting;
        let outer = caller.path();
        let found = caller.find_node(package_dir);
        let own_node = caller.stand_in(found.as_deref());
        let node = own_node.as_ref().map(|directory| directory.join("node")).or(found);
        let is_preferred = caller.own_node.as_ref().is_some_and(|own| own.is_preferred);
        let (first, last) = if is_preferred { (own_node, None) } else { (None, own_node) };
        let mut path: Vec<PathBuf> =
            first.into_iter().chain(program_directories(project_dir, package_dir)).collect();
        let local_count = path.len();
        path.extend(outer.iter().map(|directory| directory.to_path_buf()));
        path.extend(own_directory(caller).filter(|own| !outer.contains(&own.as_path())));
        path.extend(last.into_iter().chain(caller.managers()));

        let joined: Vec<&OsStr> = path.iter().map(|directory| directory.as_os_str()).collect();
        let manifest = setting.identity.map(|_| package_dir.join("package.json").into_os_string());
        // A value with a NUL is possible in JSON, but not in an environment.
        let without_nul =
            |value: Option<&str>| value.filter(|value| !value.contains('\0')).map(OsString::from);
        let program = caller.program.as_deref();
        let added = [
            ("PATH", Some(joined.join(OsStr::new(":")))),
            ("PWD", Some(package_dir.as_os_str().to_owned())),
            ("INIT_CWD", Some(caller.current_dir.as_os_str().to_owned())),
            ("NODE", node.as_ref().map(|node| node.as_os_str().to_owned())),
            ("npm_command", caller.command.map(OsString::from)),
            ("npm_config_local_prefix", Some(project_dir.as_os_str().to_owned())),
            ("npm_config_user_agent", Some(caller.user_agent.clone().into())),
            ("npm_execpath", program.map(|program| program.as_os_str().to_owned())),
            ("npm_node_execpath", node.as_ref().map(|node| node.as_os_str().to_owned())),
            ("npm_package_json", manifest),
            ("npm_package_name", without_nul(setting.identity.and_then(|identity| identity.name))),
            ("npm_package_version", without_nul(setting.identity.and_then(|identity| identity.version))),
        ];
        let added = added.into_iter().filter_map(|(name, value)| Some((OsString::from(name), value?)));
        let added: Vec<(OsString, OsString)> = added.chain(config_variables(setting.identity)).collect();
        let is_inherited = |name: &OsStr| !is_of_outer_run(name) && added.iter().all(|(key, _)| key != name);
        let inherited = caller.variables.iter().filter(|(name, _)| is_inherited(name)).cloned();
        let mut variables: Vec<(OsString, OsString)> = inherited.collect();
        variables.extend(added);
        let path = path.into_iter().map(|directory| package_dir.join(directory)).collect();
        Environment { shared_count: variables.len(), variables, path, local_count }
    }

    /// The environment variables, with those of the current script.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// Sets the variables of one script: its name and its command.
    pub fn set_script(&mut self, name: &str, command: &str) {
        self.variables.truncate(self.shared_count);
        self.variables.push(("npm_lifecycle_event".into(), name.into()));
        self.variables.push(("npm_lifecycle_script".into(), command.into()));
    }

    /// Sets a variable unless it is set.
    pub fn set_default(&mut self, name: &str, value: &str) {
        if self.variables.iter().all(|(key, _)| key != name) {
            self.variables.insert(0, (name.into(), value.into()));
            self.shared_count += 1;
        }
    }

    /// Sets a variable of all scripts.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.truncate(self.shared_count);
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
        self.shared_count = self.variables.len();
    }

    /// Sets PWD, if the program does not run in its package's directory.
    pub fn set_current_dir(&mut self, directory: &Path) {
        if let Some((_, value)) = self.variables.iter_mut().find(|(name, _)| name == "PWD") {
            *value = directory.as_os_str().to_owned();
        }
    }

    /// Adds a directory at the start of PATH.
    pub fn prepend_path(&mut self, directory: PathBuf) {
        if let Some((_, value)) = self.variables.iter_mut().find(|(name, _)| name == "PATH") {
            let rest = std::mem::replace(value, directory.as_os_str().to_owned());
            if !rest.is_empty() {
                value.push(":");
                value.push(rest);
            }
        }
        self.path.insert(0, directory);
        self.local_count += 1;
    }

    /// The program that the shell would start for a name without `/`.
    pub fn find_program(&self, name: &OsStr) -> Option<PathBuf> {
        find_in(self.path.iter().cloned(), name)
    }

    /// As `find_program`, but only in directories of the project.
    pub fn find_local(&self, name: &OsStr) -> Option<PathBuf> {
        find_in(self.path[..self.local_count].iter().cloned(), name)
    }

    /// The project's directories on PATH. Some of them may not exist.
    pub fn local_directories(&self) -> &[PathBuf] {
        &self.path[..self.local_count]
    }
}

/// Variables for `config` of package.json. Names with `=` and values with NUL are left out.
fn config_variables(identity: Option<Identity<'_>>) -> impl Iterator<Item = (OsString, OsString)> {
    let config = identity.map(|identity| identity.config).unwrap_or_default().iter();
    let valid = config.filter(|(name, value)| !name.contains(['\0', '=']) && !value.contains('\0'));
    valid.map(|(name, value)| (format!("npm_package_config_{name}").into(), value.into()))
}

/// Whether an outer `npm run` set the variable for its package, script or program.
fn is_of_outer_run(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    bytes.starts_with(b"npm_package_")
        || bytes.starts_with(b"npm_lifecycle_")
        || matches!(bytes, b"npm_command" | b"npm_execpath" | b"npm_node_execpath")
}

/// The directories of PATH. An empty part would mean the current directory; it is left out, because
/// programs there could replace others.
fn split_path(path: &OsStr) -> Vec<&Path> {
    let parts = path.as_bytes().split(|byte| *byte == b':').filter(|part| !part.is_empty());
    parts.map(|part| Path::new(OsStr::from_bytes(part))).collect()
}

/// Whether PATH can hold it.
pub fn has_no_colon(directory: &Path) -> bool {
    !directory.as_os_str().as_bytes().contains(&b':')
}

/// Where `rusk` is found, for scripts that call it when PATH does not have it.
fn own_directory(caller: &Caller) -> Option<PathBuf> {
    let program =
        caller.program.as_deref().filter(|program| program.file_name() == Some(OsStr::new("rusk")))?;
    program.parent().filter(|directory| has_no_colon(directory)).map(Path::to_path_buf)
}

/// `node_modules/.bin` of the package and of each directory above it up to the project. A
/// directory with `:` in its name cannot be written in PATH; it is left out.
fn program_directories<'a>(project: &'a Path, package: &'a Path) -> impl Iterator<Item = PathBuf> + use<'a> {
    let inside = package.ancestors().take_while(move |directory| directory.starts_with(project));
    let outside = [package, project].into_iter().filter(move |_| !package.starts_with(project));
    inside
        .chain(outside)
        .filter(|directory| has_no_colon(directory))
        .map(|directory| directory.join("node_modules/.bin"))
}

/// Finds a program in the first directory that has it. One system call for each directory.
pub fn find_in(directories: impl Iterator<Item = PathBuf>, program: &OsStr) -> Option<PathBuf> {
    // A name with a slash would be a path to another directory.
    if program.as_bytes().contains(&b'/') {
        return None;
    }
    directories.map(|directory| directory.join(program)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    sys::statat(sys::CWD, file).is_ok_and(|stat| {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_mode & 0o111 != 0
    })
}

#[cfg(test)]
mod tests;

//! What a script finds in its environment. In: whose script it is, and where the user called. Out:
//! variables, and the directories on its PATH. Absent: the current directory and the user's own
//! variables, which are handed in.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, FileType};

/// Where the user called, with what.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Absolute.
    pub current_dir: PathBuf,
    /// Every variable, whatever its bytes.
    pub variables: Vec<(OsString, OsString)>,
    pub user_agent: String,
    /// Our own file.
    pub program: Option<PathBuf>,
    /// What npm calls the command: `run-script`, `exec`.
    pub command: Option<&'static str>,
}

/// Whose programs and scripts these are. Directories are absolute.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Where PATH's directories of the project end, going up.
    pub project_dir: &'a Path,
    /// The project's directory again, or a workspace's.
    pub package_dir: &'a Path,
    /// `None` where there is no package.json.
    pub identity: Option<Identity<'a>>,
    pub caller: &'a Caller,
}

/// What package.json calls its package.
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
    /// How many of them all scripts share.
    shared: usize,
    /// The directories of PATH, absolute; the project's own come first.
    path: Vec<PathBuf>,
    /// How many are the project's.
    local: usize,
}

impl Environment {
    pub fn of(setting: &Setting<'_>) -> Environment {
        let Setting { project_dir, package_dir, caller, .. } = setting;
        let given = |name: &str| caller.variables.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        let outer: Vec<&Path> = given("PATH").map(|path| split(path)).unwrap_or_default();
        let node = find_in(outer.iter().map(|directory| package_dir.join(directory)), OsStr::new("node"));
        let mut path: Vec<PathBuf> = program_directories(project_dir, package_dir).collect();
        let local = path.len();
        path.extend(outer.iter().map(|directory| directory.to_path_buf()));

        let joined: Vec<&OsStr> = path.iter().map(|directory| directory.as_os_str()).collect();
        let manifest = setting.identity.map(|_| package_dir.join("package.json").into_os_string());
        // A variable cannot hold a NUL, which JSON can.
        let text = |value: Option<&str>| value.filter(|value| !value.contains('\0')).map(OsString::from);
        let program = caller.program.as_deref();
        let ours = [
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
            ("npm_package_name", text(setting.identity.and_then(|identity| identity.name))),
            ("npm_package_version", text(setting.identity.and_then(|identity| identity.version))),
        ];
        let ours = ours.into_iter().filter_map(|(name, value)| Some((OsString::from(name), value?)));
        let ours: Vec<(OsString, OsString)> = ours.chain(config_variables(setting.identity)).collect();
        let is_kept = |name: &OsStr| !is_of_outer_run(name) && ours.iter().all(|(own, _)| own != name);
        let kept = caller.variables.iter().filter(|(name, _)| is_kept(name)).cloned();
        let mut variables: Vec<(OsString, OsString)> = kept.collect();
        variables.extend(ours);
        let path = path.into_iter().map(|directory| package_dir.join(directory)).collect();
        Environment { shared: variables.len(), variables, path, local }
    }

    /// The variables, those of the script that was entered last included.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.variables
    }

    /// Sets what tells one script from the other scripts of its package.
    pub fn enter(&mut self, name: &str, command: &str) {
        self.variables.truncate(self.shared);
        self.variables.push(("npm_lifecycle_event".into(), name.into()));
        self.variables.push(("npm_lifecycle_script".into(), command.into()));
    }

    /// Sets a variable unless it is set.
    pub fn set_default(&mut self, name: &str, value: &str) {
        if self.variables.iter().all(|(own, _)| own != name) {
            self.variables.insert(0, (name.into(), value.into()));
            self.shared += 1;
        }
    }

    /// Sets a variable of all scripts.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.truncate(self.shared);
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
        self.shared = self.variables.len();
    }

    /// Sets where the program works, when that is not its package's directory.
    pub fn work_in(&mut self, directory: &Path) {
        if let Some((_, value)) = self.variables.iter_mut().find(|(name, _)| name == "PWD") {
            *value = directory.as_os_str().to_owned();
        }
    }

    /// Puts a directory of programs in front of all others.
    pub fn put_first(&mut self, directory: PathBuf) {
        if let Some((_, value)) = self.variables.iter_mut().find(|(name, _)| name == "PATH") {
            let rest = std::mem::replace(value, directory.as_os_str().to_owned());
            if !rest.is_empty() {
                value.push(":");
                value.push(rest);
            }
        }
        self.path.insert(0, directory);
        self.local += 1;
    }

    /// The program that the shell would start for a word without `/`.
    pub fn find_program(&self, word: &OsStr) -> Option<PathBuf> {
        find_in(self.path.iter().cloned(), word)
    }

    /// As `find_program`, among the project's own.
    pub fn find_local(&self, word: &OsStr) -> Option<PathBuf> {
        find_in(self.path[..self.local].iter().cloned(), word)
    }

    /// The project's own directories of programs; not every one has to be there.
    pub fn local_directories(&self) -> &[PathBuf] {
        &self.path[..self.local]
    }
}

/// Those that a variable can hold: no NUL, no `=` in the name.
fn config_variables(identity: Option<Identity<'_>>) -> impl Iterator<Item = (OsString, OsString)> {
    let config = identity.map(|identity| identity.config).unwrap_or_default().iter();
    let held = config.filter(|(name, value)| !name.contains(['\0', '=']) && !value.contains('\0'));
    held.map(|(name, value)| (format!("npm_package_config_{name}").into(), value.into()))
}

/// What an outer `npm run` said of its own package, script and program.
fn is_of_outer_run(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    bytes.starts_with(b"npm_package_")
        || bytes.starts_with(b"npm_lifecycle_")
        || matches!(bytes, b"npm_command" | b"npm_execpath" | b"npm_node_execpath")
}

/// An empty part would mean the current directory: a trap, so it is left out.
fn split(path: &OsStr) -> Vec<&Path> {
    let parts = path.as_bytes().split(|byte| *byte == b':').filter(|part| !part.is_empty());
    parts.map(|part| Path::new(OsStr::from_bytes(part))).collect()
}

/// `node_modules/.bin` of the package and of each directory above it up to the project. A `:` in a
/// directory's name cannot be written on PATH and would name other directories: such a one is left
/// out.
fn program_directories<'a>(project: &'a Path, package: &'a Path) -> impl Iterator<Item = PathBuf> + use<'a> {
    let inside = package.ancestors().take_while(move |directory| directory.starts_with(project));
    let outside = [package, project].into_iter().filter(move |_| !package.starts_with(project));
    let writable = |directory: &&Path| !directory.as_os_str().as_bytes().contains(&b':');
    inside.chain(outside).filter(writable).map(|directory| directory.join("node_modules/.bin"))
}

/// A program in the first of these directories that has it; one system call for each.
pub fn find_in(folders: impl Iterator<Item = PathBuf>, program: &OsStr) -> Option<PathBuf> {
    // With a slash it would lead out of the directories.
    if program.as_bytes().contains(&b'/') {
        return None;
    }
    folders.map(|directory| directory.join(program)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    sys::statat(sys::CWD, file).is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile && found.st_mode & 0o111 != 0
    })
}

#[cfg(test)]
mod tests;

//! The context of a command that runs a script or program: current directory, package, project.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusk_base::lock::FileLock;
use rusk_base::timeline::phase;
use rusk_base::{Problem, Result};
use rusk_install::lock_for_edit;
use rusk_install::project::find_root;
use rusk_scripts::{Caller, Environment, Job, Package, Setting, Streams, problem};

use crate::{host, startup};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

/// Limit of the program names that are compared with an unknown name.
const PROGRAMS_MAX: usize = 10_000;

pub struct RunContext {
    pub current_dir: PathBuf,
    /// `None`: no package.json in the current directory or its parents.
    pub package: Option<Package>,
    /// Without a package, the current directory.
    pub project_dir: PathBuf,
    caller: Caller,
}

/// Holds the lock that installs of the project take while its package.json is edited.
pub fn lock_project(dir: &Path, invocation: &Invocation, screen: &mut Screen) -> Result<Option<FileLock>> {
    let host = host::host(dir.to_owned(), host::environment());
    let cache_dir = invocation.path(Flag::CacheDir).map(|path| host.current_dir.join(path));
    lock_for_edit(dir, cache_dir, &host, screen)
}

impl RunContext {
    /// `command`: what npm calls it.
    pub fn find(invocation: &Invocation, command: &'static str) -> Result<RunContext> {
        let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
        Ok(RunContext::at(current_dir, command)?.with_flags(invocation))
    }

    /// With `--bun`, rusk is the `node` that programs find.
    pub fn with_flags(mut self, invocation: &Invocation) -> RunContext {
        if let Some(own_node) = &mut self.caller.own_node {
            own_node.is_preferred = invocation.is_on(Flag::Bun);
        }
        self
    }

    /// As [`RunContext::find`], in an absolute directory.
    pub fn at(current_dir: PathBuf, command: &'static str) -> Result<RunContext> {
        let package = phase("find package", || Package::find(&current_dir))?;
        let project_dir = match &package {
            Some(package) => phase("find project", || find_root(&package.dir))?,
            None => current_dir.clone(),
        };
        let caller = host::caller(current_dir.clone(), command);
        Ok(RunContext { current_dir, package, project_dir, caller })
    }

    /// The package; a problem without one.
    pub fn package(&self) -> Result<&Package> {
        self.package.as_ref().ok_or_else(|| crate::problem::no_package(&self.current_dir))
    }

    pub fn environment(&self) -> Environment {
        let setting = Setting {
            project_dir: &self.project_dir,
            package_dir: self.package.as_ref().map_or(&self.current_dir, |package| &package.dir),
            identity: self.package.as_ref().map(Package::identity),
            caller: &self.caller,
        };
        phase("make environment", || Environment::of(&setting))
    }

    /// Environment of the scripts of a package of the project.
    pub fn environment_of(&self, package: &Package) -> Environment {
        Environment::of(&Setting {
            project_dir: &self.project_dir,
            package_dir: &package.dir,
            identity: Some(package.identity()),
            caller: &self.caller,
        })
    }

    /// Replaces this process by a program (execve) in the current directory; returns only an error.
    pub fn replace(
        &self,
        mut environment: Environment,
        file: PathBuf,
        name: &str,
        arguments: &[OsString],
    ) -> Problem {
        environment.set_current_dir(&self.current_dir);
        startup::report();
        let argv = [name.into()].into_iter().chain(arguments.iter().cloned());
        let job =
            Job::program(file.clone(), argv.collect(), &environment, &self.current_dir, Streams::Inherited);
        problem::program_start(&file, &self.current_dir, phase("start program", || job.replace()))
    }
}

/// The file names in directories of programs.
pub fn programs(dirs: &[PathBuf]) -> Vec<String> {
    let entries = dirs.iter().filter_map(|dir| dir.read_dir().ok()).flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.take(PROGRAMS_MAX).collect()
}

//! `--sysroot`: a program in another root file system. In: the flags, the current directory and
//! project. Out: the program, replacing this process or traced. Absent: how a root is entered.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use rusk_base::{Problem, Result};
use rusk_configuration::{Configuration, Flags};
use rusk_install::{InstallEvent, Reporter};
use rusk_observe::{Chroot, Observation, StartError, TraceOptions};
use rusk_sysroot::image::{self, Defaults};
use rusk_sysroot::{Bind, Image, Plan, StartFailure, SysrootOptions, Writes};

use super::context::RunContext;
use crate::{host, problem, startup};
use rusk_command_line::flags::{Flag, Invocation, table};
use rusk_screen::Screen;

/// Variables about the terminal, which a program cannot find out itself.
const INHERITED_VARIABLES: [&str; 2] = ["TERM", "COLORTERM"];

/// A program and where it is to run.
pub struct Inside {
    pub plan: Plan,
    /// The program's name and its arguments.
    pub argv: Vec<OsString>,
}

/// `None` where no root is named. `environment`: what of ours is UTF-8.
pub fn find(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Option<Inside>> {
    let Some(root) = invocation.path(Flag::Sysroot) else {
        let root_flags = [Flag::Rw, Flag::Bind, Flag::Env, Flag::Workdir, Flag::User];
        return match root_flags.into_iter().find(|flag| invocation.is_given(*flag)) {
            Some(flag) => Err(problem::needs_sysroot(table::flag(flag))),
            None => Ok(None),
        };
    };
    let context = RunContext::find(invocation, "exec")?;
    let here = &context.current_dir;
    let root = here.join(root);
    let root = root.canonicalize().map_err(|error| problem::bad_directory(&root, error))?;
    let binds = invocation.paths(Flag::Bind).map(|argv| Bind::parse(argv.as_os_str(), here));
    let binds = binds.collect::<Result<_>>()?;
    let Image { root, defaults } = match image::is_image(&root) {
        // The unpacked image in the cache is shared by all commands.
        true if invocation.is_on(Flag::Rw) => return Err(problem::image_is_read_only(&root)),
        true => unpacked(&root, here, environment, screen)?,
        false => Image { root, defaults: Defaults::default() },
    };
    let program_dirs = match &context.package {
        Some(_) => context.environment().local_directories().to_vec(),
        None => Vec::new(),
    };
    let given = invocation.operands.iter().map(OsString::from).chain(invocation.arguments.iter().cloned());
    let mut argv: Vec<OsString> = given.collect();
    if argv.is_empty() {
        argv.extend(defaults.arguments.into_iter().map(OsString::from));
    }
    let workdirs = [defaults.workdir.filter(|dir| dir != Path::new("/")), Some(here.clone())];
    let sysroot_options = SysrootOptions {
        root,
        writes: if invocation.is_on(Flag::Rw) { Writes::Persistent } else { Writes::Ephemeral },
        project: Some(context.project_dir.clone()),
        binds,
        user: invocation.value(Flag::User).map(str::to_owned).or(defaults.user),
        workdir: invocation.path(Flag::Workdir).map(|dir| Path::new("/").join(dir)),
        workdirs: workdirs.into_iter().flatten().collect(),
        program_dirs,
        variables: defaults.variables.into_iter().chain(variables(invocation)).collect(),
    };
    if argv.is_empty() {
        return Err(problem::no_operand(invocation));
    }
    Ok(Some(Inside { plan: Plan::new(sysroot_options)?, argv }))
}

/// An image's root, in the cache that an install here would use.
fn unpacked(
    source: &Path,
    here: &Path,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Image> {
    let host = host::host(here.to_owned(), environment);
    let dir = host::find_project(here).unwrap_or(here);
    let cache_dir = Configuration::load(dir, &host, &Flags::default())?.cache_dir;
    image::provide(source, &cache_dir, &mut |waited| {
        screen.on_event(InstallEvent::Waiting { subject: "another unpacking of an image", waited });
    })
}

fn variables(invocation: &Invocation) -> Vec<(OsString, OsString)> {
    let all = host::variables();
    let own = |name: &str| all.iter().find(|(own, _)| own == name).cloned();
    let given = invocation.values(Flag::Env).filter_map(|word| match word.split_once('=') {
        Some((name, value)) => Some((name.into(), value.into())),
        None => own(word),
    });
    INHERITED_VARIABLES.iter().filter_map(|name| own(name)).chain(given).collect()
}

/// Becomes the program; returns only why that could not be done.
pub fn replace(inside: &Inside) -> Problem {
    let Inside { plan, argv } = inside;
    let found = plan.enter().and_then(|()| plan.find_program(&argv[0]));
    let failure = match found {
        Ok(file) => {
            startup::report();
            rusk_sysroot::exec(&file, argv, plan.variables())
        }
        Err(failure) => failure,
    };
    failure.problem(plan)
}

/// Starts the program there and watches it from here.
pub fn observe(options: &TraceOptions, plan: &Plan) -> Result<Observation> {
    let pre_exec = || {
        let found = plan.enter().and_then(|()| plan.find_program(options.file.as_os_str()));
        let checked = found.and_then(|file| rusk_sysroot::check_executable(&file).map(|()| file));
        checked.map_err(|failure| failure.to_bytes())
    };
    let explain = |obstacle| {
        let failure = match obstacle {
            StartError::PreExec(said) => StartFailure::from_bytes(&said),
            StartError::Exec(errno) => Some(StartFailure::from_exec(options.file.as_os_str(), errno)),
        };
        failure.map_or_else(|| problem::root_lost(plan.root()), |failure| failure.problem(plan))
    };
    rusk_observe::observe(options, Some(Chroot { pre_exec: &pre_exec, explain: &explain }))
}

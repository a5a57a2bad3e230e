//! `--sysroot`: a program under another root. In: the flags, the folder and project that they were given in. Out: the
//! program in our place, or watched. Absent: how a root is entered.

use std::ffi::{OsStr, OsString};

use rusk_base::{Problem, Result};
use rusk_observe::{Asked as Watch, Elsewhere, Observed, Obstacle};
use rusk_sysroot::{Asked, Bind, Failure, Plan, Writes};

use super::ground::Ground;
use crate::flags::{Flag, Invocation, table};
use crate::{host, problem, startup};

/// What the terminal is, which a program cannot find out by itself.
const HANDED_ON: [&str; 2] = ["TERM", "COLORTERM"];

/// `None` where no root is named.
pub fn plan(invocation: &Invocation) -> Result<Option<Plan>> {
    let Some(root) = invocation.path(Flag::Sysroot) else {
        let about_root = [Flag::Rw, Flag::Bind, Flag::Env, Flag::Workdir, Flag::User];
        return match about_root.into_iter().find(|flag| invocation.counts(*flag)) {
            Some(flag) => Err(problem::needs_sysroot(table::flag(flag))),
            None => Ok(None),
        };
    };
    let ground = Ground::find(invocation, "exec")?;
    let here = &ground.current_dir;
    let root = here.join(root);
    let root = root.canonicalize().map_err(|error| problem::bad_folder(&root, error))?;
    let binds = invocation.paths(Flag::Bind).map(|words| Bind::parse(words.as_os_str(), here));
    let program_dirs = match &ground.package {
        Some(_) => ground.environment().local_folders().to_vec(),
        None => Vec::new(),
    };
    let asked = Asked {
        root,
        writes: if invocation.is_on(Flag::Rw) { Writes::Kept } else { Writes::Forgotten },
        project: Some(ground.project_dir.clone()),
        binds: binds.collect::<Result<_>>()?,
        user: invocation.value(Flag::User).map(str::to_owned),
        workdir: invocation.path(Flag::Workdir).map(|folder| std::path::Path::new("/").join(folder)),
        workdirs: vec![here.clone()],
        program_dirs,
        variables: variables(invocation),
    };
    Plan::new(asked).map(Some)
}

fn variables(invocation: &Invocation) -> Vec<(OsString, OsString)> {
    let all = host::variables();
    let own = |name: &str| all.iter().find(|(own, _)| own == name).cloned();
    let given = invocation.values(Flag::Env).filter_map(|word| match word.split_once('=') {
        Some((name, value)) => Some((name.into(), value.into())),
        None => own(word),
    });
    HANDED_ON.iter().filter_map(|name| own(name)).chain(given).collect()
}

/// Becomes the program; returns only why that could not be done.
pub fn replace(plan: &Plan, invocation: &Invocation) -> Problem {
    let name = OsStr::new(&invocation.words[0]);
    let words: Vec<OsString> =
        [name.to_owned()].into_iter().chain(invocation.arguments.iter().cloned()).collect();
    let found = plan.enter().and_then(|()| plan.find_program(name));
    let failure = match found {
        Ok(file) => {
            startup::tell();
            rusk_sysroot::replace(&file, &words, plan.variables())
        }
        Err(failure) => failure,
    };
    failure.problem(plan)
}

/// Starts the program there and watches it from here.
pub fn observe(watch: &Watch, plan: &Plan) -> Result<Observed> {
    let way_in = || {
        let found = plan.enter().and_then(|()| plan.find_program(watch.file.as_os_str()));
        let checked = found.and_then(|file| rusk_sysroot::check(&file).map(|()| file));
        checked.map_err(|failure| failure.to_bytes())
    };
    let explain = |obstacle| {
        let failure = match obstacle {
            Obstacle::Way(said) => Failure::from_bytes(&said),
            Obstacle::Program(errno) => Some(Failure::of_exec(watch.file.as_os_str(), errno)),
        };
        failure.map_or_else(|| problem::root_lost(plan.root()), |failure| failure.problem(plan))
    };
    rusk_observe::observe(watch, Some(Elsewhere { way_in: &way_in, explain: &explain }))
}

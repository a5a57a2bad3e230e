//! `rusk run` of several scripts: in several members of a project, by patterns, side by side.
//! In: the command line. Out: tasks, each a script with its `pre` and `post` scripts, and what each
//! waits for. Absent: processes ([`super::run_tasks`]).

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use rusk_base::Result;
use rusk_npm::manifest::Scripts;
use rusk_scripts::{Exit, Package, Script, ScriptName};

use super::context::RunContext;
use super::members::{SelectedMembers, selection};
use super::run::{run_with_hooks, without_double_dash};
use super::run_tasks::{self, Task, TaskOptions};
use crate::{host, problem};
use rusk_command_line::flags::{Flag, Invocation, suggest};
use rusk_screen::Screen;

/// Scripts that run at the same time unless a flag says otherwise; as in pnpm, at least four, since
/// many of them wait for something else than a processor.
const CONCURRENCY_MIN: usize = 4;

/// As the flag allows.
const CONCURRENCY_MAX: usize = 300;

/// A selected package.
pub struct RunPackage {
    pub package: Package,
    /// Relative to the project.
    pub path: String,
    /// Positions of the packages that it depends on.
    pub dependencies: Vec<usize>,
}

/// How the scripts relate to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// After the same script of the members that it depends on, and after the scripts named before
    /// it in the same package.
    Dependencies,
    Parallel,
    Sequential,
}

/// Whether a command line may run more than one script.
pub fn is_wanted(invocation: &Invocation) -> bool {
    has_selection(invocation) || invocation.operands.first().is_some_and(|name| ScriptName::is_pattern(name))
}

/// Whether flags select members, or say how several scripts run.
pub fn has_selection(invocation: &Invocation) -> bool {
    let flags = [Flag::Filter, Flag::Workspaces, Flag::WorkspaceRoot, Flag::Parallel, Flag::Sequential];
    flags.into_iter().any(|flag| invocation.is_given(flag))
}

pub fn run(invocation: &Invocation, context: &RunContext, screen: &mut Screen) -> Result<Exit> {
    let packages = find_packages(invocation, context, screen)?;
    let order = order(invocation);
    let (names, arguments) = names_and_arguments(invocation, order)?;
    if names.is_empty() {
        for package in &packages {
            screen.scripts(&package.package.scripts)?;
        }
        return Ok(Exit::DONE);
    }
    let tasks = tasks(&packages, &names, arguments, order)?;
    if tasks.is_empty() {
        let if_present = invocation.is_on(Flag::IfPresent) || packages.is_empty();
        return if if_present { Ok(Exit::DONE) } else { Err(no_script(&names, &packages)) };
    }
    let options = options(invocation, order);
    match tasks.as_slice() {
        [task] if !options.is_aggregated && !invocation.is_on(Flag::Json) => run_alone(task, context, screen),
        _ => run_tasks::run(tasks, &options, context, screen),
    }
}

/// One script gets the terminal and its input, as without the flags.
fn run_alone(task: &Task, context: &RunContext, screen: &mut Screen) -> Result<Exit> {
    let command = task.package.scripts.find(&task.script)?.unwrap_or_default();
    let script = Script { name: &task.script, command, arguments: &task.arguments };
    run_with_hooks(script, &task.package, &mut context.environment_of(&task.package), screen)
}

/// The selected members, or the package of the current directory.
pub fn find_packages(
    invocation: &Invocation,
    context: &RunContext,
    screen: &mut Screen,
) -> Result<Vec<RunPackage>> {
    let selection = selection(invocation)?;
    if selection.is_default() {
        let package = context.package.clone().ok_or_else(|| problem::no_package(&context.current_dir))?;
        return Ok(vec![RunPackage { package, path: String::new(), dependencies: Vec::new() }]);
    }
    let found = SelectedMembers::find(&selection, context, screen)?;
    let all: Vec<_> = found.members.all().collect();
    let order = found.graph.order(&found.selected);
    let packages = found.selected.iter().zip(order).map(|(&member, dependencies)| {
        let member = all[member];
        let dir: PathBuf = match member.path.as_str() {
            "" => context.project_dir.clone(),
            path => context.project_dir.join(path),
        };
        let scripts = Scripts::parse(&member.text)?;
        Ok(RunPackage { package: Package { dir, scripts }, path: member.path.clone(), dependencies })
    });
    packages.collect()
}

pub fn order(invocation: &Invocation) -> Order {
    match (invocation.is_given(Flag::Parallel), invocation.is_on(Flag::Sequential)) {
        (true, _) => Order::Parallel,
        (_, true) => Order::Sequential,
        _ => Order::Dependencies,
    }
}

/// With `--parallel` and `--sequential` every operand is a script, up to `--`; otherwise the first.
fn names_and_arguments(invocation: &Invocation, order: Order) -> Result<(Vec<String>, &[OsString])> {
    let mut names: Vec<String> = invocation.operands.clone();
    let rest = &invocation.arguments;
    if order == Order::Dependencies {
        return Ok((names, without_double_dash(rest)));
    }
    let end = rest.iter().position(|argument| argument == "--").unwrap_or(rest.len());
    for name in &rest[..end] {
        match name.to_str() {
            Some(name) if !name.starts_with('-') => names.push(name.to_owned()),
            _ => return Err(problem::flag_after_scripts(&name.to_string_lossy())),
        }
    }
    Ok((names, without_double_dash(&rest[end..])))
}

pub fn options(invocation: &Invocation, order: Order) -> TaskOptions {
    let count = invocation.value(Flag::Concurrency).or_else(|| invocation.value(Flag::Parallel));
    let given = count.and_then(|count| count.parse().ok());
    let concurrency = match (given, order) {
        (_, Order::Sequential) => 1,
        (Some(given), _) => given,
        (None, Order::Parallel) => CONCURRENCY_MAX,
        (None, Order::Dependencies) => host::processors().max(CONCURRENCY_MIN),
    };
    TaskOptions {
        concurrency,
        stops_on_error: !invocation.is_on(Flag::NoExitOnError),
        is_aggregated: invocation.is_on(Flag::AggregateOutput),
        noun: "script",
    }
}

/// The scripts of all packages, package by package, and what each waits for. A name that only some
/// packages have runs in those.
fn tasks(
    packages: &[RunPackage],
    names: &[String],
    arguments: &[OsString],
    order: Order,
) -> Result<Vec<Task>> {
    let current = RunningScript::of_environment();
    let parsed = names.iter().map(|name| ScriptName::parse(name)).collect::<Result<Vec<_>>>()?;
    let mut tasks: Vec<Task> = Vec::new();
    let mut positions: HashMap<(usize, String), usize> = HashMap::new();
    for (at, package) in packages.iter().enumerate() {
        let mut before = None;
        for (name, is_concurrent) in expand(&package.package.scripts, &parsed)? {
            if current.as_ref().is_some_and(|current| current.is(&package.package, &name)) {
                continue;
            }
            positions.insert((at, name.clone()), tasks.len());
            tasks.push(Task {
                package: package.package.clone(),
                path: package.path.clone(),
                script: name,
                program: None,
                arguments: arguments.to_vec(),
                label: String::new(),
                waits: before.filter(|_| !is_concurrent).into_iter().collect(),
            });
            before = (order == Order::Dependencies).then(|| tasks.len() - 1);
        }
    }
    if order != Order::Parallel {
        for ((at, name), &position) in &positions {
            let dependencies = packages[*at].dependencies.iter();
            let found = dependencies.filter_map(|&other| positions.get(&(other, name.clone())));
            tasks[position].waits.extend(found);
            tasks[position].waits.sort_unstable();
        }
    }
    set_labels(&mut tasks);
    Ok(tasks)
}

/// The same program in every package, each after the packages that it depends on.
pub fn program_tasks(
    packages: &[RunPackage],
    name: &str,
    files: Vec<PathBuf>,
    arguments: &[OsString],
    order: Order,
) -> Vec<Task> {
    let tasks = packages.iter().zip(files).map(|(package, file)| Task {
        package: package.package.clone(),
        path: package.path.clone(),
        script: name.to_owned(),
        program: Some(file),
        arguments: arguments.to_vec(),
        label: String::new(),
        waits: if order == Order::Parallel { Vec::new() } else { package.dependencies.clone() },
    });
    let mut tasks: Vec<Task> = tasks.collect();
    set_labels(&mut tasks);
    tasks
}

/// Names of a package's scripts, and whether they wait for none before them; those of patterns in
/// the order of package.json.
fn expand(scripts: &Scripts, names: &[ScriptName<'_>]) -> Result<Vec<(String, bool)>> {
    let mut found: Vec<(String, bool)> = Vec::new();
    for name in names {
        let matching: Vec<&str> = match name {
            ScriptName::Exact(name) => scripts.find(name)?.is_some().then_some(*name).into_iter().collect(),
            _ => {
                let all = scripts.commands.iter().map(|(script, _)| script.as_str());
                all.filter(|script| name.is_match(script)).collect()
            }
        };
        for script in matching {
            if !found.iter().any(|(known, _)| known == script) {
                found.push((script.to_owned(), matches!(name, ScriptName::Expression(_))));
            }
        }
    }
    Ok(found)
}

/// A label says what tells a task from the others: its package, its script, or both.
fn set_labels(tasks: &mut [Task]) {
    let Some(first) = tasks.first() else { return };
    let is_one_package = tasks.iter().all(|task| task.package.dir == first.package.dir);
    let is_one_script = tasks.iter().all(|task| task.script == first.script);
    for task in tasks {
        let name = task.package.scripts.package_name.clone();
        let name = name.unwrap_or_else(|| if task.path.is_empty() { ".".into() } else { task.path.clone() });
        task.label = match (is_one_package, is_one_script) {
            (true, _) => task.script.clone(),
            (false, true) => name,
            (false, false) => format!("{name}:{}", task.script),
        };
    }
}

fn no_script(names: &[String], packages: &[RunPackage]) -> rusk_base::Problem {
    let known = packages.iter().flat_map(|package| &package.package.scripts.commands);
    let near = suggest::nearest(&names[0], known.map(|(name, _)| name.as_str()));
    let found: Vec<String> = packages
        .iter()
        .map(|package| package.package.scripts.package_name.clone().unwrap_or_else(|| package.path.clone()))
        .collect();
    problem::no_script_in(&names.join("`, `"), &found, near)
}

/// The script that called rusk: `build` of the root may run `build` in all members, itself not
/// included.
struct RunningScript {
    manifest: PathBuf,
    name: String,
}

impl RunningScript {
    fn of_environment() -> Option<RunningScript> {
        let environment = host::environment();
        let manifest = environment.get("npm_package_json")?.into();
        Some(RunningScript { manifest, name: environment.get("npm_lifecycle_event")?.clone() })
    }

    fn is(&self, package: &Package, script: &str) -> bool {
        self.name == script && self.manifest == package.dir.join("package.json")
    }
}

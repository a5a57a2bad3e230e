//! `rusk exec`: replaces this process by a program of the project, of PATH, or in another root; or
//! runs it in several members of the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_scripts::{Environment, Exit};

use super::context::{self, RunContext};
use super::run_many::{self, RunPackage};
use super::run_tasks::{self, TaskOptions};
use super::sysroot;
use crate::problem;
use rusk_command_line::flags::{Invocation, suggest};
use rusk_screen::Screen;

/// Returns only an error, unless several members are selected.
pub fn run(
    invocation: &Invocation,
    variables: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    if let Some(inside) = sysroot::find(invocation, variables, screen)? {
        return Err(sysroot::replace(&inside));
    }
    let context = RunContext::find(invocation, "exec")?;
    if run_many::has_selection(invocation) {
        return in_members(invocation, &context, screen);
    }
    let environment = context.environment();
    let name = invocation.operands.first().ok_or_else(|| problem::no_operand(invocation))?;
    let file = find_program(name, &context.current_dir, &environment)?;
    Err(context.replace(environment, file, name, &invocation.arguments))
}

/// As in a shell, a name with a slash is a path.
fn find_program(name: &str, current_dir: &Path, environment: &Environment) -> Result<PathBuf> {
    let file = match name.contains('/') {
        true => Some(current_dir.join(name.trim_start_matches("./"))),
        false => environment.find_program(name.as_ref()),
    };
    file.ok_or_else(|| {
        let programs = context::programs(environment.local_directories());
        problem::no_program(name, suggest::nearest(name, programs.iter().map(String::as_str)))
    })
}

/// The program in every selected member, in its directory. One alone gets the terminal.
fn in_members(invocation: &Invocation, context: &RunContext, screen: &mut Screen) -> Result<Exit> {
    let name = invocation.operands.first().ok_or_else(|| problem::no_operand(invocation))?;
    let packages = run_many::find_packages(invocation, context, screen)?;
    let mut files = Vec::with_capacity(packages.len());
    for RunPackage { package, path, .. } in &packages {
        let found = find_program(name, &package.dir, &context.environment_of(package));
        files.push(found.map_err(|problem| problem.note(format!("in `{}`", display_path(path))))?);
    }
    let order = run_many::order(invocation);
    let options = TaskOptions { noun: "program", ..run_many::options(invocation, order) };
    if let ([one], false) = (packages.as_slice(), options.is_aggregated) {
        let member = RunContext::at(one.package.dir.clone(), "exec")?.with_flags(invocation);
        return Err(member.replace(member.environment(), files.remove(0), name, &invocation.arguments));
    }
    let tasks = run_many::program_tasks(&packages, name, files, &invocation.arguments, order);
    run_tasks::run(tasks, &options, context, screen)
}

fn display_path(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

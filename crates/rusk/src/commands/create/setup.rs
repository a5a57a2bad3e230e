//! What follows the files of a template: a git repository, the template's commands, the install of
//! its dependencies. Every command is shown before it runs. Those of a repository that was
//! downloaded run only after a question, or with `--yes`: the user has not read them yet.

use std::path::Path;
use std::process::{Command, Stdio};

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_scripts::{Exit, Job, Script, Streams};
use rusk_templates::{CreateArguments, CreatedProject};

use crate::commands::context::RunContext;
use crate::commands::lifecycle::run_child;
use crate::commands::registry::prompt;
use crate::host;
use rusk_screen::Screen;

/// The script that a project is started by, where the template does not say.
const START: &str = "rusk dev";

pub fn run(created: &CreatedProject, arguments: &CreateArguments, screen: &mut Screen) -> Result<Exit> {
    let files = if created.files == 1 { "1 file".to_owned() } else { format!("{} files", created.files) };
    screen.report(&format!("created {} with {files}\n", created.name));
    if !arguments.no_git {
        make_repository(&created.directory, screen);
    }
    if !arguments.no_install {
        let exit = install_with_tasks(created, arguments, screen)?;
        if exit != Exit::DONE {
            return Ok(exit);
        }
    }
    let start = created.tasks.start.as_deref().unwrap_or(START);
    screen.report(&format!("\nto get started:\n\n  cd {}\n  {start}\n", created.name));
    Ok(Exit::DONE)
}

/// Runs the commands of the template around the install, until one fails.
fn install_with_tasks(
    created: &CreatedProject,
    arguments: &CreateArguments,
    screen: &mut Screen,
) -> Result<Exit> {
    let runs_commands = !arguments.ignore_scripts && may_run(created, arguments, screen)?;
    if !runs_commands {
        return install(created, true, screen);
    }
    let mut exit = run_tasks("preinstall", &created.tasks.preinstall, created, screen)?;
    if exit == Exit::DONE {
        exit = install(created, false, screen)?;
    }
    if exit == Exit::DONE {
        exit = run_tasks("postinstall", &created.tasks.postinstall, created, screen)?;
    }
    Ok(exit)
}

/// Whether the template's commands run.
fn may_run(created: &CreatedProject, arguments: &CreateArguments, screen: &mut Screen) -> Result<bool> {
    let tasks = &created.tasks;
    let commands = tasks.preinstall.iter().chain(&tasks.lifecycle).chain(&tasks.postinstall);
    let commands: Vec<String> = commands.map(|command| printable(command).into_owned()).collect();
    if commands.is_empty() || !created.is_remote || arguments.yes {
        return Ok(true);
    }
    let list: String = commands.iter().map(|command| format!("  {command}\n")).collect();
    if !prompt::is_interactive() {
        screen.warn("the template's commands were not run; --yes runs them:");
        screen.notice(list.trim_end());
        return Ok(false);
    }
    let question = format!("the template wants to run:\n{list}run these commands? [y/N] ");
    Ok(matches!(prompt::line(&question, screen)?.trim(), "y" | "Y" | "yes"))
}

/// Makes a repository with a first commit. A machine without git, or without a name for commits,
/// has the files all the same.
fn make_repository(directory: &Path, screen: &mut Screen) {
    if files::exists(&directory.join(".git")) {
        return;
    }
    let steps: [&[&str]; 3] =
        [&["init", "--quiet"], &["add", "--all", "."], &["commit", "--quiet", "--message", "Initial commit"]];
    for step in steps {
        let mut command = Command::new("git");
        command
            .args(step)
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(_) => return screen.notice(&format!("git {} failed: the files are not committed", step[0])),
            Err(_) => return screen.notice("git is not there: the project is no repository"),
        }
    }
}

/// Runs commands in order, each by its script of package.json if it names one.
fn run_tasks(name: &str, commands: &[String], created: &CreatedProject, screen: &mut Screen) -> Result<Exit> {
    for command in commands {
        let context = RunContext::at(created.directory.clone(), "create")?;
        let named = context.package.as_ref().and_then(|package| package.scripts.find(command).ok().flatten());
        let line = named.unwrap_or(command).to_owned();
        screen.command(&line);
        let mut environment = context.environment();
        let script = Script { name, command: &line, arguments: &[] };
        let job = Job::script(script, &mut environment, &created.directory, Streams::Inherited);
        let exit = run_child(&job, name, &created.directory)?;
        if exit != Exit::DONE {
            return Ok(exit);
        }
    }
    Ok(Exit::DONE)
}

/// Runs `rusk install` in the new directory, as its own configuration says.
fn install(created: &CreatedProject, ignores_scripts: bool, screen: &mut Screen) -> Result<Exit> {
    if !created.tasks.has_dependencies {
        return Ok(Exit::DONE);
    }
    let mut words = vec!["rusk", "install"];
    if ignores_scripts {
        words.push("--ignore-scripts");
    }
    screen.command(&words.join(" "));
    let context = RunContext::at(created.directory.clone(), "install")?;
    let environment = context.environment();
    let argv = words.into_iter().map(Into::into).collect();
    let job = Job::program(host::program()?, argv, &environment, &created.directory, Streams::Inherited);
    run_child(&job, "install", &created.directory)
}

//! What follows the files of a template: a git repository, the template's commands, the install of
//! its dependencies. Every command is shown before it runs. Of a repository that was downloaded,
//! nothing runs but after a question, or with `--yes`: the user has not read it yet.

use std::path::Path;
use std::process::{Command, Stdio};

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_configuration::request::{Goal, HostEnvironment, InstallRequest, Scripts};
use rusk_scripts::{Exit, Job, Script, Streams};
use rusk_templates::{CreateArguments, CreatedProject};

use crate::commands::context::RunContext;
use crate::commands::lifecycle::run_child;
use crate::commands::registry::prompt;
use crate::host;
use rusk_screen::Screen;

/// The script that a project is started by, where the template does not say.
const START: &str = "rusk dev";
const APPROVE: &str = "rusk approve";

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
    let start = printable(created.tasks.start.as_deref().unwrap_or(START));
    screen.report(&format!("\nto get started:\n\n  cd {}\n  {start}\n", created.name));
    Ok(Exit::DONE)
}

/// Runs the commands of the template around the install, until one fails.
fn install_with_tasks(
    created: &CreatedProject,
    arguments: &CreateArguments,
    screen: &mut Screen,
) -> Result<Exit> {
    let consent = consent(created, arguments, screen)?;
    match consent {
        Consent::Given => {}
        Consent::OwnFiles => return install(created, &["rusk", "install", "--ignore-scripts"], screen),
        Consent::None => return install_packages_only(created, screen),
    }
    let mut exit = run_tasks("preinstall", &created.tasks.preinstall, created, screen)?;
    if exit == Exit::DONE {
        exit = install(created, &["rusk", "install"], screen)?;
    }
    if exit == Exit::DONE {
        exit = run_tasks("postinstall", &created.tasks.postinstall, created, screen)?;
    }
    Ok(exit)
}

/// What may run of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consent {
    /// All that it wants.
    Given,
    /// No commands and scripts, of a directory of the user's own.
    OwnFiles,
    /// Nothing.
    None,
}

/// Of a template that was downloaded, nothing runs without a yes, also if it seems to want nothing:
/// what was overlooked does not run either.
fn consent(created: &CreatedProject, arguments: &CreateArguments, screen: &mut Screen) -> Result<Consent> {
    match (created.is_remote, arguments.ignore_scripts) {
        (false, true) => return Ok(Consent::OwnFiles),
        (true, true) => return Ok(Consent::None),
        (false, false) => return Ok(Consent::Given),
        (true, false) if arguments.yes => return Ok(Consent::Given),
        (true, false) => {}
    }
    let code = created.code(&host::host(created.directory.clone(), host::environment()))?;
    let list: String = code.iter().map(|line| format!("  {line}\n")).collect();
    if code.is_empty() {
        return Ok(Consent::None);
    }
    if !prompt::is_interactive() {
        screen.warn("the template's commands were not run; --yes runs them:");
        screen.notice(list.trim_end());
        return Ok(Consent::None);
    }
    // With --silent, too: an answer is to what was read.
    screen.write_notice(&format!("the template wants to run:\n{list}run these commands? [y/N] "));
    match matches!(prompt::line("", screen)?.trim(), "y" | "Y" | "yes") {
        true => Ok(Consent::Given),
        false => Ok(Consent::None),
    }
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

/// Runs commands in order.
fn run_tasks(name: &str, commands: &[String], created: &CreatedProject, screen: &mut Screen) -> Result<Exit> {
    for command in commands {
        let context = RunContext::at(created.directory.clone(), "create")?;
        screen.command(command);
        let mut environment = context.environment();
        let script = Script { name, command, arguments: &[] };
        let job = Job::script(script, &mut environment, &created.directory, Streams::Inherited);
        let exit = run_child(&job, name, &created.directory)?;
        if exit != Exit::DONE {
            return Ok(exit);
        }
    }
    Ok(Exit::DONE)
}

/// Runs `rusk install` in the new directory, as its own configuration says.
fn install(created: &CreatedProject, words: &[&str], screen: &mut Screen) -> Result<Exit> {
    if !created.tasks.has_dependencies {
        return Ok(Exit::DONE);
    }
    screen.command(&words.join(" "));
    let context = RunContext::at(created.directory.clone(), "install")?;
    let environment = context.environment();
    let argv = words.iter().map(Into::into).collect();
    let job = Job::program(host::program()?, argv, &environment, &created.directory, Streams::Inherited);
    run_child(&job, "install", &created.directory)
}

/// Installs the packages and runs nothing: no script, approved or not, and no security scanner, for
/// which no flag is asked. So it is no other process.
fn install_packages_only(created: &CreatedProject, screen: &mut Screen) -> Result<Exit> {
    if !created.tasks.has_dependencies {
        return Ok(Exit::DONE);
    }
    let host = host::host(created.directory.clone(), host::environment());
    let host = HostEnvironment { interaction: None, ..host };
    let request = InstallRequest { scripts: Scripts::Ignore, ..InstallRequest::new(Goal::Install) };
    let summary = rusk_install::install(&created.directory, &request, &host, screen)?;
    screen.summary(&summary, request.goal, APPROVE).map(|()| Exit::DONE)
}

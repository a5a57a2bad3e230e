//! `--global`: the same command in the project of the user's global packages, then links to their
//! programs.

use std::collections::BTreeMap;
use std::time::Instant;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_global::{GlobalDirectories, RegisteredLinks, absolute_specifier, programs};
use rusk_install::HostEnvironment;
use rusk_scripts::Exit;

use super::run_command;
use crate::host;
use rusk_command_line::flags::{Command, Flag, Invocation, table};
use rusk_screen::Screen;

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    started: Instant,
    screen: &mut Screen,
) -> Result<Exit> {
    let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, environment.clone());
    let directories = GlobalDirectories::find(&host)?;
    if invocation.command == Some(Command::Bin) {
        return screen.page(&format!("{}\n", directories.programs.display())).map(|()| Exit::DONE);
    }
    directories.create()?;
    let inner = inside(invocation, &directories, &host);
    if !invocation.command.is_some_and(|command| table::INSTALL_COMMANDS.contains(&command)) {
        return run_command(&inner, environment, started, screen);
    }
    let registered = RegisteredLinks::find(&directories);
    let outcome = run_command(&inner, environment, started, screen);
    registered.restore()?;
    let exit = outcome?;
    if !invocation.is_on(Flag::DryRun) && !invocation.is_on(Flag::LockfileOnly) {
        link_programs(&directories, &host, screen)?;
    }
    Ok(exit)
}

/// The command line for the project of the global packages. Its layout is npm's: tools that look
/// for each other find each other.
fn inside(invocation: &Invocation, directories: &GlobalDirectories, host: &HostEnvironment) -> Invocation {
    let mut inner = invocation.clone().with(Flag::Cwd, &directories.packages);
    if matches!(invocation.command, Some(Command::Add | Command::Install)) {
        let absolute = |operand: &String| absolute_specifier(operand, &host.current_dir);
        inner.operands = invocation.operands.iter().map(absolute).collect();
    }
    match invocation.is_given(Flag::Linker) {
        true => inner,
        false => inner.with(Flag::Linker, "hoisted"),
    }
}

fn link_programs(directories: &GlobalDirectories, host: &HostEnvironment, screen: &mut Screen) -> Result<()> {
    let linked = programs::link(directories)?;
    let dir = directories.programs.display().to_string();
    for name in &linked.taken {
        screen.warning(&format!(
            "`{dir}/{name}` exists and is not replaced: it is no link of a global package"
        ));
    }
    if !linked.added.is_empty() {
        screen.report(&format!("programs in {}: {}\n", printable(&dir), printable(&linked.added.join(", "))));
        if !directories.is_on_path(host) {
            screen.warning(&format!(
                "`{dir}` is not on PATH: run `export PATH=\"{dir}:$PATH\"`, and add that line to the file \
                 that your shell reads at its start"
            ));
        }
    }
    Ok(())
}

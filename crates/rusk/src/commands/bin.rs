//! `rusk bin` and `rusk root`: where programs and packages of a project are.

use rusk_base::Result;
use rusk_scripts::Exit;

use crate::{host, problem};
use rusk_command_line::flags::{Command, Flag, Invocation};
use rusk_screen::Screen;

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let dir = host::find_project(&current_dir).ok_or_else(|| problem::no_package(&current_dir))?;
    let inner = match invocation.command {
        Some(Command::Bin) => "node_modules/.bin",
        _ => "node_modules",
    };
    screen.page(&format!("{}\n", dir.join(inner).display())).map(|()| Exit::DONE)
}

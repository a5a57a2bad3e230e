//! From an [`Invocation`] to the work: one file for each command that has more to it than a page of text.

mod add;
mod ci;
mod install;
mod job;
mod remove;
mod request;
mod update;

use std::collections::BTreeMap;

use rusk_base::Result;

use crate::flags::{Command, Flag, Invocation, completions, help, man, parse};
use crate::screen::Screen;

/// Does what the command line says.
pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<()> {
    if invocation.is_on(Flag::Help) {
        return screen.page(&help::text(invocation.command));
    }
    if invocation.is_on(Flag::Version) {
        return screen.page(concat!(env!("CARGO_PKG_VERSION"), "\n"));
    }
    let request = match invocation.command {
        Some(Command::Install) => install::request(invocation)?,
        Some(Command::Ci) => ci::request(invocation),
        Some(Command::Add) => add::request(invocation),
        Some(Command::Remove) => remove::request(invocation),
        Some(Command::Update) => update::request(invocation),
        Some(Command::Completions) => return screen.page(&completions::script(&invocation.words[0])),
        Some(Command::Man) => return screen.page(&man::page()),
        Some(Command::Help) => {
            let about = invocation.words.first().and_then(|name| parse::find_command(name));
            return screen.page(&help::text(about.map(|row| row.command)));
        }
        None => return screen.page(&help::text(None)),
    };
    job::run(request, invocation.path(Flag::Cwd), environment, screen)
}

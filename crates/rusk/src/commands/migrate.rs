//! `rusk migrate`: writes the project's lockfile in another format.

use rusk_base::Result;
use rusk_install::migrate::{Migration, migrate};
use rusk_lockfiles::Format;
use rusk_scripts::Exit;

use crate::host;
use crate::screen::Screen;
use crate::screen::json::{line, string};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::counted;

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let to = Format::of_file(&invocation.operands[0]).expect("the operand is one of the formats");
    let Migration { from, to, packages } = migrate(&dir, to)?;
    let to = to.file_name();
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[("from", string(from)), ("to", string(to)), ("packages", packages.to_string())]),
        false => format!("{to} written from {from}, {}\n", counted(packages, "package")),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

//! `rusk migrate`: writes the project's lockfile in another format.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_configuration::request::{Edit, Goal, InstallRequest};
use rusk_install::migrate::{Migration, MigrationHost, migrate};
use rusk_lockfiles::Format;
use rusk_scripts::Exit;

use crate::commands::request;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_reports::text::counted;
use rusk_screen::Screen;
use rusk_screen::json::{array, line, string};

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let host = host::host(dir.clone(), environment);
    let request = InstallRequest { goal: Goal::LockfileOnly, ..request::with_edit(invocation, Edit::None) };
    let to = Format::of_file(&invocation.operands[0]).expect("the operand is one of the formats");
    let Migration { from, to, packages, changed, notes } =
        migrate(&dir, to, MigrationHost { request: &request, host: &host, reporter: screen })?;
    notes.iter().for_each(|note| screen.warning(note));
    let to = to.file_name();
    let text = match invocation.is_on(Flag::Json) {
        true => line(&[
            ("from", string(from)),
            ("to", string(to)),
            ("packages", packages.to_string()),
            ("changed", array(changed.iter().map(|name| string(name)))),
        ]),
        false => {
            let settings = changed.iter().map(|name| format!("settings added to {name}\n"));
            let written = format!("{to} written from {from}, {}\n", counted(packages, "package"));
            settings.chain([written]).collect()
        }
    };
    screen.page(&text).map(|()| Exit::DONE)
}

//! `rusk install`: the project as it is; with names, `rusk add`.

use rusk_base::Result;
use rusk_configuration::request::Edit;
use rusk_install::InstallRequest;

use super::{add, request};
use crate::problem;
use rusk_command_line::flags::{Flag, Invocation, table};

pub fn request(invocation: &Invocation) -> Result<InstallRequest> {
    if !invocation.operands.is_empty() {
        return match invocation.is_on(Flag::FrozenLockfile) {
            true => Err(problem::names_with_frozen_lockfile("frozen-lockfile", &invocation.operands)),
            false => Ok(add::request(invocation)),
        };
    }
    let saving = [
        Flag::SaveProd,
        Flag::Dev,
        Flag::Optional,
        Flag::Peer,
        Flag::Exact,
        Flag::OnlyMissing,
        Flag::Catalog,
    ];
    match saving.into_iter().find(|flag| invocation.is_on(*flag)) {
        Some(flag) => Err(problem::needs_names(table::flag(flag).long)),
        None => Ok(request::with_edit(invocation, Edit::None)),
    }
}

//! `rusk update`: which names move, and how far.

use rusk_install::InstallRequest;
use rusk_install::request::{Edit, UpdateReach};

use super::request;
use rusk_command_line::flags::{Flag, Invocation};

pub fn request(invocation: &Invocation) -> InstallRequest {
    let reach = if invocation.is_on(Flag::Latest) { UpdateReach::ToLatest } else { UpdateReach::InRange };
    request::with_edit(invocation, Edit::Update { names: invocation.operands.clone(), reach })
}

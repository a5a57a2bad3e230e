//! `rusk ci`: what the lockfile pins, into a fresh node_modules.

use rusk_configuration::request::{Edit, Goal};
use rusk_install::InstallRequest;

use super::request;
use rusk_command_line::flags::Invocation;

pub fn request(invocation: &Invocation) -> InstallRequest {
    InstallRequest { goal: Goal::Clean, ..request::with_edit(invocation, Edit::None) }
}

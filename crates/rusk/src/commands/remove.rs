//! `rusk remove`: the names to take out of package.json.

use rusk_configuration::request::Edit;
use rusk_install::InstallRequest;

use super::request;
use rusk_command_line::flags::Invocation;

pub fn request(invocation: &Invocation) -> InstallRequest {
    request::with_edit(invocation, Edit::Remove { names: invocation.operands.clone() })
}

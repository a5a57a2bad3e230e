//! `rusk prune`: node_modules as the lockfile says, without what does not belong there.

use rusk_configuration::request::{Edit, Goal, Scripts};
use rusk_install::InstallRequest;

use super::request;
use rusk_command_line::flags::Invocation;

pub fn request(invocation: &Invocation) -> InstallRequest {
    let request = request::with_edit(invocation, Edit::None);
    let goal = if request.goal == Goal::DryRun { Goal::DryRun } else { Goal::Frozen };
    InstallRequest { goal, scripts: Scripts::Ignore, ..request }
}

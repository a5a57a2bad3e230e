//! `rusk update`: which names move, and how far.

use rusk_configuration::request::{DependencyGroup, Edit, Existing, Omit, UpdateExtent, UpdateReach};
use rusk_install::InstallRequest;

use super::{add, request};
use rusk_command_line::flags::{Flag, Invocation};

pub fn request(invocation: &Invocation) -> InstallRequest {
    let names = invocation.operands.clone();
    // `update left@2` gets that version.
    if names.iter().any(|name| name.trim_start_matches('!').rfind('@').is_some_and(|at| at > 0)) {
        let mut request = add::request(invocation);
        if let Edit::Add { existing, group, .. } = &mut request.edit {
            (*existing, *group) = (Existing::Required, DependencyGroup::Current);
        }
        return request;
    }
    let reach = if invocation.is_on(Flag::Latest) { UpdateReach::ToLatest } else { UpdateReach::InRange };
    // The flag takes no other number than 0.
    let extent = if invocation.is_given(Flag::Depth) { UpdateExtent::Direct } else { UpdateExtent::All };
    let edit = Edit::Update { names, reach, groups: groups(invocation), extent };
    let request = request::with_edit(invocation, edit);
    // `--production` says what is updated; the rest stays installed.
    let development = request.omit.development && !invocation.is_on(Flag::Production);
    InstallRequest { omit: Omit { development, ..request.omit }, ..request }
}

fn groups(invocation: &Invocation) -> Vec<DependencyGroup> {
    let groups = [
        (Flag::Production, DependencyGroup::Production),
        (Flag::Production, DependencyGroup::Optional),
        (Flag::Dev, DependencyGroup::Development),
        (Flag::Optional, DependencyGroup::Optional),
    ];
    groups.into_iter().filter(|(flag, _)| invocation.is_on(*flag)).map(|(_, group)| group).collect()
}

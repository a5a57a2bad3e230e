//! `rusk add`: into which group of package.json, and with which range.

use rusk_configuration::request::{DependencyGroup, Edit, Existing, SavedRange};
use rusk_install::InstallRequest;

use super::request;
use rusk_command_line::flags::{Flag, Invocation};

pub fn request(invocation: &Invocation) -> InstallRequest {
    let groups = [
        (Flag::SaveProd, DependencyGroup::Production),
        (Flag::Dev, DependencyGroup::Development),
        (Flag::Optional, DependencyGroup::Optional),
        (Flag::Peer, DependencyGroup::Peer),
    ];
    let named = groups.into_iter().find(|(flag, _)| invocation.is_on(*flag));
    let edit = Edit::Add {
        specifiers: invocation.operands.clone(),
        group: named.map_or(DependencyGroup::Current, |(_, group)| group),
        range: if invocation.is_on(Flag::Exact) { SavedRange::Exact } else { SavedRange::Caret },
        existing: if invocation.is_on(Flag::OnlyMissing) { Existing::Skip } else { Existing::Replace },
        catalog: catalog(invocation),
    };
    request::with_edit(invocation, edit)
}

/// `--catalog` is the default one, `--catalog=NAME` another.
fn catalog(invocation: &Invocation) -> Option<String> {
    let name = invocation.value(Flag::Catalog).filter(|name| *name != "default").unwrap_or_default();
    invocation.is_given(Flag::Catalog).then(|| name.to_owned())
}

//! Names that several groups of a package.json have. In: the manifest, a group. Out: which group
//! says what is installed, and what becomes of the others.

use rusk_base::Result;
use rusk_npm::edit::{Setting, set_dependencies, set_literals};
use rusk_npm::graph::Role;
use rusk_npm::manifest::{Group, Manifest};

/// What happens to a name that other groups have, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupRule {
    /// It leaves them, where one package.json cannot mean both.
    #[default]
    Moved,
    /// It stays in them.
    Kept,
}

impl GroupRule {
    pub fn set(self, text: &str, settings: &[Setting]) -> Result<String> {
        match self {
            GroupRule::Moved => set_dependencies(text, settings),
            GroupRule::Kept => set_literals(text, settings),
        }
    }
}

/// Whether another group says what is installed: of a name that is optional, too, that group does,
/// and the range of a peer is then for dependents only.
pub fn is_replaced(manifest: &Manifest, group: Group, name: &str) -> bool {
    let has = |group: Group| manifest.group(group).iter().any(|(own, _)| own == name);
    match group {
        Group::Production => has(Group::Optional),
        Group::Peer => Group::ALL.into_iter().filter(|group| *group != Group::Peer).any(has),
        Group::Development | Group::Optional => false,
    }
}

/// Whether a dependency of this role is of the group; `None` means all groups.
pub fn has_role(group: Option<Group>, role: Role) -> bool {
    match group {
        Some(Group::Production) => role == Role::Production,
        Some(Group::Development) => role == Role::Development,
        Some(Group::Optional) => role == Role::Optional,
        Some(Group::Peer) => role.is_peer(),
        None => true,
    }
}

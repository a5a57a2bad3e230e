//! `rusk add`: into which group of package.json, and with which range.

use rusk_install::Request;
use rusk_install::request::{Edit, Group, SavedRange};

use super::request;
use crate::flags::{Flag, Invocation};

pub fn request(invocation: &Invocation) -> Request {
    let groups =
        [(Flag::Dev, Group::Development), (Flag::Optional, Group::Optional), (Flag::Peer, Group::Peer)];
    let named = groups.into_iter().find(|(flag, _)| invocation.is_on(*flag));
    let edit = Edit::Add {
        specifiers: invocation.operands.clone(),
        group: named.map_or(Group::Current, |(_, group)| group),
        range: if invocation.is_on(Flag::Exact) { SavedRange::Exact } else { SavedRange::Caret },
    };
    request::with_edit(invocation, edit)
}

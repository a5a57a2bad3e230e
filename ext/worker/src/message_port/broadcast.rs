//! Broadcast channels between threads: a thread is one member of each name. In: a name, packets.
//! Out: packets of other threads. Absent: channels within the thread
//! (`js/web/broadcast_channel.js`).

use std::cell::RefCell;
use std::sync::LazyLock;

use rusk_jsc::{Call, ErrorKind, Exception, Object, Scope};
use rusk_messages::{BroadcastGroup, BroadcastMember, Destination};

use super::{packet_argument, receive, with_inbox};
use rusk_runtime::Inbox;
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::string_argument;

/// All names of this process.
static GROUP: LazyLock<BroadcastGroup> = LazyLock::new(BroadcastGroup::default);

/// JavaScript object of a member; empty if it has left.
struct MemberObject(RefCell<Option<BroadcastMember>>);

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "joinBroadcast", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let number = call.argument(scope, 1).to_number(scope)? as u64;
        let member = GROUP.join(&name, with_inbox(Inbox::notifier), number);
        Ok(scope.native(MemberObject(RefCell::new(Some(member)))).value())
    })?;
    add_fast(scope, binding, "leaveBroadcast", |scope, call| {
        let object = call
            .argument(scope, 0)
            .as_object(scope)
            .and_then(|object| object.as_native::<MemberObject>(scope));
        let member = object.and_then(|object| object.0.take());
        drop(member);
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "hasOtherMembers", |scope, call| {
        Ok(scope.boolean(with_member(scope, call, BroadcastMember::has_others).unwrap_or(false)))
    })?;
    add_fast(scope, binding, "broadcast", |scope, call| {
        let packet = packet_argument(scope, call, Destination::Threads)?;
        match with_member(scope, call, |member| member.send(packet)) {
            Some(Err(error)) => Err(Exception::new(scope, ErrorKind::Type, &error.to_string())),
            _ => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, binding, "receiveBroadcast", |scope, call| {
        let packet = with_member(scope, call, BroadcastMember::take).flatten();
        packet.map_or_else(
            || Ok(scope.undefined()),
            |packet| receive::receive(scope, packet, call.argument(scope, 1)),
        )
    })?;
    add_fast(scope, binding, "pollBroadcast", |scope, call| {
        Ok(scope.number(with_member(scope, call, BroadcastMember::poll).unwrap_or(0) as f64))
    })
}

fn with_member<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&BroadcastMember) -> R,
) -> Option<R> {
    let object = call.argument(scope, 0).as_object(scope)?.as_native::<MemberObject>(scope)?;
    object.0.borrow().as_ref().map(body)
}

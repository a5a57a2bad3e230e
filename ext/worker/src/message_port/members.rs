//! Broadcasts: this thread among those that listen to a name. In: a name, packets. Out: packets of
//! other threads. Who of this thread listens, JavaScript keeps.

use std::cell::RefCell;
use std::sync::LazyLock;

use rusk_jsc::{Call, ErrorKind, Exception, Object, Scope};
use rusk_messages::{BroadcastGroup, BroadcastMember, Destination};

use super::{opened, with_inbox, written};
use rusk_runtime::Inbox;
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::string_argument;

/// The names of this process.
static GROUP: LazyLock<BroadcastGroup> = LazyLock::new(BroadcastGroup::default);

/// What JavaScript holds; who left is empty.
struct Slot(RefCell<Option<BroadcastMember>>);

pub(super) fn add_all<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "join", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        let number = call.argument(scope, 1).to_number(scope)? as u64;
        let member = GROUP.join(&name, with_inbox(Inbox::notifier), number);
        Ok(scope.native(Slot(RefCell::new(Some(member)))).value())
    })?;
    add_fast(scope, natives, "leave", |scope, call| {
        let slot = call.argument(scope, 0).as_object(scope).and_then(|slot| slot.as_native::<Slot>(scope));
        let member = slot.and_then(|slot| slot.0.take());
        drop(member);
        Ok(scope.undefined())
    })?;
    add_fast(scope, natives, "hasOthers", |scope, call| {
        Ok(scope.boolean(with_member(scope, call, BroadcastMember::has_others).unwrap_or(false)))
    })?;
    add_fast(scope, natives, "sendAll", |scope, call| {
        let packet = written(scope, call, Destination::Threads)?;
        match with_member(scope, call, |member| member.send(packet)) {
            Some(Err(refused)) => Err(Exception::new(scope, ErrorKind::Type, &refused.to_string())),
            _ => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, natives, "takeFrom", |scope, call| {
        let taken = with_member(scope, call, BroadcastMember::take).flatten();
        taken.map_or_else(
            || Ok(scope.undefined()),
            |packet| opened::open(scope, packet, call.argument(scope, 1)),
        )
    })?;
    add_fast(scope, natives, "lookAt", |scope, call| {
        Ok(scope.number(with_member(scope, call, BroadcastMember::poll).unwrap_or(0) as f64))
    })
}

fn with_member<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&BroadcastMember) -> R,
) -> Option<R> {
    let slot = call.argument(scope, 0).as_object(scope)?.as_native::<Slot>(scope)?;
    slot.0.borrow().as_ref().map(body)
}

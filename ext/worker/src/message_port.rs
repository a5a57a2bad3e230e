//! `internalBinding('message_port')`: packets between threads. In: what js/internal/messaging wrote
//! into its arena, what goes along. Out: the same in the arena of the thread that takes it. What
//! the numbers in it mean is JavaScript's. Absent: ports within one thread, which need no packets.

mod attached;
mod flat;
mod members;
mod opened;
mod shapes;

use std::cell::RefCell;
use std::rc::Rc;

use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Object, Scope, Value};
use rusk_messages::{Destination, MessageString, Packet, PacketBytes, Port};

use rusk_runtime::Inbox;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::i32_argument;

/// What JavaScript holds of a port; one that went elsewhere is empty.
struct Slot(RefCell<Option<Port>>);

/// What JavaScript holds of a packet that is for a thread which begins.
struct Parcel(RefCell<Option<Packet>>);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_constants(scope, natives, "kind", opened::kind::ALL)?;
    add_constants(scope, natives, "tag", flat::tag::ALL)?;
    add_ports(scope, natives)?;
    attached::add_all(scope, natives)?;
    members::add_all(scope, natives)?;
    opened::add_all(scope, natives)?;
    shapes::add_all(scope, natives)?;
    add_fast(scope, natives, "told", |scope, _| {
        let told = with_inbox(|inbox| {
            inbox.reclaim();
            inbox.take_notified()
        });
        let numbers: Vec<Value<'_>> = told.into_iter().map(|number| scope.number(number as f64)).collect();
        scope.array(&numbers).map(Object::value)
    })?;
    Ok(natives)
}

fn add_ports<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "pair", |scope, _| {
        let (first, second) = Port::pair();
        let ports = [first, second].map(|port| show_port(scope, port).value());
        scope.array(&ports).map(Object::value)
    })?;
    add_fast(scope, natives, "send", |scope, call| {
        let packet = written(scope, call, Destination::Thread)?;
        Ok(scope.boolean(with_port(scope, call, |port| port.send(packet)).unwrap_or(false)))
    })?;
    add_fast(scope, natives, "sendFlat", flat::send)?;
    add_fast(scope, natives, "sendText", |scope, call| {
        let text = attached::message(scope, call.argument(scope, 1))?;
        let is_sent = with_port(scope, call, |port| port.send(Packet::from_string(text)));
        Ok(scope.boolean(is_sent.unwrap_or(false)))
    })?;
    add_fast(scope, natives, "take", |scope, call| {
        let taken = with_port(scope, call, Port::take).flatten();
        taken.map_or_else(
            || Ok(scope.undefined()),
            |packet| opened::open(scope, packet, call.argument(scope, 1)),
        )
    })?;
    add_fast(scope, natives, "listen", |scope, call| {
        let number = call.argument(scope, 1).to_number(scope)? as u64;
        let address = with_inbox(Inbox::notifier);
        with_port(scope, call, |port| port.attach(&address, number));
        Ok(scope.undefined())
    })?;
    add_fast(scope, natives, "unlisten", |scope, call| {
        with_port(scope, call, Port::detach);
        Ok(scope.undefined())
    })?;
    // How many packets wait, and a half where none will come behind them.
    add_fast(scope, natives, "look", |scope, call| {
        let waiting = with_port(scope, call, Port::poll);
        let number = waiting
            .map_or(0.5, |waiting| waiting.packets as f64 + if waiting.peer_is_closed { 0.5 } else { 0.0 });
        Ok(scope.number(number))
    })?;
    add_fast(scope, natives, "close", |scope, call| {
        let port = slot(scope, call, 0).and_then(|slot| slot.0.take());
        drop(port);
        Ok(scope.undefined())
    })?;
    add_fast(scope, natives, "isPeer", |scope, call| {
        let (one, other) = (slot(scope, call, 0), slot(scope, call, 1));
        let is_peer = one.zip(other).is_some_and(|(one, other)| {
            let (one, other) = (one.0.borrow(), other.0.borrow());
            one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one.is_peer(other))
        });
        Ok(scope.boolean(is_peer))
    })?;
    // What was sent to a port before it crossed, ahead of all that came since.
    add_fast(scope, natives, "putBack", |scope, call| {
        if let Some(packet) = take_parcel(scope, call.argument(scope, 1)) {
            with_port(scope, call, |port| port.put_back(packet));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, natives, "parcel", |scope, call| {
        let packet = written(scope, call, Destination::Thread)?;
        Ok(give_parcel(scope, packet).value())
    })?;
    add_fast(scope, natives, "openParcel", |scope, call| match take_parcel(scope, call.argument(scope, 0)) {
        Some(packet) => opened::open(scope, packet, call.argument(scope, 1)),
        None => Ok(scope.undefined()),
    })
}

/// The packet of a parcel, which is empty then; `None`: it was, or the value is no parcel.
pub(crate) fn take_parcel(scope: &Scope, value: Value<'_>) -> Option<Packet> {
    value.as_object(scope)?.as_native::<Parcel>(scope)?.0.take()
}

/// A parcel for JavaScript: what the thread that took it reads with `unpack`.
pub(crate) fn give_parcel(scope: &Scope, packet: Packet) -> Object<'_> {
    scope.native(Parcel(RefCell::new(Some(packet))))
}

fn show_port(scope: &Scope, port: Port) -> Object<'_> {
    scope.native(Slot(RefCell::new(Some(port))))
}

fn slot<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Option<Rc<Slot>> {
    call.argument(scope, index).as_object(scope)?.as_native(scope)
}

/// `None`: the port went elsewhere or is closed.
fn with_port<'s, R>(scope: &'s Scope, call: &Call<'s>, body: impl FnOnce(&Port) -> R) -> Option<R> {
    slot(scope, call, 0)?.0.borrow().as_ref().map(body)
}

fn with_inbox<R>(body: impl FnOnce(&Inbox) -> R) -> R {
    body(RuntimeState::current().handle.inbox())
}

/// `(arena, ints, numbers, text, base, letters)` behind the first argument: the packet that was
/// written there, with what is pending from `base` on. The first part stands at the arena's
/// beginning, four bytes each, the second at its end, eight bytes each. Where `text` is a number,
/// that many of `letters` are the text.
fn written<'s>(scope: &'s Scope, call: &Call<'s>, destination: Destination) -> Result<Packet, Exception<'s>> {
    let arena = Bytes::of(scope, call.argument(scope, 1)).ok_or_else(|| no_arena(scope))?;
    let size =
        |index: usize| i32_argument(scope, call, index).map(|count| usize::try_from(count).unwrap_or(0));
    let (split, rest, base) = (size(2)? * 4, size(3)? * 8, size(5)?);
    let bytes = arena.with_bytes_mut(scope, |bytes| {
        let (Some(ints), Some(numbers)) = (bytes.get(..split), bytes.len().checked_sub(rest)) else {
            return None;
        };
        Some(PacketBytes::from_parts(ints, &bytes[numbers..]))
    });
    let bytes = bytes.ok_or_else(|| no_arena(scope))?;
    let text = match call.argument(scope, 4) {
        count if count.kind(scope) == Kind::Number => letters(scope, call, count)?,
        text => attached::text(scope, text, destination),
    };
    with_inbox(Inbox::reclaim_if_large);
    Ok(Packet { bytes, split, string: text, attachments: attached::pending_from(base) })
}

fn letters<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    count: Value<'s>,
) -> Result<Option<MessageString>, Exception<'s>> {
    let count = count.to_number(scope)? as usize;
    let letters = Bytes::of(scope, call.argument(scope, 6)).ok_or_else(|| no_arena(scope))?;
    Ok(letters.with_bytes_mut(scope, |letters| letters.get(..count).map(MessageString::from_latin1)))
}

fn no_arena(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument must be the arena")
}

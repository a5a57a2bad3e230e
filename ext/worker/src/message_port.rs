//! `internalBinding('message_port')`: message ports and packets between threads. In: a buffer that
//! `js/internal/messaging` has filled, attachments. Out: the same in a buffer of the receiving
//! thread. JavaScript encodes and decodes the values. Absent: ports within one thread, which need
//! no packets.

mod attachments;
mod broadcast;
mod fast_object;
mod format;
mod object_shapes;
mod receive;

use std::cell::RefCell;
use std::rc::Rc;

use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Object, Scope, Value};
use rusk_messages::{Destination, MessageString, Packet, PacketBytes, Port};

use rusk_runtime::Inbox;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::i32_argument;

/// JavaScript object of a port; empty if the port is closed or transferred.
struct PortObject(RefCell<Option<Port>>);

/// JavaScript object of a packet: the startup packet of a worker, or a queued message of a port
/// that is transferred.
struct PacketObject(RefCell<Option<Packet>>);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "kind", receive::kind::ALL)?;
    add_constants(scope, binding, "tag", format::tag::ALL)?;
    add_constants(scope, binding, "layout", format::layout::ALL)?;
    add_ports(scope, binding)?;
    attachments::add_all(scope, binding)?;
    broadcast::add_all(scope, binding)?;
    receive::add_all(scope, binding)?;
    object_shapes::add_all(scope, binding)?;
    add_fast(scope, binding, "takeNotified", |scope, _| {
        let notified = with_inbox(|inbox| {
            inbox.reclaim();
            inbox.take_notified()
        });
        let numbers: Vec<Value<'_>> =
            notified.into_iter().map(|number| scope.number(number as f64)).collect();
        scope.array(&numbers).map(Object::value)
    })?;
    Ok(binding)
}

fn add_ports<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "createPair", |scope, _| {
        let (first, second) = Port::pair();
        let ports = [first, second].map(|port| port_object(scope, port).value());
        scope.array(&ports).map(Object::value)
    })?;
    add_fast(scope, binding, "send", |scope, call| {
        let packet = packet_argument(scope, call, Destination::Thread)?;
        Ok(scope.boolean(with_port(scope, call, |port| port.send(packet)).unwrap_or(false)))
    })?;
    add_fast(scope, binding, "sendFastObject", fast_object::send)?;
    add_fast(scope, binding, "sendString", |scope, call| {
        let string = attachments::message(scope, call.argument(scope, 1))?;
        let is_sent = with_port(scope, call, |port| port.send(Packet::from_string(string)));
        Ok(scope.boolean(is_sent.unwrap_or(false)))
    })?;
    add_fast(scope, binding, "receive", |scope, call| {
        let packet = with_port(scope, call, Port::take).flatten();
        packet.map_or_else(
            || Ok(scope.undefined()),
            |packet| receive::receive(scope, packet, call.argument(scope, 1)),
        )
    })?;
    add_fast(scope, binding, "attach", |scope, call| {
        let number = call.argument(scope, 1).to_number(scope)? as u64;
        let notifier = with_inbox(Inbox::notifier);
        with_port(scope, call, |port| port.attach(&notifier, number));
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "detach", |scope, call| {
        with_port(scope, call, Port::detach);
        Ok(scope.undefined())
    })?;
    // The number of queued packets, plus 0.5 if the peer is closed.
    add_fast(scope, binding, "poll", |scope, call| {
        let status = with_port(scope, call, Port::poll);
        let number = status
            .map_or(0.5, |status| status.packets as f64 + if status.peer_is_closed { 0.5 } else { 0.0 });
        Ok(scope.number(number))
    })?;
    add_fast(scope, binding, "close", |scope, call| {
        let port = port_argument(scope, call, 0).and_then(|port| port.0.take());
        drop(port);
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "isPeer", |scope, call| {
        let (one, other) = (port_argument(scope, call, 0), port_argument(scope, call, 1));
        let is_peer = one.zip(other).is_some_and(|(one, other)| {
            let (one, other) = (one.0.borrow(), other.0.borrow());
            one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one.is_peer(other))
        });
        Ok(scope.boolean(is_peer))
    })?;
    // Inserts a packet before the queued ones: messages from before the port was transferred.
    add_fast(scope, binding, "putBack", |scope, call| {
        if let Some(packet) = take_packet(scope, call.argument(scope, 1)) {
            with_port(scope, call, |port| port.put_back(packet));
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "createPacket", |scope, call| {
        let packet = packet_argument(scope, call, Destination::Thread)?;
        Ok(packet_object(scope, packet).value())
    })?;
    add_fast(scope, binding, "receivePacket", |scope, call| {
        match take_packet(scope, call.argument(scope, 0)) {
            Some(packet) => receive::receive(scope, packet, call.argument(scope, 1)),
            None => Ok(scope.undefined()),
        }
    })
}

/// Takes the packet out of its object; `None`: it is taken already, or the value is another object.
pub(crate) fn take_packet(scope: &Scope, value: Value<'_>) -> Option<Packet> {
    value.as_object(scope)?.as_native::<PacketObject>(scope)?.0.take()
}

/// An object for JavaScript, which reads the packet with `receivePacket`.
pub(crate) fn packet_object(scope: &Scope, packet: Packet) -> Object<'_> {
    scope.native(PacketObject(RefCell::new(Some(packet))))
}

fn port_object(scope: &Scope, port: Port) -> Object<'_> {
    scope.native(PortObject(RefCell::new(Some(port))))
}

fn port_argument<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Option<Rc<PortObject>> {
    call.argument(scope, index).as_object(scope)?.as_native(scope)
}

/// `None`: the port is closed or transferred.
fn with_port<'s, R>(scope: &'s Scope, call: &Call<'s>, body: impl FnOnce(&Port) -> R) -> Option<R> {
    port_argument(scope, call, 0)?.0.borrow().as_ref().map(body)
}

fn with_inbox<R>(body: impl FnOnce(&Inbox) -> R) -> R {
    body(RuntimeState::current().handle.inbox())
}

/// A packet of the arguments `(buffer, words, doubles, string, base, characters)`, after the first
/// one. The buffer begins with 32-bit words and ends with doubles. The packet takes the pending
/// attachments from `base` on. If `string` is a number, the string is that many bytes of
/// `characters`, as Latin-1.
fn packet_argument<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    destination: Destination,
) -> Result<Packet, Exception<'s>> {
    let buffer = Bytes::of(scope, call.argument(scope, 1)).ok_or_else(|| buffer_error(scope))?;
    let size =
        |index: usize| i32_argument(scope, call, index).map(|count| usize::try_from(count).unwrap_or(0));
    let (split, rest, base) = (size(2)? * 4, size(3)? * 8, size(5)?);
    let bytes = buffer.with_bytes_mut(scope, |bytes| {
        let (Some(ints), Some(numbers)) = (bytes.get(..split), bytes.len().checked_sub(rest)) else {
            return None;
        };
        Some(PacketBytes::from_parts(ints, &bytes[numbers..]))
    });
    let bytes = bytes.ok_or_else(|| buffer_error(scope))?;
    let string = match call.argument(scope, 4) {
        count if count.kind(scope) == Kind::Number => latin1_argument(scope, call, count)?,
        string => attachments::string(scope, string, destination),
    };
    with_inbox(Inbox::reclaim_if_large);
    Ok(Packet { bytes, split, string, attachments: attachments::take_pending(base) })
}

fn latin1_argument<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    count: Value<'s>,
) -> Result<Option<MessageString>, Exception<'s>> {
    let count = count.to_number(scope)? as usize;
    let characters = Bytes::of(scope, call.argument(scope, 6)).ok_or_else(|| buffer_error(scope))?;
    Ok(characters.with_bytes_mut(scope, |bytes| bytes.get(..count).map(MessageString::from_latin1)))
}

fn buffer_error(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument must be a buffer")
}

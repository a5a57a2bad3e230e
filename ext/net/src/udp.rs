//! UDP sockets: `internalBinding('udp')`. In: addresses, messages, options. Out: an object whose
//! listener is called with events: a message and its sender, an error, that a queued message was
//! sent. The socket is created at first use, because its family may depend on an address. Absent:
//! host names, validation of arguments (js/internal/dgram).

mod options;
mod socket;

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;

use rusk_base::sys::socket::SocketAddr as SysSocketAddr;
use rusk_base::sys::udp::UdpBindOptions;
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Root, Scope};

use rusk_block_list as block_list;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{errno_result, i32_argument, negative_errno, string_argument, u32_argument};
use socket::Datagram;

/// What JavaScript holds; closed, it is empty.
struct Slot(RefCell<Option<Rc<Datagram>>>);

/// By the numbers of js/internal/dgram/handle.js.
const SIX_ONLY: u32 = 1;
const ADDRESS_SHARED: u32 = 4;
const PORT_SHARED: u32 = 8;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", socket::event::ALL)?;
    // Whether it is of IPv6.
    add(scope, binding, "make", |scope, call| {
        let datagram = Datagram::new(call.argument(scope, 0).is_truthy(scope));
        Ok(scope.native(Slot(RefCell::new(Some(datagram)))).value())
    })?;
    add(scope, binding, "listen", |scope, call| {
        if let Some(datagram) = find(scope, call) {
            datagram.listen(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "number", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |datagram| datagram.number().into())))
    })?;
    add(scope, binding, "send", send)?;
    add(scope, binding, "queue", |scope, call| {
        let (bytes, count) = find(scope, call).map_or((0, 0), |datagram| datagram.queue());
        scope.array(&[scope.number(bytes as f64), scope.number(count as f64)]).map(Object::value)
    })?;
    add(scope, binding, "readStart", |scope, call| {
        errno_result(scope, found(scope, call).and_then(|datagram| datagram.read_start()))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        errno_result(scope, found(scope, call).map(|datagram| datagram.read_stop()))
    })?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(datagram) = find(scope, call) {
            datagram.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(datagram) = slot(scope, call).and_then(|slot| slot.0.take()) {
            datagram.close();
        }
        Ok(scope.undefined())
    })?;
    add_places(scope, binding)?;
    options::add_all(scope, binding)?;
    Ok(binding)
}

/// Where a socket is and where its other end is.
fn add_places<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "open", |scope, call| {
        let number = i32_argument(scope, call, 1)?;
        errno_result(scope, found(scope, call).and_then(|datagram| datagram.open(number)))
    })?;
    // address, port, flags, whether it is of IPv6 from now on.
    add(scope, binding, "bind", |scope, call| {
        let (address, flags) = (address(scope, call, 1)?, u32_argument(scope, call, 3)?);
        let sharing = UdpBindOptions {
            is_ipv6_only: flags & SIX_ONLY != 0,
            reuse_address: flags & ADDRESS_SHARED != 0,
            reuse_port: flags & PORT_SHARED != 0,
        };
        let is_six = call.argument(scope, 4).is_truthy(scope);
        errno_result(
            scope,
            on(scope, call, address, |datagram, address| {
                if is_six {
                    datagram.set_six();
                }
                datagram.bind(address, sharing)
            }),
        )
    })?;
    add(scope, binding, "connect", |scope, call| {
        let address = address(scope, call, 1)?;
        errno_result(scope, on(scope, call, address, |datagram, address| datagram.connect(address)))
    })?;
    add(scope, binding, "disconnect", |scope, call| {
        errno_result(scope, found(scope, call).and_then(|datagram| datagram.disconnect()))
    })?;
    add(scope, binding, "getsockname", |scope, call| {
        show(scope, found(scope, call).and_then(|own| own.local_addr()))
    })?;
    add(scope, binding, "getpeername", |scope, call| {
        show(scope, found(scope, call).and_then(|own| own.peer_addr()))
    })?;
    Ok(())
}

/// message, address or undefined, port, whether it waits in any case. Out: its bytes and one where
/// it was sent, 0 where it waits, a number less than 0 where it cannot be sent.
fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let is_connected = call.argument(scope, 2).is_undefined(scope);
    let to = if is_connected { None } else { address(scope, call, 2)? };
    let may_go_now = !call.argument(scope, 4).is_truthy(scope);
    let message = Bytes::of(scope, call.argument(scope, 1));
    let sent = found(scope, call).and_then(|datagram| {
        let message = message.ok_or(Errno::INVAL)?;
        if to.is_none() && !is_connected {
            return Err(Errno::INVAL);
        }
        if may_go_now && let Some(sent) = datagram.send_now(scope, message, to.as_ref())? {
            return Ok(sent + 1);
        }
        datagram.send_later(message.copy(scope), to).map(|()| 0)
    });
    Ok(scope.number(sent.map_or_else(negative_errno, |sent| sent as f64)))
}

fn slot<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Slot>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Datagram>> {
    slot(scope, call)?.0.borrow().clone()
}

fn found<'s>(scope: &'s Scope, call: &Call<'s>) -> sys::Result<Rc<Datagram>> {
    find(scope, call).ok_or(Errno::BADF)
}

fn on<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    address: Option<SocketAddr>,
    body: impl FnOnce(Rc<Datagram>, SocketAddr) -> sys::Result<()>,
) -> sys::Result<()> {
    body(found(scope, call)?, address.ok_or(Errno::INVAL)?)
}

/// An address followed by a port. `None`: the address is malformed.
fn address<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Option<SocketAddr>, Exception<'s>> {
    Ok(parse(&string_argument(scope, call, index)?, i32_argument(scope, call, index + 1)? as u16))
}

/// An interface that there is not is none, as with libuv.
fn parse(text: &str, port: u16) -> Option<SocketAddr> {
    let without = || text.split_once('%').and_then(|(address, _)| SysSocketAddr::parse_ip(address, port));
    match SysSocketAddr::parse_ip(text, port).or_else(without) {
        Some(SysSocketAddr::Inet(address)) => Some(address),
        _ => None,
    }
}

/// `[address, port, family]`, or an errno less than 0.
fn show<'s>(scope: &'s Scope, place: sys::Result<SocketAddr>) -> Outcome<'s> {
    match place {
        Ok(place) => {
            let family = if place.is_ipv4() { 4.0 } else { 6.0 };
            let parts =
                [scope.string(&written(&place)), scope.number(place.port().into()), scope.number(family)];
            scope.array(&parts).map(Object::value)
        }
        Err(error) => Ok(scope.number(negative_errno(error))),
    }
}

/// As Node writes it: an address that holds for one interface alone with that one's name.
fn written(place: &SocketAddr) -> String {
    let address = block_list::render(place.ip());
    match place {
        SocketAddr::V6(six) if six.scope_id() != 0 && six.ip().is_unicast_link_local() => {
            match sys::udp::interface_name(six.scope_id()) {
                Some(name) => format!("{address}%{name}"),
                None => address,
            }
        }
        _ => address,
    }
}

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
use rusk_runtime::constants::{add_constants, uv};
use rusk_runtime::values::{
    bytes_or_utf8, errno_result, i32_argument, map_array, negative_errno, number_list, string_argument,
    string_list, u32_argument,
};
use socket::UdpSocket;

/// The native object that JavaScript holds; empty after close.
struct UdpHandle(RefCell<Option<Rc<UdpSocket>>>);

rusk_runtime::shared_constants! {
    /// Flags of `bind`, as `uv_udp_flags`.
    mod bind_flag: u32 {
        IPV6ONLY = 1,
        REUSEADDR = 4,
        REUSEPORT = 8,
    }
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", socket::event::ALL)?;
    add_constants(scope, binding, "uv", uv::ALL)?;
    add_constants(scope, binding, "bindFlag", bind_flag::ALL)?;
    // Argument: whether the family is IPv6.
    add(scope, binding, "create", |scope, call| {
        let socket = UdpSocket::new(call.argument(scope, 0).is_truthy(scope));
        Ok(scope.native(UdpHandle(RefCell::new(Some(socket)))).value())
    })?;
    add(scope, binding, "listen", |scope, call| {
        if let Some(socket) = find(scope, call) {
            socket.listen(Root::new(scope, call.argument(scope, 1)));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "fd", |scope, call| {
        Ok(scope.number(find(scope, call).map_or(-1.0, |socket| socket.raw_fd().into())))
    })?;
    add(scope, binding, "send", send)?;
    // Arguments: messages, addresses and ports; without addresses they go to the peer. Returns how
    // many were sent, or a negative errno. Fewer than all: `WRITABLE` comes when more can be sent.
    add(scope, binding, "sendMany", send_many)?;
    add(scope, binding, "queueSize", |scope, call| {
        let (bytes, count) = find(scope, call).map_or((0, 0), |socket| socket.queue_size());
        scope.array(&[scope.number(bytes as f64), scope.number(count as f64)]).map(Object::value)
    })?;
    add(scope, binding, "readStart", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).and_then(|socket| socket.read_start()))
    })?;
    add(scope, binding, "readStop", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).map(|socket| socket.read_stop()))
    })?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(socket) = find(scope, call) {
            socket.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(socket) = handle(scope, call).and_then(|handle| handle.0.take()) {
            socket.close();
        }
        Ok(scope.undefined())
    })?;
    add_addresses(scope, binding)?;
    options::add_all(scope, binding)?;
    Ok(binding)
}

/// Opening, binding, connecting, and the two addresses of a socket.
fn add_addresses<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "open", |scope, call| {
        let number = i32_argument(scope, call, 1)?;
        errno_result(scope, find_or_badf(scope, call).and_then(|socket| socket.open(number)))
    })?;
    // Arguments: address, port, flags, whether to make an IPv4 handle one of IPv6.
    add(scope, binding, "bind", |scope, call| {
        let (address, flags) = (address(scope, call, 1)?, u32_argument(scope, call, 3)?);
        let options = UdpBindOptions {
            is_ipv6_only: flags & bind_flag::IPV6ONLY != 0,
            reuse_address: flags & bind_flag::REUSEADDR != 0,
            reuse_port: flags & bind_flag::REUSEPORT != 0,
        };
        let is_ipv6 = call.argument(scope, 4).is_truthy(scope);
        errno_result(
            scope,
            with_address(scope, call, address, |socket, address| {
                if is_ipv6 {
                    socket.set_ipv6();
                }
                socket.bind(address, options)
            }),
        )
    })?;
    add(scope, binding, "connect", |scope, call| {
        let address = address(scope, call, 1)?;
        errno_result(scope, with_address(scope, call, address, |socket, address| socket.connect(address)))
    })?;
    add(scope, binding, "disconnect", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).and_then(|socket| socket.disconnect()))
    })?;
    add(scope, binding, "getsockname", |scope, call| {
        return_address(scope, find_or_badf(scope, call).and_then(|socket| socket.local_addr()))
    })?;
    add(scope, binding, "getpeername", |scope, call| {
        return_address(scope, find_or_badf(scope, call).and_then(|socket| socket.peer_addr()))
    })?;
    Ok(())
}

/// Arguments: message, address or undefined, port, whether to always queue. Returns 1 + the number
/// of sent bytes, 0 if the message was queued, or a negative errno: as `uv_udp_try_send` does in
/// Node.
fn send<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let is_connected = call.argument(scope, 2).is_undefined(scope);
    let to = if is_connected { None } else { address(scope, call, 2)? };
    let may_send_now = !call.argument(scope, 4).is_truthy(scope);
    let message = Bytes::of(scope, call.argument(scope, 1));
    let sent = find_or_badf(scope, call).and_then(|socket| {
        let message = message.ok_or(Errno::INVAL)?;
        if to.is_none() && !is_connected {
            return Err(Errno::INVAL);
        }
        if may_send_now && let Some(sent) = socket.try_send(scope, message, to.as_ref())? {
            return Ok(sent + 1);
        }
        socket.queue_message(message.copy(scope), to).map(|()| 0)
    });
    Ok(scope.number(sent.map_or_else(negative_errno, |sent| sent as f64)))
}

fn send_many<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let messages = map_array(scope, call.argument(scope, 1), bytes_or_utf8)?;
    let addresses = string_list(scope, call.argument(scope, 2))?;
    let ports = number_list(scope, call.argument(scope, 3))?;
    let destinations: Option<Vec<_>> = match call.argument(scope, 2).is_undefined(scope) {
        true => Some(messages.iter().map(|_| None).collect()),
        false => addresses
            .iter()
            .zip(&ports)
            .map(|(address, port)| parse(address, *port as u16).map(Some))
            .collect(),
    };
    let sent = find_or_badf(scope, call).and_then(|socket| {
        let destinations = destinations.ok_or(Errno::INVAL)?;
        let datagrams: Vec<_> = messages.iter().map(Vec::as_slice).zip(destinations).collect();
        socket.send_many(&datagrams)
    });
    Ok(scope.number(sent.map_or_else(negative_errno, |sent| sent as f64)))
}

fn handle<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<UdpHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<UdpSocket>> {
    handle(scope, call)?.0.borrow().clone()
}

fn find_or_badf<'s>(scope: &'s Scope, call: &Call<'s>) -> sys::Result<Rc<UdpSocket>> {
    find(scope, call).ok_or(Errno::BADF)
}

fn with_address<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    address: Option<SocketAddr>,
    body: impl FnOnce(Rc<UdpSocket>, SocketAddr) -> sys::Result<()>,
) -> sys::Result<()> {
    body(find_or_badf(scope, call)?, address.ok_or(Errno::INVAL)?)
}

/// An address followed by a port. `None`: the address is malformed.
fn address<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<Option<SocketAddr>, Exception<'s>> {
    Ok(parse(&string_argument(scope, call, index)?, i32_argument(scope, call, index + 1)? as u16))
}

/// Parses a socket address. Ignores a scope whose interface does not exist, as libuv does.
fn parse(string: &str, port: u16) -> Option<SocketAddr> {
    let without_scope =
        || string.split_once('%').and_then(|(address, _)| SysSocketAddr::parse_ip(address, port));
    match SysSocketAddr::parse_ip(string, port).or_else(without_scope) {
        Some(SysSocketAddr::Inet(address)) => Some(address),
        _ => None,
    }
}

/// Returns `[address, port, family]`, or a negative errno.
fn return_address<'s>(scope: &'s Scope, address: sys::Result<SocketAddr>) -> Outcome<'s> {
    match address {
        Ok(address) => {
            let family = if address.is_ipv4() { 4.0 } else { 6.0 };
            let parts =
                [scope.string(&render(&address)), scope.number(address.port().into()), scope.number(family)];
            scope.array(&parts).map(Object::value)
        }
        Err(error) => Ok(scope.number(negative_errno(error))),
    }
}

/// The IP address in Node's notation: a link-local IPv6 address has its interface's name as scope.
fn render(address: &SocketAddr) -> String {
    let ip = block_list::render(address.ip());
    match address {
        SocketAddr::V6(v6) if v6.scope_id() != 0 && v6.ip().is_unicast_link_local() => {
            match sys::udp::interface_name(v6.scope_id()) {
                Some(name) => format!("{ip}%{name}"),
                None => ip,
            }
        }
        _ => ip,
    }
}

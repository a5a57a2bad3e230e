//! Socket options of a UDP socket. In: numbers, addresses. Out: 0 or a negative errno; buffer
//! sizes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use rusk_base::sys::udp::{
    self, Destination, Membership, MulticastGroup, MulticastInterface, SocketBuffer, UdpBindOptions,
};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope};

use super::socket::borrow;
use super::{UdpSocket, find_or_badf, parse};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{
    errno_result, i32_argument, negative_errno, optional_string_argument, string_argument,
};

/// Several members of a group may bind the same address, as with libuv.
const REUSE_ADDRESS: UdpBindOptions =
    UdpBindOptions { is_ipv6_only: false, reuse_address: true, reuse_port: false };

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "setBroadcast", |scope, call| {
        let is_allowed = call.argument(scope, 1).is_truthy(scope);
        errno_result(
            scope,
            find_or_badf(scope, call)
                .and_then(|socket| borrow(socket.fd(), |fd| udp::set_broadcast(fd, is_allowed))),
        )
    })?;
    add(scope, binding, "setTTL", |scope, call| {
        let ttl = u8::try_from(i32_argument(scope, call, 1)?).ok().filter(|ttl| *ttl > 0);
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|socket| set_ttl(&socket, Destination::Unicast, ttl)),
        )
    })?;
    add(scope, binding, "setMulticastTTL", |scope, call| {
        let ttl = u8::try_from(i32_argument(scope, call, 1)?).ok();
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|socket| set_ttl(&socket, Destination::Multicast, ttl)),
        )
    })?;
    add(scope, binding, "setMulticastLoopback", |scope, call| {
        let is_enabled = call.argument(scope, 1).is_truthy(scope);
        errno_result(
            scope,
            find_or_badf(scope, call)
                .and_then(|socket| borrow(socket.fd(), |fd| udp::set_multicast_loopback(fd, is_enabled))),
        )
    })?;
    add(scope, binding, "setMulticastInterface", |scope, call| {
        let interface = interface_of(&string_argument(scope, call, 1)?);
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|socket| {
                let interface = interface.ok_or(Errno::INVAL)?;
                borrow(socket.fd(), |fd| udp::set_multicast_interface(fd, interface))
            }),
        )
    })?;
    // Arguments: group, interface or undefined, whether to join.
    add(scope, binding, "setMembership", |scope, call| {
        let (group, membership) = (group(scope, call, 1)?, membership(scope, call, 3));
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|socket| {
                let group = group?;
                borrow(socket.bound_fd(group.address.is_ipv6(), REUSE_ADDRESS), |fd| {
                    udp::set_membership(fd, group, membership)
                })
            }),
        )
    })?;
    // Arguments: source, group, interface or undefined, whether to join.
    add(scope, binding, "setSourceMembership", |scope, call| {
        let source = ip_and_scope(&string_argument(scope, call, 1)?);
        let (group, membership) = (group(scope, call, 2)?, membership(scope, call, 4));
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|socket| {
                let (group, (source, _)) = (group?, source.ok_or(Errno::INVAL)?);
                borrow(socket.bound_fd(group.address.is_ipv6(), REUSE_ADDRESS), |fd| {
                    udp::set_source_membership(fd, source, group, membership)
                })
            }),
        )
    })?;
    add(scope, binding, "bufferSize", buffer_size)?;
    Ok(())
}

/// Arguments: bytes or 0 to only query, whether it is the receive buffer. Returns bytes.
fn buffer_size<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let bytes = call.argument(scope, 1).to_number(scope)?;
    let buffer =
        if call.argument(scope, 2).is_truthy(scope) { SocketBuffer::Receive } else { SocketBuffer::Send };
    let result = find_or_badf(scope, call).and_then(|socket| buffer_bytes(&socket, buffer, bytes));
    Ok(scope.number(result.map_or_else(negative_errno, |bytes| bytes as f64)))
}

fn set_ttl(socket: &UdpSocket, to: Destination, ttl: Option<u8>) -> sys::Result<()> {
    let ttl = ttl.ok_or(Errno::INVAL)?;
    borrow(socket.fd(), |fd| udp::set_ttl(fd, to, ttl))
}

fn buffer_bytes(socket: &UdpSocket, buffer: SocketBuffer, bytes: f64) -> sys::Result<usize> {
    if bytes > f64::from(i32::MAX) {
        return Err(Errno::INVAL);
    }
    let bytes = bytes as usize;
    borrow(socket.fd(), |fd| match bytes {
        0 => udp::buffer_bytes(fd, buffer),
        bytes => udp::set_buffer_bytes(fd, buffer, bytes).map(|()| bytes),
    })
}

/// Two arguments: a group and its interface.
fn group<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<sys::Result<MulticastGroup>, Exception<'s>> {
    let address = ip_and_scope(&string_argument(scope, call, index)?);
    let interface = optional_string_argument(scope, call, index + 1)?;
    Ok((|| {
        let (address, _) = address.ok_or(Errno::INVAL)?;
        let any = match address {
            IpAddr::V4(_) => MulticastInterface::Address(Ipv4Addr::UNSPECIFIED),
            IpAddr::V6(_) => MulticastInterface::Index(0),
        };
        let interface = interface.map_or(Some(any), |interface| interface_of(&interface));
        Ok(MulticastGroup { address, interface: interface.ok_or(Errno::INVAL)? })
    })())
}

fn membership<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Membership {
    if call.argument(scope, index).is_truthy(scope) { Membership::Join } else { Membership::Leave }
}

/// The interface that has this IPv4 address, or is the scope of this IPv6 address.
fn interface_of(string: &str) -> Option<MulticastInterface> {
    ip_and_scope(string).map(|(address, scope)| match address {
        IpAddr::V4(address) => MulticastInterface::Address(address),
        IpAddr::V6(_) => MulticastInterface::Index(scope),
    })
}

fn ip_and_scope(string: &str) -> Option<(IpAddr, u32)> {
    parse(string, 0).map(|address| match address {
        SocketAddr::V6(v6) => ((*v6.ip()).into(), v6.scope_id()),
        SocketAddr::V4(v4) => ((*v4.ip()).into(), 0),
    })
}

//! Socket options of a UDP socket. In: numbers, addresses. Out: 0 or a negative errno; buffer
//! sizes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use rusk_base::sys::udp::{
    self, Destination, Membership, MulticastGroup, MulticastInterface, SocketBuffer, UdpBindOptions,
};
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Call, Exception, Object, Scope};

use super::socket::borrow;
use super::{Datagram, found, parse};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{
    errno_result, i32_argument, negative_errno, optional_string_argument, string_argument,
};

/// Members of a group may be at one place, as with libuv.
const SHARED: UdpBindOptions = UdpBindOptions { is_ipv6_only: false, reuse_address: true, reuse_port: false };

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "setBroadcast", |scope, call| {
        let is_allowed = call.argument(scope, 1).is_truthy(scope);
        errno_result(
            scope,
            found(scope, call).and_then(|own| borrow(own.fd(), |fd| udp::set_broadcast(fd, is_allowed))),
        )
    })?;
    add(scope, binding, "setHops", |scope, call| {
        let hops = u8::try_from(i32_argument(scope, call, 1)?).ok().filter(|hops| *hops > 0);
        errno_result(scope, found(scope, call).and_then(|own| set_hops(&own, Destination::Unicast, hops)))
    })?;
    add(scope, binding, "setGroupHops", |scope, call| {
        let hops = u8::try_from(i32_argument(scope, call, 1)?).ok();
        errno_result(scope, found(scope, call).and_then(|own| set_hops(&own, Destination::Multicast, hops)))
    })?;
    add(scope, binding, "setLoopback", |scope, call| {
        let is_wanted = call.argument(scope, 1).is_truthy(scope);
        errno_result(
            scope,
            found(scope, call)
                .and_then(|own| borrow(own.fd(), |fd| udp::set_multicast_loopback(fd, is_wanted))),
        )
    })?;
    add(scope, binding, "setInterface", |scope, call| {
        let interface = interface_of(&string_argument(scope, call, 1)?);
        errno_result(
            scope,
            found(scope, call).and_then(|own| {
                let interface = interface.ok_or(Errno::INVAL)?;
                borrow(own.fd(), |fd| udp::set_multicast_interface(fd, interface))
            }),
        )
    })?;
    // group, interface or undefined, whether it begins.
    add(scope, binding, "setMembership", |scope, call| {
        let (group, membership) = (group(scope, call, 1)?, membership(scope, call, 3));
        errno_result(
            scope,
            found(scope, call).and_then(|own| {
                let group = group?;
                borrow(own.fd_somewhere(group.address.is_ipv6(), SHARED), |fd| {
                    udp::set_membership(fd, group, membership)
                })
            }),
        )
    })?;
    // source, group, interface or undefined, whether it begins.
    add(scope, binding, "setSourceMembership", |scope, call| {
        let source = place(&string_argument(scope, call, 1)?);
        let (group, membership) = (group(scope, call, 2)?, membership(scope, call, 4));
        errno_result(
            scope,
            found(scope, call).and_then(|own| {
                let (group, (source, _)) = (group?, source.ok_or(Errno::INVAL)?);
                borrow(own.fd_somewhere(group.address.is_ipv6(), SHARED), |fd| {
                    udp::set_source_membership(fd, source, group, membership)
                })
            }),
        )
    })?;
    // bytes or 0, whether it is of what comes in. Out: bytes.
    add(scope, binding, "bufferBytes", |scope, call| {
        let bytes = call.argument(scope, 1).to_number(scope)?;
        let direction =
            if call.argument(scope, 2).is_truthy(scope) { SocketBuffer::Receive } else { SocketBuffer::Send };
        let answer = found(scope, call).and_then(|own| buffer_bytes(&own, direction, bytes));
        Ok(scope.number(answer.map_or_else(negative_errno, |bytes| bytes as f64)))
    })?;
    Ok(())
}

fn set_hops(own: &Datagram, to: Destination, hops: Option<u8>) -> sys::Result<()> {
    let hops = hops.ok_or(Errno::INVAL)?;
    borrow(own.fd(), |fd| udp::set_ttl(fd, to, hops))
}

fn buffer_bytes(own: &Datagram, direction: SocketBuffer, bytes: f64) -> sys::Result<usize> {
    if bytes > f64::from(i32::MAX) {
        return Err(Errno::INVAL);
    }
    let bytes = bytes as usize;
    borrow(own.fd(), |fd| match bytes {
        0 => udp::buffer_bytes(fd, direction),
        bytes => udp::set_buffer_bytes(fd, direction, bytes).map(|()| bytes),
    })
}

/// A group followed by its interface.
fn group<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<sys::Result<MulticastGroup>, Exception<'s>> {
    let address = place(&string_argument(scope, call, index)?);
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

/// True: it begins.
fn membership<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Membership {
    if call.argument(scope, index).is_truthy(scope) { Membership::Join } else { Membership::Leave }
}

/// An IPv4 address is one of the interface's own; an IPv6 one says behind a `%` which it is.
fn interface_of(text: &str) -> Option<MulticastInterface> {
    place(text).map(|(address, scope)| match address {
        IpAddr::V4(address) => MulticastInterface::Address(address),
        IpAddr::V6(_) => MulticastInterface::Index(scope),
    })
}

fn place(text: &str) -> Option<(IpAddr, u32)> {
    parse(text, 0).map(|address| match address {
        SocketAddr::V6(six) => ((*six.ip()).into(), six.scope_id()),
        SocketAddr::V4(four) => ((*four.ip()).into(), 0),
    })
}

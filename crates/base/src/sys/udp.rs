//! Sockets of datagrams, `udp(7)`. In: a family, addresses, messages, options. Out: descriptors
//! that never wait, messages with who sent them. What all sockets have stands in [`super::socket`].
//! Absent: names of hosts, waiting.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketFlags, SocketType, sockopt};

use super::syscall_stats::traced;
use super::{Errno, Result};

/// Who else may be where a socket is to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct UdpBindOptions {
    /// Addresses of IPv4 are not taken along.
    pub is_ipv6_only: bool,
    /// Others that say the same may be at the same port; who came last gets what is for one alone.
    pub reuse_address: bool,
    /// The same, and the kernel spreads what comes among them.
    pub reuse_port: bool,
}

/// Where messages for a group come in or go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MulticastGroup {
    pub address: IpAddr,
    /// Of an IPv4 group an address of the interface, of an IPv6 one its number; neither: the system
    /// chooses.
    pub interface: MulticastInterface,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticastInterface {
    Address(Ipv4Addr),
    Index(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    Join,
    Leave,
}

/// Which of the kernel's two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketBuffer {
    Receive,
    Send,
}

/// Whom a setting is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Unicast,
    Multicast,
}

pub fn open(is_six: bool) -> Result<OwnedFd> {
    let domain = if is_six { AddressFamily::INET6 } else { AddressFamily::INET };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    traced(libc::SYS_socket, || rustix::net::socket_with(domain, SocketType::DGRAM, flags, None))
}

pub fn bind(fd: BorrowedFd<'_>, address: &SocketAddr, sharing: UdpBindOptions) -> Result<()> {
    if sharing.reuse_address {
        sockopt::set_socket_reuseaddr(fd, true)?;
    }
    if sharing.reuse_port {
        sockopt::set_socket_reuseport(fd, true)?;
    }
    if sharing.is_ipv6_only {
        sockopt::set_ipv6_v6only(fd, true)?;
    }
    traced(libc::SYS_bind, || rustix::net::bind(fd, address))
}

/// Messages go there and come from there alone, from now on.
pub fn connect(fd: BorrowedFd<'_>, address: &SocketAddr) -> Result<()> {
    traced(libc::SYS_connect, || super::again(|| rustix::net::connect(fd, address)))
}

pub fn disconnect(fd: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_connect, || super::again(|| rustix::net::connect_unspec(fd)))
}

/// One message, whole or not at all; `EAGAIN` where the kernel takes none now. `to`: unless the
/// socket is connected.
pub fn send(fd: BorrowedFd<'_>, message: &[u8], to: Option<&SocketAddr>) -> Result<usize> {
    traced(libc::SYS_sendto, || {
        super::again(|| match to {
            Some(to) => rustix::net::sendto(fd, message, SendFlags::NOSIGNAL, to),
            None => rustix::net::send(fd, message, SendFlags::NOSIGNAL),
        })
    })
}

/// One message: how long it is, and who sent it. What there is no room for is lost. `EAGAIN`: none
/// is there; other errors are of messages that were sent before.
pub fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<(usize, Option<SocketAddr>)> {
    let (count, _, sender) = traced(libc::SYS_recvfrom, || {
        super::again(|| rustix::net::recvfrom(fd, &mut *buffer, RecvFlags::empty()))
    })?;
    Ok((count, sender.and_then(address)))
}

fn address(any: SocketAddrAny) -> Option<SocketAddr> {
    match any.address_family() {
        AddressFamily::INET => SocketAddrV4::try_from(any).ok().map(SocketAddr::V4),
        AddressFamily::INET6 => SocketAddrV6::try_from(any).ok().map(SocketAddr::V6),
        _ => None,
    }
}

/// Messages for all of a network may be sent.
pub fn set_broadcast(fd: BorrowedFd<'_>, is_allowed: bool) -> Result<()> {
    traced(libc::SYS_setsockopt, || sockopt::set_socket_broadcast(fd, is_allowed))
}

/// Over so many routers a message goes at most.
pub fn set_ttl(fd: BorrowedFd<'_>, to: Destination, hops: u8) -> Result<()> {
    let is_six = is_six(fd)?;
    traced(libc::SYS_setsockopt, || match (to, is_six) {
        (Destination::Unicast, false) => sockopt::set_ip_ttl(fd, hops.into()),
        (Destination::Unicast, true) => sockopt::set_ipv6_unicast_hops(fd, Some(hops)),
        (Destination::Multicast, false) => sockopt::set_ip_multicast_ttl(fd, hops.into()),
        (Destination::Multicast, true) => sockopt::set_ipv6_multicast_hops(fd, hops.into()),
    })
}

/// What is sent to a group comes to members on this machine, too.
pub fn set_multicast_loopback(fd: BorrowedFd<'_>, is_wanted: bool) -> Result<()> {
    let is_six = is_six(fd)?;
    traced(libc::SYS_setsockopt, || match is_six {
        true => sockopt::set_ipv6_multicast_loop(fd, is_wanted),
        false => sockopt::set_ip_multicast_loop(fd, is_wanted),
    })
}

/// What is sent to groups goes out there.
pub fn set_multicast_interface(fd: BorrowedFd<'_>, interface: MulticastInterface) -> Result<()> {
    traced(libc::SYS_setsockopt, || match interface {
        MulticastInterface::Address(address) => sockopt::set_ip_multicast_if(fd, &address),
        MulticastInterface::Index(number) => sockopt::set_ipv6_multicast_if(fd, number),
    })
}

/// `EINVAL`: the group's family is not its interface's.
pub fn set_membership(fd: BorrowedFd<'_>, group: MulticastGroup, membership: Membership) -> Result<()> {
    traced(libc::SYS_setsockopt, || match (group.address, group.interface, membership) {
        (IpAddr::V4(address), MulticastInterface::Address(own), Membership::Join) => {
            sockopt::set_ip_add_membership(fd, &address, &own)
        }
        (IpAddr::V4(address), MulticastInterface::Address(own), Membership::Leave) => {
            sockopt::set_ip_drop_membership(fd, &address, &own)
        }
        (IpAddr::V6(address), MulticastInterface::Index(own), Membership::Join) => {
            sockopt::set_ipv6_add_membership(fd, &address, own)
        }
        (IpAddr::V6(address), MulticastInterface::Index(own), Membership::Leave) => {
            sockopt::set_ipv6_drop_membership(fd, &address, own)
        }
        _ => Err(Errno::INVAL),
    })
}

/// The same for what one member sends. `EINVAL`: the families are not all the same.
pub fn set_source_membership(
    fd: BorrowedFd<'_>,
    source: IpAddr,
    group: MulticastGroup,
    membership: Membership,
) -> Result<()> {
    traced(libc::SYS_setsockopt, || match (group.address, group.interface, source) {
        (IpAddr::V4(address), MulticastInterface::Address(own), IpAddr::V4(source)) => match membership {
            Membership::Join => sockopt::set_ip_add_source_membership(fd, &address, &own, &source),
            Membership::Leave => sockopt::set_ip_drop_source_membership(fd, &address, &own, &source),
        },
        (IpAddr::V6(address), MulticastInterface::Index(own), IpAddr::V6(source)) => {
            set_six_source_membership(fd, source, (address, own), membership)
        }
        _ => Err(Errno::INVAL),
    })
}

/// `MCAST_JOIN_SOURCE_GROUP`, `ipv6(7)`, which rustix does not have.
fn set_six_source_membership(
    fd: BorrowedFd<'_>,
    source: Ipv6Addr,
    (group, interface): (Ipv6Addr, u32),
    membership: Membership,
) -> Result<()> {
    let option = match membership {
        Membership::Join => libc::MCAST_JOIN_SOURCE_GROUP,
        Membership::Leave => libc::MCAST_LEAVE_SOURCE_GROUP,
    };
    let asked = libc::group_source_req {
        gsr_interface: interface,
        gsr_group: storage(group),
        gsr_source: storage(source),
    };
    let bytes = size_of::<libc::group_source_req>() as libc::socklen_t;
    // SAFETY: a struct of numbers, as long as said, which the kernel reads during the call.
    let code = unsafe {
        libc::setsockopt(fd.as_raw_fd(), libc::IPPROTO_IPV6, option, (&raw const asked).cast(), bytes)
    };
    match code {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

fn storage(address: Ipv6Addr) -> libc::sockaddr_storage {
    let mut storage = MaybeUninit::<libc::sockaddr_storage>::zeroed();
    let six = libc::sockaddr_in6 {
        sin6_family: libc::AF_INET6 as libc::sa_family_t,
        sin6_port: 0,
        sin6_flowinfo: 0,
        sin6_addr: libc::in6_addr { s6_addr: address.octets() },
        sin6_scope_id: 0,
    };
    // SAFETY: such a place has room for the addresses of every family, and is aligned for them;
    // zeroes are a valid one.
    unsafe {
        storage.as_mut_ptr().cast::<libc::sockaddr_in6>().write(six);
        storage.assume_init()
    }
}

/// Bytes that the kernel has room for, with what it needs itself.
pub fn buffer_bytes(fd: BorrowedFd<'_>, direction: SocketBuffer) -> Result<usize> {
    traced(libc::SYS_getsockopt, || match direction {
        SocketBuffer::Receive => sockopt::socket_recv_buffer_size(fd),
        SocketBuffer::Send => sockopt::socket_send_buffer_size(fd),
    })
}

/// The kernel has room for twice as many, for itself too: `socket(7)`.
pub fn set_buffer_bytes(fd: BorrowedFd<'_>, direction: SocketBuffer, bytes: usize) -> Result<()> {
    traced(libc::SYS_setsockopt, || match direction {
        SocketBuffer::Receive => sockopt::set_socket_recv_buffer_size(fd, bytes),
        SocketBuffer::Send => sockopt::set_socket_send_buffer_size(fd, bytes),
    })
}

/// `None`: there is no such interface.
pub fn interface_name(number: u32) -> Option<String> {
    let asked = open(false).ok()?;
    rustix::net::netdevice::index_to_name(&asked, number).ok()
}

fn is_six(fd: BorrowedFd<'_>) -> Result<bool> {
    sockopt::socket_domain(fd).map(|domain| domain == AddressFamily::INET6)
}

#[cfg(test)]
mod tests;

//! UDP sockets, udp(7). In: a family, socket addresses, datagrams, options. Out: non-blocking file
//! descriptors, datagrams with their sender. What all sockets share is in [`super::socket`].
//! Absent: name resolution, waiting.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketFlags, SocketType, sockopt};

use super::syscall_stats::traced;
use super::{Errno, Result};

/// The kernel takes no more with one call (`UIO_MAXIOV`).
const DATAGRAMS_MAX: usize = 1024;

/// Options of [`bind`].
#[derive(Clone, Copy, Debug, Default)]
pub struct UdpBindOptions {
    /// `IPV6_V6ONLY`.
    pub is_ipv6_only: bool,
    /// `SO_REUSEADDR`: others with this option may bind the same port; the last one gets unicast
    /// datagrams.
    pub reuse_address: bool,
    /// `SO_REUSEPORT`: the same, and the kernel distributes datagrams among the sockets.
    pub reuse_port: bool,
}

/// A multicast group on an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MulticastGroup {
    pub address: IpAddr,
    /// For an IPv4 group an address of the interface, for an IPv6 group its index. Unspecified or
    /// 0: the system chooses.
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

/// One of a socket's two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketBuffer {
    Receive,
    Send,
}

/// Which datagrams an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Unicast,
    Multicast,
}

pub fn open(is_ipv6: bool) -> Result<OwnedFd> {
    let domain = if is_ipv6 { AddressFamily::INET6 } else { AddressFamily::INET };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    traced(libc::SYS_socket, || rustix::net::socket_with(domain, SocketType::DGRAM, flags, None))
}

pub fn bind(fd: BorrowedFd<'_>, address: &SocketAddr, options: UdpBindOptions) -> Result<()> {
    if options.reuse_address {
        sockopt::set_socket_reuseaddr(fd, true)?;
    }
    if options.reuse_port {
        sockopt::set_socket_reuseport(fd, true)?;
    }
    if options.is_ipv6_only {
        sockopt::set_ipv6_v6only(fd, true)?;
    }
    traced(libc::SYS_bind, || rustix::net::bind(fd, address))
}

/// `connect(2)`: restricts the socket to this peer.
pub fn connect(fd: BorrowedFd<'_>, address: &SocketAddr) -> Result<()> {
    traced(libc::SYS_connect, || super::retry_on_eintr(|| rustix::net::connect(fd, address)))
}

pub fn disconnect(fd: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_connect, || super::retry_on_eintr(|| rustix::net::connect_unspec(fd)))
}

/// Sends one datagram. `EAGAIN` if the send buffer is full. `to` is `None` for a connected socket.
pub fn send(fd: BorrowedFd<'_>, message: &[u8], to: Option<&SocketAddr>) -> Result<usize> {
    traced(libc::SYS_sendto, || {
        super::retry_on_eintr(|| match to {
            Some(to) => rustix::net::sendto(fd, message, SendFlags::NOSIGNAL, to),
            None => rustix::net::send(fd, message, SendFlags::NOSIGNAL),
        })
    })
}

/// A datagram, and where it goes; `None`: the peer of a connected socket.
pub type Datagram<'d> = (&'d [u8], Option<SocketAddr>);

/// Sends datagrams in order, many with one call (sendmmsg(2)), until the kernel takes no more.
/// Returns how many were sent. An error is that of the first one: then none was sent.
pub fn send_many(fd: BorrowedFd<'_>, datagrams: &[Datagram<'_>]) -> Result<usize> {
    let mut sent = 0;
    for batch in datagrams.chunks(DATAGRAMS_MAX) {
        match send_batch(fd, batch) {
            Ok(count) => sent += count,
            Err(errno) if sent == 0 => return Err(errno),
            Err(_) => break,
        }
        if sent % DATAGRAMS_MAX != 0 {
            break;
        }
    }
    Ok(sent)
}

/// At least one and at most [`DATAGRAMS_MAX`] datagrams, by one call.
fn send_batch(fd: BorrowedFd<'_>, batch: &[Datagram<'_>]) -> Result<usize> {
    let mut names: Vec<_> = batch.iter().map(|(_, to)| to.as_ref().map(inet_storage)).collect();
    let mut parts: Vec<_> = batch
        .iter()
        .map(|(bytes, _)| libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() })
        .collect();
    let mut headers: Vec<libc::mmsghdr> = names
        .iter_mut()
        .zip(&mut parts)
        .map(|(name, part)| {
            let (address, bytes) = match name {
                Some((storage, bytes)) => (std::ptr::from_mut(storage).cast(), *bytes),
                None => (std::ptr::null_mut(), 0),
            };
            // SAFETY: the struct consists of integers and pointers, for which zeroes are valid.
            let mut header: libc::mmsghdr = unsafe { std::mem::zeroed() };
            header.msg_hdr.msg_name = address;
            header.msg_hdr.msg_namelen = bytes;
            header.msg_hdr.msg_iov = part;
            header.msg_hdr.msg_iovlen = 1;
            header
        })
        .collect();
    traced(libc::SYS_sendmmsg, || {
        super::retry_on_eintr(|| {
            // SAFETY: as many headers as are said; addresses and parts live until the call returns,
            // and the kernel only reads them.
            let count = unsafe {
                libc::sendmmsg(
                    fd.as_raw_fd(),
                    headers.as_mut_ptr(),
                    headers.len() as libc::c_uint,
                    libc::MSG_NOSIGNAL,
                )
            };
            usize::try_from(count)
                .map_err(|_| Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO))
        })
    })
}

/// An address as the kernel reads it, and its size.
fn inet_storage(address: &SocketAddr) -> (libc::sockaddr_storage, libc::socklen_t) {
    let mut storage = MaybeUninit::<libc::sockaddr_storage>::zeroed();
    let bytes = match address {
        SocketAddr::V4(v4) => {
            let inet = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: v4.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(v4.ip().octets()) },
                sin_zero: [0; 8],
            };
            // SAFETY: the storage has room and alignment for addresses of every family.
            unsafe { storage.as_mut_ptr().cast::<libc::sockaddr_in>().write(inet) };
            size_of::<libc::sockaddr_in>()
        }
        SocketAddr::V6(v6) => {
            let inet6 = libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: v6.port().to_be(),
                sin6_flowinfo: v6.flowinfo(),
                sin6_addr: libc::in6_addr { s6_addr: v6.ip().octets() },
                sin6_scope_id: v6.scope_id(),
            };
            // SAFETY: the storage has room and alignment for addresses of every family.
            unsafe { storage.as_mut_ptr().cast::<libc::sockaddr_in6>().write(inet6) };
            size_of::<libc::sockaddr_in6>()
        }
    };
    // SAFETY: it was zeroed, which is valid, and then written.
    (unsafe { storage.assume_init() }, bytes as libc::socklen_t)
}

/// Receives one datagram: its length and sender. Excess bytes are discarded. `EAGAIN` if there is
/// none; other errors may belong to a datagram sent before.
pub fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<(usize, Option<SocketAddr>)> {
    let (count, _, sender) = traced(libc::SYS_recvfrom, || {
        super::retry_on_eintr(|| rustix::net::recvfrom(fd, &mut *buffer, RecvFlags::empty()))
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

/// `SO_BROADCAST`.
pub fn set_broadcast(fd: BorrowedFd<'_>, is_allowed: bool) -> Result<()> {
    traced(libc::SYS_setsockopt, || sockopt::set_socket_broadcast(fd, is_allowed))
}

/// `IP_TTL`, `IP_MULTICAST_TTL` and their IPv6 counterparts.
pub fn set_ttl(fd: BorrowedFd<'_>, to: Destination, hops: u8) -> Result<()> {
    let is_ipv6 = is_ipv6(fd)?;
    traced(libc::SYS_setsockopt, || match (to, is_ipv6) {
        (Destination::Unicast, false) => sockopt::set_ip_ttl(fd, hops.into()),
        (Destination::Unicast, true) => sockopt::set_ipv6_unicast_hops(fd, Some(hops)),
        (Destination::Multicast, false) => sockopt::set_ip_multicast_ttl(fd, hops.into()),
        (Destination::Multicast, true) => sockopt::set_ipv6_multicast_hops(fd, hops.into()),
    })
}

/// `IP_MULTICAST_LOOP`: whether sent multicast datagrams are also delivered on this host.
pub fn set_multicast_loopback(fd: BorrowedFd<'_>, is_enabled: bool) -> Result<()> {
    let is_ipv6 = is_ipv6(fd)?;
    traced(libc::SYS_setsockopt, || match is_ipv6 {
        true => sockopt::set_ipv6_multicast_loop(fd, is_enabled),
        false => sockopt::set_ip_multicast_loop(fd, is_enabled),
    })
}

/// `IP_MULTICAST_IF`: the interface for outgoing multicast datagrams.
pub fn set_multicast_interface(fd: BorrowedFd<'_>, interface: MulticastInterface) -> Result<()> {
    traced(libc::SYS_setsockopt, || match interface {
        MulticastInterface::Address(address) => sockopt::set_ip_multicast_if(fd, &address),
        MulticastInterface::Index(number) => sockopt::set_ipv6_multicast_if(fd, number),
    })
}

/// Joins or leaves a group. `EINVAL` if the families of group and interface differ.
pub fn set_membership(fd: BorrowedFd<'_>, group: MulticastGroup, membership: Membership) -> Result<()> {
    traced(libc::SYS_setsockopt, || match (group.address, group.interface, membership) {
        (IpAddr::V4(address), MulticastInterface::Address(local), Membership::Join) => {
            sockopt::set_ip_add_membership(fd, &address, &local)
        }
        (IpAddr::V4(address), MulticastInterface::Address(local), Membership::Leave) => {
            sockopt::set_ip_drop_membership(fd, &address, &local)
        }
        (IpAddr::V6(address), MulticastInterface::Index(local), Membership::Join) => {
            sockopt::set_ipv6_add_membership(fd, &address, local)
        }
        (IpAddr::V6(address), MulticastInterface::Index(local), Membership::Leave) => {
            sockopt::set_ipv6_drop_membership(fd, &address, local)
        }
        _ => Err(Errno::INVAL),
    })
}

/// Joins or leaves a group for one source (source-specific multicast). `EINVAL` if the families
/// differ.
pub fn set_source_membership(
    fd: BorrowedFd<'_>,
    source: IpAddr,
    group: MulticastGroup,
    membership: Membership,
) -> Result<()> {
    traced(libc::SYS_setsockopt, || match (group.address, group.interface, source) {
        (IpAddr::V4(address), MulticastInterface::Address(local), IpAddr::V4(source)) => match membership {
            Membership::Join => sockopt::set_ip_add_source_membership(fd, &address, &local, &source),
            Membership::Leave => sockopt::set_ip_drop_source_membership(fd, &address, &local, &source),
        },
        (IpAddr::V6(address), MulticastInterface::Index(local), IpAddr::V6(source)) => {
            set_ipv6_source_membership(fd, source, (address, local), membership)
        }
        _ => Err(Errno::INVAL),
    })
}

/// `MCAST_JOIN_SOURCE_GROUP`, ipv6(7), which rustix lacks.
fn set_ipv6_source_membership(
    fd: BorrowedFd<'_>,
    source: Ipv6Addr,
    (group, interface): (Ipv6Addr, u32),
    membership: Membership,
) -> Result<()> {
    let option = match membership {
        Membership::Join => libc::MCAST_JOIN_SOURCE_GROUP,
        Membership::Leave => libc::MCAST_LEAVE_SOURCE_GROUP,
    };
    let request = libc::group_source_req {
        gsr_interface: interface,
        gsr_group: storage(group),
        gsr_source: storage(source),
    };
    let bytes = size_of::<libc::group_source_req>() as libc::socklen_t;
    // SAFETY: a struct of integers of the given size, which the kernel reads during the call.
    let code = unsafe {
        libc::setsockopt(fd.as_raw_fd(), libc::IPPROTO_IPV6, option, (&raw const request).cast(), bytes)
    };
    match code {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
    }
}

fn storage(address: Ipv6Addr) -> libc::sockaddr_storage {
    inet_storage(&SocketAddr::new(address.into(), 0)).0
}

/// The size of a socket buffer, including the kernel's overhead.
pub fn buffer_bytes(fd: BorrowedFd<'_>, buffer: SocketBuffer) -> Result<usize> {
    traced(libc::SYS_getsockopt, || match buffer {
        SocketBuffer::Receive => sockopt::socket_recv_buffer_size(fd),
        SocketBuffer::Send => sockopt::socket_send_buffer_size(fd),
    })
}

/// Sets the size of a socket buffer. The kernel doubles it for its overhead: socket(7).
pub fn set_buffer_bytes(fd: BorrowedFd<'_>, buffer: SocketBuffer, bytes: usize) -> Result<()> {
    traced(libc::SYS_setsockopt, || match buffer {
        SocketBuffer::Receive => sockopt::set_socket_recv_buffer_size(fd, bytes),
        SocketBuffer::Send => sockopt::set_socket_send_buffer_size(fd, bytes),
    })
}

/// `None` if there is no such interface.
pub fn interface_name(index: u32) -> Option<String> {
    let socket = open(false).ok()?;
    rustix::net::netdevice::index_to_name(&socket, index).ok()
}

fn is_ipv6(fd: BorrowedFd<'_>) -> Result<bool> {
    sockopt::socket_domain(fd).map(|domain| domain == AddressFamily::INET6)
}

#[cfg(test)]
mod tests;

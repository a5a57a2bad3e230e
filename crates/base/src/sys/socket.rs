//! Stream sockets, TCP and Unix: socket(7), tcp(7), unix(7). In: a family, socket addresses,
//! options. Out: non-blocking file descriptors, local and peer addresses. Bytes may also be read
//! and written as on any file descriptor. Absent: name resolution, waiting, datagrams (`udp`).

use std::ffi::OsStr;
use std::net::{self, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddrV4, SocketAddrV6};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, netdevice,
    sockopt,
};

use super::syscall_stats::traced;
use super::{Errno, Result};

/// Time between two keep-alive probes (`TCP_KEEPINTVL`), as libuv sets it.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(1);
/// Unanswered probes after which the connection is dropped (`TCP_KEEPCNT`).
const KEEP_ALIVE_COUNT: u32 = 10;

/// The address family of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Inet,
    Inet6,
    Unix,
}

/// A socket address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketAddr {
    Inet(net::SocketAddr),
    /// A path; an abstract name if the first byte is zero; empty for an unnamed socket.
    Unix(Vec<u8>),
}

/// Options of [`bind`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BindOptions {
    /// `IPV6_V6ONLY`: refuse IPv4 connections on an IPv6 socket.
    pub is_ipv6_only: bool,
    /// `SO_REUSEPORT`: several sockets share the port, and the kernel distributes connections.
    pub reuse_port: bool,
}

impl SocketAddr {
    /// Parses an IP address, with an optional `%scope`. Returns `None` if it is not an IP address.
    pub fn parse_ip(address: &str, port: u16) -> Option<SocketAddr> {
        let (address, scope) = address.split_once('%').map_or((address, None), |(a, scope)| (a, Some(scope)));
        let address = match address.parse().ok()? {
            IpAddr::V4(address) => net::SocketAddr::V4(SocketAddrV4::new(address, port)),
            IpAddr::V6(address) => {
                let scope =
                    scope.map_or(Some(0), |scope| scope.parse().ok().or_else(|| interface_index(scope)))?;
                net::SocketAddr::V6(SocketAddrV6::new(address, port, 0, scope))
            }
        };
        Some(SocketAddr::Inet(address))
    }
}

fn interface_index(name: &str) -> Option<u32> {
    let socket = open(Family::Inet).ok()?;
    netdevice::name_to_index(&socket, name).ok()
}

/// Whether the socket is a stream socket (`SOCK_STREAM`).
pub fn is_stream(fd: BorrowedFd<'_>) -> bool {
    sockopt::socket_type(fd) == Ok(SocketType::STREAM)
}

/// `socket(2)`: a non-blocking stream socket, close-on-exec.
pub fn open(family: Family) -> Result<OwnedFd> {
    let domain = match family {
        Family::Inet => AddressFamily::INET,
        Family::Inet6 => AddressFamily::INET6,
        Family::Unix => AddressFamily::UNIX,
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    traced(libc::SYS_socket, || rustix::net::socket_with(domain, SocketType::STREAM, flags, None))
}

/// `bind(2)` with `SO_REUSEADDR`: connections in TIME_WAIT do not keep the address busy.
pub fn bind(fd: BorrowedFd<'_>, address: &SocketAddr, options: BindOptions) -> Result<()> {
    if let SocketAddr::Inet(address) = address {
        sockopt::set_socket_reuseaddr(fd, true)?;
        if options.reuse_port {
            sockopt::set_socket_reuseport(fd, true)?;
        }
        if address.is_ipv6() {
            sockopt::set_ipv6_v6only(fd, options.is_ipv6_only)?;
        }
    }
    traced(libc::SYS_bind, || match address {
        SocketAddr::Inet(address) => rustix::net::bind(fd, address),
        SocketAddr::Unix(path) => rustix::net::bind(fd, &unix_address(path)?),
    })
}

pub fn listen(fd: BorrowedFd<'_>, backlog: i32) -> Result<()> {
    traced(libc::SYS_listen, || rustix::net::listen(fd, backlog))
}

/// `accept4(2)`: the oldest pending connection; `EAGAIN` if there is none.
pub fn accept(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    traced(libc::SYS_accept4, || super::retry_on_eintr(|| rustix::net::accept_with(fd, flags)))
}

/// Begins `connect(2)`. The socket becomes writable when the attempt has ended; [`take_error`] then
/// returns its result.
pub fn connect(fd: BorrowedFd<'_>, address: &SocketAddr) -> Result<()> {
    let outcome = traced(libc::SYS_connect, || match address {
        SocketAddr::Inet(address) => rustix::net::connect(fd, address),
        SocketAddr::Unix(path) => rustix::net::connect(fd, &unix_address(path)?),
    });
    match outcome {
        // An interrupted attempt continues in the background: connect(2).
        Err(Errno::INPROGRESS | Errno::INTR) => Ok(()),
        outcome => outcome,
    }
}

/// `recv(2)`, repeated after a signal. A pair of `send` and `recv` takes 80 ns less than `write`
/// and `read`, which go through the layer of files.
pub fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let mut receive = || rustix::net::recv(fd, &mut *buffer, RecvFlags::empty());
    super::retry_on_eintr(|| traced(libc::SYS_recvfrom, &mut receive)).map(|(count, _)| count)
}

/// `send(2)` of what can be written without waiting; 0 if nothing can.
pub fn try_send(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    let send = || traced(libc::SYS_sendto, || rustix::net::send(fd, bytes, SendFlags::NOSIGNAL));
    match super::retry_on_eintr(send) {
        Err(Errno::AGAIN) => Ok(0),
        outcome => outcome,
    }
}

/// `SO_ERROR`: the pending error, which is cleared by reading it.
pub fn take_error(fd: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_getsockopt, || sockopt::socket_error(fd))?
}

/// `getsockname(2)`.
pub fn local_addr(fd: BorrowedFd<'_>) -> Result<SocketAddr> {
    traced(libc::SYS_getsockname, || rustix::net::getsockname(fd)).and_then(convert)
}

/// `getpeername(2)`.
pub fn peer_addr(fd: BorrowedFd<'_>) -> Result<SocketAddr> {
    let peer = traced(libc::SYS_getpeername, || rustix::net::getpeername(fd))?;
    peer.map_or(Ok(SocketAddr::Unix(Vec::new())), convert)
}

/// `TCP_NODELAY`: send small writes at once.
pub fn set_no_delay(fd: BorrowedFd<'_>, is_enabled: bool) -> Result<()> {
    traced(libc::SYS_setsockopt, || sockopt::set_tcp_nodelay(fd, is_enabled))
}

/// `SO_KEEPALIVE`: probes begin after this idle time; `None` disables them, zero keeps the
/// system's times.
pub fn set_keep_alive(fd: BorrowedFd<'_>, after: Option<Duration>) -> Result<()> {
    sockopt::set_socket_keepalive(fd, after.is_some())?;
    let Some(after) = after.filter(|after| !after.is_zero()) else { return Ok(()) };
    sockopt::set_tcp_keepidle(fd, after)?;
    sockopt::set_tcp_keepintvl(fd, KEEP_ALIVE_INTERVAL)?;
    sockopt::set_tcp_keepcnt(fd, KEEP_ALIVE_COUNT)
}

/// The traffic class of outgoing packets: `IP_TOS`, `IPV6_TCLASS` (RFC 2474).
pub fn set_traffic_class(fd: BorrowedFd<'_>, class: u8) -> Result<()> {
    match sockopt::socket_domain(fd)? {
        AddressFamily::INET6 => sockopt::set_ipv6_tclass(fd, class.into()),
        _ => sockopt::set_ip_tos(fd, class),
    }
}

pub fn traffic_class(fd: BorrowedFd<'_>) -> Result<u8> {
    match sockopt::socket_domain(fd)? {
        AddressFamily::INET6 => sockopt::ipv6_tclass(fd).map(|class| class as u8),
        _ => sockopt::ip_tos(fd),
    }
}

/// `SO_LINGER` of zero: closing the socket sends a reset (RST), as `uv_tcp_close_reset` does.
pub fn reset_on_close(fd: BorrowedFd<'_>) -> Result<()> {
    sockopt::set_socket_linger(fd, Some(Duration::ZERO))
}

fn unix_address(path: &[u8]) -> Result<SocketAddrUnix> {
    match path {
        [0, name @ ..] => SocketAddrUnix::new_abstract_name(name),
        path => SocketAddrUnix::new(OsStr::from_bytes(path)),
    }
}

fn convert(address: SocketAddrAny) -> Result<SocketAddr> {
    Ok(match address.address_family() {
        AddressFamily::INET => SocketAddr::Inet(SocketAddrV4::try_from(address)?.into()),
        AddressFamily::INET6 => SocketAddr::Inet(SocketAddrV6::try_from(address)?.into()),
        _ => {
            let address = SocketAddrUnix::try_from(address)?;
            let name = address.abstract_name().filter(|name| !name.is_empty());
            let name = name.map(|name| [&[0], name].concat());
            SocketAddr::Unix(name.or_else(|| address.path_bytes().map(<[u8]>::to_vec)).unwrap_or_default())
        }
    })
}

/// The unspecified address of a family, `INADDR_ANY` or `in6addr_any`; `None` for Unix sockets.
pub fn unspecified(family: Family, port: u16) -> Option<SocketAddr> {
    let address = match family {
        Family::Inet => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        Family::Inet6 => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        Family::Unix => return None,
    };
    Some(SocketAddr::Inet(net::SocketAddr::new(address, port)))
}

#[cfg(test)]
mod tests;

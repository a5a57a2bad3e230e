//! Sockets of the internet's protocols and of the machine itself. In: a family, places to be at or
//! to go to, options. Out: descriptors that never wait, where they are, where their other ends are.
//! What comes and goes is read and written like any descriptor's bytes. Absent: names of hosts,
//! waiting, datagrams.

use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use rustix::net::{
    AddressFamily, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, netdevice, sockopt,
};

use super::record::seen;
use super::{Errno, Result};

/// Between two questions whether a silent connection still stands, as libuv has it.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(1);
/// Questions without an answer after which it does not.
const KEEP_ALIVE_COUNT: u32 = 10;

/// Whose addresses a socket has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Four,
    Six,
    /// Of the machine itself: paths.
    Local,
}

/// Where a socket is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Internet(SocketAddr),
    /// A path; behind a zero a name that no folder has; nothing where it has none.
    Local(Vec<u8>),
}

/// Who else may be where a socket is to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sharing {
    /// Addresses of IPv4 are not taken along.
    pub is_six_only: bool,
    /// Others that say the same may be at the same port; the kernel chooses among them.
    pub is_port_shared: bool,
}

impl Place {
    /// `address` may name the interface it holds for, behind a `%`. `None`: it is no address.
    pub fn internet(address: &str, port: u16) -> Option<Place> {
        let (address, scope) = address.split_once('%').map_or((address, None), |(a, scope)| (a, Some(scope)));
        let address = match address.parse().ok()? {
            IpAddr::V4(address) => SocketAddr::V4(SocketAddrV4::new(address, port)),
            IpAddr::V6(address) => {
                let scope = scope.map_or(Some(0), |scope| scope.parse().ok().or_else(|| interface(scope)))?;
                SocketAddr::V6(SocketAddrV6::new(address, port, 0, scope))
            }
        };
        Some(Place::Internet(address))
    }
}

fn interface(name: &str) -> Option<u32> {
    let asked = open(Family::Four).ok()?;
    netdevice::name_to_index(&asked, name).ok()
}

/// Whether what it is for is a stream.
pub fn is_stream(fd: BorrowedFd<'_>) -> bool {
    sockopt::socket_type(fd) == Ok(SocketType::STREAM)
}

/// A socket for a stream.
pub fn open(family: Family) -> Result<OwnedFd> {
    let domain = match family {
        Family::Four => AddressFamily::INET,
        Family::Six => AddressFamily::INET6,
        Family::Local => AddressFamily::UNIX,
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    seen(libc::SYS_socket, || rustix::net::socket_with(domain, SocketType::STREAM, flags, None))
}

/// A place that a socket of ours left a moment ago is free.
pub fn bind(fd: BorrowedFd<'_>, place: &Place, sharing: Sharing) -> Result<()> {
    if let Place::Internet(address) = place {
        sockopt::set_socket_reuseaddr(fd, true)?;
        if sharing.is_port_shared {
            sockopt::set_socket_reuseport(fd, true)?;
        }
        if address.is_ipv6() {
            sockopt::set_ipv6_v6only(fd, sharing.is_six_only)?;
        }
    }
    seen(libc::SYS_bind, || match place {
        Place::Internet(address) => rustix::net::bind(fd, address),
        Place::Local(path) => rustix::net::bind(fd, &local(path)?),
    })
}

pub fn listen(fd: BorrowedFd<'_>, backlog: i32) -> Result<()> {
    seen(libc::SYS_listen, || rustix::net::listen(fd, backlog))
}

/// Whoever has waited longest; `EAGAIN` where nobody does.
pub fn accept(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    seen(libc::SYS_accept4, || super::again(|| rustix::net::accept_with(fd, flags)))
}

/// Begins to connect; that it has ended makes the socket writable, and [`error`] tells how.
pub fn connect(fd: BorrowedFd<'_>, place: &Place) -> Result<()> {
    let answer = seen(libc::SYS_connect, || match place {
        Place::Internet(address) => rustix::net::connect(fd, address),
        Place::Local(path) => rustix::net::connect(fd, &local(path)?),
    });
    match answer {
        // What was begun goes on after a signal.
        Err(Errno::INPROGRESS | Errno::INTR) => Ok(()),
        answer => answer,
    }
}

/// Why it could not connect, asked once.
pub fn error(fd: BorrowedFd<'_>) -> Result<()> {
    seen(libc::SYS_getsockopt, || sockopt::socket_error(fd))?
}

/// Where it is.
pub fn own_place(fd: BorrowedFd<'_>) -> Result<Place> {
    seen(libc::SYS_getsockname, || rustix::net::getsockname(fd)).and_then(seen_place)
}

/// Where its other end is.
pub fn peer_place(fd: BorrowedFd<'_>) -> Result<Place> {
    let peer = seen(libc::SYS_getpeername, || rustix::net::getpeername(fd))?;
    peer.map_or(Ok(Place::Local(Vec::new())), seen_place)
}

/// What is written goes out at once, however little it is.
pub fn set_no_delay(fd: BorrowedFd<'_>, is_wanted: bool) -> Result<()> {
    seen(libc::SYS_setsockopt, || sockopt::set_tcp_nodelay(fd, is_wanted))
}

/// A connection that was silent for so long is asked whether it still stands; `None`: never.
pub fn set_keep_alive(fd: BorrowedFd<'_>, after: Option<Duration>) -> Result<()> {
    sockopt::set_socket_keepalive(fd, after.is_some())?;
    let Some(after) = after.filter(|after| !after.is_zero()) else { return Ok(()) };
    sockopt::set_tcp_keepidle(fd, after)?;
    sockopt::set_tcp_keepintvl(fd, KEEP_ALIVE_INTERVAL)?;
    sockopt::set_tcp_keepcnt(fd, KEEP_ALIVE_COUNT)
}

/// How routers are to treat what it sends: the octet of that name (RFC 2474).
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

/// Closed, the other end hears that it was broken off.
pub fn break_off_at_close(fd: BorrowedFd<'_>) -> Result<()> {
    sockopt::set_socket_linger(fd, Some(Duration::ZERO))
}

fn local(path: &[u8]) -> Result<SocketAddrUnix> {
    match path {
        [0, name @ ..] => SocketAddrUnix::new_abstract_name(name),
        path => SocketAddrUnix::new(OsStr::from_bytes(path)),
    }
}

fn seen_place(address: SocketAddrAny) -> Result<Place> {
    Ok(match address.address_family() {
        AddressFamily::INET => Place::Internet(SocketAddrV4::try_from(address)?.into()),
        AddressFamily::INET6 => Place::Internet(SocketAddrV6::try_from(address)?.into()),
        _ => {
            let address = SocketAddrUnix::try_from(address)?;
            let name = address.abstract_name().filter(|name| !name.is_empty());
            let name = name.map(|name| [&[0], name].concat());
            Place::Local(name.or_else(|| address.path_bytes().map(<[u8]>::to_vec)).unwrap_or_default())
        }
    })
}

/// Where a socket of a family that is told no address is: everywhere.
pub fn everywhere(family: Family, port: u16) -> Option<Place> {
    let address = match family {
        Family::Four => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        Family::Six => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        Family::Local => return None,
    };
    Some(Place::Internet(SocketAddr::new(address, port)))
}

#[cfg(test)]
mod tests;

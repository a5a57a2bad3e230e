//! Listening sockets. In: a host and a port, or a path. Out: a listening socket, or the errno and
//! the call. Absent: accepting.

use std::net::{IpAddr, Ipv6Addr, SocketAddr as InetAddr, ToSocketAddrs};
use std::os::fd::{AsFd, OwnedFd};

use rusk_base::sys::socket::{self, BindOptions, Family, SocketAddr};
use rusk_base::sys::{self, Errno};

/// Connections that wait to be accepted, as in bun and Node.
const BACKLOG: i32 = 511;

#[derive(Clone, Debug)]
pub enum ListenOptions {
    /// `host`: a name or an address; `None`: all addresses, of IPv6 too where there is IPv6.
    Inet { host: Option<String>, port: u16, reuse_port: bool, is_ipv6_only: bool },
    /// A path, or an abstract name after a zero byte.
    Unix(Vec<u8>),
}

/// Why there is no listening socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenError {
    pub errno: Errno,
    /// The call that was refused.
    pub call: &'static str,
}

pub fn listen(options: &ListenOptions) -> Result<OwnedFd, ListenError> {
    match options {
        ListenOptions::Unix(path) => {
            listen_on(Family::Unix, &SocketAddr::Unix(path.clone()), BindOptions::default())
        }
        ListenOptions::Inet { host, port, reuse_port, is_ipv6_only } => {
            let bind = BindOptions { is_ipv6_only: *is_ipv6_only, reuse_port: *reuse_port };
            match host {
                None => {
                    let all = InetAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), *port);
                    let fallback = || InetAddr::new(IpAddr::from([0, 0, 0, 0]), *port);
                    listen_inet(all, bind).or_else(|error| match error.errno {
                        Errno::AFNOSUPPORT | Errno::ADDRNOTAVAIL => listen_inet(fallback(), bind),
                        _ => Err(error),
                    })
                }
                Some(host) => listen_inet(resolve(host, *port)?, bind),
            }
        }
    }
}

fn resolve(host: &str, port: u16) -> Result<InetAddr, ListenError> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    if let Some(SocketAddr::Inet(address)) = SocketAddr::parse_ip(bare, port) {
        return Ok(address);
    }
    let unknown = ListenError { errno: Errno::ADDRNOTAVAIL, call: "getaddrinfo" };
    let mut found = (bare, port).to_socket_addrs().map_err(|_| unknown)?;
    found.next().ok_or(unknown)
}

fn listen_inet(address: InetAddr, options: BindOptions) -> Result<OwnedFd, ListenError> {
    let family = if address.is_ipv4() { Family::Inet } else { Family::Inet6 };
    let listener = listen_on(family, &SocketAddr::Inet(address), options)?;
    // Accepted sockets inherit it: tcp(7). A response is one write, so nothing is gained by
    // waiting.
    let _ = socket::set_no_delay(listener.as_fd(), true);
    Ok(listener)
}

fn listen_on(family: Family, address: &SocketAddr, options: BindOptions) -> Result<OwnedFd, ListenError> {
    let at = |call| move |errno| ListenError { errno, call };
    let listener = socket::open(family).map_err(at("socket"))?;
    match socket::bind(listener.as_fd(), address, options) {
        Err(Errno::ADDRINUSE) if remove_stale_socket(address) => {
            socket::bind(listener.as_fd(), address, options).map_err(at("bind"))?;
        }
        outcome => outcome.map_err(at("bind"))?,
    }
    socket::listen(listener.as_fd(), BACKLOG).map_err(at("listen"))?;
    Ok(listener)
}

/// Removes the file of a Unix socket that no process listens on any more.
fn remove_stale_socket(address: &SocketAddr) -> bool {
    let SocketAddr::Unix(path) = address else { return false };
    if path.is_empty() || path[0] == 0 {
        return false;
    }
    let Ok(probe) = socket::open(Family::Unix) else { return false };
    let is_stale = socket::connect(probe.as_fd(), address) == Err(Errno::CONNREFUSED);
    is_stale && sys::unlinkat(sys::CWD, path.as_slice()).is_ok()
}

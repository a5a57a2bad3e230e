//! Supervisor of a jailed program's connections. In: the hosts that it may connect to. Out: each
//! `connect(2)` is made on the program's behalf, or refused; which hosts were refused, or have no
//! address. Absent: the filter that lets these calls wait; other protocols than TCP, which the
//! filter denies.
//!
//! The arguments of a call are in the program's memory, which it can change. The supervisor reads
//! an address once, and itself connects the same open file to it: nothing is checked that is not
//! used. A connection to a name server ends at [`names`], which knows the granted names only, so
//! that no query leaves the machine for another name; addresses that were answered are allowed.

mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, UdpSocket};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rusk_base::Result;
use rusk_base::sys::seccomp_listener::{self, WaitingCall};
use rusk_base::sys::{Errno, fd, name_resolution};

use crate::host_pattern::{HostPattern, is_host_name};
use crate::problem;

/// Addresses of a name.
pub type Resolve = fn(&str) -> Vec<IpAddr>;

/// Refused hosts that are kept.
const REFUSED_MAX: usize = 32;
const NAME_SERVER_PORT: u16 = 53;
/// The longest address of an internet socket, `struct sockaddr_in6`.
const ADDRESS_BYTES: usize = 28;
const INET_BYTES: usize = 16;

/// Hosts that a program may connect to, and how their names are resolved.
#[derive(Clone, Debug)]
pub struct HostGrants {
    pub hosts: Vec<HostPattern>,
    pub resolve: Resolve,
}

/// Decides on the connections of one jail's programs.
pub struct Supervisor {
    grants: HostGrants,
    state: Mutex<SupervisorState>,
}

#[derive(Default)]
struct SupervisorState {
    /// Addresses of granted names, with their ports; no port: all.
    allowed: BTreeMap<IpAddr, BTreeSet<Option<u16>>>,
    refused: Vec<String>,
    /// Granted names that the program asked for in vain.
    unresolved: Vec<String>,
    /// Whether the granted names were resolved, and not only those that the program asked for.
    has_resolved: bool,
}

impl Supervisor {
    pub fn new(grants: &HostGrants) -> Supervisor {
        Supervisor { grants: grants.clone(), state: Mutex::default() }
    }

    /// Watches one program from its start to the end of its last descendant, on a thread. The
    /// result is the socket to which the program's listener is sent.
    pub fn watch(self: &Arc<Self>) -> Result<OwnedFd> {
        let (ours, theirs) = fd::socket_pair().map_err(|errno| problem::no_descriptor(errno.into()))?;
        let supervisor = Arc::clone(self);
        let run = move || {
            if let Ok(Some(listener)) = seccomp_listener::receive_listener(ours.as_fd()) {
                supervisor.run(&Arc::new(listener));
            }
        };
        let thread = thread::Builder::new().name("supervisor".to_owned()).spawn(run);
        thread.map(|_| theirs).map_err(problem::no_descriptor)
    }

    /// Hosts that were refused, in the order of their first refusal.
    pub fn refused(&self) -> Vec<String> {
        self.state().refused.clone()
    }

    /// Granted names that a program asked for, and that have no address which it may connect to.
    pub fn unresolved(&self) -> Vec<String> {
        self.state().unresolved.clone()
    }

    /// When this returns, the kernel refuses further connections.
    fn run(self: &Arc<Self>, listener: &Arc<OwnedFd>) {
        while let Ok(true) = seccomp_listener::wait(listener.as_fd()) {
            match seccomp_listener::receive(listener.as_fd()) {
                Ok(call) => self.on_connect(listener, call),
                Err(Errno::NOENT | Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    fn on_connect(self: &Arc<Self>, listener: &Arc<OwnedFd>, call: WaitingCall) {
        let outcome = match self.target(listener, &call) {
            Err(errno) => Err(errno),
            Ok((socket, ConnectTarget::NameServer(server))) => names::connect(self, &socket, server),
            Ok((socket, ConnectTarget::Address(address))) if seccomp_listener::blocks(socket.as_fd()) => {
                let listener = Arc::clone(listener);
                // It may take minutes; other threads of the program go on.
                let connect = move || {
                    let outcome = seccomp_listener::connect(socket.as_fd(), address);
                    let _ = seccomp_listener::answer(listener.as_fd(), &call, outcome);
                };
                match thread::Builder::new().name("connect".to_owned()).spawn(connect) {
                    Ok(_) => return,
                    Err(_) => Err(Errno::AGAIN),
                }
            }
            Ok((socket, ConnectTarget::Address(address))) => {
                seccomp_listener::connect(socket.as_fd(), address)
            }
        };
        let _ = seccomp_listener::answer(listener.as_fd(), &call, outcome);
    }

    /// The program's socket, and where it may be connected to.
    fn target(
        &self,
        listener: &OwnedFd,
        call: &WaitingCall,
    ) -> std::result::Result<(OwnedFd, ConnectTarget), Errno> {
        let [descriptor, at, length, ..] = call.arguments;
        let mut bytes = [0; ADDRESS_BYTES];
        let length = (length as u32 as usize).min(ADDRESS_BYTES);
        let read = seccomp_listener::read_memory(call, at, &mut bytes[..length]);
        let address = socket_address(&bytes[..read]).ok_or(Errno::ACCESS)?;
        let socket = seccomp_listener::duplicate_descriptor(call, descriptor as i32)?;
        // The thread may have been killed, and its number given to another process.
        if !seccomp_listener::is_waiting(listener.as_fd(), call) {
            return Err(Errno::NOENT);
        }
        let ip = address.ip().to_canonical();
        if self.allows(ip, address.port()) {
            return Ok((socket, ConnectTarget::Address(address)));
        }
        if address.port() == NAME_SERVER_PORT {
            return Ok((socket, ConnectTarget::NameServer(address)));
        }
        self.refuse(&SocketAddr::new(ip, address.port()).to_string());
        Err(Errno::ACCESS)
    }

    fn allows(&self, ip: IpAddr, port: u16) -> bool {
        let is_granted = |host: &HostPattern| {
            host.address() == Some(ip) && host.port().is_none_or(|granted| granted == port)
        };
        let has_answered = || {
            let state = self.state();
            state.allowed.get(&ip).is_some_and(|ports| ports.contains(&None) || ports.contains(&Some(port)))
        };
        if self.grants.hosts.iter().any(is_granted) || has_answered() {
            return true;
        }
        // A name may be resolved without a name server, by a file.
        if !std::mem::replace(&mut self.state().has_resolved, true) {
            let names: Vec<&str> = self.grants.hosts.iter().filter_map(HostPattern::name).collect();
            names.into_iter().for_each(|name| _ = self.resolve(name));
        }
        has_answered()
    }

    /// The addresses of a granted name, which are allowed from now on. `None`: it is not granted.
    fn resolve(&self, name: &str) -> Option<Vec<IpAddr>> {
        let name = name.to_ascii_lowercase();
        let granting = self.grants.hosts.iter().filter(|host| is_host_name(&name) && host.includes(&name));
        let ports: Vec<Option<u16>> = granting.map(HostPattern::port).collect();
        if ports.is_empty() {
            self.refuse(&name);
            return None;
        }
        let addresses = (self.grants.resolve)(&name);
        let mut state = self.state();
        for address in &addresses {
            state.allowed.entry(address.to_canonical()).or_default().extend(&ports);
        }
        Some(addresses)
    }

    /// The answer to a program that asks for a name.
    fn answer(&self, name: &str) -> Option<Vec<IpAddr>> {
        let addresses = self.resolve(name);
        if addresses.as_ref().is_some_and(Vec::is_empty) {
            let unresolved = &mut self.state().unresolved;
            let name = name.to_ascii_lowercase();
            if unresolved.len() < REFUSED_MAX && !unresolved.contains(&name) {
                unresolved.push(name);
            }
        }
        addresses
    }

    /// Reverse lookups are not reported, nor names to which a resolver added a search domain.
    fn refuse(&self, host: &str) {
        let mut state = self.state();
        let is_known = |known: &String| {
            host.strip_prefix(known.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if state.refused.len() < REFUSED_MAX
            && !host.ends_with(".arpa")
            && !state.refused.iter().any(is_known)
        {
            state.refused.push(host.to_owned());
        }
    }

    fn state(&self) -> MutexGuard<'_, SupervisorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a socket is connected to.
enum ConnectTarget {
    Address(SocketAddr),
    /// A name server of the machine's, for which we stand.
    NameServer(SocketAddr),
}

/// `struct sockaddr_in` or `struct sockaddr_in6`: ip(7), ipv6(7).
fn socket_address(bytes: &[u8]) -> Option<SocketAddr> {
    let family = i32::from(u16::from_ne_bytes(bytes.get(..2)?.try_into().ok()?));
    let port = u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?);
    match family {
        libc::AF_INET if bytes.len() >= INET_BYTES => {
            let octets: [u8; 4] = bytes[4..8].try_into().ok()?;
            Some(SocketAddr::new(Ipv4Addr::from(octets).into(), port))
        }
        libc::AF_INET6 if bytes.len() >= ADDRESS_BYTES => {
            let octets: [u8; 16] = bytes[8..24].try_into().ok()?;
            let scope = u32::from_ne_bytes(bytes[24..28].try_into().ok()?);
            Some(SocketAddrV6::new(Ipv6Addr::from(octets), port, 0, scope).into())
        }
        _ => None,
    }
}

/// The addresses of a name by the machine's resolver. Those of this machine, of its link and of
/// services of a cloud are left out, but for `localhost`: the owner of a granted name must not
/// choose them. Those of private networks are not: a registry or a mirror may be there.
pub fn system_addresses(name: &str) -> Vec<IpAddr> {
    let found = name_resolution::getaddrinfo(name, None, 0).unwrap_or_default();
    let is_outside = |address: &IpAddr| {
        let address = address.to_canonical();
        !is_local(address) && !is_cloud_service(address) && !is_own(address)
    };
    found.into_iter().filter(|address| name == "localhost" || is_outside(address)).collect()
}

/// Whether an interface of this machine has the address: only then a socket can be bound to it.
fn is_own(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let is_this_network = address.octets()[0] == 0;
            address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_broadcast()
                || is_this_network
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_multicast()
                || address.is_unicast_link_local()
        }
    }
}

/// Services that give a machine of a cloud its credentials and settings, where they are not on the
/// link (169.254.0.0/16): Alibaba Cloud, Azure, Oracle; AWS (fd00:ec2::/32), Google Cloud,
/// Scaleway. A gateway of NAT64 (RFC 6052) leads to the same from IPv6.
fn is_cloud_service(address: IpAddr) -> bool {
    const V4: [Ipv4Addr; 3] =
        [Ipv4Addr::new(100, 100, 100, 200), Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(192, 0, 0, 192)];
    const V6: [Ipv6Addr; 2] =
        [Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42)];
    match address {
        IpAddr::V4(address) => V4.contains(&address),
        IpAddr::V6(address) => match address.segments() {
            [0xfd00, 0x0ec2, ..] => true,
            [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                let inner = Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)).into();
                is_local(inner) || is_cloud_service(inner)
            }
            _ => V6.contains(&address),
        },
    }
}

#[cfg(test)]
mod tests;

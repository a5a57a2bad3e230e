//! Names of hosts as the system's resolver knows them: `getaddrinfo(3)`, `getnameinfo(3)`. In:
//! names, addresses. Out: addresses in the resolver's order, names, or the resolver's number of why
//! not. Both wait, for the network it may be. Absent: asking a server of names ourselves.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ptr;

use super::socket::Family;

/// As long as a name is at most, with its end (`NI_MAXHOST`), and a service's (`NI_MAXSERV`).
const NAME_BYTES: usize = 1025;
const SERVICE_BYTES: usize = 32;

/// Why there is no answer: one of `EAI_...`, or an errno where that was `EAI_SYSTEM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveError {
    Resolver(c_int),
    System(c_int),
}

fn why(code: c_int) -> ResolveError {
    match code {
        libc::EAI_SYSTEM => ResolveError::System(std::io::Error::last_os_error().raw_os_error().unwrap_or(0)),
        code => ResolveError::Resolver(code),
    }
}

/// Addresses of a host, each once. `hints`: `AI_...` of `getaddrinfo(3)`.
pub fn getaddrinfo(host: &str, family: Option<Family>, hints: c_int) -> Result<Vec<IpAddr>, ResolveError> {
    let host = CString::new(host).map_err(|_| ResolveError::Resolver(libc::EAI_NONAME))?;
    // SAFETY: a struct of numbers and pointers, for which zeros mean nothing is wanted.
    let mut wanted: libc::addrinfo = unsafe { std::mem::zeroed() };
    wanted.ai_family = match family {
        Some(Family::Inet) => libc::AF_INET,
        Some(Family::Inet6) => libc::AF_INET6,
        Some(Family::Unix) | None => libc::AF_UNSPEC,
    };
    // One answer an address, not one for each kind of socket.
    wanted.ai_socktype = libc::SOCK_STREAM;
    wanted.ai_flags = hints;
    let mut list = ptr::null_mut();
    // SAFETY: the name ends with a zero, the service may be null, the last points to a place for a
    // pointer.
    let code = unsafe { libc::getaddrinfo(host.as_ptr(), ptr::null(), &raw const wanted, &raw mut list) };
    if code != 0 {
        return Err(why(code));
    }
    let mut found = Vec::new();
    let mut at = list.cast_const();
    // SAFETY: the resolver made a list of such structs, ended by null, which stand until they are
    // freed below.
    while let Some(entry) = unsafe { at.as_ref() } {
        if let Some(address) = address(entry)
            && !found.contains(&address)
        {
            found.push(address);
        }
        at = entry.ai_next;
    }
    // SAFETY: it came from `getaddrinfo`, and nothing of it is kept.
    unsafe { libc::freeaddrinfo(list) };
    Ok(found)
}

fn address(entry: &libc::addrinfo) -> Option<IpAddr> {
    match entry.ai_family {
        libc::AF_INET => {
            // SAFETY: an entry of this family has such an address, as long as it stands.
            let address = unsafe { entry.ai_addr.cast::<libc::sockaddr_in>().as_ref() }?;
            Some(IpAddr::V4(Ipv4Addr::from(address.sin_addr.s_addr.to_ne_bytes())))
        }
        libc::AF_INET6 => {
            // SAFETY: as above.
            let address = unsafe { entry.ai_addr.cast::<libc::sockaddr_in6>().as_ref() }?;
            Some(IpAddr::V6(Ipv6Addr::from(address.sin6_addr.s6_addr)))
        }
        _ => None,
    }
}

/// The names of an address's host and of its port's service; numbers where they have none, unless
/// `EAI_NONAME` says that a name was wanted.
pub fn getnameinfo(address: SocketAddr) -> Result<(String, String), ResolveError> {
    let (mut host, mut service) = ([0 as c_char; NAME_BYTES], [0 as c_char; SERVICE_BYTES]);
    let (storage, bytes) = storage(address);
    // SAFETY: the address is as long as said, and both texts have room for what is said, of which
    // the resolver writes no more, with a zero.
    let code = unsafe {
        libc::getnameinfo(
            (&raw const storage).cast(),
            bytes,
            host.as_mut_ptr(),
            NAME_BYTES as libc::socklen_t,
            service.as_mut_ptr(),
            SERVICE_BYTES as libc::socklen_t,
            libc::NI_NAMEREQD,
        )
    };
    match code {
        0 => Ok((text(&host), text(&service))),
        code => Err(why(code)),
    }
}

fn text(bytes: &[c_char]) -> String {
    // SAFETY: the resolver ended it with a zero, within the array.
    let text = unsafe { CStr::from_ptr(bytes.as_ptr()) };
    text.to_string_lossy().into_owned()
}

fn storage(address: SocketAddr) -> (libc::sockaddr_in6, libc::socklen_t) {
    // SAFETY: a struct of numbers, the larger one of the two families'; both begin with the family
    // and the port.
    let mut storage: libc::sockaddr_in6 = unsafe { std::mem::zeroed() };
    match address {
        SocketAddr::V6(address) => {
            storage.sin6_family = libc::AF_INET6 as libc::sa_family_t;
            storage.sin6_port = address.port().to_be();
            storage.sin6_addr.s6_addr = address.ip().octets();
            storage.sin6_scope_id = address.scope_id();
            (storage, size_of::<libc::sockaddr_in6>() as libc::socklen_t)
        }
        SocketAddr::V4(address) => {
            let four = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: address.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(address.ip().octets()) },
                sin_zero: [0; 8],
            };
            // SAFETY: the place is larger than what is written, and its alignment as good.
            unsafe { (&raw mut storage).cast::<libc::sockaddr_in>().write(four) };
            (storage, size_of::<libc::sockaddr_in>() as libc::socklen_t)
        }
    }
}

#[cfg(test)]
mod tests;

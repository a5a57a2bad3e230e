//! Host name resolution by the C library: `getaddrinfo(3)`, `getnameinfo(3)`. In: host names,
//! socket addresses. Out: addresses in the resolver's order, names, or a resolver error. Both
//! functions block, possibly on the network. Absent: our own DNS queries.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ptr;

use super::socket::Family;

/// Maximum lengths of a host name (`NI_MAXHOST`) and a service name (`NI_MAXSERV`), with NUL.
const NAME_BYTES: usize = 1025;
const SERVICE_BYTES: usize = 32;

/// Why a lookup failed: an `EAI_*` code, or an errno in the case of `EAI_SYSTEM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResolveError {
    Resolver(c_int),
    System(c_int),
}

fn error(code: c_int) -> ResolveError {
    match code {
        libc::EAI_SYSTEM => ResolveError::System(std::io::Error::last_os_error().raw_os_error().unwrap_or(0)),
        code => ResolveError::Resolver(code),
    }
}

/// Addresses of a host without duplicates. `hints`: `AI_*` flags of `getaddrinfo(3)`.
pub fn getaddrinfo(host: &str, family: Option<Family>, hints: c_int) -> Result<Vec<IpAddr>, ResolveError> {
    let host = CString::new(host).map_err(|_| ResolveError::Resolver(libc::EAI_NONAME))?;
    // SAFETY: a struct of integers and pointers, for which zeroes mean no constraint.
    let mut constraints: libc::addrinfo = unsafe { std::mem::zeroed() };
    constraints.ai_family = match family {
        Some(Family::Inet) => libc::AF_INET,
        Some(Family::Inet6) => libc::AF_INET6,
        Some(Family::Unix) | None => libc::AF_UNSPEC,
    };
    // One entry for each address, not one for each socket type.
    constraints.ai_socktype = libc::SOCK_STREAM;
    constraints.ai_flags = hints;
    let mut list = ptr::null_mut();
    // SAFETY: the name ends with a NUL, the service may be null, and the last argument is valid for
    // one pointer.
    let code =
        unsafe { libc::getaddrinfo(host.as_ptr(), ptr::null(), &raw const constraints, &raw mut list) };
    if code != 0 {
        return Err(error(code));
    }
    let mut found = Vec::new();
    let mut at = list.cast_const();
    // SAFETY: a null-terminated list from the resolver, valid until it is freed below.
    while let Some(entry) = unsafe { at.as_ref() } {
        if let Some(address) = address(entry)
            && !found.contains(&address)
        {
            found.push(address);
        }
        at = entry.ai_next;
    }
    // SAFETY: the list came from `getaddrinfo`, and no reference to it remains.
    unsafe { libc::freeaddrinfo(list) };
    Ok(found)
}

fn address(entry: &libc::addrinfo) -> Option<IpAddr> {
    match entry.ai_family {
        libc::AF_INET => {
            // SAFETY: the address of an entry of this family has this type and lives as long as the
            // entry.
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

/// Host and service name of a socket address. `EAI_NONAME` if the address has no name
/// (`NI_NAMEREQD`).
pub fn getnameinfo(address: SocketAddr) -> Result<(String, String), ResolveError> {
    let (mut host, mut service) = ([0 as c_char; NAME_BYTES], [0 as c_char; SERVICE_BYTES]);
    let (storage, bytes) = storage(address);
    // SAFETY: the sizes are those of the address and of both buffers; the resolver writes no more,
    // including a NUL.
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
        0 => Ok((to_string(&host), to_string(&service))),
        code => Err(error(code)),
    }
}

fn to_string(bytes: &[c_char]) -> String {
    // SAFETY: the resolver wrote a NUL within the array.
    let text = unsafe { CStr::from_ptr(bytes.as_ptr()) };
    text.to_string_lossy().into_owned()
}

fn storage(address: SocketAddr) -> (libc::sockaddr_in6, libc::socklen_t) {
    // SAFETY: a struct of integers, the larger of the two families' types; both begin with family
    // and port.
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
            let inet = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: address.port().to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(address.ip().octets()) },
                sin_zero: [0; 8],
            };
            // SAFETY: the storage is larger than the value written, and aligned for it.
            unsafe { (&raw mut storage).cast::<libc::sockaddr_in>().write(inet) };
            (storage, size_of::<libc::sockaddr_in>() as libc::socklen_t)
        }
    }
}

#[cfg(test)]
mod tests;

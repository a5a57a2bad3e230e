//! Network interfaces, by `getifaddrs(3)`. In: nothing. Out: the addresses of each interface that
//! is up.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr;

use super::{Errno, Result};

/// One address of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: String,
    pub address: IpAddr,
    pub mask: IpAddr,
    pub hardware: [u8; 6],
    pub is_internal: bool,
    pub scope: u32,
}

pub fn interfaces() -> Result<Vec<Interface>> {
    let mut first: *mut libc::ifaddrs = ptr::null_mut();
    // SAFETY: the argument is valid for one pointer; the list is freed below.
    if unsafe { libc::getifaddrs(&raw mut first) } != 0 {
        return Err(Errno::from_raw_os_error(
            std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO),
        ));
    }
    let (mut found, mut hardware) = (Vec::new(), Vec::new());
    let mut next = first;
    // SAFETY: a list from the C library, whose entries are valid until it is freed.
    while let Some(entry) = unsafe { next.as_ref() } {
        next = entry.ifa_next;
        let is_up = libc::IFF_UP | libc::IFF_RUNNING;
        if entry.ifa_flags & is_up as u32 != is_up as u32 || entry.ifa_addr.is_null() {
            continue;
        }
        // SAFETY: the name ends with a NUL, and each address has the size of its family.
        unsafe {
            let name = CStr::from_ptr(entry.ifa_name).to_string_lossy().into_owned();
            if i32::from((*entry.ifa_addr).sa_family) == libc::AF_PACKET {
                let link = entry.ifa_addr.cast::<libc::sockaddr_ll>().read_unaligned();
                let mut bytes = [0; 6];
                bytes.copy_from_slice(&link.sll_addr[..6]);
                hardware.push((name, bytes));
            } else if let Some((address, scope)) = address(entry.ifa_addr) {
                let mask = match entry.ifa_netmask.is_null() {
                    true => None,
                    false => self::address(entry.ifa_netmask).map(|(mask, _)| mask),
                };
                let is_internal = entry.ifa_flags & libc::IFF_LOOPBACK as u32 != 0;
                let mask = mask.unwrap_or(IpAddr::V4(Ipv4Addr::BROADCAST));
                found.push(Interface { name, address, mask, hardware: [0; 6], is_internal, scope });
            }
        }
    }
    // SAFETY: the list from above, freed once.
    unsafe { libc::freeifaddrs(first) };
    for interface in &mut found {
        if let Some((_, bytes)) = hardware.iter().find(|(name, _)| *name == interface.name) {
            interface.hardware = *bytes;
        }
    }
    Ok(found)
}

/// # Safety
/// `pointer` is a socket address from the C library, of the size that its family has.
unsafe fn address(pointer: *const libc::sockaddr) -> Option<(IpAddr, u32)> {
    // SAFETY: as the caller promises.
    unsafe {
        match i32::from((*pointer).sa_family) {
            libc::AF_INET => {
                let address = pointer.cast::<libc::sockaddr_in>().read_unaligned();
                Some((Ipv4Addr::from(address.sin_addr.s_addr.to_ne_bytes()).into(), 0))
            }
            libc::AF_INET6 => {
                let address = pointer.cast::<libc::sockaddr_in6>().read_unaligned();
                Some((Ipv6Addr::from(address.sin6_addr.s6_addr).into(), address.sin6_scope_id))
            }
            _ => None,
        }
    }
}

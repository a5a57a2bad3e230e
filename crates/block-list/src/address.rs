//! Addresses as strings and as numbers. In: strings as `inet_pton` takes them. Out: addresses;
//! strings as libuv writes them. An IPv6 address `::ffff:a.b.c.d` stands for an IPv4 one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    V4,
    V6,
}

/// The first and the last of the IPv6 addresses that stand for IPv4 ones.
pub(super) const MAPPED: u128 = 0xffff_0000_0000;
pub(super) const MAPPED_MAX: u128 = MAPPED + u32::MAX as u128;

/// A zone behind an IPv6 address is left away, as libuv does.
pub fn parse(text: &str, family: Family) -> Option<IpAddr> {
    match family {
        Family::V4 => text.parse::<Ipv4Addr>().ok().map(IpAddr::V4),
        Family::V6 => {
            let address = text.split_once('%').map_or(text, |(address, _)| address);
            address.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
        }
    }
}

/// `::a.b.c.d` is written so too, which Rust writes as any other.
pub fn render(address: IpAddr) -> String {
    match address {
        IpAddr::V6(six) if is_compatible(six) => format!("::{}", Ipv4Addr::from_bits(six.to_bits() as u32)),
        address => address.to_string(),
    }
}

fn is_compatible(address: Ipv6Addr) -> bool {
    (0x1_0000..=u32::MAX.into()).contains(&address.to_bits())
}

/// As an IPv4 address, where it is or stands for one.
pub(super) fn narrow(address: IpAddr) -> Option<u128> {
    match address {
        IpAddr::V4(address) => Some(address.to_bits().into()),
        IpAddr::V6(address) => address.to_bits().checked_sub(MAPPED).filter(|bits| *bits <= u32::MAX.into()),
    }
}

/// As an IPv6 address.
pub(super) fn wide(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => MAPPED + u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

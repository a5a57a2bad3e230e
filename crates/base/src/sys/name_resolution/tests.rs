//! Answers of the resolver for the machine itself.

use super::*;

#[test]
fn the_machine_itself_has_its_addresses() {
    let found = getaddrinfo("localhost", None, 0).unwrap();
    assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
    let four = getaddrinfo("localhost", Some(Family::Inet), 0).unwrap();
    assert_eq!(four, [IpAddr::V4(Ipv4Addr::LOCALHOST)]);
}

#[test]
fn addresses_are_their_own() {
    assert_eq!(getaddrinfo("::1", None, 0).unwrap(), [IpAddr::V6(Ipv6Addr::LOCALHOST)]);
    let mapped = getaddrinfo("127.0.0.1", Some(Family::Inet6), libc::AI_V4MAPPED).unwrap();
    assert_eq!(mapped, ["::ffff:127.0.0.1".parse::<IpAddr>().unwrap()]);
}

#[test]
fn what_cannot_be_a_name_is_none() {
    for name in ["a\0b", "...", "a b"] {
        assert!(matches!(getaddrinfo(name, None, 0), Err(ResolveError::Resolver(_))), "{name}");
    }
}

#[test]
fn the_machine_itself_has_a_name() {
    for address in ["127.0.0.1:22", "[::1]:22"] {
        match getnameinfo(address.parse().unwrap()) {
            Ok((host, service)) => assert!(!host.is_empty() && !service.is_empty(), "{address}"),
            // It may have none; whatever it says, it was asked well.
            Err(why) => {
                assert!(matches!(why, ResolveError::Resolver(libc::EAI_NONAME | libc::EAI_AGAIN)), "{why:?}")
            }
        }
    }
}

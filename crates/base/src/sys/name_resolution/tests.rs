//! Resolution of loopback names and addresses.

use super::*;

#[test]
fn localhost_has_loopback_addresses() {
    let found = getaddrinfo("localhost", None, 0).unwrap();
    assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
    let inet = getaddrinfo("localhost", Some(Family::Inet), 0).unwrap();
    assert_eq!(inet, [IpAddr::V4(Ipv4Addr::LOCALHOST)]);
}

#[test]
fn an_address_resolves_to_itself() {
    assert_eq!(getaddrinfo("::1", None, 0).unwrap(), [IpAddr::V6(Ipv6Addr::LOCALHOST)]);
    let mapped = getaddrinfo("127.0.0.1", Some(Family::Inet6), libc::AI_V4MAPPED).unwrap();
    assert_eq!(mapped, ["::ffff:127.0.0.1".parse::<IpAddr>().unwrap()]);
}

#[test]
fn an_invalid_name_is_an_error() {
    for name in ["a\0b", "...", "a b"] {
        assert!(matches!(getaddrinfo(name, None, 0), Err(ResolveError::Resolver(_))), "{name}");
    }
}

#[test]
fn loopback_has_a_name() {
    for address in ["127.0.0.1:22", "[::1]:22"] {
        match getnameinfo(address.parse().unwrap()) {
            Ok((host, service)) => assert!(!host.is_empty() && !service.is_empty(), "{address}"),
            // There may be no name; other errors mean a wrong call.
            Err(error) => {
                assert!(
                    matches!(error, ResolveError::Resolver(libc::EAI_NONAME | libc::EAI_AGAIN)),
                    "{error:?}"
                )
            }
        }
    }
}

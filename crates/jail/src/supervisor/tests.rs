//! Addresses of sockets, and which are allowed.

use super::*;

fn supervisor(hosts: &[&str], resolve: Resolve) -> Supervisor {
    let hosts = hosts.iter().map(|host| HostPattern::parse(host).expect("a host")).collect();
    Supervisor::new(&HostGrants { hosts, resolve })
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

#[test]
fn addresses_of_granted_names_are_allowed() {
    let supervisor = supervisor(&["a.test:443", "*.b.test", "192.0.2.9:80"], |name| match name {
        "a.test" => vec![ip("192.0.2.1"), ip("2001:db8::1")],
        "x.b.test" => vec![ip("192.0.2.2")],
        _ => panic!("{name} was not granted"),
    });
    assert!(supervisor.allows(ip("192.0.2.1"), 443), "a granted name, which nobody asked for");
    assert!(supervisor.allows(ip("2001:db8::1"), 443));
    assert!(!supervisor.allows(ip("192.0.2.1"), 80), "another port");
    assert!(supervisor.allows(ip("192.0.2.9"), 80) && !supervisor.allows(ip("192.0.2.9"), 443));
    assert!(!supervisor.allows(ip("192.0.2.2"), 443), "its name was not asked for yet");
    assert_eq!(supervisor.resolve("X.b.test"), Some(vec![ip("192.0.2.2")]));
    assert!(supervisor.allows(ip("192.0.2.2"), 12345));
    assert!(!supervisor.allows(ip("192.0.2.3"), 443));
}

#[test]
fn refused_names_are_kept_once() {
    let supervisor = supervisor(&["a.test"], |_| Vec::new());
    for name in
        ["c.test", "c.test.search.test", "C.test", "9.2.0.192.in-addr.arpa", "\\000.a.test", "b.a.test"]
    {
        assert_eq!(supervisor.resolve(name), None, "{name}");
    }
    assert_eq!(supervisor.refused(), ["c.test", "\\000.a.test", "b.a.test"]);
}

#[test]
fn granted_names_without_an_address_are_kept_once() {
    let supervisor = supervisor(&["a.test", "*.b.test"], |name| match name {
        "x.b.test" => vec![ip("192.0.2.2")],
        _ => Vec::new(),
    });
    for name in ["A.test", "a.test", "x.b.test", "y.b.test", "c.test"] {
        supervisor.answer(name);
    }
    assert_eq!(supervisor.unresolved(), ["a.test", "y.b.test"]);
}

#[test]
fn an_address_has_all_its_bytes() {
    let inet = [2, 0, 1, 187, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(socket_address(&inet), Some("192.0.2.1:443".parse().expect("an address")));
    let mut inet6 = [0; 28];
    (inet6[0], inet6[3], inet6[23]) = (10, 80, 1);
    assert_eq!(socket_address(&inet6), Some("[::1]:80".parse().expect("an address")));
    for length in [0, 1, 3, 15] {
        assert_eq!(socket_address(&inet[..length]), None, "{length}");
    }
    assert_eq!(socket_address(&inet6[..27]), None);
    assert_eq!(
        socket_address(&[1, 0, b'/', b'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        None,
        "a Unix socket"
    );
}

#[test]
fn a_name_does_not_lead_to_this_machine() {
    for local in ["127.0.0.1", "0.0.0.0", "169.254.169.254", "224.0.0.1", "::1", "::", "fe80::1"] {
        assert!(is_local(ip(local)), "{local}");
    }
    assert!(is_local(ip("::ffff:127.0.0.1").to_canonical()));
    for other in ["192.0.2.1", "10.0.0.1", "2001:db8::1"] {
        assert!(!is_local(ip(other)), "{other}");
    }
}

#[test]
fn a_name_does_not_lead_to_services_of_a_cloud() {
    let services = [
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::6464:64c8",
    ];
    for service in services {
        assert!(is_cloud_service(ip(service)), "{service}");
    }
    for other in ["10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "fd12::1", "64:ff9b::c000:201"] {
        assert!(!is_cloud_service(ip(other)) && !is_local(ip(other)), "{other}");
    }
    let supervisor = supervisor(&["169.254.169.254:80"], |_| Vec::new());
    assert!(supervisor.allows(ip("169.254.169.254"), 80), "an address that was granted itself");
}

#[test]
fn addresses_of_this_machine_are_known() {
    assert!(is_own(Ipv4Addr::LOCALHOST.into()));
    // TEST-NET-3: rfc5737.
    assert!(!is_own(Ipv4Addr::new(203, 0, 113, 1).into()));
}

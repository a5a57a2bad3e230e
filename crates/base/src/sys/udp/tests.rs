//! UDP over loopback.

use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

use super::*;
use crate::sys::socket::{self, local_addr};

fn bound(address: &str) -> (OwnedFd, SocketAddr) {
    let address: SocketAddr = format!("{address}:0").parse().unwrap();
    let fd = open(address.is_ipv6()).unwrap();
    bind(fd.as_fd(), &address, UdpBindOptions::default()).unwrap();
    let own = local(&fd);
    (fd, own)
}

fn local(fd: &OwnedFd) -> SocketAddr {
    match local_addr(fd.as_fd()).unwrap() {
        socket::SocketAddr::Inet(address) => address,
        socket::SocketAddr::Unix(_) => panic!("a Unix address"),
    }
}

fn receive_one(fd: &OwnedFd) -> (Vec<u8>, Option<SocketAddr>) {
    assert_eq!(poll(&mut [PollFd::new(fd, PollFlags::IN)], None).unwrap(), 1);
    let mut buffer = [0; 64];
    let (count, sender) = receive(fd.as_fd(), &mut buffer).unwrap();
    (buffer[..count].to_vec(), sender)
}

#[test]
fn datagrams_arrive_one_by_one_with_their_sender() {
    let has_ipv6 = std::net::UdpSocket::bind("[::1]:0").is_ok();
    for address in ["127.0.0.1", "[::1]"].into_iter().filter(|address| has_ipv6 || *address != "[::1]") {
        let ((ours, own), (theirs, their_own)) = (bound(address), bound(address));
        assert_eq!(receive(ours.as_fd(), &mut [0; 8]).unwrap_err(), Errno::AGAIN);
        assert_eq!(send(theirs.as_fd(), b"first", Some(&own)), Ok(5));
        assert_eq!(send(theirs.as_fd(), b"", Some(&own)), Ok(0));
        assert_eq!(receive_one(&ours), (b"first".to_vec(), Some(their_own)));
        assert_eq!(receive_one(&ours), (Vec::new(), Some(their_own)));
    }
}

#[test]
fn many_datagrams_are_sent_in_order() {
    let has_ipv6 = std::net::UdpSocket::bind("[::1]:0").is_ok();
    for address in ["127.0.0.1", "[::1]"].into_iter().filter(|address| has_ipv6 || *address != "[::1]") {
        let ((ours, own), (other, other_own)) = (bound(address), bound(address));
        let (theirs, their_own) = bound(address);
        let datagrams: [Datagram<'_>; 4] =
            [(b"a", Some(own)), (b"b", Some(other_own)), (b"", Some(own)), (b"c", Some(own))];
        assert_eq!(send_many(theirs.as_fd(), &datagrams), Ok(4));
        for text in [&b"a"[..], b"", b"c"] {
            assert_eq!(receive_one(&ours), (text.to_vec(), Some(their_own)));
        }
        assert_eq!(receive_one(&other).0, b"b");
        assert_eq!(send_many(theirs.as_fd(), &[]), Ok(0));
        assert_eq!(send_many(theirs.as_fd(), &[(b"a", None)]), Err(Errno::DESTADDRREQ));
        connect(theirs.as_fd(), &own).unwrap();
        assert_eq!(send_many(theirs.as_fd(), &[(b"d", None), (b"e", None)]), Ok(2));
        assert_eq!((receive_one(&ours).0, receive_one(&ours).0), (b"d".to_vec(), b"e".to_vec()));
    }
}

#[test]
fn more_datagrams_than_one_call_takes_are_sent() {
    let ((_ours, own), (theirs, _)) = (bound("127.0.0.1"), bound("127.0.0.1"));
    let datagrams: Vec<Datagram<'_>> = (0..DATAGRAMS_MAX + 5).map(|_| (&b"x"[..], Some(own))).collect();
    assert_eq!(send_many(theirs.as_fd(), &datagrams), Ok(DATAGRAMS_MAX + 5));
}

#[test]
fn a_connected_socket_sends_without_an_address() {
    let ((ours, own), (theirs, _)) = (bound("127.0.0.1"), bound("127.0.0.1"));
    assert_eq!(send(theirs.as_fd(), b"x", None), Err(Errno::DESTADDRREQ));
    connect(theirs.as_fd(), &own).unwrap();
    assert_eq!(send(theirs.as_fd(), b"x", None), Ok(1));
    assert_eq!(receive_one(&ours).0, b"x");
    disconnect(theirs.as_fd()).unwrap();
    assert_eq!(send(theirs.as_fd(), b"x", None), Err(Errno::DESTADDRREQ));
}

#[test]
fn a_connected_socket_reports_that_the_peer_is_gone() {
    let ((closed, address), (ours, _)) = (bound("127.0.0.1"), bound("127.0.0.1"));
    drop(closed);
    connect(ours.as_fd(), &address).unwrap();
    assert_eq!(send(ours.as_fd(), b"x", None), Ok(1));
    poll(&mut [PollFd::new(&ours, PollFlags::IN)], None).unwrap();
    assert_eq!(receive(ours.as_fd(), &mut [0; 8]).unwrap_err(), Errno::CONNREFUSED);
}

#[test]
fn an_address_is_shared_if_all_sockets_reuse_it() {
    let (_ours, own) = bound("127.0.0.1");
    let other = open(false).unwrap();
    assert_eq!(bind(other.as_fd(), &own, UdpBindOptions::default()), Err(Errno::ADDRINUSE));
    let options = UdpBindOptions { reuse_address: true, ..UdpBindOptions::default() };
    let first = open(false).unwrap();
    bind(first.as_fd(), &"127.0.0.1:0".parse().unwrap(), options).unwrap();
    bind(other.as_fd(), &local(&first), options).unwrap();
}

#[test]
fn groups_are_joined_once_and_left_once() {
    let own = open(false).unwrap();
    let group = |address: &str, interface| MulticastGroup { address: address.parse().unwrap(), interface };
    let four = group("224.0.0.114", MulticastInterface::Address(Ipv4Addr::LOCALHOST));
    assert_eq!(set_membership(own.as_fd(), four, Membership::Leave), Err(Errno::ADDRNOTAVAIL));
    set_membership(own.as_fd(), four, Membership::Join).unwrap();
    assert_eq!(set_membership(own.as_fd(), four, Membership::Join), Err(Errno::ADDRINUSE));
    set_membership(own.as_fd(), four, Membership::Leave).unwrap();
    let mixed = group("ff01::1", MulticastInterface::Address(Ipv4Addr::LOCALHOST));
    assert_eq!(set_membership(own.as_fd(), mixed, Membership::Join), Err(Errno::INVAL));
    let source = Ipv4Addr::LOCALHOST.into();
    let of_source = group("232.1.1.1", MulticastInterface::Address(Ipv4Addr::LOCALHOST));
    set_source_membership(own.as_fd(), source, of_source, Membership::Join).unwrap();
    set_source_membership(own.as_fd(), source, of_source, Membership::Leave).unwrap();
}

#[test]
fn an_ipv6_group_is_joined_for_one_source() {
    let own = open(true).unwrap();
    let loopback = 1;
    let group = MulticastGroup {
        address: "ff31::114".parse().unwrap(),
        interface: MulticastInterface::Index(loopback),
    };
    let source = "::1".parse().unwrap();
    set_source_membership(own.as_fd(), source, group, Membership::Join).unwrap();
    assert_eq!(set_source_membership(own.as_fd(), source, group, Membership::Join), Err(Errno::ADDRNOTAVAIL));
    set_source_membership(own.as_fd(), source, group, Membership::Leave).unwrap();
}

#[test]
fn options_reach_the_kernel() {
    let own = open(false).unwrap();
    set_buffer_bytes(own.as_fd(), SocketBuffer::Receive, 10_000).unwrap();
    assert_eq!(buffer_bytes(own.as_fd(), SocketBuffer::Receive), Ok(20_000));
    for to in [Destination::Unicast, Destination::Multicast] {
        set_ttl(own.as_fd(), to, 3).unwrap();
    }
    assert_eq!(sockopt::ip_ttl(&own), Ok(3));
    assert_eq!(sockopt::ip_multicast_ttl(&own), Ok(3));
    set_multicast_loopback(own.as_fd(), false).unwrap();
    assert_eq!(sockopt::ip_multicast_loop(&own), Ok(false));
    set_broadcast(own.as_fd(), true).unwrap();
    assert_eq!(sockopt::socket_broadcast(&own), Ok(true));
    set_multicast_interface(own.as_fd(), MulticastInterface::Address(Ipv4Addr::LOCALHOST)).unwrap();
    assert_eq!(sockopt::ip_multicast_if(&own), Ok(Ipv4Addr::LOCALHOST));
}

//! Messages over loopback.

use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

use super::*;
use crate::sys::socket::{Place, own_place};

fn bound(address: &str) -> (OwnedFd, SocketAddr) {
    let address: SocketAddr = format!("{address}:0").parse().unwrap();
    let fd = open(address.is_ipv6()).unwrap();
    bind(fd.as_fd(), &address, Sharing::default()).unwrap();
    let own = place(&fd);
    (fd, own)
}

fn place(fd: &OwnedFd) -> SocketAddr {
    match own_place(fd.as_fd()).unwrap() {
        Place::Internet(address) => address,
        Place::Local(_) => panic!("a place of the machine"),
    }
}

fn take(fd: &OwnedFd) -> (Vec<u8>, Option<SocketAddr>) {
    assert_eq!(poll(&mut [PollFd::new(fd, PollFlags::IN)], None).unwrap(), 1);
    let mut buffer = [0; 64];
    let (count, sender) = receive(fd.as_fd(), &mut buffer).unwrap();
    (buffer[..count].to_vec(), sender)
}

#[test]
fn messages_arrive_one_by_one_with_who_sent_them() {
    let has_six = std::net::UdpSocket::bind("[::1]:0").is_ok();
    for address in ["127.0.0.1", "[::1]"].into_iter().filter(|address| has_six || *address != "[::1]") {
        let ((ours, own), (theirs, their_own)) = (bound(address), bound(address));
        assert_eq!(receive(ours.as_fd(), &mut [0; 8]).unwrap_err(), Errno::AGAIN);
        assert_eq!(send(theirs.as_fd(), b"first", Some(&own)), Ok(5));
        assert_eq!(send(theirs.as_fd(), b"", Some(&own)), Ok(0));
        assert_eq!(take(&ours), (b"first".to_vec(), Some(their_own)));
        assert_eq!(take(&ours), (Vec::new(), Some(their_own)));
    }
}

#[test]
fn who_is_connected_says_no_address_until_that_is_over() {
    let ((ours, own), (theirs, _)) = (bound("127.0.0.1"), bound("127.0.0.1"));
    assert_eq!(send(theirs.as_fd(), b"x", None), Err(Errno::DESTADDRREQ));
    connect(theirs.as_fd(), &own).unwrap();
    assert_eq!(send(theirs.as_fd(), b"x", None), Ok(1));
    assert_eq!(take(&ours).0, b"x");
    disconnect(theirs.as_fd()).unwrap();
    assert_eq!(send(theirs.as_fd(), b"x", None), Err(Errno::DESTADDRREQ));
}

#[test]
fn that_nobody_is_there_is_told_to_who_is_connected() {
    let ((nobody, nowhere), (ours, _)) = (bound("127.0.0.1"), bound("127.0.0.1"));
    drop(nobody);
    connect(ours.as_fd(), &nowhere).unwrap();
    assert_eq!(send(ours.as_fd(), b"x", None), Ok(1));
    poll(&mut [PollFd::new(&ours, PollFlags::IN)], None).unwrap();
    assert_eq!(receive(ours.as_fd(), &mut [0; 8]).unwrap_err(), Errno::CONNREFUSED);
}

#[test]
fn a_place_is_shared_only_where_all_say_so() {
    let (_ours, own) = bound("127.0.0.1");
    let other = open(false).unwrap();
    assert_eq!(bind(other.as_fd(), &own, Sharing::default()), Err(Errno::ADDRINUSE));
    let sharing = Sharing { is_address_shared: true, ..Sharing::default() };
    let first = open(false).unwrap();
    bind(first.as_fd(), &"127.0.0.1:0".parse().unwrap(), sharing).unwrap();
    bind(other.as_fd(), &place(&first), sharing).unwrap();
}

#[test]
fn groups_are_joined_once_and_left_once() {
    let own = open(false).unwrap();
    let group = |address: &str, interface| Group { address: address.parse().unwrap(), interface };
    let four = group("224.0.0.114", Interface::Address(Ipv4Addr::LOCALHOST));
    assert_eq!(set_membership(own.as_fd(), four, Membership::Ends), Err(Errno::ADDRNOTAVAIL));
    set_membership(own.as_fd(), four, Membership::Begins).unwrap();
    assert_eq!(set_membership(own.as_fd(), four, Membership::Begins), Err(Errno::ADDRINUSE));
    set_membership(own.as_fd(), four, Membership::Ends).unwrap();
    let mixed = group("ff01::1", Interface::Address(Ipv4Addr::LOCALHOST));
    assert_eq!(set_membership(own.as_fd(), mixed, Membership::Begins), Err(Errno::INVAL));
    let source = Ipv4Addr::LOCALHOST.into();
    let of_source = group("232.1.1.1", Interface::Address(Ipv4Addr::LOCALHOST));
    set_source_membership(own.as_fd(), source, of_source, Membership::Begins).unwrap();
    set_source_membership(own.as_fd(), source, of_source, Membership::Ends).unwrap();
}

#[test]
fn an_ipv6_group_takes_what_one_member_sends() {
    let own = open(true).unwrap();
    let loopback = 1;
    let group = Group { address: "ff31::114".parse().unwrap(), interface: Interface::Number(loopback) };
    let source = "::1".parse().unwrap();
    set_source_membership(own.as_fd(), source, group, Membership::Begins).unwrap();
    assert_eq!(
        set_source_membership(own.as_fd(), source, group, Membership::Begins),
        Err(Errno::ADDRNOTAVAIL)
    );
    set_source_membership(own.as_fd(), source, group, Membership::Ends).unwrap();
}

#[test]
fn settings_are_the_kernels() {
    let own = open(false).unwrap();
    set_buffer_bytes(own.as_fd(), Direction::In, 10_000).unwrap();
    assert_eq!(buffer_bytes(own.as_fd(), Direction::In), Ok(20_000));
    for to in [To::One, To::Groups] {
        set_hops(own.as_fd(), to, 3).unwrap();
    }
    assert_eq!(sockopt::ip_ttl(&own), Ok(3));
    assert_eq!(sockopt::ip_multicast_ttl(&own), Ok(3));
    set_loopback(own.as_fd(), false).unwrap();
    assert_eq!(sockopt::ip_multicast_loop(&own), Ok(false));
    set_broadcast(own.as_fd(), true).unwrap();
    assert_eq!(sockopt::socket_broadcast(&own), Ok(true));
    set_interface(own.as_fd(), Interface::Address(Ipv4Addr::LOCALHOST)).unwrap();
    assert_eq!(sockopt::ip_multicast_if(&own), Ok(Ipv4Addr::LOCALHOST));
}

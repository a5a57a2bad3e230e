//! Stream sockets over loopback and Unix sockets.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

use super::*;

fn wait_for(fd: BorrowedFd<'_>, events: PollFlags) {
    let mut polled = [PollFd::from_borrowed_fd(fd, events)];
    assert_eq!(poll(&mut polled, None).unwrap(), 1);
}

fn port(address: &SocketAddr) -> u16 {
    match address {
        SocketAddr::Inet(address) => address.port(),
        SocketAddr::Unix(_) => panic!("a Unix address"),
    }
}

fn listening(address: &str) -> (OwnedFd, u16) {
    let server = open(if address.contains(':') { Family::Inet6 } else { Family::Inet }).unwrap();
    bind(server.as_fd(), &SocketAddr::parse_ip(address, 0).unwrap(), BindOptions::default()).unwrap();
    listen(server.as_fd(), 8).unwrap();
    let port = port(&local_addr(server.as_fd()).unwrap());
    (server, port)
}

#[test]
fn accepts_a_connection_and_reads_from_it() {
    let has_ipv6 = TcpListener::bind("[::1]:0").is_ok();
    for address in ["127.0.0.1", "::1"].into_iter().filter(|address| has_ipv6 || *address != "::1") {
        let (server, port) = listening(address);
        assert_eq!(accept(server.as_fd()).unwrap_err(), Errno::AGAIN);
        let mut client = TcpStream::connect((address, port)).unwrap();
        wait_for(server.as_fd(), PollFlags::IN);
        let accepted = accept(server.as_fd()).unwrap();
        assert_eq!(
            local_addr(accepted.as_fd()).unwrap(),
            SocketAddr::Inet(client.peer_addr().unwrap()),
            "{address}"
        );
        assert_eq!(peer_addr(accepted.as_fd()).unwrap(), SocketAddr::Inet(client.local_addr().unwrap()));
        client.write_all(b"hello").unwrap();
        wait_for(accepted.as_fd(), PollFlags::IN);
        let mut buffer = [0; 8];
        assert_eq!(super::super::read(accepted.as_fd(), &mut buffer).unwrap(), 5);
    }
}

#[test]
fn connects_without_waiting() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = open(Family::Inet).unwrap();
    let address = SocketAddr::Inet(server.local_addr().unwrap());
    connect(client.as_fd(), &address).unwrap();
    wait_for(client.as_fd(), PollFlags::OUT);
    take_error(client.as_fd()).unwrap();
    set_no_delay(client.as_fd(), true).unwrap();
    set_keep_alive(client.as_fd(), Some(Duration::from_secs(60))).unwrap();
    set_keep_alive(client.as_fd(), None).unwrap();
    set_traffic_class(client.as_fd(), 0x10).unwrap();
    assert_eq!(traffic_class(client.as_fd()).unwrap(), 0x10);
    let (mut accepted, _) = server.accept().unwrap();
    reset_on_close(client.as_fd()).unwrap();
    drop(client);
    assert_eq!(accepted.read(&mut [0]).unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
}

#[test]
fn a_refused_connection_is_an_error_of_the_socket() {
    // Bound, so that no other process gets the port.
    let silent = open(Family::Inet).unwrap();
    assert!(is_stream(silent.as_fd()));
    bind(silent.as_fd(), &SocketAddr::parse_ip("127.0.0.1", 0).unwrap(), BindOptions::default()).unwrap();
    let address = local_addr(silent.as_fd()).unwrap();
    let client = open(Family::Inet).unwrap();
    let outcome = connect(client.as_fd(), &address).and_then(|()| {
        wait_for(client.as_fd(), PollFlags::OUT);
        take_error(client.as_fd())
    });
    assert_eq!(outcome, Err(Errno::CONNREFUSED));
}

#[test]
fn an_address_is_in_use_unless_both_sockets_reuse_the_port() {
    let (_server, port) = listening("127.0.0.1");
    let address = SocketAddr::parse_ip("127.0.0.1", port).unwrap();
    let other = open(Family::Inet).unwrap();
    let bound = bind(other.as_fd(), &address, BindOptions::default()).and_then(|()| listen(other.as_fd(), 8));
    assert_eq!(bound, Err(Errno::ADDRINUSE));
    let options = BindOptions { reuse_port: true, ..BindOptions::default() };
    let both = [open(Family::Inet).unwrap(), open(Family::Inet).unwrap()];
    bind(both[0].as_fd(), &SocketAddr::parse_ip("127.0.0.1", 0).unwrap(), options).unwrap();
    bind(both[1].as_fd(), &local_addr(both[0].as_fd()).unwrap(), options).unwrap();
}

#[test]
fn unix_addresses_are_paths_or_abstract_names() {
    let file = std::env::temp_dir().join(format!("rusk-socket-{}", crate::files::unpredictable_name()));
    let path = file.clone().into_os_string().into_encoded_bytes();
    let name = format!("\0rusk-test-{}", std::process::id()).into_bytes();
    for address in [path, name] {
        let address = SocketAddr::Unix(address);
        let server = open(Family::Unix).unwrap();
        bind(server.as_fd(), &address, BindOptions::default()).unwrap();
        listen(server.as_fd(), 1).unwrap();
        assert_eq!(local_addr(server.as_fd()).unwrap(), address);
        let client = open(Family::Unix).unwrap();
        connect(client.as_fd(), &address).unwrap();
        assert_eq!(peer_addr(client.as_fd()).unwrap(), address);
        assert_eq!(local_addr(client.as_fd()).unwrap(), SocketAddr::Unix(Vec::new()));
        accept(server.as_fd()).unwrap();
    }
    std::fs::remove_file(file).unwrap();
    let long = SocketAddr::Unix(vec![b'a'; 200]);
    assert_eq!(
        bind(open(Family::Unix).unwrap().as_fd(), &long, BindOptions::default()),
        Err(Errno::NAMETOOLONG)
    );
}

#[test]
fn ip_addresses_are_parsed_with_their_scope() {
    let inet = |text: &str| Some(SocketAddr::Inet(text.parse().unwrap()));
    assert_eq!(SocketAddr::parse_ip("127.0.0.1", 1), inet("127.0.0.1:1"));
    assert_eq!(SocketAddr::parse_ip("::1%3", 1), inet("[::1%3]:1"));
    assert_eq!(SocketAddr::parse_ip("fe80::1%lo", 1), inet("[fe80::1%1]:1"));
    for text in ["", "localhost", "1.2.3", "::1%no-such-interface", "127.0.0.1 "] {
        assert_eq!(SocketAddr::parse_ip(text, 1), None, "{text}");
    }
}

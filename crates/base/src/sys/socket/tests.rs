//! Sockets that meet over loopback and within the machine.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, poll};

use super::*;

fn wait_for(fd: BorrowedFd<'_>, what: PollFlags) {
    let mut asked = [PollFd::from_borrowed_fd(fd, what)];
    assert_eq!(poll(&mut asked, None).unwrap(), 1);
}

fn port(place: &Place) -> u16 {
    match place {
        Place::Internet(address) => address.port(),
        Place::Local(_) => panic!("a place of the machine"),
    }
}

fn listening(address: &str) -> (OwnedFd, u16) {
    let server = open(if address.contains(':') { Family::Six } else { Family::Four }).unwrap();
    bind(server.as_fd(), &Place::internet(address, 0).unwrap(), Sharing::default()).unwrap();
    listen(server.as_fd(), 8).unwrap();
    let port = port(&own_place(server.as_fd()).unwrap());
    (server, port)
}

#[test]
fn a_stranger_comes_and_goes() {
    let has_six = TcpListener::bind("[::1]:0").is_ok();
    for address in ["127.0.0.1", "::1"].into_iter().filter(|address| has_six || *address != "::1") {
        let (server, port) = listening(address);
        assert_eq!(accept(server.as_fd()).unwrap_err(), Errno::AGAIN);
        let mut stranger = TcpStream::connect((address, port)).unwrap();
        wait_for(server.as_fd(), PollFlags::IN);
        let ours = accept(server.as_fd()).unwrap();
        assert_eq!(
            own_place(ours.as_fd()).unwrap(),
            Place::Internet(stranger.peer_addr().unwrap()),
            "{address}"
        );
        assert_eq!(peer_place(ours.as_fd()).unwrap(), Place::Internet(stranger.local_addr().unwrap()));
        stranger.write_all(b"hello").unwrap();
        wait_for(ours.as_fd(), PollFlags::IN);
        let mut buffer = [0; 8];
        assert_eq!(super::super::read(ours.as_fd(), &mut buffer).unwrap(), 5);
    }
}

#[test]
fn connects_without_waiting() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = open(Family::Four).unwrap();
    let place = Place::Internet(server.local_addr().unwrap());
    connect(client.as_fd(), &place).unwrap();
    wait_for(client.as_fd(), PollFlags::OUT);
    error(client.as_fd()).unwrap();
    set_no_delay(client.as_fd(), true).unwrap();
    set_keep_alive(client.as_fd(), Some(Duration::from_secs(60))).unwrap();
    set_keep_alive(client.as_fd(), None).unwrap();
    set_traffic_class(client.as_fd(), 0x10).unwrap();
    assert_eq!(traffic_class(client.as_fd()).unwrap(), 0x10);
    let (mut seen, _) = server.accept().unwrap();
    break_off_at_close(client.as_fd()).unwrap();
    drop(client);
    assert_eq!(seen.read(&mut [0]).unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
}

#[test]
fn nobody_there_is_an_error_of_the_socket() {
    let (server, port) = listening("127.0.0.1");
    assert!(is_stream(server.as_fd()));
    drop(server);
    let client = open(Family::Four).unwrap();
    let answer = connect(client.as_fd(), &Place::internet("127.0.0.1", port).unwrap()).and_then(|()| {
        wait_for(client.as_fd(), PollFlags::OUT);
        error(client.as_fd())
    });
    assert_eq!(answer, Err(Errno::CONNREFUSED));
}

#[test]
fn a_place_is_one_sockets_unless_both_share_it() {
    let (_server, port) = listening("127.0.0.1");
    let place = Place::internet("127.0.0.1", port).unwrap();
    let other = open(Family::Four).unwrap();
    let taken = bind(other.as_fd(), &place, Sharing::default()).and_then(|()| listen(other.as_fd(), 8));
    assert_eq!(taken, Err(Errno::ADDRINUSE));
    let sharing = Sharing { is_port_shared: true, ..Sharing::default() };
    let both = [open(Family::Four).unwrap(), open(Family::Four).unwrap()];
    bind(both[0].as_fd(), &Place::internet("127.0.0.1", 0).unwrap(), sharing).unwrap();
    bind(both[1].as_fd(), &own_place(both[0].as_fd()).unwrap(), sharing).unwrap();
}

#[test]
fn places_of_the_machine_are_paths_or_names() {
    let file = std::env::temp_dir().join(format!("rusk-socket-{}", crate::files::unpredictable_name()));
    let path = file.clone().into_os_string().into_encoded_bytes();
    let name = format!("\0rusk-test-{}", std::process::id()).into_bytes();
    for place in [path, name] {
        let place = Place::Local(place);
        let server = open(Family::Local).unwrap();
        bind(server.as_fd(), &place, Sharing::default()).unwrap();
        listen(server.as_fd(), 1).unwrap();
        assert_eq!(own_place(server.as_fd()).unwrap(), place);
        let client = open(Family::Local).unwrap();
        connect(client.as_fd(), &place).unwrap();
        assert_eq!(peer_place(client.as_fd()).unwrap(), place);
        assert_eq!(own_place(client.as_fd()).unwrap(), Place::Local(Vec::new()));
        accept(server.as_fd()).unwrap();
    }
    std::fs::remove_file(file).unwrap();
    let long = Place::Local(vec![b'a'; 200]);
    assert_eq!(
        bind(open(Family::Local).unwrap().as_fd(), &long, Sharing::default()),
        Err(Errno::NAMETOOLONG)
    );
}

#[test]
fn addresses_are_read_with_their_interface() {
    assert_eq!(Place::internet("127.0.0.1", 1), Some(Place::Internet("127.0.0.1:1".parse().unwrap())));
    assert_eq!(Place::internet("::1%3", 1), Some(Place::Internet("[::1%3]:1".parse().unwrap())));
    let loopback = Place::internet("fe80::1%lo", 1);
    assert_eq!(loopback, Some(Place::Internet("[fe80::1%1]:1".parse().unwrap())));
    for text in ["", "localhost", "1.2.3", "::1%no-such-interface", "127.0.0.1 "] {
        assert_eq!(Place::internet(text, 1), None, "{text}");
    }
}

//! Tests of `pool`.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use rusk_http_server::Transport;
use rusk_websocket::{Endpoint, encode_frame};

use super::*;
use crate::socket::SocketLimits;

const LIMITS: SocketLimits = SocketLimits {
    message_bytes_max: 1000,
    waiting_bytes_max: 1 << 20,
    closes_on_limit: false,
    sends_pings: false,
    idle_ms: 0,
};
const KEY: [u8; 4] = [1, 2, 3, 4];

/// A pool with one server socket, and the client.
fn connected(limits: SocketLimits) -> (SocketPool, u32, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let mut pool = SocketPool::new().unwrap();
    let carrier = Carrier::Socket(Transport::plain(OwnedFd::from(ours).into()));
    let socket = PooledSocket::new(carrier, Endpoint::Server, limits, None);
    let slot = pool.add(socket, Vec::new()).unwrap();
    (pool, slot, theirs)
}

fn frame(opcode: Opcode, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_frame(&mut bytes, opcode, payload, false, Some(KEY));
    bytes
}

/// All events that are there.
fn events(pool: &mut SocketPool) -> Vec<SocketEvent> {
    pool.poll();
    let found = std::iter::from_fn(|| pool.next_event()).map(|(_, event)| event).collect();
    pool.flush();
    found
}

#[test]
fn messages_come_one_by_one_and_pings_are_answered() {
    let (mut pool, _, mut client) = connected(LIMITS);
    let bytes =
        [frame(Opcode::Text, b"one"), frame(Opcode::Ping, b"p"), frame(Opcode::Binary, b"two")].concat();
    client.write_all(&bytes).unwrap();
    let expected = [
        SocketEvent::Text(b"one".into()),
        SocketEvent::Ping(b"p".into()),
        SocketEvent::Binary(b"two".into()),
    ];
    assert_eq!(events(&mut pool), expected);
    let mut answer = [0; 3];
    client.read_exact(&mut answer).unwrap();
    assert_eq!(answer, [0x8a, 1, b'p']);
}

#[test]
fn what_follows_a_close_is_ignored_and_the_slot_is_used_again() {
    let (mut pool, slot, mut client) = connected(LIMITS);
    client.write_all(&[frame(Opcode::Text, b"a"), frame(Opcode::Text, b"b")].concat()).unwrap();
    pool.poll();
    assert_eq!(pool.next_event(), Some((slot, SocketEvent::Text(b"a".into()))));
    pool.close(slot, Some(1000), "bye");
    assert_eq!((pool.next_event(), pool.counted), (None, 1));
    pool.flush();
    let mut sent = Vec::new();
    client.read_to_end(&mut sent).unwrap();
    assert_eq!(sent, b"\x88\x05\x03\xe8bye");
    client.shutdown(Shutdown::Both).unwrap();
    assert_eq!((events(&mut pool), pool.counted), (Vec::new(), 0));
    let (other, _client) = UnixStream::pair().unwrap();
    let carrier = Carrier::Socket(Transport::plain(OwnedFd::from(other).into()));
    let again = PooledSocket::new(carrier, Endpoint::Server, LIMITS, None);
    assert_eq!(pool.add(again, Vec::new()).unwrap(), slot);
}

#[test]
fn a_lost_connection_and_an_error_are_last_events() {
    let (mut pool, slot, client) = connected(LIMITS);
    drop(client);
    assert_eq!(events(&mut pool), [SocketEvent::End { reason: "" }]);
    assert!(pool.socket(slot).is_none());
    let (mut pool, _, mut client) = connected(LIMITS);
    client.write_all(&frame(Opcode::Binary, &[0; 1001])).unwrap();
    assert_eq!(events(&mut pool), [SocketEvent::End { reason: "Received too big message" }]);
    let mut sent = Vec::new();
    client.read_to_end(&mut sent).unwrap();
    assert_eq!(sent[..4], [0x88, 26, 0x03, 0xf1]);
}

#[test]
fn output_that_waits_is_limited_and_reported_when_it_is_written() {
    let (mut pool, slot, mut client) = connected(LIMITS);
    let message = vec![b'x'; 300_000];
    let outcomes: Vec<SendOutcome> =
        (0..10).map(|_| pool.send(slot, Opcode::Text, &message, false)).collect();
    assert_eq!(outcomes.first(), Some(&SendOutcome::Waiting));
    assert_eq!(outcomes.last(), Some(&SendOutcome::Dropped));
    client.set_nonblocking(true).unwrap();
    let mut buffer = vec![0; 1 << 20];
    for _ in 0..1000 {
        while client.read(&mut buffer).is_ok_and(|count| count > 0) {}
        let found = events(&mut pool);
        if !found.is_empty() {
            assert_eq!(found, [SocketEvent::Drain]);
            return;
        }
    }
    panic!("no event");
}

#[test]
fn an_idle_socket_is_pinged_then_closed() {
    let limits = SocketLimits { sends_pings: true, idle_ms: 8000, ..LIMITS };
    let (mut pool, slot, mut client) = connected(limits);
    pool.now_ms += 4000;
    pool.expire();
    let mut ping = [0; 2];
    client.read_exact(&mut ping).unwrap();
    assert_eq!(ping, [0x89, 0]);
    pool.now_ms += 4000;
    pool.expire();
    let reason = "WebSocket timed out from inactivity";
    assert_eq!(pool.next_event(), Some((slot, SocketEvent::End { reason })));
}

#[test]
fn the_end_of_a_script_socket_comes_after_its_messages() {
    let mut pool = SocketPool::new().unwrap();
    let socket = PooledSocket::new(Carrier::Script, Endpoint::Server, LIMITS, None);
    let slot = pool.add(socket, Vec::new()).unwrap();
    pool.receive(slot, frame(Opcode::Text, b"a"));
    pool.receive(slot, Vec::new());
    assert_eq!(events(&mut pool), [SocketEvent::Text(b"a".into()), SocketEvent::End { reason: "" }]);
    assert!(pool.socket(slot).is_none());
}

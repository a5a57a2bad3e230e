//! Receiving file descriptors: which message a descriptor belongs to, and when it is closed.

use std::fs::File;
use std::io::{Read as _, Write as _};

use super::*;

/// The only descriptor of a pipe's writing end, and whether it is closed.
fn pipe_end() -> (OwnedFd, impl Fn() -> bool) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let is_closed = move || {
        rusk_base::sys::fd::set_nonblocking(std::os::fd::AsFd::as_fd(&reader)).expect("it is open");
        // The end of file is read when no writer is left; until then `EAGAIN`.
        let mut reader = reader.try_clone().expect("a copy");
        matches!(reader.read(&mut [0]), Ok(0))
    };
    (OwnedFd::from(writer), is_closed)
}

/// The messages as strings, with their descriptors.
fn receive(
    receiver: &mut Receiver,
    bytes: &[u8],
    descriptors: Vec<OwnedFd>,
) -> Vec<(String, Option<OwnedFd>)> {
    let mut messages = Vec::new();
    let each = |message: Message<'_>| {
        messages.push((String::from_utf8_lossy(message.bytes).into_owned(), message.descriptor));
    };
    receiver.receive(bytes, descriptors, each).expect("they are messages");
    messages
}

#[test]
fn a_descriptor_belongs_to_the_message_of_the_last_byte() {
    let (mut receiver, (descriptor, is_closed)) = (Receiver::new(Framing::Lines), pipe_end());
    let messages = receive(&mut receiver, b"1\n2\n", vec![descriptor]);
    let which: Vec<_> =
        messages.iter().map(|(text, descriptor)| (text.as_str(), descriptor.is_some())).collect();
    assert_eq!(which, [("1", false), ("2", true)]);
    assert!(!is_closed());
    drop(messages);
    assert!(is_closed());
}

#[test]
fn a_descriptor_waits_until_its_message_is_complete() {
    let (mut receiver, (descriptor, is_closed)) = (Receiver::new(Framing::Lines), pipe_end());
    assert!(receive(&mut receiver, b"lo", vec![descriptor]).is_empty());
    assert!(receive(&mut receiver, b"n", vec![]).is_empty());
    assert!(!is_closed());
    let messages = receive(&mut receiver, b"g\nnext\n", vec![]);
    assert!(messages[0].1.is_some() && messages[1].1.is_none());
    let mut file = File::from(take_first(messages));
    file.write_all(b"alive").expect("it is open");
}

fn take_first(messages: Vec<(String, Option<OwnedFd>)>) -> OwnedFd {
    messages.into_iter().next().and_then(|(_, descriptor)| descriptor).expect("the first has one")
}

#[test]
fn a_descriptor_without_a_message_is_closed() {
    let (mut receiver, (first, is_first_closed)) = (Receiver::new(Framing::Lines), pipe_end());
    let (second, is_second_closed) = pipe_end();
    // A message has at most one descriptor.
    let messages = receive(&mut receiver, b"1\n", vec![first, second]);
    assert!(is_second_closed() && !is_first_closed());
    drop(messages);
    let (pending, is_pending_closed) = pipe_end();
    receive(&mut receiver, b"half", vec![pending]);
    assert!(!is_pending_closed());
    let (late, is_late_closed) = pipe_end();
    receive(&mut receiver, b" of", vec![late]);
    assert!(is_late_closed() && !is_pending_closed());
    drop(receiver);
    assert!(is_pending_closed());
}

#[test]
fn a_protocol_error_closes_the_descriptor() {
    let (descriptor, is_closed) = pipe_end();
    let mut receiver = Receiver::new(Framing::LengthPrefix);
    assert_eq!(
        receiver.receive(&[0xff; 5], vec![descriptor], |_| panic!("there is none")),
        Err(ProtocolError::TooLong)
    );
    assert!(is_closed());
}

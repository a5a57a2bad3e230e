//! What is sent in how many calls, and who owns a descriptor meanwhile.

use super::*;

fn watched() -> (OwnedFd, impl Fn() -> bool) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let is_closed = move || {
        let mut buffer = [0];
        // `EAGAIN`: nothing is there, and somebody may still write.
        fd::try_read(reader.as_fd(), &mut buffer) == Ok(0)
    };
    (OwnedFd::from(writer), is_closed)
}

/// What comes in one call.
fn receive(from: &OwnedFd) -> (Vec<u8>, usize) {
    let (mut buffer, mut descriptors) = (vec![0; 1 << 20], Vec::new());
    let count =
        unix_socket::receive(from.as_fd(), &mut buffer, &mut descriptors).expect("something is there");
    buffer.truncate(count);
    (buffer, descriptors.len())
}

#[test]
fn messages_are_joined_but_for_those_with_a_descriptor() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut outbox = Outbox::default();
    let (descriptor, is_closed) = watched();
    outbox.push(b"a\n".to_vec(), None);
    outbox.push(b"b\n".to_vec(), None);
    outbox.push(b"with\n".to_vec(), Some(descriptor));
    outbox.push(b"c\n".to_vec(), None);
    assert_eq!((outbox.pieces.len(), outbox.waiting_bytes()), (3, 11));
    assert_eq!(outbox.send(ours.as_fd()), Ok(()));
    assert_eq!((outbox.waiting_bytes(), outbox.sent_bytes()), (0, 11));
    assert!(!is_closed(), "it lies in the connection");
    assert_eq!(receive(&theirs), (b"a\nb\nwith\n".to_vec(), 1));
    assert!(is_closed());
    assert_eq!(receive(&theirs), (b"c\n".to_vec(), 0));
}

#[test]
fn what_is_not_taken_waits_and_goes_on_where_it_was() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut outbox = Outbox::default();
    let wanted: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    for piece in wanted.chunks(10_000) {
        outbox.push(piece.to_vec(), None);
    }
    let mut found = Vec::new();
    while outbox.waiting_bytes() > 0 {
        outbox.send(ours.as_fd()).expect("the other end is there");
        found.extend(receive(&theirs).0);
    }
    while found.len() < wanted.len() {
        found.extend(receive(&theirs).0);
    }
    assert!(found == wanted);
    assert_eq!(outbox.sent_bytes(), wanted.len() as u64);
}

#[test]
fn a_descriptor_that_was_not_sent_is_closed_with_the_box() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut outbox = Outbox::default();
    outbox.push(vec![0; 1 << 20], None);
    let (descriptor, is_closed) = watched();
    outbox.push(b"x".to_vec(), Some(descriptor));
    outbox.send(ours.as_fd()).expect("some of it is taken");
    assert!(!is_closed());
    drop(theirs);
    // Nobody is there any more.
    assert!(outbox.send(ours.as_fd()).is_err());
    assert!(is_closed());
    assert_eq!(outbox.waiting_bytes(), 0);
}

#[test]
fn a_pipe_is_a_channel_too_but_takes_no_descriptors() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut outbox = Outbox::default();
    outbox.push(b"a\n".to_vec(), None);
    assert_eq!(outbox.send(writer.as_fd()), Ok(()));
    let mut buffer = [0; 8];
    assert_eq!(fd::try_read(reader.as_fd(), &mut buffer), Ok(2));
    outbox.push(b"b\n".to_vec(), Some(OwnedFd::from(reader)));
    assert_eq!(outbox.send(writer.as_fd()), Err(Errno::NOTSOCK));
}

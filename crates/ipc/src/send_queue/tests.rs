//! Send queue: how messages are joined, and when a descriptor is closed.

use super::*;

/// The only descriptor of a pipe's writing end, and whether it is closed.
fn pipe_end() -> (OwnedFd, impl Fn() -> bool) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let is_closed = move || {
        let mut buffer = [0];
        // `EAGAIN`: a writer is left.
        fd::try_read(reader.as_fd(), &mut buffer) == Ok(0)
    };
    (OwnedFd::from(writer), is_closed)
}

/// What one recvmsg(2) call returns.
fn receive(from: &OwnedFd) -> (Vec<u8>, usize) {
    let (mut buffer, mut descriptors) = (vec![0; 1 << 20], Vec::new());
    let count =
        unix_socket::receive(from.as_fd(), &mut buffer, &mut descriptors).expect("something is there");
    buffer.truncate(count);
    (buffer, descriptors.len())
}

#[test]
fn messages_without_a_descriptor_are_joined() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut queue = SendQueue::default();
    let (descriptor, is_closed) = pipe_end();
    queue.push(b"a\n".to_vec(), None);
    queue.push(b"b\n".to_vec(), None);
    queue.push(b"with\n".to_vec(), Some(descriptor));
    queue.push(b"c\n".to_vec(), None);
    assert_eq!((queue.writes.len(), queue.queued_bytes()), (3, 11));
    assert_eq!(queue.send(ours.as_fd()), Ok(()));
    assert_eq!((queue.queued_bytes(), queue.sent_bytes()), (0, 11));
    assert!(!is_closed(), "it is in the socket's buffer");
    assert_eq!(receive(&theirs), (b"a\nb\nwith\n".to_vec(), 1));
    assert!(is_closed());
    assert_eq!(receive(&theirs), (b"c\n".to_vec(), 0));
}

#[test]
fn a_partial_send_is_continued() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut queue = SendQueue::default();
    let sent: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    for piece in sent.chunks(10_000) {
        queue.push(piece.to_vec(), None);
    }
    let mut received = Vec::new();
    while queue.queued_bytes() > 0 {
        queue.send(ours.as_fd()).expect("the other end is there");
        received.extend(receive(&theirs).0);
    }
    while received.len() < sent.len() {
        received.extend(receive(&theirs).0);
    }
    assert!(received == sent);
    assert_eq!(queue.sent_bytes(), sent.len() as u64);
}

#[test]
fn an_unsent_descriptor_is_closed_after_an_error() {
    let (ours, theirs) = fd::socket_pair().expect("a pair");
    let mut queue = SendQueue::default();
    queue.push(vec![0; 1 << 20], None);
    let (descriptor, is_closed) = pipe_end();
    queue.push(b"x".to_vec(), Some(descriptor));
    queue.send(ours.as_fd()).expect("some of it is taken");
    assert!(!is_closed());
    drop(theirs);
    // The other end is closed.
    assert!(queue.send(ours.as_fd()).is_err());
    assert!(is_closed());
    assert_eq!(queue.queued_bytes(), 0);
}

#[test]
fn a_pipe_can_be_a_channel_without_fd_passing() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut queue = SendQueue::default();
    queue.push(b"a\n".to_vec(), None);
    assert_eq!(queue.send(writer.as_fd()), Ok(()));
    let mut buffer = [0; 8];
    assert_eq!(fd::try_read(reader.as_fd(), &mut buffer), Ok(2));
    queue.push(b"b\n".to_vec(), Some(OwnedFd::from(reader)));
    assert_eq!(queue.send(writer.as_fd()), Err(Errno::NOTSOCK));
}

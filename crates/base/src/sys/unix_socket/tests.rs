//! Fd passing over Unix sockets.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsFd;

use super::*;
use crate::sys::fd::{self, socket_pair};

/// The write end and the read end of a pipe.
fn pipe() -> (File, OwnedFd) {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).expect("a pipe");
    (File::from(writer), reader)
}

fn receive_all(from: &OwnedFd) -> (Vec<u8>, Vec<OwnedFd>) {
    let (mut buffer, mut descriptors) = ([0; 64], Vec::new());
    let count = receive(from.as_fd(), &mut buffer, &mut descriptors).expect("something is there");
    (buffer[..count].to_vec(), descriptors)
}

#[test]
fn a_descriptor_arrives_with_its_bytes_as_a_duplicate() {
    let (ours, theirs) = socket_pair().expect("a pair");
    let (mut writer, reader) = pipe();
    assert_eq!(send(ours.as_fd(), b"first", None), Ok(5));
    assert_eq!(send(ours.as_fd(), b"second", Some(reader.as_fd())), Ok(6));
    drop(reader);
    writer.write_all(b"through").expect("the pipe has a reader");
    // One receive returns earlier bytes too, but nothing after the message with a descriptor.
    assert_eq!(send(ours.as_fd(), b"third", None), Ok(5));
    let (bytes, descriptors) = receive_all(&theirs);
    assert_eq!((bytes.as_slice(), descriptors.len()), (b"firstsecond".as_slice(), 1));
    let mut found = [0; 16];
    assert_eq!(fd::try_read(descriptors[0].as_fd(), &mut found), Ok(7));
    assert_eq!(receive_all(&theirs).0, b"third");
}

#[test]
fn a_descriptor_in_flight_is_closed_with_the_connection() {
    let (ours, theirs) = socket_pair().expect("a pair");
    let (mut writer, reader) = pipe();
    send(ours.as_fd(), b"x", Some(reader.as_fd())).expect("it is sent");
    drop(reader);
    writer.write_all(b"in flight").expect("the reader is in flight");
    drop(theirs);
    let error = writer.write_all(b"x").expect_err("the last reader is gone");
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn excess_descriptors_are_closed() {
    let (ours, theirs) = socket_pair().expect("a pair");
    let (mut writer, reader) = pipe();
    let many = [reader.as_fd(); DESCRIPTORS_MAX + 5];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX + 5))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(&many)));
    sendmsg(&ours, &[IoSlice::new(b"x")], &mut control, SendFlags::empty()).expect("it is sent");
    drop(reader);
    let (_, descriptors) = receive_all(&theirs);
    assert_eq!(descriptors.len(), DESCRIPTORS_MAX);
    drop(descriptors);
    assert!(writer.write_all(b"x").is_err());
}

#[test]
fn nothing_blocks_and_a_closed_peer_is_an_error() {
    let (ours, theirs) = socket_pair().expect("a pair");
    assert_eq!(receive(ours.as_fd(), &mut [0; 8], &mut Vec::new()), Err(Errno::AGAIN));
    let much = vec![0; 1 << 20];
    let mut sent = 0;
    while let Ok(count @ 1..) = send(ours.as_fd(), &much, None) {
        sent += count;
    }
    assert!(sent > 0);
    assert_eq!(send(ours.as_fd(), &much, None), Ok(0));
    drop(theirs);
    assert_eq!(send(ours.as_fd(), b"x", None), Err(Errno::PIPE));
}

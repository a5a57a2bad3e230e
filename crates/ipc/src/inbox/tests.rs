//! Which message a descriptor belongs to, and when it is closed.

use std::fs::File;
use std::io::{Read as _, Write as _};

use super::*;

/// A descriptor that nobody else holds, and a way to learn that it was closed.
fn watched() -> (OwnedFd, impl Fn() -> bool) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let is_closed = move || {
        rusk_base::sys::fd::set_nonblocking(std::os::fd::AsFd::as_fd(&reader)).expect("it is open");
        // The end comes once no writer is left; until then there is nothing.
        let mut reader = reader.try_clone().expect("a copy");
        matches!(reader.read(&mut [0]), Ok(0))
    };
    (OwnedFd::from(writer), is_closed)
}

/// Which of the messages had one.
fn take(inbox: &mut Inbox, bytes: &[u8], descriptors: Vec<OwnedFd>) -> Vec<(String, Option<OwnedFd>)> {
    let mut found = Vec::new();
    let each = |message: Message<'_>| {
        found.push((String::from_utf8_lossy(message.bytes).into_owned(), message.descriptor));
    };
    inbox.take(bytes, descriptors, each).expect("they are messages");
    found
}

#[test]
fn a_descriptor_belongs_to_the_message_of_the_last_byte() {
    let (mut inbox, (descriptor, is_closed)) = (Inbox::new(Form::Lines), watched());
    let found = take(&mut inbox, b"1\n2\n", vec![descriptor]);
    let which: Vec<_> =
        found.iter().map(|(text, descriptor)| (text.as_str(), descriptor.is_some())).collect();
    assert_eq!(which, [("1", false), ("2", true)]);
    assert!(!is_closed());
    drop(found);
    assert!(is_closed());
}

#[test]
fn it_waits_for_a_message_that_is_not_whole() {
    let (mut inbox, (descriptor, is_closed)) = (Inbox::new(Form::Lines), watched());
    assert!(take(&mut inbox, b"lo", vec![descriptor]).is_empty());
    assert!(take(&mut inbox, b"n", vec![]).is_empty());
    assert!(!is_closed());
    let found = take(&mut inbox, b"g\nnext\n", vec![]);
    assert!(found[0].1.is_some() && found[1].1.is_none());
    let mut file = File::from(take_first(found));
    file.write_all(b"alive").expect("it is open");
}

fn take_first(found: Vec<(String, Option<OwnedFd>)>) -> OwnedFd {
    found.into_iter().next().and_then(|(_, descriptor)| descriptor).expect("the first has one")
}

#[test]
fn what_belongs_to_no_message_is_closed() {
    let (mut inbox, (first, is_first_closed)) = (Inbox::new(Form::Lines), watched());
    let (second, is_second_closed) = watched();
    // One message, one descriptor.
    let found = take(&mut inbox, b"1\n", vec![first, second]);
    assert!(is_second_closed() && !is_first_closed());
    drop(found);
    let (parked, is_parked_closed) = watched();
    take(&mut inbox, b"half", vec![parked]);
    assert!(!is_parked_closed());
    let (late, is_late_closed) = watched();
    take(&mut inbox, b" of", vec![late]);
    assert!(is_late_closed() && !is_parked_closed());
    drop(inbox);
    assert!(is_parked_closed());
}

#[test]
fn bytes_that_are_no_messages_close_what_came_with_them() {
    let (descriptor, is_closed) = watched();
    let mut inbox = Inbox::new(Form::Lengths);
    assert_eq!(inbox.take(&[0xff; 5], vec![descriptor], |_| panic!("there is none")), Err(Flaw::TooLong));
    assert!(is_closed());
}

//! Children without a pidfd, as on old kernels: the same events are reported.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::{Event, Streams};
use crate::{Command, Exit, Stdio};

#[test]
fn an_exit_is_reported_without_a_pidfd() {
    let mut streams = Streams::open().unwrap();
    let mut child = Command::new("sh").args(["-c", "echo out; exit 4"]).stdout(Stdio::Pipe).spawn().unwrap();
    child.pidfd = None;
    streams.add(child).unwrap();
    let mut events = Vec::new();
    while let Some(event) = streams.next(None).unwrap() {
        events.push(match event {
            Event::Chunk { bytes, .. } => String::from_utf8(bytes.to_vec()).unwrap(),
            Event::Ended { result, .. } => format!("{:?}", result.unwrap()),
            Event::Closed { .. } | Event::Fed { .. } => continue,
        });
    }
    assert_eq!(events, ["out\n".to_owned(), format!("{:?}", Exit::Status(4))]);
}

//! Programs on a pseudo-terminal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};

use rusk_spawn::{Child, Command, Event, Exit, Mode, Pty, Size, Streams, TableChoice};

const SIZE: Size = Size { rows: 24, columns: 81 };

fn begin(pty: &Pty, program: &str) -> Child {
    Command::new("/bin/sh").args(["-c", program]).terminal(pty).spawn().unwrap()
}

/// Reads up to a string that the program writes.
fn read_to(mut from: impl Read, end: &str) -> String {
    let mut found = Vec::new();
    let mut byte = [0];
    while !found.ends_with(end.as_bytes()) {
        assert_eq!(from.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&found));
        found.push(byte[0]);
    }
    String::from_utf8(found).unwrap()
}

#[test]
fn a_program_has_a_terminal() {
    let variants = [
        (Mode::Direct, TableChoice::Copied),
        (Mode::Direct, TableChoice::Shared),
        (Mode::Vfork, TableChoice::Copied),
        (Mode::Zygote, TableChoice::Chosen),
    ];
    for (mode, table) in variants {
        let pty = Pty::open(SIZE).unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "test -t 0 && test -t 1 && test -t 2 && stty size </dev/tty"]);
        let mut child = command.terminal(&pty).mode(mode).table(table).spawn().unwrap();
        let mut output = String::new();
        (&pty).read_to_string(&mut output).unwrap();
        assert_eq!(
            (output.as_str(), child.wait().unwrap()),
            ("24 81\r\n", Exit::Status(0)),
            "{mode:?} {table:?}"
        );
    }
}

#[test]
fn a_terminal_can_be_resized() {
    let pty = Pty::open(SIZE).unwrap();
    let mut child =
        begin(&pty, "stty -echo; trap 'stty size; exit 0' WINCH; echo ready; while read line; do :; done");
    read_to(&pty, "ready\r\n");
    let size = Size { rows: 30, columns: 100 };
    pty.resize(size).unwrap();
    // A shell handles signals when its read returns; it may have exited by then.
    let _ = (&pty).write_all(b"\n");
    assert_eq!((read_to(&pty, "\r\n").as_str(), pty.size().unwrap()), ("30 100\r\n", size));
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
}

#[test]
fn what_is_typed_is_read() {
    let pty = Pty::open(SIZE).unwrap();
    let mut child = begin(&pty, "stty -echo; echo ready; read line; echo got $line");
    read_to(&pty, "ready\r\n");
    (&pty).write_all(b"hello\n").unwrap();
    assert_eq!(read_to(&pty, "\r\n"), "got hello\r\n");
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
}

#[test]
fn ctrl_c_interrupts_the_foreground_group() {
    let pty = Pty::open(SIZE).unwrap();
    assert_eq!(pty.foreground_group(), None);
    // The echo, and the program's output: no shell is left that might miss the key.
    let mut child = begin(&pty, "exec cat");
    (&pty).write_all(b"hello\n").unwrap();
    read_to(&pty, "hello\r\nhello\r\n");
    assert_eq!(pty.foreground_group(), Some(child.id()));
    (&pty).write_all(b"\x03").unwrap();
    assert_eq!(child.wait().unwrap(), Exit::Signal { number: libc::SIGINT, dumped_core: false });
}

#[test]
fn a_terminal_that_is_held_open_serves_programs_in_turn() {
    let pty = Pty::open(SIZE).unwrap();
    let held = pty.program_side().unwrap();
    for text in ["first", "second"] {
        let mut child = begin(&pty, &format!("echo {text}"));
        assert_eq!(child.wait().unwrap(), Exit::Status(0));
        read_to(&pty, &format!("{text}\r\n"));
    }
    drop(held);
    assert_eq!((&pty).read(&mut [0; 16]).unwrap(), 0);
}

#[test]
fn a_terminal_that_is_dropped_hangs_up() {
    let pty = Pty::open(SIZE).unwrap();
    let mut child = begin(&pty, "echo ready; sleep 1000; :");
    read_to(child.stdout.take().unwrap(), "ready\r\n");
    drop(pty);
    assert_eq!(child.wait().unwrap(), Exit::Signal { number: libc::SIGHUP, dumped_core: false });
}

#[test]
fn a_terminal_is_read_beside_other_streams() {
    let pty = Pty::open(SIZE).unwrap();
    let mut streams = Streams::open().unwrap();
    let key = streams.add(begin(&pty, "echo out; echo err >&2")).unwrap();
    let mut output = Vec::new();
    while let Some(event) = streams.next(None).unwrap() {
        if let Event::Chunk { bytes, .. } = event {
            output.extend_from_slice(bytes);
        }
    }
    assert_eq!(String::from_utf8(output).unwrap(), "out\r\nerr\r\n");
    assert!(!streams.contains(key));
}

//! Streams of many children, read by one thread.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::time::Duration;

use rusk_spawn::{Command, Event, Exit, Key, Mode, Result, Stdio, Step, Stream, Streams, TableChoice};

/// Long enough that what can happen has happened, on a computer that is busy with other tests.
const QUIET: Duration = Duration::from_millis(100);

fn shell(program: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", program]).stdin(Stdio::Null).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
    command
}

/// All events of one child.
#[derive(Default)]
struct Collected {
    outputs: [Vec<u8>; 2],
    closed: Vec<Stream>,
    fed: Option<usize>,
    ended: Option<Result<Exit>>,
}

fn run(streams: &mut Streams) -> BTreeMap<Key, Collected> {
    let mut events = BTreeMap::<Key, Collected>::new();
    while let Some(event) = streams.next(None).unwrap() {
        match event {
            Event::Chunk { key, stream, bytes } => {
                events.entry(key).or_default().outputs[stream as usize].extend_from_slice(bytes);
            }
            Event::Closed { key, stream, result } => {
                result.unwrap();
                events.entry(key).or_default().closed.push(stream);
            }
            Event::Fed { key, left_bytes } => events.entry(key).or_default().fed = Some(left_bytes),
            Event::Ended { key, result, .. } => events.entry(key).or_default().ended = Some(result),
        }
    }
    assert!(streams.is_empty());
    events
}

#[test]
fn many_children_are_read_immediate() {
    let mut streams = Streams::open().unwrap();
    let mut wanted = BTreeMap::new();
    for index in 0..40 {
        let (mode, table) = [
            (Mode::Direct, TableChoice::Copied),
            (Mode::Direct, TableChoice::Shared),
            (Mode::Vfork, TableChoice::Copied),
        ][index % 3];
        let program = format!("head -c 200000 /dev/zero; echo errors {index} >&2; exit {index}");
        let child = shell(&program).mode(mode).table(table).spawn().unwrap();
        wanted.insert(streams.add(child).unwrap(), index);
    }
    let events = run(&mut streams);
    assert_eq!(events.len(), wanted.len());
    for (key, index) in wanted {
        let Collected { outputs: [output, errors], ended, closed, .. } = &events[&key];
        assert_eq!((output.len(), closed.len()), (200_000, 2));
        assert_eq!(String::from_utf8_lossy(errors), format!("errors {index}\n"));
        assert_eq!(ended.clone().unwrap().unwrap(), Exit::Status(index as i32));
    }
}

#[test]
fn a_child_without_a_reader_blocks() {
    let mut streams = Streams::open().unwrap();
    let key = streams.add(shell("head -c 1000000 /dev/zero; echo done >&2").spawn().unwrap()).unwrap();
    streams.pause(key, Stream::Stdout);
    let early = streams.next(Some(QUIET)).unwrap();
    assert!(early.is_none(), "{early:?}");
    streams.resume(key, Stream::Stdout).unwrap();
    let events = &run(&mut streams)[&key];
    assert_eq!((events.outputs[0].len(), events.outputs[1].as_slice()), (1_000_000, &b"done\n"[..]));
}

#[test]
fn a_busy_child_does_not_starve_others() {
    let mut streams = Streams::open().unwrap();
    let endless = streams.add(shell("exec yes").spawn().unwrap()).unwrap();
    let other = streams.add(shell("echo said").spawn().unwrap()).unwrap();
    while streams.contains(other) {
        streams.next(None).unwrap().unwrap();
    }
    streams.child(endless).unwrap().kill().unwrap();
    let ended = run(&mut streams).remove(&endless).unwrap().ended.unwrap().unwrap();
    assert_eq!(ended, Exit::Signal { number: libc::SIGKILL, dumped_core: false });
}

#[test]
fn large_input_and_output_do_not_deadlock() {
    let mut streams = Streams::open().unwrap();
    let key = streams.add(shell("cat").stdin(Stdio::Pipe).spawn().unwrap()).unwrap();
    let input: Vec<u8> = (0..3_000_000_u32).map(|at| (at / 7) as u8).collect();
    streams.feed(key, &input[..10]).unwrap();
    streams.feed(key, &input[10..]).unwrap();
    streams.end_input(key);
    assert!(streams.feed(key, b"late").is_err());
    let events = &run(&mut streams)[&key];
    assert!(events.outputs[0] == input);
    assert_eq!((events.fed, events.ended.clone().unwrap().unwrap()), (Some(0), Exit::Status(0)));
}

#[test]
fn a_child_may_be_fed_in_chunks() {
    let mut streams = Streams::open().unwrap();
    let key = streams.add(shell("cat").stdin(Stdio::Pipe).spawn().unwrap()).unwrap();
    let mut output = Vec::new();
    let mut portions = [&b"one "[..], b"two "].into_iter();
    streams.feed(key, b"zero ").unwrap();
    while let Some(event) = streams.next(None).unwrap() {
        match event {
            Event::Chunk { bytes, .. } => output.extend_from_slice(bytes),
            Event::Fed { .. } => match portions.next() {
                Some(portion) => streams.feed(key, portion).unwrap(),
                None => streams.end_input(key),
            },
            Event::Closed { .. } | Event::Ended { .. } => {}
        }
    }
    assert_eq!(output, b"zero one two ");
}

#[test]
fn writing_to_a_closed_input_raises_no_sigpipe() {
    // SAFETY: restores the system's default, which Rust's runtime has changed.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut streams = Streams::open().unwrap();
    let program = "exec <&-; echo closed";
    let key = streams.add(shell(program).stdin(Stdio::Pipe).spawn().unwrap()).unwrap();
    streams.feed(key, &vec![0; 500_000]).unwrap();
    let events = &run(&mut streams)[&key];
    assert!(events.fed.unwrap() > 0);
    assert_eq!(events.ended.clone().unwrap().unwrap(), Exit::Status(0));
}

#[test]
fn a_failed_start_is_an_ended_event() {
    let mut streams = Streams::open().unwrap();
    let mut command = Command::new("/no/such/program");
    command.stdout(Stdio::Pipe);
    let wrong = streams.add(command.spawn().unwrap()).unwrap();
    let right = streams.add(shell("echo said").spawn().unwrap()).unwrap();
    let events = run(&mut streams);
    let error = events[&wrong].ended.clone().unwrap().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Exec, libc::ENOENT));
    assert_eq!(events[&wrong].closed, [Stream::Stdout]);
    assert_eq!(events[&right].outputs[0], b"said\n");
}

#[test]
fn a_stream_outlives_the_child_while_it_is_held_open() {
    let mut streams = Streams::open().unwrap();
    let program = "exec 3<&0; (cat <&3 >&2; echo late) & exit 3";
    let key = streams.add(shell(program).stdin(Stdio::Pipe).spawn().unwrap()).unwrap();
    let mut order = Vec::new();
    while let Some(event) = streams.next(None).unwrap() {
        order.push(match event {
            Event::Ended { result, .. } => format!("{:?}", result.unwrap()),
            Event::Chunk { bytes, .. } => String::from_utf8(bytes.to_vec()).unwrap(),
            Event::Closed { stream: Stream::Stdout, .. } => "closed".to_owned(),
            Event::Closed { .. } | Event::Fed { .. } => continue,
        });
    }
    assert_eq!(order, ["Status(3)", "late\n", "closed"]);
    assert!(!streams.contains(key));
}

#[test]
fn a_child_is_returned_with_its_streams() {
    use std::io::{Read, Write};
    let mut streams = Streams::open().unwrap();
    let key = streams.add(shell("cat").stdin(Stdio::Pipe).spawn().unwrap()).unwrap();
    streams.feed(key, b"fed ").unwrap();
    while !matches!(streams.next(None).unwrap().unwrap(), Event::Chunk { .. }) {}
    let mut child = streams.take(key).unwrap();
    assert!(streams.is_empty() && streams.next(None).unwrap().is_none());
    child.stdin.take().unwrap().write_all(b"written").unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!((output.as_str(), child.wait().unwrap()), ("written", Exit::Status(0)));
}

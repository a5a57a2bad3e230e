//! Streams of many children, for C. In: children. Out: events, as plain structs that point into the
//! buffer.

use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use spawn::{Child, Event, Key, Step, Stream, Streams};

use crate::child::RawExit;
use crate::error::{ErrorSlot, fail, write_error};
use crate::pointer::Array;

/// `rusk_event`.
#[repr(C)]
pub struct RawEvent {
    kind: u32,
    key: u64,
    stream: u32,
    bytes: *const c_char,
    count: usize,
    exit: RawExit,
    code: c_int,
}

const NONE: u32 = 0;
const CHUNK: u32 = 1;
const CLOSED: u32 = 2;
const FED: u32 = 3;
const ENDED: u32 = 4;

const STDOUT: u32 = 1;
const STDERR: u32 = 2;

impl RawEvent {
    fn of(kind: u32, key: u64) -> RawEvent {
        RawEvent {
            kind,
            key,
            stream: 0,
            bytes: std::ptr::null(),
            count: 0,
            exit: RawExit::from(None),
            code: 0,
        }
    }

    /// Converts an event. Errors of a stream or a child are also written to `error`.
    fn from(event: Option<Event<'_>>, error: ErrorSlot<'_>) -> RawEvent {
        match event {
            None => RawEvent::of(NONE, 0),
            Some(Event::Chunk { key, stream, bytes }) => RawEvent {
                stream: number(stream),
                bytes: bytes.as_ptr().cast(),
                count: bytes.len(),
                ..RawEvent::of(CHUNK, key.number())
            },
            Some(Event::Closed { key, stream, result }) => {
                let code = result.map_or_else(|problem| write_error(error, &problem), |()| 0);
                RawEvent { stream: number(stream), code, ..RawEvent::of(CLOSED, key.number()) }
            }
            Some(Event::Fed { key, left_bytes }) => {
                RawEvent { count: left_bytes, ..RawEvent::of(FED, key.number()) }
            }
            Some(Event::Ended { key, result, .. }) => match result {
                Ok(exit) => RawEvent { exit: RawExit::from(Some(exit)), ..RawEvent::of(ENDED, key.number()) },
                Err(problem) => {
                    RawEvent { code: write_error(error, &problem), ..RawEvent::of(ENDED, key.number()) }
                }
            },
        }
    }
}

fn number(stream: Stream) -> u32 {
    match stream {
        Stream::Stdout => STDOUT,
        Stream::Stderr => STDERR,
    }
}

fn stream(number: u32) -> Option<Stream> {
    match number {
        STDOUT => Some(Stream::Stdout),
        STDERR => Some(Stream::Stderr),
        _ => None,
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_new(
    streams: Option<&mut MaybeUninit<Option<Box<Streams>>>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let Some(slot) = streams else { return fail(error, Step::Watch, libc::EINVAL) };
    let slot = slot.write(None);
    match Streams::open() {
        Ok(streams) => {
            *slot = Some(Box::new(streams));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_free(streams: Option<Box<Streams>>) {
    drop(streams);
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_add(
    streams: Option<&mut Streams>,
    child: Option<Box<Child>>,
    key: Option<&mut MaybeUninit<u64>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let (Some(streams), Some(child)) = (streams, child) else {
        return fail(error, Step::Watch, libc::EINVAL);
    };
    match streams.add(*child) {
        Ok(found) => {
            key.map(|key| key.write(found.number()));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_next(
    streams: Option<&mut Streams>,
    timeout_ms: c_int,
    event: Option<&mut MaybeUninit<RawEvent>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let (Some(streams), Some(slot)) = (streams, event) else {
        return fail(error, Step::Watch, libc::EINVAL);
    };
    let limit = u64::try_from(timeout_ms).ok().map(Duration::from_millis);
    match streams.next(limit) {
        Ok(event) => {
            slot.write(RawEvent::from(event, error));
            0
        }
        Err(problem) => {
            slot.write(RawEvent::of(NONE, 0));
            write_error(error, &problem)
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_pause(streams: Option<&mut Streams>, key: u64, number: u32) -> c_int {
    let (Some(streams), Some(stream)) = (streams, stream(number)) else { return libc::EINVAL };
    streams.pause(Key::from_number(key), stream);
    0
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_resume(streams: Option<&mut Streams>, key: u64, number: u32) -> c_int {
    let (Some(streams), Some(stream)) = (streams, stream(number)) else { return libc::EINVAL };
    let resumed = streams.resume(Key::from_number(key), stream);
    resumed.map_or_else(|problem| problem.errno(), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_feed(
    streams: Option<&mut Streams>,
    key: u64,
    bytes: Array<u8>,
    count: usize,
) -> c_int {
    let Some(streams) = streams else { return libc::EINVAL };
    match bytes.read(count) {
        Ok(bytes) => {
            let fed = streams.feed(Key::from_number(key), bytes);
            fed.map_or_else(|problem| problem.errno(), |()| 0)
        }
        Err(errno) => errno,
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_end_input(streams: Option<&mut Streams>, key: u64) -> c_int {
    let Some(streams) = streams else { return libc::EINVAL };
    streams.end_input(Key::from_number(key));
    0
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_child(streams: Option<&Streams>, key: u64) -> Option<&Child> {
    streams.and_then(|streams| streams.child(Key::from_number(key)))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_take(streams: Option<&mut Streams>, key: u64) -> Option<Box<Child>> {
    streams.and_then(|streams| streams.take(Key::from_number(key))).map(Box::new)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_count(streams: Option<&Streams>) -> usize {
    streams.map_or(0, Streams::len)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_streams_fd(streams: Option<&Streams>) -> c_int {
    streams.map_or(-1, |streams| streams.as_fd().as_raw_fd())
}

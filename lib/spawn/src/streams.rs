//! Streams of many children, read by one thread. In: children. Out: [`Event`]s, one at a time: a
//! chunk of output, the end of a stream, the exit of a child, consumed input. Nothing is read
//! ahead: unrequested output stays in the child's pipe, and a child whose pipe is full blocks. The
//! memory is one buffer for all children, and their unconsumed input.

use std::collections::{BTreeMap, VecDeque};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use crate::epoll::{Epoll, Interest};
use crate::error::{Error, Result};
use crate::kernel::Errno;
use crate::process::{Child, Exit};
use crate::stdio::{self, Input, Output};
use crate::step::Step;
use crate::usage::Usage;

pub(crate) mod transfer;

#[cfg(test)]
mod tests;

/// Identifies a watched child. Keys are not reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    /// For callers that pass keys on as numbers.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The key of a number from [`Key::number`]. Any other number is an unknown key.
    pub fn from_number(number: u64) -> Key {
        Key(number)
    }
}

/// Stdout or stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// An event of a child. Its exit and the ends of its streams are separate events, in any order: a
/// descendant may go on writing.
#[derive(Debug)]
pub enum Event<'a> {
    /// It wrote. Chunks of one stream are in order; the two streams of a child are not ordered.
    Chunk { key: Key, stream: Stream, bytes: &'a [u8] },
    /// All writers have closed the stream, or it could not be read.
    Closed { key: Key, stream: Stream, result: Result<()> },
    /// It consumed all input, or closed its stdin with this many bytes left.
    Fed { key: Key, left_bytes: usize },
    /// It exited and was reaped, with its resource usage, or could not be started.
    Ended { key: Key, result: Result<Exit>, usage: Usage },
}

/// A set of watched children. A child that has exited, with both streams closed and all events
/// reported, is removed. Dropping the set drops the children: they keep running, without readers.
#[derive(Debug)]
pub struct Streams {
    watch: Epoll,
    watched: BTreeMap<Key, WatchedChild>,
    next_key: u64,
    /// Tokens that the kernel reported and that are not handled yet.
    ready: VecDeque<u64>,
    chunk: Box<[u8]>,
}

/// The default capacity of a pipe, so that one call empties it.
const CHUNK_BYTES: usize = 64 * 1024;

/// Without a pidfd, an exit is noticed within this time.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

#[derive(Debug)]
struct WatchedChild {
    child: Child,
    outputs: [Option<OutputStream>; 2],
    input: Option<InputBuffer>,
    has_ended: bool,
}

#[derive(Debug)]
struct OutputStream {
    pipe: OwnedFd,
    is_paused: bool,
}

#[derive(Debug)]
struct InputBuffer {
    pipe: OwnedFd,
    bytes: Vec<u8>,
    written: usize,
    /// The pipe is closed when everything is written.
    is_last: bool,
}

/// The role in a token, besides the key.
const STDOUT: u64 = 0;
const STDERR: u64 = 1;
const INPUT: u64 = 2;
const END: u64 = 3;

fn token(key: Key, role: u64) -> u64 {
    key.0 << 2 | role
}

fn epoll_error(errno: Errno) -> Error {
    Error::new(Step::Watch, errno)
}

/// An event before its bytes are borrowed from the buffer.
enum PendingEvent {
    Chunk { key: Key, stream: Stream, bytes: usize },
    Other(Event<'static>),
}

impl Streams {
    /// # Errors
    /// Too many fds, or too little memory.
    pub fn open() -> Result<Streams> {
        Ok(Streams {
            watch: Epoll::open().map_err(epoll_error)?,
            watched: BTreeMap::new(),
            next_key: 0,
            ready: VecDeque::new(),
            chunk: vec![0; CHUNK_BYTES].into_boxed_slice(),
        })
    }

    /// Watches a child: its exit, and its streams that are pipes. Its stdin stays open and empty
    /// until [`Streams::end_input`].
    ///
    /// # Errors
    /// Too little memory, or too many watched fds. The child is dropped then: it keeps running.
    pub fn add(&mut self, mut child: Child) -> Result<Key> {
        let key = Key(self.next_key);
        self.next_key += 1;
        let source = |output: Output| OutputStream { pipe: output.into(), is_paused: false };
        let outputs = [child.stdout.take().map(source), child.stderr.take().map(source)];
        let input = child.stdin.take().map(|input| InputBuffer {
            pipe: input.into(),
            bytes: Vec::new(),
            written: 0,
            is_last: false,
        });
        let watched = WatchedChild { child, outputs, input, has_ended: false };
        for (source, role) in watched.outputs.iter().zip([STDOUT, STDERR]) {
            if let Some(source) = source {
                self.watch
                    .add(source.pipe.as_fd(), token(key, role), Interest::Readable)
                    .map_err(epoll_error)?;
            }
        }
        if let Some(pidfd) = watched.child.pidfd() {
            self.watch.add(pidfd, token(key, END), Interest::Readable).map_err(epoll_error)?;
        }
        self.watched.insert(key, watched);
        Ok(key)
    }

    /// The next event, within the limit, if any. None when the limit has passed, or when no child
    /// is left. Without a limit this blocks for ever if the children only wait for paused streams.
    ///
    /// # Errors
    /// Those of epoll; errors of a child are events.
    pub fn next(&mut self, limit: Option<Duration>) -> Result<Option<Event<'_>>> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut is_last = false;
        let found = loop {
            if let Some(found) = self.take_ready() {
                break found;
            }
            if is_last || self.watched.is_empty() {
                return Ok(None);
            }
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            is_last = remaining == Some(Duration::ZERO);
            self.refill(remaining)?;
        };
        Ok(Some(match found {
            PendingEvent::Chunk { key, stream, bytes } => {
                Event::Chunk { key, stream, bytes: &self.chunk[..bytes] }
            }
            PendingEvent::Other(event) => event,
        }))
    }

    /// Stops reading a stream until [`Streams::resume`]. The child blocks once its pipe is full.
    pub fn pause(&mut self, key: Key, stream: Stream) {
        if let Some(source) = self.source(key, stream).filter(|source| !source.is_paused) {
            source.is_paused = true;
            let Some(WatchedChild { outputs, .. }) = self.watched.get(&key) else { return };
            if let Some(source) = &outputs[stream as usize] {
                self.watch.remove(source.pipe.as_fd());
            }
        }
    }

    /// # Errors
    /// As [`Streams::add`]; the stream stays paused.
    pub fn resume(&mut self, key: Key, stream: Stream) -> Result<()> {
        let Some(WatchedChild { outputs, .. }) = self.watched.get_mut(&key) else { return Ok(()) };
        if let Some(source) = outputs[stream as usize].as_mut().filter(|source| source.is_paused) {
            let token = token(key, stream as u64);
            self.watch.add(source.pipe.as_fd(), token, Interest::Readable).map_err(epoll_error)?;
            source.is_paused = false;
        }
        Ok(())
    }

    /// Queues input for the child, which is held here until it is consumed: for large inputs, wait
    /// for [`Event::Fed`] in between.
    ///
    /// # Errors
    /// `EPIPE` if the child's stdin is no pipe, was ended, or was closed by the child.
    pub fn feed(&mut self, key: Key, bytes: &[u8]) -> Result<()> {
        let input = self.watched.get_mut(&key).and_then(|watched| watched.input.as_mut());
        let Some(input) = input.filter(|input| !input.is_last) else {
            return Err(Error::new(Step::Write, libc::EPIPE));
        };
        if !bytes.is_empty() && input.is_idle() {
            transfer::unblock(input.pipe.as_fd()).map_err(|errno| Error::new(Step::Write, errno))?;
            self.watch.add(input.pipe.as_fd(), token(key, INPUT), Interest::Writable).map_err(epoll_error)?;
        }
        input.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Closes the child's stdin after the queued input.
    pub fn end_input(&mut self, key: Key) {
        let Some(watched) = self.watched.get_mut(&key) else { return };
        match &mut watched.input {
            Some(input) if !input.is_idle() => input.is_last = true,
            _ => watched.input = None,
        }
    }

    /// A watched child, for signals.
    pub fn child(&self, key: Key) -> Option<&Child> {
        self.watched.get(&key).map(|watched| &watched.child)
    }

    /// Whether more events of this child will be reported.
    pub fn contains(&self, key: Key) -> bool {
        self.watched.contains_key(&key)
    }

    pub fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    pub fn len(&self) -> usize {
        self.watched.len()
    }

    /// Removes a child, and returns it with its open streams. Unconsumed input is lost.
    pub fn take(&mut self, key: Key) -> Option<Child> {
        let WatchedChild { mut child, outputs, input, .. } = self.watched.remove(&key)?;
        if let Some(pidfd) = child.pidfd() {
            self.watch.remove(pidfd);
        }
        let [stdout, stderr] = outputs.map(|source| {
            let pipe = source?.pipe;
            self.watch.remove(pipe.as_fd());
            Some(Output { pipe, start: child.start.clone() })
        });
        (child.stdout, child.stderr) = (stdout, stderr);
        child.stdin = input.map(|input| {
            self.watch.remove(input.pipe.as_fd());
            transfer::block(input.pipe.as_fd());
            Input { pipe: input.pipe }
        });
        Some(child)
    }

    fn source(&mut self, key: Key, stream: Stream) -> Option<&mut OutputStream> {
        self.watched.get_mut(&key)?.outputs[stream as usize].as_mut()
    }

    /// Queries the kernel, for at most this long. Exits come after output that is ready at the same
    /// time.
    fn refill(&mut self, remaining: Option<Duration>) -> Result<()> {
        let unseen = |watched: &WatchedChild| watched.child.pidfd().is_none() && !watched.has_ended;
        let must_poll = self.watched.values().any(unseen);
        let remaining = if must_poll {
            Some(remaining.map_or(POLL_INTERVAL, |remaining| remaining.min(POLL_INTERVAL)))
        } else {
            remaining
        };
        self.watch.wait(remaining, &mut self.ready).map_err(epoll_error)?;
        if must_poll {
            let keys = self.watched.iter().filter(|(_, watched)| unseen(watched)).map(|(key, _)| *key);
            self.ready.extend(keys.map(|key| token(key, END)));
        }
        self.ready.make_contiguous().sort_by_key(|token| token & 3 == END);
        Ok(())
    }

    fn take_ready(&mut self) -> Option<PendingEvent> {
        while let Some(token) = self.ready.pop_front() {
            let key = Key(token >> 2);
            let found = match token & 3 {
                STDOUT => self.read(key, Stream::Stdout),
                STDERR => self.read(key, Stream::Stderr),
                INPUT => self.write(key).map(PendingEvent::Other),
                _ => self.reap(key).map(PendingEvent::Other),
            };
            if found.is_some() {
                self.remove_if_done(key);
                return found;
            }
        }
        None
    }

    fn read(&mut self, key: Key, stream: Stream) -> Option<PendingEvent> {
        let watched = self.watched.get_mut(&key)?;
        let output = &mut watched.outputs[stream as usize];
        let source = output.as_ref().filter(|source| !source.is_paused)?;
        let result = match stdio::read(source.pipe.as_fd(), &mut self.chunk) {
            Ok(0) => Ok(()),
            Ok(bytes) => return Some(PendingEvent::Chunk { key, stream, bytes }),
            Err(libc::EAGAIN) => return None,
            Err(errno) => Err(Error::new(Step::Read, errno)),
        };
        self.watch.remove(source.pipe.as_fd());
        *output = None;
        Some(PendingEvent::Other(Event::Closed { key, stream, result }))
    }

    /// Writes what fits. Returns an event when everything is written, or when the pipe has no
    /// reader.
    fn write(&mut self, key: Key) -> Option<Event<'static>> {
        let watched = self.watched.get_mut(&key)?;
        let input = watched.input.as_mut().filter(|input| !input.is_idle())?;
        let is_read = match transfer::write(input.pipe.as_fd(), &input.bytes[input.written..]) {
            Ok(bytes) => {
                input.written += bytes;
                true
            }
            Err(libc::EAGAIN) => true,
            Err(_) => false,
        };
        let left_bytes = input.bytes.len() - input.written;
        if is_read && left_bytes > 0 {
            return None;
        }
        self.watch.remove(input.pipe.as_fd());
        (input.bytes, input.written) = (Vec::new(), 0);
        if input.is_last || !is_read || watched.has_ended {
            watched.input = None;
        }
        Some(Event::Fed { key, left_bytes })
    }

    fn reap(&mut self, key: Key) -> Option<Event<'static>> {
        let watched = self.watched.get_mut(&key).filter(|watched| !watched.has_ended)?;
        let result = match watched.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(exit)) => Ok(exit),
            Err(error) => Err(error),
        };
        watched.has_ended = true;
        if let Some(pidfd) = watched.child.pidfd() {
            self.watch.remove(pidfd);
        }
        if watched.input.as_ref().is_some_and(InputBuffer::is_idle) {
            watched.input = None;
        }
        let usage = watched.child.usage().unwrap_or_default();
        Some(Event::Ended { key, result, usage })
    }

    fn remove_if_done(&mut self, key: Key) {
        let is_done = |watched: &WatchedChild| {
            watched.has_ended && watched.input.is_none() && watched.outputs.iter().all(Option::is_none)
        };
        if self.watched.get(&key).is_some_and(is_done) {
            self.watched.remove(&key);
        }
    }
}

impl InputBuffer {
    fn is_idle(&self) -> bool {
        self.written == self.bytes.len()
    }
}

/// Readable when an event is ready, so that another event loop may watch it. Without pidfds, exits
/// are not signalled.
impl AsFd for Streams {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.watch.as_fd()
    }
}

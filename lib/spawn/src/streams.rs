//! What many children write, read by one thread. In: children. Out: [`Event`]s, one at a time: a
//! piece of output, the end of a stream, the end of a child, input that was taken. Nothing is read
//! ahead: what nobody asks for stays in the child's pipe, and a child whose pipe is full waits. The
//! memory is one buffer for all children, and the input that they have not taken yet.

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

/// A child among those watched. No key is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u64);

impl Key {
    /// For whoever passes keys on as numbers.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The key of a number that [`Key::number`] gave. Any other is nobody's.
    pub fn from_number(number: u64) -> Key {
        Key(number)
    }
}

/// Which of its two outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// What happened to a child. Its end and the ends of its streams are different things, in any
/// order: a process that it started may go on writing.
#[derive(Debug)]
pub enum Event<'a> {
    /// It wrote. Pieces of one stream come in their order; the two streams of a child are not
    /// ordered.
    Chunk { key: Key, stream: Stream, bytes: &'a [u8] },
    /// Nobody will write to the stream any more, or it could not be read.
    Closed { key: Key, stream: Stream, result: Result<()> },
    /// It took all that it was fed, or closed its input when so many bytes were left.
    Fed { key: Key, left_bytes: usize },
    /// It ended and was reaped, having used so much, or could not be started.
    Ended { key: Key, result: Result<Exit>, usage: Usage },
}

/// Children watched together. One that has ended, with both streams closed and all events told, is
/// forgotten. To drop it is to drop the children: they go on, without readers.
#[derive(Debug)]
pub struct Streams {
    watch: Epoll,
    watched: BTreeMap<Key, WatchedChild>,
    next_key: u64,
    /// Tokens told by the kernel and not looked at.
    ready: VecDeque<u64>,
    chunk: Box<[u8]>,
}

/// What a pipe holds unless somebody changes it, so that one call empties it.
const CHUNK_BYTES: usize = 64 * 1024;

/// Where there is no pidfd, an end is noticed within this time.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

#[derive(Debug)]
struct WatchedChild {
    child: Child,
    outputs: [Option<Source>; 2],
    input: Option<InputBuffer>,
    has_ended: bool,
}

#[derive(Debug)]
struct Source {
    pipe: OwnedFd,
    is_paused: bool,
}

#[derive(Debug)]
struct InputBuffer {
    pipe: OwnedFd,
    bytes: Vec<u8>,
    written: usize,
    /// The pipe is closed when all was written.
    is_last: bool,
}

/// What a token stands for, beside the key.
const STDOUT: u64 = 0;
const STDERR: u64 = 1;
const INPUT: u64 = 2;
const END: u64 = 3;

fn token(key: Key, role: u64) -> u64 {
    key.0 << 2 | role
}

fn watching(errno: Errno) -> Error {
    Error::new(Step::Watch, errno)
}

/// An event before its bytes are borrowed from the buffer.
enum PendingEvent {
    Chunk { key: Key, stream: Stream, bytes: usize },
    Other(Event<'static>),
}

impl Streams {
    /// # Errors
    /// Want of descriptors or memory.
    pub fn open() -> Result<Streams> {
        Ok(Streams {
            watch: Epoll::open().map_err(watching)?,
            watched: BTreeMap::new(),
            next_key: 0,
            ready: VecDeque::new(),
            chunk: vec![0; CHUNK_BYTES].into_boxed_slice(),
        })
    }

    /// Watches a child: its end, and whichever of its streams are pipes. Its input stays open, with
    /// nothing in it, until [`Streams::end_input`].
    ///
    /// # Errors
    /// Want of memory, or too many watched descriptors. The child is dropped then: it goes on.
    pub fn add(&mut self, mut child: Child) -> Result<Key> {
        let key = Key(self.next_key);
        self.next_key += 1;
        let source = |output: Output| Source { pipe: output.into(), is_paused: false };
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
                    .map_err(watching)?;
            }
        }
        if let Some(pidfd) = watched.child.pidfd() {
            self.watch.add(pidfd, token(key, END), Interest::Readable).map_err(watching)?;
        }
        self.watched.insert(key, watched);
        Ok(key)
    }

    /// What happens next, within the limit, if there is one. Nothing is told when the limit has
    /// passed, or when no child is left. Without a limit, and with children that wait for a paused
    /// stream alone, this waits for ever.
    ///
    /// # Errors
    /// What epoll says; never a child's own trouble.
    pub fn next(&mut self, limit: Option<Duration>) -> Result<Option<Event<'_>>> {
        let end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut is_last = false;
        let found = loop {
            if let Some(found) = self.take_ready() {
                break found;
            }
            if is_last || self.watched.is_empty() {
                return Ok(None);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            is_last = left == Some(Duration::ZERO);
            self.refill(left)?;
        };
        Ok(Some(match found {
            PendingEvent::Chunk { key, stream, bytes } => {
                Event::Chunk { key, stream, bytes: &self.chunk[..bytes] }
            }
            PendingEvent::Other(event) => event,
        }))
    }

    /// Reads no more of a stream until [`Streams::resume`]. The child waits once its pipe is full.
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
            self.watch.add(source.pipe.as_fd(), token, Interest::Readable).map_err(watching)?;
            source.is_paused = false;
        }
        Ok(())
    }

    /// Gives the child input, which is held here until it is taken: who has much waits for
    /// [`Event::Fed`] in between.
    ///
    /// # Errors
    /// `EPIPE` where the child's input is no pipe, was ended, or was closed by the child.
    pub fn feed(&mut self, key: Key, bytes: &[u8]) -> Result<()> {
        let input = self.watched.get_mut(&key).and_then(|watched| watched.input.as_mut());
        let Some(input) = input.filter(|input| !input.is_last) else {
            return Err(Error::new(Step::Write, libc::EPIPE));
        };
        if !bytes.is_empty() && input.is_idle() {
            transfer::unblock(input.pipe.as_fd()).map_err(|errno| Error::new(Step::Write, errno))?;
            self.watch.add(input.pipe.as_fd(), token(key, INPUT), Interest::Writable).map_err(watching)?;
        }
        input.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// The child finds the end of its input after what it was fed.
    pub fn end_input(&mut self, key: Key) {
        let Some(watched) = self.watched.get_mut(&key) else { return };
        match &mut watched.input {
            Some(input) if !input.is_idle() => input.is_last = true,
            _ => watched.input = None,
        }
    }

    /// A child that is watched, to be signalled.
    pub fn child(&self, key: Key) -> Option<&Child> {
        self.watched.get(&key).map(|watched| &watched.child)
    }

    /// Whether anything more will be told of this child.
    pub fn contains(&self, key: Key) -> bool {
        self.watched.contains_key(&key)
    }

    pub fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    pub fn len(&self) -> usize {
        self.watched.len()
    }

    /// Gives a child back, with those of its streams that are open. Input that it did not take is
    /// lost.
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

    fn source(&mut self, key: Key, stream: Stream) -> Option<&mut Source> {
        self.watched.get_mut(&key)?.outputs[stream as usize].as_mut()
    }

    /// Asks the kernel, for so long at most. Ends come after output that was ready at the same
    /// time.
    fn refill(&mut self, left: Option<Duration>) -> Result<()> {
        let unseen = |watched: &WatchedChild| watched.child.pidfd().is_none() && !watched.has_ended;
        let must_poll = self.watched.values().any(unseen);
        let left =
            if must_poll { Some(left.map_or(POLL_INTERVAL, |left| left.min(POLL_INTERVAL))) } else { left };
        self.watch.wait(left, &mut self.ready).map_err(watching)?;
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
                _ => self.end(key).map(PendingEvent::Other),
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

    /// Writes what fits. Told when all is written, or when nobody reads it.
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

    fn end(&mut self, key: Key) -> Option<Event<'static>> {
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

/// Readable when something is ready, so that another loop may watch it. Where the kernel has no
/// pidfds, ends do not show.
impl AsFd for Streams {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.watch.as_fd()
    }
}

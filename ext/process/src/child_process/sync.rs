//! A program run to its end while nothing else happens: `spawnSync`. In: as for `spawn`, with
//! input, limits of time and of output. Out: its number, how it ended, what it wrote; one call from
//! JavaScript for all of it. Absent: input for pipes beyond the three streams.

mod others;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Kind, Object, Outcome, Scope};
use rusk_spawn::{Child, Command, Event, Exit, Stream, Streams, TableChoice, Usage};

use super::keep_place;
use super::request::{self, ARGUMENTS, End, Request, Until};
use super::usage::{self, USAGE_NUMBERS};
use others::Others;
use rusk_runtime::RuntimeState;
use rusk_runtime::values::int;

thread_local! {
    /// Kept from call to call, with nobody in it: its buffer and its set of descriptors cost more
    /// than a short program's output.
    static STREAMS: Cell<Option<Streams>> = const { Cell::new(None) };
    /// Where output is read first.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// What a pipe holds unless somebody changes it.
const BUFFER_BYTES: usize = 64 * 1024;

/// How many numbers are told of a program.
const TOLD_NUMBERS: usize = USAGE_NUMBERS + 4;

/// How long a program that was told to end has its output's pipes still.
const GRACE: Duration = Duration::from_millis(50);

/// On what terms.
struct Terms {
    input: Vec<u8>,
    until: Option<Instant>,
    bytes_max: usize,
    signal: i32,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { input: Vec::new(), until: None, bytes_max: usize::MAX, signal: 0 }
    }
}

impl Terms {
    /// Whether nothing is to be done meanwhile but to read.
    fn are_of_bytes_alone(&self) -> bool {
        self.until.is_none() && self.input.is_empty()
    }
}

/// What became of it.
#[derive(Default)]
struct Finished {
    number: i32,
    exit: Option<Exit>,
    error: Option<i32>,
    outputs: [Vec<u8>; 2],
    /// What it wrote to each pipe beyond those.
    others: Vec<Vec<u8>>,
    usage: Usage,
}

/// What a request says, milliseconds, bytes, signal, what is to be written. Out: as [`show`] says.
pub(super) fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let milliseconds = call.argument(scope, ARGUMENTS).to_number(scope)?;
    // What no clock can say is no limit.
    let limit = Duration::try_from_secs_f64(milliseconds / 1000.0).ok().filter(|limit| !limit.is_zero());
    let until = limit.and_then(|limit| Instant::now().checked_add(limit));
    let bytes_max = match call.argument(scope, ARGUMENTS + 1) {
        limit if limit.kind(scope) == Kind::Number => limit.to_number(scope)?,
        _ => f64::INFINITY,
    };
    let signal = int(scope, call, ARGUMENTS + 2)?;
    let input = call.argument(scope, ARGUMENTS + 3);
    let input = Bytes::of(scope, input).map(|bytes| bytes.copy(scope)).unwrap_or_default();
    let terms = Terms { input, until, bytes_max: bytes_max as usize, signal };
    let request = request::read(scope, call, None)?;
    show(scope, finish(request, terms))
}

/// A program of which nothing is said but its words and its three streams.
pub(super) fn spawn_plain<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let request = request::read_plain(scope, call, Until::End)?;
    show(scope, finish(request, Terms::default()))
}

fn finish(request: sys::Result<Request>, terms: Terms) -> Finished {
    keep_place(&RuntimeState::current());
    match request {
        Ok(Request { command, ends, .. }) => run(command, ends, terms),
        Err(error) => Finished { error: Some(error.raw_os_error()), ..Finished::default() },
    }
}

/// A list: what it used; number, status or -1, signal or 0, errno less than 0 or 0; output, errors
/// and what it wrote to other pipes, unless there is none of them. Whole numbers alone the engine
/// keeps in less.
fn show(scope: &Scope, finished: Finished) -> Outcome<'_> {
    let (status, signal) = match finished.exit {
        Some(Exit::Status(status)) => (status, 0),
        Some(Exit::Signal { number, .. }) => (-1, number),
        None => (-1, 0),
    };
    let errno = finished.error.map_or(0, |error| -error);
    let mut told = vec![scope.undefined(); TOLD_NUMBERS];
    let ended = [finished.number, status, signal, errno].map(f64::from);
    let numbers = usage::numbers(&finished.usage).into_iter().chain(ended);
    for (place, number) in told.iter_mut().zip(numbers) {
        *place = scope.number(number);
    }
    let [output, errors] = finished.outputs;
    if output.is_empty() && errors.is_empty() && finished.others.is_empty() {
        return scope.array(&told).map(Object::value);
    }
    for output in [output, errors].into_iter().chain(finished.others) {
        told.push(Bytes::from_vec(scope, output)?.value());
    }
    scope.array(&told).map(Object::value)
}

fn run(mut command: Command, ends: Vec<Option<End>>, terms: Terms) -> Finished {
    let mut finished = Finished::default();
    let bytes_max = terms.bytes_max;
    let others = Others::read(ends, bytes_max);
    command.table(TableChoice::Awaited);
    if terms.are_of_bytes_alone() {
        command.without_pidfd();
    }
    if let Err(error) = finished.run(&command, terms) {
        finished.error = Some(error.errno());
    }
    // The child's ends are the command's as well.
    drop(command);
    finished.others = others.end(finished.error.is_some());
    if finished.error.is_none() && finished.others.iter().any(|output| output.len() > bytes_max) {
        finished.error = Some(Errno::NOBUFS.raw_os_error());
    }
    finished
}

impl Finished {
    fn run(&mut self, command: &Command, terms: Terms) -> rusk_spawn::Result<()> {
        let child = command.spawn()?;
        self.number = child.id();
        if terms.are_of_bytes_alone() {
            return self.gather(child, &terms);
        }
        let mut streams = STREAMS.take().map_or_else(Streams::open, Ok)?;
        self.follow(&mut streams, child, terms)?;
        STREAMS.set(Some(streams));
        Ok(())
    }

    /// Reads, feeds and waits, on terms.
    fn follow(&mut self, streams: &mut Streams, child: Child, terms: Terms) -> rusk_spawn::Result<()> {
        let key = streams.add(child)?;
        // What is no pipe takes no input.
        let _ = streams.feed(key, &terms.input);
        streams.end_input(key);
        while streams.contains(key) {
            let left = terms.until.map(|until| until.saturating_duration_since(Instant::now()));
            match streams.next(left)? {
                Some(Event::Chunk { stream, bytes, .. }) => self.take(stream, bytes, terms.bytes_max),
                Some(Event::Ended { result, usage, .. }) => self.end(result, usage)?,
                // A program that was killed may leave a stream that cannot be read.
                Some(Event::Closed { .. } | Event::Fed { .. }) | None => {}
            }
            if self.error.is_none() && terms.until.is_some_and(|until| Instant::now() >= until) {
                self.error = Some(Errno::TIMEDOUT.raw_os_error());
            }
            if self.error.is_some() {
                break;
            }
        }
        match streams.take(key).filter(|_| self.exit.is_none()) {
            Some(child) => self.put_down(child, terms.signal),
            None => Ok(()),
        }
    }

    /// Reads to the end and waits: nothing else can happen.
    fn gather(&mut self, mut child: Child, terms: &Terms) -> rusk_spawn::Result<()> {
        if child.stdout.is_some() || child.stderr.is_some() {
            let mut buffer = BUFFER.take();
            buffer.resize(BUFFER_BYTES, 0);
            child.read_outputs(&mut buffer, |stream, bytes| {
                self.take(stream, bytes, terms.bytes_max);
                if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            BUFFER.set(buffer);
            if self.error.is_some() {
                return self.put_down(child, terms.signal);
            }
        }
        let result = child.wait();
        self.end(result, child.usage().unwrap_or_default())
    }

    /// What it started may hold its output: it alone is waited for, and nobody reads what it still
    /// says.
    fn put_down(&mut self, mut child: Child, signal: i32) -> rusk_spawn::Result<()> {
        child.signal(signal)?;
        // Who dies of the signal is not to die of a broken pipe first; who does not, and writes,
        // ends by that.
        if child.wait_for(GRACE)?.is_none() {
            (child.stdout, child.stderr) = (None, None);
        }
        let result = child.wait();
        self.end(result, child.usage().unwrap_or_default())
    }

    /// A program that could not be run has no number.
    fn end(&mut self, result: rusk_spawn::Result<Exit>, usage: Usage) -> rusk_spawn::Result<()> {
        self.exit = Some(result.inspect_err(|_| self.number = 0)?);
        self.usage = usage;
        Ok(())
    }

    fn take(&mut self, stream: Stream, bytes: &[u8], bytes_max: usize) {
        // What was read is told, also where it is more: Node does not cut it either.
        let output = &mut self.outputs[stream as usize];
        output.extend_from_slice(bytes);
        if output.len() > bytes_max {
            self.error = Some(Errno::NOBUFS.raw_os_error());
        }
    }
}

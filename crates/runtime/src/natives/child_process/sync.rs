//! A program run to its end while nothing else happens: `spawnSync`. In: as for `spawn`, with input, limits of time and of output. Out: its
//! number, how it ended, what it wrote; one call from JavaScript for all of it. Absent: pipes beyond the three streams.

use std::cell::Cell;
use std::time::{Duration, Instant};

use rusk_base::sys::Errno;
use rusk_jsc::{Bytes, Call, Kind, Object, Outcome, Scope};
use rusk_spawn::{Child, Command, Event, Exit, Stream, Streams, Usage};

use super::super::Host;
use super::super::values::int;
use super::request::{self, ARGUMENTS, Request};
use super::{keep_place, show_usage};

thread_local! {
    /// Kept from call to call, with nobody in it: its buffer and its set of descriptors cost more than a short program's output.
    static STREAMS: Cell<Option<Streams>> = const { Cell::new(None) };
}

/// How long a program that was told to end has its output's pipes still.
const GRACE: Duration = Duration::from_millis(50);

/// On what terms.
struct Terms {
    input: Vec<u8>,
    until: Option<Instant>,
    bytes_max: usize,
    signal: i32,
}

/// What became of it.
#[derive(Default)]
struct Finished {
    number: i32,
    exit: Option<Exit>,
    error: Option<i32>,
    outputs: [Vec<u8>; 2],
    usage: Usage,
}

/// What a request says, milliseconds, bytes, signal, what is to be written. Out: number, status, signal, errno less than 0 or 0, output,
/// errors, usage.
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
    keep_place(&Host::current());
    let finished = match request::read(scope, call, None)? {
        Ok(Request { command, .. }) => run(&command, terms),
        Err(error) => Finished { error: Some(error.raw_os_error()), ..Finished::default() },
    };
    let (status, signal) = match finished.exit {
        Some(Exit::Status(status)) => (scope.number(status.into()), scope.null()),
        Some(Exit::Signal { number, .. }) => (scope.null(), scope.number(number.into())),
        None => (scope.null(), scope.null()),
    };
    let [output, errors] = finished.outputs;
    let told = [
        scope.number(finished.number.into()),
        status,
        signal,
        scope.number(finished.error.map_or(0.0, |error| f64::from(-error))),
        Bytes::give(scope, output)?.value(),
        Bytes::give(scope, errors)?.value(),
        show_usage(scope, finished.usage)?,
    ];
    scope.array(&told).map(Object::value)
}

fn run(command: &Command, terms: Terms) -> Finished {
    let mut finished = Finished::default();
    if let Err(error) = finished.run(command, terms) {
        finished.error = Some(error.errno());
    }
    finished
}

impl Finished {
    fn run(&mut self, command: &Command, terms: Terms) -> rusk_spawn::Result<()> {
        let mut child = command.spawn()?;
        self.number = child.id();
        if terms.until.is_none() && child.stdin.is_none() && child.stdout.is_none() && child.stderr.is_none()
        {
            let result = child.wait();
            return self.end(result, child.usage().unwrap_or_default());
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
        // What it started may hold its output: it alone is waited for, and nobody reads what it still says.
        if let Some(mut child) = streams.take(key).filter(|_| self.exit.is_none()) {
            child.signal(terms.signal)?;
            // Who dies of the signal is not to die of a broken pipe first; who does not, and writes, ends by that.
            if child.wait_for(GRACE)?.is_none() {
                (child.stdout, child.stderr) = (None, None);
            }
            let result = child.wait();
            self.end(result, child.usage().unwrap_or_default())?;
        }
        Ok(())
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

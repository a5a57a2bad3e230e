//! A program run to its end while nothing else happens: `spawnSync`. In: as for `spawn`, with input, limits of time and of output. Out: its
//! number, how it ended, what it wrote; one call from JavaScript for all of it. Absent: pipes beyond the three streams.

use std::time::{Duration, Instant};

use rusk_base::sys::Errno;
use rusk_jsc::{Bytes, Call, Kind, Object, Outcome, Scope};
use rusk_spawn::{Command, Event, Exit, Stream, Streams};

use super::super::values::{int, numbers};
use super::{command, open};

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
}

/// file, words, variables, folder, descriptors, detached, user, group, input, milliseconds, bytes, signal. Out: number, status, signal,
/// errno less than 0 or 0, output, errors.
pub(super) fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let descriptors: Vec<i32> =
        numbers(scope, call.argument(scope, 4))?.into_iter().map(|number| number as i32).collect();
    let mut command = command(scope, call)?;
    let input = call.argument(scope, 8);
    let input = Bytes::of(scope, input).map(|bytes| bytes.copy(scope)).unwrap_or_default();
    let milliseconds = call.argument(scope, 9).to_number(scope)?;
    let until = (milliseconds > 0.0).then(|| Instant::now() + Duration::from_secs_f64(milliseconds / 1000.0));
    let bytes_max = match call.argument(scope, 10) {
        limit if limit.kind(scope) == Kind::Number => limit.to_number(scope)?,
        _ => f64::INFINITY,
    };
    let terms = Terms { input, until, bytes_max: bytes_max as usize, signal: int(scope, call, 11)? };
    let finished = match open(&mut command, &descriptors) {
        Ok(ends) => {
            drop(ends);
            run(&command, terms)
        }
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
        child.wait_started()?;
        self.number = child.id();
        let mut streams = Streams::open()?;
        let key = streams.add(child)?;
        // What is no pipe takes no input.
        let _ = streams.feed(key, &terms.input);
        streams.end_input(key);
        while streams.contains(key) {
            let left = terms.until.map(|until| until.saturating_duration_since(Instant::now()));
            match streams.next(left)? {
                Some(Event::Chunk { stream, bytes, .. }) => self.take(stream, bytes, terms.bytes_max),
                Some(Event::Ended { result, .. }) => self.exit = Some(result?),
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
        // What it started may hold its output: it alone is waited for.
        if let Some(mut child) = streams.take(key).filter(|_| self.exit.is_none()) {
            child.signal(terms.signal)?;
            self.exit = Some(child.wait()?);
        }
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

//! Synchronous spawn (`spawnSync`): runs a child process to its end while the event loop is
//! blocked. In: as for `spawn`, with input, a timeout and a limit of output. Out: its PID, exit
//! status and output, in one call from JavaScript. Absent: input for pipes other than stdin.

mod extra_pipes;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Kind, Object, Outcome, Scope};
use rusk_spawn::{Child, Command, Event, Exit, Stream, Streams, TableChoice, Usage};

use super::reserve_low_fd;
use super::resource_usage;
use super::spawn_options::{self, ParentFd, SpawnMode, SpawnRequest, argument};
use extra_pipes::ExtraPipes;
use rusk_runtime::RuntimeState;
use rusk_runtime::values::i32_argument;

thread_local! {
    /// Cached between calls, without children: its buffer and its epoll instance cost more than a
    /// short program's output.
    static STREAMS: Cell<Option<Streams>> = const { Cell::new(None) };
    /// Cached read buffer.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Default capacity of a pipe (pipe(7)).
const BUFFER_BYTES: usize = 64 * 1024;

rusk_runtime::shared_constants! {
    /// Indexes in the result. Before these are the numbers of `resource_usage::usage`.
    pub(super) mod sync_result: usize {
        /// 0: the program was not started.
        PID = 12,
        /// -1: it was ended by a signal, or not started.
        STATUS = 13,
        /// 0: it was not ended by a signal.
        SIGNAL = 14,
        /// Less than 0, or 0.
        ERRNO = 15,
        /// Absent together with all that follow where there is no output.
        STDOUT = 16,
        STDERR = 17,
        /// Output of further pipes.
        EXTRA = 18,
    }
}

const _: () = assert!(sync_result::PID == resource_usage::COUNT);

/// Time for a program to end after a signal, before the pipes of its output are closed.
const GRACE: Duration = Duration::from_millis(50);

/// Input and limits.
struct SyncOptions {
    input: Vec<u8>,
    deadline: Option<Instant>,
    /// Bytes of each output.
    bytes_max: usize,
    /// Sent when a limit is exceeded.
    kill_signal: i32,
}

impl Default for SyncOptions {
    fn default() -> SyncOptions {
        SyncOptions { input: Vec::new(), deadline: None, bytes_max: usize::MAX, kill_signal: 0 }
    }
}

impl SyncOptions {
    /// Whether the parent has only to read: no input to write, no deadline.
    fn needs_only_reads(&self) -> bool {
        self.deadline.is_none() && self.input.is_empty()
    }
}

/// Result of a run.
#[derive(Default)]
struct SyncResult {
    pid: i32,
    exit: Option<Exit>,
    error: Option<i32>,
    outputs: [Vec<u8>; 2],
    /// Output of each further pipe.
    extra_outputs: Vec<Vec<u8>>,
    usage: Usage,
}

/// The arguments of [`spawn_options::read`], timeout in milliseconds, limit of output in bytes,
/// signal, input. Out: see [`to_array`].
pub(super) fn spawn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let milliseconds = call.argument(scope, argument::COUNT).to_number(scope)?;
    // A duration out of range is no limit.
    let timeout =
        Duration::try_from_secs_f64(milliseconds / 1000.0).ok().filter(|timeout| !timeout.is_zero());
    let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let bytes_max = match call.argument(scope, argument::COUNT + 1) {
        limit if limit.kind(scope) == Kind::Number => limit.to_number(scope)?,
        _ => f64::INFINITY,
    };
    let kill_signal = i32_argument(scope, call, argument::COUNT + 2)?;
    let input = call.argument(scope, argument::COUNT + 3);
    let input = Bytes::of(scope, input).map(|bytes| bytes.copy(scope)).unwrap_or_default();
    let options = SyncOptions { input, deadline, bytes_max: bytes_max as usize, kill_signal };
    let request = spawn_options::read(scope, call, None)?;
    to_array(scope, run_request(request, options))
}

/// The arguments of [`spawn_options::read_fast`]. Out: see [`to_array`].
pub(super) fn spawn_fast<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let request = spawn_options::read_fast(scope, call, SpawnMode::Sync)?;
    to_array(scope, run_request(request, SyncOptions::default()))
}

fn run_request(request: sys::Result<SpawnRequest>, options: SyncOptions) -> SyncResult {
    reserve_low_fd(&RuntimeState::current());
    match request {
        Ok(SpawnRequest { command, parent_fds, .. }) => run(command, parent_fds, options),
        Err(error) => SyncResult { error: Some(error.raw_os_error()), ..SyncResult::default() },
    }
}

/// An array: resource usage, then the values of [`sync_result`]. Without output it has only
/// integers, which the engine stores more compactly.
fn to_array(scope: &Scope, result: SyncResult) -> Outcome<'_> {
    let (status, signal) = match result.exit {
        Some(Exit::Status(status)) => (status, 0),
        Some(Exit::Signal { number, .. }) => (-1, number),
        None => (-1, 0),
    };
    let errno = result.error.map_or(0, |error| -error);
    let mut values = vec![scope.undefined(); sync_result::STDOUT];
    let exit = [result.pid, status, signal, errno].map(f64::from);
    let numbers = resource_usage::numbers(&result.usage).into_iter().chain(exit);
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = scope.number(number);
    }
    let [stdout, stderr] = result.outputs;
    if stdout.is_empty() && stderr.is_empty() && result.extra_outputs.is_empty() {
        return scope.array(&values).map(Object::value);
    }
    for output in [stdout, stderr].into_iter().chain(result.extra_outputs) {
        values.push(Bytes::from_vec(scope, output)?.value());
    }
    scope.array(&values).map(Object::value)
}

fn run(mut command: Command, parent_fds: Vec<Option<ParentFd>>, options: SyncOptions) -> SyncResult {
    let mut result = SyncResult::default();
    let bytes_max = options.bytes_max;
    let extra_pipes = ExtraPipes::start(parent_fds, bytes_max);
    command.table(TableChoice::Awaited);
    if options.needs_only_reads() {
        command.without_pidfd();
    }
    if let Err(error) = result.run(&command, options) {
        result.error = Some(error.errno());
    }
    // The command holds the child's ends of the further pipes open.
    drop(command);
    result.extra_outputs = extra_pipes.finish(result.error.is_some());
    if result.error.is_none() && result.extra_outputs.iter().any(|output| output.len() > bytes_max) {
        result.error = Some(Errno::NOBUFS.raw_os_error());
    }
    result
}

impl SyncResult {
    fn run(&mut self, command: &Command, options: SyncOptions) -> rusk_spawn::Result<()> {
        let child = command.spawn()?;
        self.pid = child.id();
        if options.needs_only_reads() {
            return self.read_to_end(child, &options);
        }
        let mut streams = STREAMS.take().map_or_else(Streams::open, Ok)?;
        self.run_with_limits(&mut streams, child, options)?;
        STREAMS.set(Some(streams));
        Ok(())
    }

    /// Reads, writes the input and waits, within the limits.
    fn run_with_limits(
        &mut self,
        streams: &mut Streams,
        child: Child,
        options: SyncOptions,
    ) -> rusk_spawn::Result<()> {
        let key = streams.add(child)?;
        // Fails where stdin is not a pipe; then there is no input.
        let _ = streams.feed(key, &options.input);
        streams.end_input(key);
        while streams.contains(key) {
            let left = options.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match streams.next(left)? {
                Some(Event::Chunk { stream, bytes, .. }) => self.append(stream, bytes, options.bytes_max),
                Some(Event::Ended { result, usage, .. }) => self.end(result, usage)?,
                Some(Event::Closed { .. } | Event::Fed { .. }) | None => {}
            }
            if self.error.is_none() && options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.error = Some(Errno::TIMEDOUT.raw_os_error());
            }
            if self.error.is_some() {
                break;
            }
        }
        match streams.take(key).filter(|_| self.exit.is_none()) {
            Some(child) => self.kill(child, options.kill_signal),
            None => Ok(()),
        }
    }

    /// Reads the output to its end and waits for the exit.
    fn read_to_end(&mut self, mut child: Child, options: &SyncOptions) -> rusk_spawn::Result<()> {
        if child.stdout.is_some() || child.stderr.is_some() {
            let mut buffer = BUFFER.take();
            buffer.resize(BUFFER_BYTES, 0);
            child.read_outputs(&mut buffer, |stream, bytes| {
                self.append(stream, bytes, options.bytes_max);
                if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            BUFFER.set(buffer);
            if self.error.is_some() {
                return self.kill(child, options.kill_signal);
            }
        }
        let result = child.wait();
        self.end(result, child.usage().unwrap_or_default())
    }

    /// Signals the child and waits for it alone, without reading further output: its own children
    /// may hold the pipes open.
    fn kill(&mut self, mut child: Child, signal: i32) -> rusk_spawn::Result<()> {
        child.signal(signal)?;
        // First the child may end by the signal. If it does not, closing the pipes ends it by
        // SIGPIPE when it writes.
        if child.wait_for(GRACE)?.is_none() {
            (child.stdout, child.stderr) = (None, None);
        }
        let result = child.wait();
        self.end(result, child.usage().unwrap_or_default())
    }

    /// Stores exit and usage. A program that could not be executed has PID 0.
    fn end(&mut self, result: rusk_spawn::Result<Exit>, usage: Usage) -> rusk_spawn::Result<()> {
        self.exit = Some(result.inspect_err(|_| self.pid = 0)?);
        self.usage = usage;
        Ok(())
    }

    fn append(&mut self, stream: Stream, bytes: &[u8], bytes_max: usize) {
        // Output beyond the limit is returned as well: Node does not truncate it either.
        let output = &mut self.outputs[stream as usize];
        output.extend_from_slice(bytes);
        if output.len() > bytes_max {
            self.error = Some(Errno::NOBUFS.raw_os_error());
        }
    }
}

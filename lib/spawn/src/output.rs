//! Collects the output of a program. In: a command, and limits. Out: [`CollectedOutput`]: its exit,
//! its stdout and stderr, and whether they are complete. The limits bound both the memory and the
//! time that a program can take.

use std::time::{Duration, Instant};

use crate::command::Command;
use crate::error::{Error, Result};
use crate::process::Exit;
use crate::stdio::Stdio;
use crate::step::Step;
use crate::streams::{Event, Key, Streams};
use crate::termination::{KillScope, Termination};

/// Input and limits of a program whose output is collected.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// The program's stdin. If empty, the command's stdin applies, or `/dev/null` if that is unset.
    pub input: Vec<u8>,
    /// Limit of stdout and stderr together. A program that writes more is killed.
    pub bytes_max: usize,
    /// A program that runs longer is killed.
    pub limit: Option<Duration>,
    /// Which processes are killed then.
    pub scope: KillScope,
}

/// Far above the output of usual programs; one that never stops writing is killed here.
pub const OUTPUT_BYTES_MAX: usize = 64 * 1024 * 1024;

impl Default for CollectOptions {
    fn default() -> CollectOptions {
        CollectOptions {
            input: Vec::new(),
            bytes_max: OUTPUT_BYTES_MAX,
            limit: None,
            scope: KillScope::Process,
        }
    }
}

/// Why output is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// It exceeded [`CollectOptions::bytes_max`]; that much was collected.
    SizeLimit,
    /// The time limit has passed. If the program itself exited, another process still holds its
    /// output open.
    TimeLimit,
}

/// The output of a program, and how it exited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedOutput {
    pub exit: Exit,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub truncation: Option<Truncation>,
}

impl CollectedOutput {
    /// Whether it exited with status 0, and its output is complete.
    pub fn is_success(&self) -> bool {
        self.exit.is_success() && self.truncation.is_none()
    }
}

impl Command {
    /// Runs the program, and waits for it.
    ///
    /// # Errors
    /// The program could not be run.
    pub fn status(&self) -> Result<Exit> {
        self.spawn()?.wait()
    }

    /// Runs the program, and collects up to [`OUTPUT_BYTES_MAX`]. Collects stdout and stderr unless
    /// the command sets them. [`Stdio::Inherit`] counts as unset: to inherit a stream, pass a copy
    /// of it. Returns when all processes have closed the output.
    ///
    /// # Errors
    /// The program could not be run. A failing program is no error, nor is truncated output.
    pub fn output(&self) -> Result<CollectedOutput> {
        self.collect(&CollectOptions::default())
    }

    /// [`Command::output`] with a time limit, whichever process holds the output; then the program
    /// is killed.
    ///
    /// # Errors
    /// As [`Command::output`].
    pub fn output_for(&self, limit: Duration) -> Result<CollectedOutput> {
        self.collect(&CollectOptions { limit: Some(limit), ..CollectOptions::default() })
    }

    /// [`Command::output`] with other limits.
    ///
    /// # Errors
    /// As [`Command::output`]; and `ETIMEDOUT` if a killed program did not exit.
    pub fn collect(&self, options: &CollectOptions) -> Result<CollectedOutput> {
        let deadline = options.limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut streams = Streams::open()?;
        let key = streams.add(self.with_pipes(!options.input.is_empty()).spawn()?)?;
        // A stdin that is no pipe takes no input, as documented.
        let _ = streams.feed(key, &options.input);
        streams.end_input(key);

        let mut collected =
            Collected { outputs: [Vec::new(), Vec::new()], exit: None, bytes_max: options.bytes_max };
        let truncation = collected.gather(&mut streams, key, deadline)?;
        let mut exit = collected.exit;
        if let (Some(_), Some(mut child)) = (truncation, streams.take(key)) {
            exit = child.terminate(Termination::immediate(options.scope))?.exit;
        }
        let [stdout, stderr] = collected.outputs;
        let exit = exit.ok_or_else(|| Error::new(Step::Wait, libc::ETIMEDOUT))?;
        Ok(CollectedOutput { exit, stdout, stderr, truncation })
    }

    fn with_pipes(&self, has_input: bool) -> Command {
        let mut command = self.clone();
        let [stdin, stdout, stderr] =
            self.streams().each_ref().map(|stream| matches!(stream, Stdio::Inherit));
        if stdin || has_input {
            command.stdin(if has_input { Stdio::Pipe } else { Stdio::Null });
        }
        if stdout {
            command.stdout(Stdio::Pipe);
        }
        if stderr {
            command.stderr(Stdio::Pipe);
        }
        command
    }
}

struct Collected {
    outputs: [Vec<u8>; 2],
    exit: Option<Exit>,
    bytes_max: usize,
}

impl Collected {
    /// Collects output until the end, or until a limit is reached.
    fn gather(
        &mut self,
        streams: &mut Streams,
        key: Key,
        deadline: Option<Instant>,
    ) -> Result<Option<Truncation>> {
        while streams.contains(key) {
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let event = streams.next(remaining)?;
            let is_idle = event.is_none();
            match event {
                Some(Event::Chunk { stream, bytes, .. }) => {
                    let room = self.bytes_max - self.outputs.iter().map(Vec::len).sum::<usize>();
                    self.outputs[stream as usize].extend_from_slice(&bytes[..bytes.len().min(room)]);
                    if bytes.len() > room {
                        return Ok(Some(Truncation::SizeLimit));
                    }
                }
                Some(Event::Ended { result, .. }) => self.exit = Some(result?),
                Some(Event::Closed { result, .. }) => result?,
                Some(Event::Fed { .. }) => {}
                None => {}
            }
            // A program that never stops writing never lets `next` time out.
            let is_late = is_idle || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late && streams.contains(key) {
                return Ok(Some(Truncation::TimeLimit));
            }
        }
        Ok(None)
    }
}

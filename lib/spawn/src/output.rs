//! The whole of what a program writes. In: a command, and the terms. Out: [`CollectedOutput`]: its end,
//! its output and errors, and whether that is all of it. No terms let a program take more memory
//! than they say, and none with a time limit let anybody hold the caller longer.

use std::time::{Duration, Instant};

use crate::command::Command;
use crate::error::{Error, Result};
use crate::process::Exit;
use crate::stdio::Stdio;
use crate::step::Step;
use crate::streams::{Event, Key, Streams};
use crate::termination::{KillScope, Termination};

/// On what terms a program's output is collected.
#[derive(Clone, Debug)]
pub struct CollectOptions {
    /// What the program reads. Without any, it reads what its command says, and `/dev/null` where
    /// that says nothing.
    pub input: Vec<u8>,
    /// Output and errors together. A program that writes more is killed.
    pub bytes_max: usize,
    /// Who takes longer is killed.
    pub limit: Option<Duration>,
    /// Who is killed then.
    pub scope: KillScope,
}

/// More than any program says that is read as a whole; one that never stops writing is stopped
/// here.
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

/// Why output is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// It was more than [`CollectOptions::bytes_max`], of which all is here.
    SizeLimit,
    /// The limit has passed. Where the program ended well, another still held its output.
    TimeLimit,
}

/// What a program wrote, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedOutput {
    pub exit: Exit,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub truncation: Option<Truncation>,
}

impl CollectedOutput {
    /// Whether it ended with status 0, and all that it wrote is here.
    pub fn is_success(&self) -> bool {
        self.exit.is_success() && self.truncation.is_none()
    }
}

impl Command {
    /// Runs the program, and waits for it.
    ///
    /// # Errors
    /// That it could not be run.
    pub fn status(&self) -> Result<Exit> {
        self.spawn()?.wait()
    }

    /// Runs the program, and collects up to [`OUTPUT_BYTES_MAX`]. Output and errors are collected
    /// unless the command says what else becomes of them; as with [`Stdio::Inherit`] it says
    /// nothing, give a copy of a stream of this process to have that inherited. Ends when all who
    /// hold the output have closed it.
    ///
    /// # Errors
    /// That it could not be run. A program that fails is no error, nor is output that is cut.
    pub fn output(&self) -> Result<CollectedOutput> {
        self.collect(&CollectOptions::default())
    }

    /// [`Command::output`] for so long at most, whoever holds the output; then the program is
    /// killed.
    ///
    /// # Errors
    /// As [`Command::output`].
    pub fn output_for(&self, limit: Duration) -> Result<CollectedOutput> {
        self.collect(&CollectOptions { limit: Some(limit), ..CollectOptions::default() })
    }

    /// [`Command::output`] on terms of your own.
    ///
    /// # Errors
    /// As [`Command::output`]; and `ETIMEDOUT` where a killed program did not end.
    pub fn collect(&self, options: &CollectOptions) -> Result<CollectedOutput> {
        let end = options.limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut streams = Streams::open()?;
        let key = streams.add(self.with_pipes(!options.input.is_empty()).spawn()?)?;
        // What is no pipe takes no input; nobody was told that it would.
        let _ = streams.feed(key, &options.input);
        streams.end_input(key);

        let mut collected =
            Collected { outputs: [Vec::new(), Vec::new()], exit: None, bytes_max: options.bytes_max };
        let truncation = collected.gather(&mut streams, key, end)?;
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
    /// Takes all that comes until nothing more will, or the terms are broken.
    fn gather(
        &mut self,
        streams: &mut Streams,
        key: Key,
        end: Option<Instant>,
    ) -> Result<Option<Truncation>> {
        while streams.contains(key) {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let event = streams.next(left)?;
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
            // A program that never stops writing never lets the wait itself run out.
            let is_late = is_idle || end.is_some_and(|end| Instant::now() >= end);
            if is_late && streams.contains(key) {
                return Ok(Some(Truncation::TimeLimit));
            }
        }
        Ok(None)
    }
}

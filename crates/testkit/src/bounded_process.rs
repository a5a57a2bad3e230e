//! Bounded child process: runs programs that may hang, grow or leave children. Each gets a process
//! group of its own, which is killed at the time limit and after the program's end. In: a command,
//! a directory, a limit. Out: how it ended, and the beginning of its output.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs::File;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Output beyond this is not read.
const OUTPUT_BYTES_MAX: u64 = 1 << 20;
/// A program that grows beyond this would exhaust the machine's memory.
const RESIDENT_BYTES_MAX: u64 = 4 << 30;
/// How often its size is checked.
const SIZE_CHECK_INTERVAL: Duration = Duration::from_millis(250);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    Code(i32),
    Signal(i32),
    /// Killed at the time limit.
    TimedOut,
    /// Killed because it grew too large.
    TooLarge,
}

#[derive(Debug)]
pub struct BoundedRun {
    pub end: Termination,
    pub stdout: String,
    pub stderr: String,
}

/// Runs to the end or to the limit. Both streams are files in `directory`, so that a child that
/// outlives the program does not block the reader.
pub fn run(command: &mut Command, directory: &Path, limit: Duration) -> Result<BoundedRun, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let io = |error: std::io::Error| format!("{name}: {error}");
    let [out, err] = ["stdout", "stderr"].map(|name| directory.join(name));
    command.stdin(Stdio::null()).stdout(File::create(&out).map_err(io)?);
    command.stderr(File::create(&err).map_err(io)?).process_group(0);
    let mut child = command.spawn().map_err(io)?;
    let pid = Pid::from_child(&child);
    let killed = watch(pid, Instant::now() + limit);
    // The program has exited or must be killed, and is not reaped yet, so its pid still belongs to
    // it.
    let _ = kill_process_group(pid, Signal::KILL);
    let status = child.wait().map_err(io)?;
    let end = killed.map_err(|error| io(error.into()))?.unwrap_or_else(|| end_of(status));
    Ok(BoundedRun { end, stdout: read_output(&out), stderr: read_output(&err) })
}

/// Why it must be killed; `None` if it exited by itself.
fn watch(pid: Pid, deadline: Instant) -> rustix::io::Result<Option<Termination>> {
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(Some(Termination::TimedOut));
        }
        let interval = left.min(SIZE_CHECK_INTERVAL);
        let timeout = Timespec { tv_sec: 0, tv_nsec: interval.subsec_nanos().max(1).into() };
        match poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&timeout)) {
            Ok(0) if resident_bytes(pid.as_raw_nonzero().get()) > RESIDENT_BYTES_MAX => {
                return Ok(Some(Termination::TooLarge));
            }
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
}

/// Of one process; 0 if it no longer exists.
pub fn resident_bytes(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or_default();
    pages * rustix::param::page_size() as u64
}

fn end_of(status: ExitStatus) -> Termination {
    status.code().map_or_else(|| Termination::Signal(status.signal().unwrap_or_default()), Termination::Code)
}

fn read_output(file: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(file) {
        let _ = file.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl BoundedRun {
    pub fn is_success(&self) -> bool {
        self.end == Termination::Code(0)
    }

    /// Transforms the output, before a line of it is shortened.
    pub fn map_output(mut self, map: impl Fn(&str) -> String) -> BoundedRun {
        (self.stdout, self.stderr) = (map(&self.stdout), map(&self.stderr));
        self
    }

    /// One line about a failure: the first error in the output, up to its stack trace; else how it
    /// ended.
    pub fn reason(&self, limit: Duration) -> String {
        match self.end {
            Termination::TimedOut => return format!("not over within {} s", limit.as_secs()),
            Termination::TooLarge => return format!("larger than {} GiB", RESIDENT_BYTES_MAX >> 30),
            _ => {}
        }
        // The version line that runtimes print after an error.
        let is_not_version =
            |line: &&str| !["rusk v", "Node.js v", "Bun v"].iter().any(|name| line.starts_with(name));
        let lines: Vec<&str> =
            self.stderr.lines().chain(self.stdout.lines()).filter(is_not_version).collect();
        let is_error = |line: &&str| {
            let word = line.trim_start().trim_start_matches("Uncaught ").split([':', ' ', '[']).next();
            word.is_some_and(|word| word.ends_with("Error") || word.ends_with("Exception") || word == "error")
        };
        if let Some(at) = lines.iter().position(is_error) {
            return shortened(&lines[at..]);
        }
        match (lines.iter().rev().find(|line| !line.trim().is_empty()), self.end) {
            (_, Termination::Signal(signal)) => format!("killed by signal {signal}"),
            (Some(line), Termination::Code(code)) => format!("exit code {code}: {}", shortened(&[line])),
            (_, end) => format!("{end:?} without a word").to_lowercase(),
        }
    }
}

/// Joins lines up to the stack trace, and truncates them.
fn shortened(lines: &[&str]) -> String {
    const SHOWN_CHARS: usize = 150;
    let is_stack = |line: &&&str| !line.trim_start().starts_with("at ");
    let words = lines.iter().take_while(is_stack).flat_map(|line| line.split_whitespace());
    let text = words.collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests;

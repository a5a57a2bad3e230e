//! Child processes: run with a time limit, and measured by wall time, processor time and peak
//! memory.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// No install takes longer; one that does hangs.
pub const LIMIT: Duration = Duration::from_secs(600);
/// How long killed processes may take to end.
const KILL_TIME: Duration = Duration::from_secs(5);

/// A program that has exited.
pub struct CompletedProcess {
    pub status: ExitStatus,
    /// Both streams, interleaved.
    pub output: String,
    pub cost: ResourceUsage,
}

/// Resources of the program and of all children it waited for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResourceUsage {
    pub wall: Duration,
    pub user: Duration,
    pub system: Duration,
    /// Of the largest process among them, and at least what this process had when it started the
    /// program: the kernel counts that, too.
    pub peak_bytes: u64,
}

impl ResourceUsage {
    pub fn cpu(&self) -> Duration {
        self.user + self.system
    }
}

/// Runs to the end; an error if it cannot start. After [`LIMIT`] it is killed with the processes
/// that it started, and its output says so.
pub fn run(command: &mut Command) -> Result<CompletedProcess, String> {
    run_within(command, LIMIT)
}

fn run_within(command: &mut Command, limit: Duration) -> Result<CompletedProcess, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let io = |error: std::io::Error| format!("{name}: {error}");
    let (reader, writer) = std::io::pipe().map_err(io)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(io)?).stderr(writer).process_group(0);
    let started = Instant::now();
    let mut child = command.spawn().map_err(io)?;
    // `command` has the write ends of the pipe, which must be closed for the output to end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (over, waits) = mpsc::channel::<()>();
    let group = Pid::from_child(&child);
    let watch = std::thread::spawn(move || {
        let is_late = waits.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
        if is_late {
            let _ = kill_process_group(group, Signal::KILL);
        }
        is_late
    });
    let output = chunks(reader);
    let used = child.wait4().map_err(io)?;
    let wall = started.elapsed();
    // A process that it left may still have the pipe.
    let mut output = text(&output, started + limit + KILL_TIME);
    drop(over);
    if watch.join().expect("waiting does not panic") {
        output.push_str(&format!("\nkilled: not over within {} s\n", limit.as_secs()));
    }
    let usage = used.rusage;
    let cost = ResourceUsage { wall, user: usage.utime, system: usage.stime, peak_bytes: usage.maxrss };
    Ok(CompletedProcess { status: used.status, output, cost })
}

/// What comes out of a pipe, read on a thread, so that it is there even if the pipe never ends.
fn chunks(mut pipe: std::io::PipeReader) -> mpsc::Receiver<Vec<u8>> {
    let (sender, chunks) = mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let _ = sender.send(buffer[..count].to_vec());
        }
    });
    chunks
}

/// Everything up to the end of the pipe, or to the deadline.
fn text(chunks: &mpsc::Receiver<Vec<u8>>, deadline: Instant) -> String {
    let mut bytes = Vec::new();
    while let Ok(chunk) = chunks.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        bytes.extend(chunk);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// As [`run`]; a status other than 0 is an error that ends in the program's last lines.
pub fn succeed(command: &mut Command) -> Result<CompletedProcess, String> {
    const SHOWN_LINES: usize = 12;
    let ended = run(command)?;
    if ended.status.success() {
        return Ok(ended);
    }
    let lines: Vec<&str> = ended.output.lines().collect();
    let last = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n  ");
    Err(format!("{}: {}\n  {last}", line(command), ended.status))
}

/// A command as one would type it, without directory and environment.
pub fn line(command: &Command) -> String {
    let name = std::path::Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The first line of `--version`; `None` if the program is not installed.
pub fn version(program: &std::path::Path) -> Option<String> {
    // npm first warns of a Node that is older than it wants.
    let ended = run(Command::new(program).arg("--version").env("npm_config_loglevel", "error")).ok()?;
    let line = ended.output.lines().next()?.trim().to_owned();
    ended.status.success().then_some(line)
}

#[cfg(test)]
mod tests;

//! Child processes: run with a time limit, and measured by wall time, processor time and peak
//! memory.

use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use wait4::Wait4;

/// No install takes longer; one that does hangs.
pub const LIMIT: Duration = Duration::from_secs(600);

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

/// Runs to the end; an error if it cannot start. It is killed after [`LIMIT`].
pub fn run(command: &mut Command) -> Result<CompletedProcess, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let io = |error: std::io::Error| format!("{name}: {error}");
    let (mut reader, writer) = std::io::pipe().map_err(io)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(io)?).stderr(writer);
    let started = Instant::now();
    let mut child = command.spawn().map_err(io)?;
    // `command` has the write ends of the pipe, which must be closed for the output to end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (over, waits) = mpsc::channel::<()>();
    let pid = child.id().to_string();
    let watch = std::thread::spawn(move || {
        if waits.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &pid]).status();
        }
    });
    let output = std::thread::spawn(move || {
        let mut output = Vec::new();
        let _ = std::io::Read::read_to_end(&mut reader, &mut output);
        String::from_utf8_lossy(&output).into_owned()
    });
    let used = child.wait4().map_err(io)?;
    let wall = started.elapsed();
    drop(over);
    let _ = watch.join();
    let output = output.join().expect("reading a pipe does not panic");
    let usage = used.rusage;
    let cost = ResourceUsage { wall, user: usage.utime, system: usage.stime, peak_bytes: usage.maxrss };
    Ok(CompletedProcess { status: used.status, output, cost })
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

//! Runs the program `git` in a restricted environment: no environment variables that point it at
//! another repository or configuration, no prompts, no hooks, no terminal. It is killed with all
//! its children on a timeout. In: arguments. Out: the exit status and the output, both limited.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rusk_base::Result;

use crate::{Environment, problem};

/// Environment variables of git that describe how to reach a server, not which repository or
/// configuration to use.
const ALLOWED_VARIABLES: &[&str] =
    &["GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_PROXY_COMMAND", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT"];
const ALLOWED_PREFIXES: &[&str] = &["GIT_HTTP_", "GIT_SSL_", "GIT_TRACE"];
/// As in bun, an unknown host is accepted; never prompt.
const SSH_COMMAND: &str = "ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new";
/// Passed with every command. A transfer below 1,000 bytes a second for a minute is considered
/// dead.
const SETTINGS: &[&str] = &[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "protocol.ext.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.unpackLimit=1",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
];
/// Bytes of git's error output; the rest is read and discarded.
const STDERR_BYTES_MAX: usize = 64 << 10;
/// An ssh connection shared between commands may keep stderr open; what arrived until then is
/// enough.
const STDERR_WAIT: Duration = Duration::from_secs(1);
/// Interval of polling for the exit of a git that has closed its output.
const EXIT_PAUSE: Duration = Duration::from_millis(1);

/// How to start git.
pub struct Git {
    environment: Environment,
}

/// One command, without `git` itself.
pub struct GitCommand<'a> {
    /// The working directory of the command.
    pub dir: &'a Path,
    pub arguments: &'a [&'a str],
    pub limit: Duration,
    pub stdout_bytes_max: usize,
}

pub struct GitOutput {
    pub success: bool,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Git {
    pub fn new(environment: &Environment) -> Git {
        let is_allowed = |name: &str| {
            !name.starts_with("GIT_")
                || ALLOWED_VARIABLES.contains(&name)
                || ALLOWED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        };
        let mut environment = environment.clone();
        environment.retain(|name, _| is_allowed(name));
        let has_ssh = environment.contains_key("GIT_SSH") || environment.contains_key("GIT_SSH_COMMAND");
        if !has_ssh {
            environment.insert("GIT_SSH_COMMAND".to_owned(), SSH_COMMAND.to_owned());
        }
        environment.entry("GIT_ASKPASS".to_owned()).or_insert_with(|| "echo".to_owned());
        environment.insert("GIT_TERMINAL_PROMPT".to_owned(), "0".to_owned());
        environment.insert("LC_ALL".to_owned(), "C".to_owned());
        Git { environment }
    }

    /// Runs one command to its end. An error when git is missing, takes too long or prints too
    /// much.
    pub fn run(&self, call: &GitCommand<'_>) -> Result<GitOutput> {
        let mut command = Command::new("git");
        command.env_clear().envs(&self.environment).current_dir(call.dir);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(call.arguments).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(problem::git_start)?;
        GitProcess::new(child, call).finish(call)
    }
}

/// A running git; it is killed when dropped before its end.
struct GitProcess {
    child: Child,
    status: Option<ExitStatus>,
    deadline: Instant,
    stdout: Receiver<std::io::Result<Vec<u8>>>,
    stderr: Receiver<std::io::Result<Vec<u8>>>,
}

impl GitProcess {
    fn new(mut child: Child, call: &GitCommand<'_>) -> GitProcess {
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        GitProcess {
            deadline: Instant::now() + call.limit,
            stdout: spawn_reader(stdout, call.stdout_bytes_max.saturating_add(1), Overflow::Closed),
            stderr: spawn_reader(stderr, STDERR_BYTES_MAX, Overflow::Discarded),
            child,
            status: None,
        }
    }

    fn finish(mut self, call: &GitCommand<'_>) -> Result<GitOutput> {
        let word = call.arguments.iter().find(|argument| !argument.starts_with('-')).copied().unwrap_or("");
        let too_long = || problem::git_too_long(word, call.limit.as_secs());
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        let stdout = match self.stdout.recv_timeout(remaining) {
            Ok(read) => read.map_err(problem::git_start)?,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Err(too_long()),
        };
        if stdout.len() > call.stdout_bytes_max {
            return Err(problem::git_too_large(word, call.stdout_bytes_max));
        }
        let status = loop {
            if let Some(status) = self.child.try_wait().map_err(problem::git_start)? {
                break status;
            }
            if Instant::now() >= self.deadline {
                return Err(too_long());
            }
            std::thread::sleep(EXIT_PAUSE);
        };
        self.status = Some(status);
        let stderr = self.stderr.recv_timeout(STDERR_WAIT).ok().and_then(std::io::Result::ok);
        let stderr = String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned();
        Ok(GitOutput { success: status.success(), stdout, stderr })
    }
}

impl Drop for GitProcess {
    fn drop(&mut self) {
        if self.status.is_none() {
            // The process group: git's helpers, such as ssh, hold the other end of the connection.
            let _ = rusk_base::sys::kill_group(&self.child);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// What happens to bytes beyond the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overflow {
    /// The pipe is closed.
    Closed,
    Discarded,
}

/// Reads a pipe to its end or limit in a thread, so that two pipes are read at once, with a
/// timeout.
fn spawn_reader(
    pipe: impl Read + Send + 'static,
    bytes_max: usize,
    rest: Overflow,
) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut pipe = pipe;
        let mut bytes = Vec::new();
        let read = pipe.by_ref().take(bytes_max as u64).read_to_end(&mut bytes);
        if rest == Overflow::Discarded {
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        // The receiver is gone after a timeout.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

#[cfg(test)]
mod tests;

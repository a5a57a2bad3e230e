//! Worker processes of a run, and their pipes. In: how to start our own program. Out: processes;
//! commands sent. Absent: what a worker does with a command.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rusk_base::Result;
use rusk_base::sys::{self, fd};
use rusk_spawn::{Child, Stdio};
use rustix::process::Signal;

use crate::problem;
use crate::protocol::{CONTROL_FD, PIPE_FD, WORKER_VARIABLE, WorkerCommand};

/// Variables with the number of a worker, as bun and jest call them.
const NUMBER_VARIABLES: [&str; 2] = ["BUN_TEST_WORKER_ID", "JEST_WORKER_ID"];

/// What a worker can send while this process is busy. Also the usual limit of the kernel: pipe(7).
const PIPE_BYTES: usize = 1024 * 1024;

/// Bytes read at once.
pub const READ_BYTES: usize = 64 * 1024;

/// How a worker process is started.
#[derive(Clone, Debug)]
pub struct WorkerProgram {
    pub program: PathBuf,
    /// Flags of the runtime, before anything else.
    pub arguments: Vec<String>,
    /// Variables that are set in addition to this process's.
    pub variables: Vec<(String, String)>,
    pub current_dir: PathBuf,
}

/// A worker process with its control socket.
pub struct WorkerProcess {
    child: Child,
    control: OwnedFd,
}

impl WorkerProcess {
    /// Starts the worker of a number, from 1. Out: also the read end of its pipe.
    pub fn start(how: &WorkerProgram, number: usize) -> Result<(WorkerProcess, OwnedFd)> {
        let (control, their_control) =
            fd::socket_pair().map_err(|error| problem::no_worker("socketpair", error))?;
        let mut command = rusk_spawn::Command::new(&how.program);
        command.args(&how.arguments).current_dir(&how.current_dir).stdin(Stdio::Null);
        for (name, value) in &how.variables {
            command.env(name, value);
        }
        for name in NUMBER_VARIABLES {
            command.env(name, number.to_string());
        }
        let (pipe, end) = std::io::pipe().map_err(|error| problem::no_worker("pipe", error))?;
        let pipe = OwnedFd::from(pipe);
        // Where it is refused, the worker waits for this process more often.
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, PIPE_BYTES);
        fd::set_nonblocking(pipe.as_fd()).map_err(|error| problem::no_worker("fcntl", error))?;
        command.env(WORKER_VARIABLE, "1").fd(their_control, CONTROL_FD).fd(OwnedFd::from(end), PIPE_FD);
        let child = command.spawn().map_err(|error| {
            problem::no_worker("start the program", std::io::Error::from_raw_os_error(error.errno()))
        })?;
        Ok((WorkerProcess { child, control }, pipe))
    }

    /// Readable when the process has ended.
    pub fn control(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    /// A process that has ended takes nothing; its control socket tells so.
    pub fn send(&self, command: &WorkerCommand<'_>) {
        let _ = fd::write_all(self.control.as_fd(), command.line().as_bytes());
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> Option<rusk_spawn::Exit> {
        self.child.wait().ok()
    }

    /// Kills the process and what it has started.
    pub fn kill(&mut self) {
        let (group, signal) = (-self.child.id(), Signal::KILL.as_raw());
        // It may have ended by itself, or not have made its group yet.
        if sys::process::kill(group, signal).is_err() {
            let _ = self.child.signal(signal);
        }
    }
}

//! Worker processes of a run, and the pipes of their slots. In: how to start our own program. Out:
//! processes; commands sent, notices received. Absent: what a worker does with a command.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rusk_base::Result;
use rusk_base::sys::{self, Errno, fd};
use rusk_spawn::{Child, Stdio};

use crate::problem;
use crate::protocol::{CONTROL_FD, Notice, WORKER_VARIABLE, WorkerCommand, slot_fd};

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
    /// The beginning of a notice whose end was not read.
    partial: Vec<u8>,
}

/// What was read from a control socket.
pub enum Received {
    Notices(Vec<Notice>),
    /// The process is gone.
    End,
}

impl WorkerProcess {
    /// Starts a worker with a number of slots. Out: also the read ends of the slots' pipes.
    pub fn start(how: &WorkerProgram, slots: usize) -> Result<(WorkerProcess, Vec<OwnedFd>)> {
        let (control, their_control) =
            fd::socket_pair().map_err(|error| problem::no_worker("socketpair", error))?;
        let mut command = rusk_spawn::Command::new(&how.program);
        command.args(&how.arguments).current_dir(&how.current_dir).stdin(Stdio::Null);
        for (name, value) in &how.variables {
            command.env(name, value);
        }
        command.env(WORKER_VARIABLE, "1").fd(their_control, CONTROL_FD);
        let mut pipes = Vec::with_capacity(slots);
        for slot in 0..slots {
            let (pipe, end) = std::io::pipe().map_err(|error| problem::no_worker("pipe", error))?;
            let pipe = OwnedFd::from(pipe);
            fd::set_nonblocking(pipe.as_fd()).map_err(|error| problem::no_worker("fcntl", error))?;
            command.fd(OwnedFd::from(end), slot_fd(slot));
            pipes.push(pipe);
        }
        let child = command.spawn().map_err(|error| {
            problem::no_worker("start the program", std::io::Error::from_raw_os_error(error.errno()))
        })?;
        Ok((WorkerProcess { child, control, partial: Vec::new() }, pipes))
    }

    pub fn control(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    pub fn send(&self, command: &WorkerCommand<'_>) -> Result<()> {
        fd::write_all(self.control.as_fd(), command.line().as_bytes()).map_err(|_| problem::worker_ended())
    }

    pub fn receive(&mut self) -> Result<Received> {
        let mut buffer = vec![0; READ_BYTES];
        let count = match sys::read(self.control.as_fd(), &mut buffer) {
            // A process that ended with unread commands resets the connection.
            Ok(0) | Err(Errno::CONNRESET) => return Ok(Received::End),
            Ok(count) => count,
            Err(error) => return Err(problem::no_worker("read", error)),
        };
        self.partial.extend_from_slice(&buffer[..count]);
        let Some(end) = self.partial.iter().rposition(|byte| *byte == b'\n') else {
            return Ok(Received::Notices(Vec::new()));
        };
        let rest = self.partial.split_off(end + 1);
        let whole = std::mem::replace(&mut self.partial, rest);
        Ok(Received::Notices(String::from_utf8_lossy(&whole).lines().filter_map(Notice::parse).collect()))
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> Option<rusk_spawn::Exit> {
        self.child.wait().ok()
    }

    /// Kills the process and its children.
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.signal(rustix::process::Signal::KILL.as_raw());
    }
}

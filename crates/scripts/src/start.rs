//! Start of a script's process. In: a file, argv, environment variables, a directory, streams. Out:
//! a child to wait for, or this process replaced. Absent: finding the file, shells, signals.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{self, Command, ExitStatus};

use rusk_base::sys::syscall_stats;
use rusk_base::timeline::process_phases;
use rusk_spawn::{Environment, Stdio};

/// A process before it begins.
pub struct Start<'a> {
    pub file: &'a Path,
    /// The first one is the name of the program.
    pub argv: &'a [OsString],
    /// All environment variables: none is inherited.
    pub variables: &'a [(OsString, OsString)],
    pub directory: &'a Path,
    pub streams: Streams<'a>,
}

/// Standard input and output of a program; it inherits standard error, unless it is piped.
#[derive(Clone, Copy)]
pub enum Streams<'a> {
    /// Those of this process.
    Inherited,
    /// Input is /dev/null; output is this file descriptor.
    Into(BorrowedFd<'a>),
    /// Input is /dev/null; standard output and standard error are pipes. The child leads a new
    /// process group.
    Piped,
    /// As `Piped`, in a session of its own: the function confines the command, and creates the
    /// session.
    Confined(&'a Confine<'a>),
}

/// Confines a command before it starts.
pub type Confine<'a> = dyn Fn(&mut rusk_spawn::Command) -> io::Result<()> + 'a;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(u8),
    Signal(i32),
}

pub struct Child(rusk_spawn::Child);

impl Start<'_> {
    /// Starts a child in our process group, so that it gets the signals of the terminal, unless it
    /// is piped. Returns after its exec.
    pub fn child(&self) -> io::Result<Child> {
        let mut child = self.starting_child()?;
        child.0.wait_started().map_err(io_error)?;
        Ok(child)
    }

    /// As [`Start::child`], but returns while the child starts: an error of its start is the result
    /// of its exit.
    pub(crate) fn starting_child(&self) -> io::Result<Child> {
        // The measurement of rusk's own start ends here.
        process_phases::freeze();
        syscall_stats::freeze();
        let mut command = rusk_spawn::Command::new(self.file);
        if let Some((name, arguments)) = self.argv.split_first() {
            command.arg0(name).args(arguments);
        }
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.environment(Environment::pack(variables)).current_dir(self.directory);
        match self.streams {
            Streams::Inherited => {}
            Streams::Into(output) => _ = command.stdin(Stdio::Null).stdout(Stdio::copy_of(output)?),
            Streams::Piped => {
                command.stdin(Stdio::Null).stdout(Stdio::Pipe).stderr(Stdio::Pipe).join_process_group(0);
            }
            Streams::Confined(confine) => {
                command.stdin(Stdio::Null).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
                confine(&mut command)?;
            }
        }
        command.spawn().map(Child).map_err(io_error)
    }

    /// Replaces this process (execve); returns only on an error.
    pub fn replace(&self) -> io::Error {
        let mut command = Command::new(self.file);
        if let Some((name, arguments)) = self.argv.split_first() {
            command.arg0(name).args(arguments);
        }
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.env_clear().envs(variables).current_dir(self.directory);
        if let Streams::Into(output) = self.streams {
            match output.try_clone_to_owned() {
                Ok(output) => command.stdin(process::Stdio::null()).stdout(output),
                Err(error) => return error,
            };
        }
        command.exec()
    }
}

impl Child {
    /// The process id; valid until `wait`.
    pub fn id(&self) -> u32 {
        self.0.id() as u32
    }

    /// The child with its pipes.
    pub(crate) fn into_inner(self) -> rusk_spawn::Child {
        self.0
    }

    pub fn wait(mut self) -> io::Result<Exit> {
        self.0.wait().map(Exit::of).map_err(io_error)
    }
}

/// With the errno, on which callers branch.
fn io_error(error: rusk_spawn::Error) -> io::Error {
    io::Error::from_raw_os_error(error.errno())
}

impl Exit {
    pub const DONE: Exit = Exit::Code(0);

    pub(crate) fn of(exit: rusk_spawn::Exit) -> Exit {
        match exit {
            rusk_spawn::Exit::Status(code) => Exit::Code(code as u8),
            rusk_spawn::Exit::Signal { number, .. } => Exit::Signal(number),
        }
    }

    /// As in shells: a signal is reported as 128 plus its number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Code(code) => code,
            Exit::Signal(signal) => (128 + signal) as u8,
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            // The standard library has the names: `signal: 9 (SIGKILL)`.
            Exit::Signal(signal) => {
                f.write_str(&ExitStatus::from_raw(*signal).to_string().replacen(": ", " ", 1))
            }
        }
    }
}

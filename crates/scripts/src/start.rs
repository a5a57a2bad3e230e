//! The one place where a script's process begins. In: a file, its words, its variables, a folder, streams.
//! Out: a child to wait for, or this process replaced. Absent: finding the file, shells, signals.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{self, Command, ExitStatus, Stdio};

/// A process before it begins.
pub struct Start<'a> {
    pub file: &'a Path,
    /// The first one is what the program calls itself.
    pub words: &'a [OsString],
    /// All of them: nothing is inherited.
    pub variables: &'a [(OsString, OsString)],
    pub folder: &'a Path,
    pub streams: Streams<'a>,
}

/// What a program reads from and writes to; standard error is always ours.
#[derive(Clone, Copy)]
pub enum Streams<'a> {
    /// Ours.
    Inherited,
    /// Nothing to read; output goes here.
    Into(BorrowedFd<'a>),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(u8),
    Signal(i32),
}

pub struct Child(process::Child);

impl Start<'_> {
    /// Starts a child in our process group: what the terminal sends reaches it too.
    pub fn child(&self) -> io::Result<Child> {
        self.command()?.spawn().map(Child)
    }

    /// Becomes the program; returns only why it could not.
    pub fn replace(&self) -> io::Error {
        match self.command() {
            Ok(mut command) => command.exec(),
            Err(error) => error,
        }
    }

    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(self.file);
        if let Some((name, arguments)) = self.words.split_first() {
            command.arg0(name).args(arguments);
        }
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.env_clear().envs(variables).current_dir(self.folder);
        if let Streams::Into(output) = self.streams {
            command.stdin(Stdio::null()).stdout(output.try_clone_to_owned()?);
        }
        Ok(command)
    }
}

impl Child {
    /// The process, until it has been waited for.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn wait(mut self) -> io::Result<Exit> {
        self.0.wait().map(Exit::of)
    }
}

impl Exit {
    pub const DONE: Exit = Exit::Code(0);

    fn of(status: ExitStatus) -> Exit {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code as u8),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }

    /// As shells report it: 128 and the signal's number.
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
            // std has the names: `signal: 9 (SIGKILL)`.
            Exit::Signal(signal) => {
                f.write_str(&ExitStatus::from_raw(*signal).to_string().replacen(": ", " ", 1))
            }
        }
    }
}

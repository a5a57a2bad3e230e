//! Command builder: the program, its arguments, environment, fds, and setup. In: the builder's
//! calls. Out: a [`Child`]. A command may be spawned any number of times.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::environment::{EnvChanges, Environment};
use crate::error::{Error, Result};
use crate::process::{Child, ErrorPaths};
use crate::setup::{Credentials, Setup};
use crate::stdio::Stdio;
use crate::step::Step;
use crate::termination;
use crate::{kernel, launch, spawner_thread, zygote};

mod write;

/// How a child is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// [`Mode::Zygote`] if the setup needs a separate process (users and groups), [`Mode::Vfork`]
    /// under a sanitizer or valgrind, else [`Mode::Direct`].
    #[default]
    Chosen,
    /// Returns as soon as the child is cloned.
    Direct,
    /// Returns when the program runs, like `vfork`. For sanitizers, valgrind, and kernels on which
    /// a crashing child takes its parent down (before 5.16).
    Vfork,
    /// [`Mode::Direct`] from one thread that lives as long as the process, so that a parent-death
    /// signal refers to the process and not to the spawning thread.
    Thread,
    /// Through a small process that was forked earlier. Returns when the program runs.
    Zygote,
}

/// The file descriptor table that a child begins with; the program sees no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableChoice {
    /// Shared if the parent has many open fds, or if the child gets only pipes of this start: the
    /// call returns soonest.
    #[default]
    Chosen,
    /// Shared if the parent has many open fds, for callers that wait for the exit: the call takes a
    /// little longer, and the child exits sooner.
    Awaited,
    Copied,
    /// Shared if possible, however few fds are open.
    Shared,
}

/// A program to be started.
#[derive(Clone, Debug)]
pub struct Command {
    program: Arc<[u8]>,
    argv0: Option<Vec<u8>>,
    /// Each ends in a NUL.
    arguments: Vec<u8>,
    has_nul: bool,
    shell_fallback: bool,
    working_dir: WorkingDir,
    inherits_fds: bool,
    streams: [Stdio; 3],
    fds: Vec<(Arc<OwnedFd>, RawFd)>,
    variables: EnvChanges,
    mode: Mode,
    table: TableChoice,
    pub(crate) has_pidfd: bool,
    pub(crate) setup: Setup,
}

#[derive(Clone, Debug, Default)]
enum WorkingDir {
    #[default]
    Inherit,
    Path(Arc<[u8]>),
    Fd(Arc<OwnedFd>),
}

impl Command {
    /// A program by its path, or by its name, which is searched in the child's PATH. A relative
    /// path is relative to the child's working directory.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        let program = program.as_ref().as_bytes();
        Command {
            program: program.into(),
            argv0: None,
            arguments: Vec::new(),
            has_nul: program.contains(&0),
            shell_fallback: false,
            working_dir: WorkingDir::Inherit,
            inherits_fds: false,
            streams: Default::default(),
            fds: Vec::new(),
            variables: EnvChanges::default(),
            mode: Mode::default(),
            table: TableChoice::default(),
            has_pidfd: true,
            setup: Setup::default(),
        }
    }

    pub fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Command {
        let argument = argument.as_ref().as_bytes();
        self.has_nul |= argument.contains(&0);
        self.arguments.extend_from_slice(argument);
        self.arguments.push(0);
        self
    }

    pub fn args<A: AsRef<OsStr>>(&mut self, arguments: impl IntoIterator<Item = A>) -> &mut Command {
        for argument in arguments {
            self.arg(argument);
        }
        self
    }

    /// `argv[0]`, if it differs from the program.
    pub fn arg0(&mut self, name: impl AsRef<OsStr>) -> &mut Command {
        self.has_nul |= name.as_ref().as_bytes().contains(&0);
        self.argv0 = Some(name.as_ref().as_bytes().to_vec());
        self
    }

    /// Whether a file that the kernel cannot execute is run by `/bin/sh`, as in `execvp`. Off by
    /// default: a file with a `#!` line does not need it.
    pub fn shell_fallback(&mut self, falls_back: bool) -> &mut Command {
        self.shell_fallback = falls_back;
        self
    }

    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Command {
        self.variables.change(name.as_ref(), Some(value.as_ref()));
        self
    }

    pub fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Command {
        self.variables.change(name.as_ref(), None);
        self
    }

    /// Replaces the inherited environment and earlier changes.
    pub fn environment(&mut self, environment: Environment) -> &mut Command {
        self.variables.replace(environment);
        self
    }

    pub fn env_clear(&mut self) -> &mut Command {
        self.environment(Environment::pack::<OsString, OsString>([]))
    }

    pub fn current_dir(&mut self, dir: impl AsRef<Path>) -> &mut Command {
        let dir = dir.as_ref().as_os_str().as_bytes();
        self.has_nul |= dir.contains(&0);
        self.working_dir = WorkingDir::Path(dir.into());
        self
    }

    /// The working directory, as an open directory.
    pub fn current_dir_fd(&mut self, dir: OwnedFd) -> &mut Command {
        self.working_dir = WorkingDir::Fd(Arc::new(dir));
        self
    }

    pub fn stdin(&mut self, stream: impl Into<Stdio>) -> &mut Command {
        self.streams[0] = stream.into();
        self
    }

    pub fn stdout(&mut self, stream: impl Into<Stdio>) -> &mut Command {
        self.streams[1] = stream.into();
        self
    }

    pub fn stderr(&mut self, stream: impl Into<Stdio>) -> &mut Command {
        self.streams[2] = stream.into();
        self
    }

    /// Passes an fd to the child under the number `number`, 3 or higher. Any count, in any
    /// permutation.
    pub fn fd(&mut self, fd: impl Into<OwnedFd>, number: RawFd) -> &mut Command {
        self.fds.push((Arc::new(fd.into()), number));
        self
    }

    /// Whether the child inherits all other fds that are not close-on-exec, as with `std` and
    /// `posix_spawn`. Off by default.
    pub fn keep_other_fds(&mut self, keeps: bool) -> &mut Command {
        self.inherits_fds = keeps;
        self
    }

    pub fn mode(&mut self, mode: Mode) -> &mut Command {
        self.mode = mode;
        self
    }

    pub fn table(&mut self, table: TableChoice) -> &mut Command {
        self.table = table;
        self
    }

    /// Saves the pidfd, a tenth of a start, for callers that only wait. The child is then waited
    /// for by its pid, which no other code may do, and a wait with a limit polls.
    pub fn without_pidfd(&mut self) -> &mut Command {
        self.has_pidfd = false;
        self
    }

    /// Starts the program. On return the child exists, and everything that the command owns may
    /// change or be dropped. Whether the program could be executed is known later, from the
    /// [`Child`].
    ///
    /// # Errors
    /// An invalid command, or too little memory, or too many fds or processes. Errors in the child
    /// are returned by its waits.
    pub fn spawn(&self) -> Result<Child> {
        self.check()?;
        termination::start(self, Command::start)
    }

    fn start(&self) -> Result<Child> {
        let changes_user = self.setup.credentials != Credentials::default();
        let by_zygote = self.mode == Mode::Zygote || self.mode == Mode::Chosen && changes_user;
        match self.mode {
            // The zygote has other memory: the callback's context is not there.
            _ if by_zygote && self.setup.has_callback() => Err(Error::new(Step::Command, libc::ENOTSUP)),
            Mode::Zygote => zygote::start(self),
            _ if by_zygote => zygote::start(self),
            _ if changes_user => Err(Error::new(Step::User, libc::ENOTSUP)),
            Mode::Thread => spawner_thread::start(self),
            Mode::Chosen | Mode::Direct | Mode::Vfork => launch::start(self),
        }
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.variables.find(name.as_bytes())
    }

    fn check(&self) -> Result<()> {
        let numbers = || self.fds.iter().map(|(_, number)| *number);
        let clash = numbers()
            .enumerate()
            .any(|(index, number)| numbers().skip(index + 1).any(|other| other == number));
        let is_valid = self.variables.is_valid() && self.setup.drops_for_good();
        if self.has_nul || !is_valid || clash || numbers().any(|number| number < 3) {
            return Err(Error::new(Step::Command, libc::EINVAL));
        }
        if self.mode == Mode::Zygote && self.inherits_fds {
            return Err(Error::new(Step::Command, libc::ENOTSUP));
        }
        if numbers().any(|number| number > NUMBER_MAX) {
            return Err(Error::new(Step::Command, libc::EBADF));
        }
        Ok(())
    }

    pub(crate) fn error_paths(&self) -> ErrorPaths {
        let working_dir = match &self.working_dir {
            WorkingDir::Path(dir) => Some(Arc::clone(dir)),
            WorkingDir::Inherit | WorkingDir::Fd(_) => None,
        };
        ErrorPaths { program: Some(Arc::clone(&self.program)), working_dir }
    }

    pub(crate) fn streams(&self) -> &[Stdio; 3] {
        &self.streams
    }

    pub(crate) fn mode_and_table(&self) -> (Mode, TableChoice) {
        let mode = match self.mode {
            Mode::Chosen if kernel::is_instrumented() => Mode::Vfork,
            mode => mode,
        };
        (mode, self.table)
    }

    /// The fd of the working directory that the plan refers to.
    fn working_dir_number(&self) -> Option<RawFd> {
        match &self.working_dir {
            WorkingDir::Fd(dir) => Some(dir.as_raw_fd()),
            WorkingDir::Inherit | WorkingDir::Path(_) => None,
        }
    }
}

/// Limit of an fd in a child: its table is as long as the highest fd.
const NUMBER_MAX: RawFd = 1 << 20;

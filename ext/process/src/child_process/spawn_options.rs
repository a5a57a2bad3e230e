//! Options of a child process: the arguments that the bindings `spawn` and `spawnSync` share. In:
//! positional arguments from JavaScript, in the order of [`argument`]. Out: a command, and the
//! parent's ends of its pipes and sockets; or an errno. Absent: the spawn itself.
//!
//! The arguments are positional, and lists are passed as one string with separators, because that
//! is faster: an object or an array is read property by property through the engine's API.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::OnceLock;

use rusk_base::sys::{self, Errno, credentials, fd, signal_relay};
use rusk_jsc::{Bytes, Call, Exception, Kind, Scope};
use rusk_spawn::{Command, Credentials, Disposition, Environment, Pty, Stdio};

use super::executable::{self, Executable};
use rusk_runtime::RuntimeState;
use rusk_runtime::values::{i32_argument, optional_string_argument, string_argument};

rusk_runtime::shared_constants! {
    /// What a file descriptor of the child becomes. Numbers from 0 are file descriptors of this
    /// process, which the child inherits.
    pub(super) mod stdio: i32 {
        /// /dev/null for stdin, stdout and stderr; closed otherwise.
        IGNORE = -1,
        /// A pipe for stdin, stdout and stderr; a socket pair otherwise.
        PIPE = -2,
        /// A socket pair at any position: an IPC channel.
        SOCKET = -3,
        /// A file in memory with the bytes of the argument `INPUT`.
        INPUT_FILE = -4,
        TERMINAL = -5,
        /// A socket pair, whose parent's end is returned as a file descriptor.
        SOCKET_FD = -6,
    }
}

rusk_runtime::shared_constants! {
    /// Bits of the argument `FLAGS`.
    pub(super) mod flags: i32 {
        /// setsid(2).
        DETACHED = 1,
        /// A script without a `#!` line is run by /bin/sh, as in execvp(3).
        SHELL_FALLBACK = 2,
    }
}

/// Indexes of the arguments of `spawn` and `spawnSync`.
pub(super) mod argument {
    /// A name, searched in PATH, or a path.
    pub const FILE: usize = 0;
    /// argv as a string, with NUL between two arguments; the first is argv[0].
    pub const ARGV: usize = 1;
    /// The environment as a string: `NAME=value` with NUL between two variables. Undefined: the one
    /// that this process was started with.
    pub const ENV: usize = 2;
    /// The working directory. Undefined: that of this process.
    pub const CWD: usize = 3;
    /// A number for each file descriptor of the child, as in [`super::stdio`], with a space between
    /// two.
    pub const STDIO: usize = 4;
    /// Bits of [`super::flags`].
    pub const FLAGS: usize = 5;
    /// Undefined, like GID: unchanged.
    pub const UID: usize = 6;
    pub const GID: usize = 7;
    /// PATH in which FILE is searched. Undefined: the child's PATH.
    pub const SEARCH_PATH: usize = 8;
    /// Bytes for `INPUT_FILE`.
    pub const INPUT: usize = 9;
    /// File descriptor of a cgroup's directory.
    pub const CGROUP: usize = 10;
    /// Further arguments of a call come after these.
    pub const COUNT: usize = 11;
}

/// Indexes of the arguments of `spawnFast` and `spawnSyncFast`.
pub(super) mod fast_argument {
    /// As `argument::ARGV`; argv[0] is the file.
    pub const ARGV: usize = 0;
    /// Number of arguments in ARGV.
    pub const ARGC: usize = 1;
    pub const STDIN: usize = 2;
    pub const STDOUT: usize = 3;
    pub const STDERR: usize = 4;
    /// Further arguments of a call come after these.
    pub const COUNT: usize = 5;
}

/// Larger arguments and environments may exceed a limit of execve(2): 128 KiB for one string.
const CERTAIN_BYTES_MAX: usize = 64 * 1024;

pub(super) struct SpawnRequest {
    pub command: Command,
    /// For each file descriptor of the child, the parent's end of its socket pair. The ends of the
    /// pipes of stdin, stdout and stderr are in the spawned child.
    pub parent_fds: Vec<Option<ParentFd>>,
    /// Whether exec succeeds, as far as can be known.
    pub exec_is_certain: bool,
}

/// The parent's end of a socket pair.
pub(super) enum ParentFd {
    /// For a stream handle.
    Handle(OwnedFd),
    /// For the program, as a number.
    Raw(OwnedFd),
}

/// Whether the call returns after the start of the child, or after its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpawnMode {
    Async,
    Sync,
}

/// The arguments, read and unchecked.
#[derive(Default)]
struct RawOptions {
    file: String,
    /// See [`argument::ARGV`].
    argv: String,
    /// See [`argument::ENV`].
    env: Option<String>,
    cwd: Option<String>,
    stdio: Vec<i32>,
    flags: i32,
    uid: Option<u32>,
    gid: Option<u32>,
    search_path: Option<String>,
    input: Option<Vec<u8>>,
    cgroup: Option<i32>,
    /// The call waits for the child's end, so a missing file may be reported by the child itself.
    is_sync: bool,
}

/// Reads the arguments of `spawn` and `spawnSync`.
pub(super) fn read<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    terminal: Option<&Pty>,
) -> Result<sys::Result<SpawnRequest>, Exception<'s>> {
    let number = |index| -> Result<Option<f64>, Exception<'s>> {
        let value = call.argument(scope, index);
        match value.kind(scope) {
            Kind::Number => value.to_number(scope).map(Some),
            _ => Ok(None),
        }
    };
    let options = RawOptions {
        file: string_argument(scope, call, argument::FILE)?,
        argv: string_argument(scope, call, argument::ARGV)?,
        env: optional_string_argument(scope, call, argument::ENV)?,
        cwd: optional_string_argument(scope, call, argument::CWD)?,
        stdio: string_argument(scope, call, argument::STDIO)?
            .split(' ')
            .map(|number| number.parse().unwrap_or(stdio::IGNORE))
            .collect(),
        flags: i32_argument(scope, call, argument::FLAGS)?,
        uid: number(argument::UID)?.map(|number| number as i64 as u32),
        gid: number(argument::GID)?.map(|number| number as i64 as u32),
        search_path: optional_string_argument(scope, call, argument::SEARCH_PATH)?,
        input: Bytes::of(scope, call.argument(scope, argument::INPUT)).map(|bytes| bytes.copy(scope)),
        cgroup: number(argument::CGROUP)?.map(|number| number as i32),
        is_sync: false,
    };
    Ok(options.to_request(terminal))
}

/// Reads the arguments of `spawnFast` and `spawnSyncFast`; all other options have their defaults.
/// `EILSEQ`: an argument contains a NUL.
pub(super) fn read_fast<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    mode: SpawnMode,
) -> Result<sys::Result<SpawnRequest>, Exception<'s>> {
    let argv = string_argument(scope, call, fast_argument::ARGV)?;
    let count = i32_argument(scope, call, fast_argument::ARGC)? as usize;
    if argv.matches('\0').count() + 1 != count {
        return Ok(Err(Errno::ILSEQ));
    }
    let options = RawOptions {
        file: argv.split('\0').next().unwrap_or_default().to_owned(),
        argv,
        stdio: vec![
            i32_argument(scope, call, fast_argument::STDIN)?,
            i32_argument(scope, call, fast_argument::STDOUT)?,
            i32_argument(scope, call, fast_argument::STDERR)?,
        ],
        is_sync: mode == SpawnMode::Sync,
        ..RawOptions::default()
    };
    Ok(options.to_request(None))
}

impl RawOptions {
    fn to_request(&self, terminal: Option<&Pty>) -> sys::Result<SpawnRequest> {
        if let Some(cwd) = &self.cwd {
            executable::check_cwd(cwd)?;
        }
        let (environment, child_path) = self.environment();
        let search_path = self.search_path.as_deref().or(child_path.as_deref());
        let executable = match self.is_sync && self.file.contains('/') {
            true => Executable { path: self.file.clone(), exec_is_certain: false },
            false => executable::find(&self.file, search_path, self.cwd.as_deref())?,
        };
        let mut command = Command::new(&executable.path);
        let mut argv = self.argv.split('\0');
        command.arg0(argv.next().unwrap_or_default()).args(argv);
        command.environment(environment);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        if self.flags & flags::DETACHED != 0 {
            command.new_session();
        }
        // Signals that this process ignores since its start, after `nohup` for example, are reset:
        // the program has not chosen that for its children.
        for signal in ignored_signals() {
            command.disposition(*signal, Disposition::Default);
        }
        command.shell_fallback(self.flags & flags::SHELL_FALLBACK != 0);
        self.set_user(&mut command);
        if let Some(cgroup) = self.cgroup {
            command.cgroup(fd::duplicate(cgroup)?);
        }
        if let Some(terminal) = terminal {
            command.terminal(terminal);
        }
        let parent_fds = self.open_stdio(&mut command)?;
        let bytes = self.argv.len() + self.env.as_ref().map_or(0, String::len);
        // A terminal may be hung up at any time, and then the child's setup fails.
        let exec_is_certain = executable.exec_is_certain && bytes < CERTAIN_BYTES_MAX && terminal.is_none();
        Ok(SpawnRequest { command, parent_fds, exec_is_certain })
    }

    /// The child's environment, and its PATH.
    fn environment(&self) -> (Environment, Option<String>) {
        let Some(env) = &self.env else { return launch_environment() };
        let pairs = env.split('\0').filter_map(|variable| variable.split_once('='));
        let pairs = pairs.filter(|(name, _)| !name.is_empty());
        let path = pairs.clone().find(|(name, _)| *name == "PATH");
        (Environment::pack(pairs), path.map(|(_, path)| path.to_owned()))
    }

    fn set_user(&self, command: &mut Command) {
        let (user, group) = (self.uid, self.gid);
        if user.is_some() || group.is_some() {
            // Supplementary groups of this process are dropped; only root may do that.
            let groups = (credentials::ids()[1] == 0).then(Vec::new);
            command.credentials(Credentials { user, group, groups });
        }
    }

    /// Adds the file descriptors to the command. Returns the parent's ends.
    fn open_stdio(&self, command: &mut Command) -> sys::Result<Vec<Option<ParentFd>>> {
        let mut parent_fds = Vec::with_capacity(self.stdio.len());
        for (index, kind) in self.stdio.iter().enumerate() {
            parent_fds.push(match index {
                0..3 => self.open_stream(command, index, *kind)?,
                _ => open_extra(command, index, *kind)?,
            });
        }
        Ok(parent_fds)
    }

    /// stdin, stdout or stderr.
    fn open_stream(&self, command: &mut Command, index: usize, kind: i32) -> sys::Result<Option<ParentFd>> {
        let mut parent_fd = None;
        let stream = match kind {
            stdio::TERMINAL => return Ok(None),
            stdio::IGNORE => Stdio::Null,
            stdio::PIPE => Stdio::Pipe,
            stdio::SOCKET => {
                let (ours, theirs) = fd::socket_pair()?;
                parent_fd = Some(ParentFd::Handle(ours));
                Stdio::from(theirs)
            }
            stdio::INPUT_FILE => {
                let input = Stdio::bytes(self.input.as_deref().unwrap_or_default());
                input.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?
            }
            number if number as usize == index => Stdio::Inherit,
            number => {
                let copy = fd::duplicate(number)?;
                // Programs expect blocking streams; the ends in our event loop are non-blocking.
                fd::set_blocking(copy.as_fd())?;
                Stdio::from(copy)
            }
        };
        match index {
            0 => command.stdin(stream),
            1 => command.stdout(stream),
            _ => command.stderr(stream),
        };
        Ok(parent_fd)
    }
}

/// A file descriptor after stderr.
fn open_extra(command: &mut Command, index: usize, kind: i32) -> sys::Result<Option<ParentFd>> {
    let target = i32::try_from(index).map_err(|_| Errno::BADF)?;
    Ok(match kind {
        stdio::PIPE | stdio::SOCKET | stdio::SOCKET_FD => {
            let (ours, theirs) = fd::socket_pair()?;
            command.fd(theirs, target);
            Some(if kind == stdio::SOCKET_FD { ParentFd::Raw(ours) } else { ParentFd::Handle(ours) })
        }
        number if number >= 0 => {
            command.fd(fd::duplicate(number)?, target);
            None
        }
        _ => None,
    })
}

/// The signals that this process ignores. Read once: rusk itself does not ignore further signals.
fn ignored_signals() -> &'static [i32] {
    static IGNORED: OnceLock<Vec<i32>> = OnceLock::new();
    IGNORED.get_or_init(signal_relay::ignored_signals)
}

/// The environment that this process was started with, packed once, and its PATH. The variables of
/// the IPC channel to its own parent are left out.
fn launch_environment() -> (Environment, Option<String>) {
    const IPC_VARIABLES: [&str; 2] = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    thread_local! {
        static PACKED: std::cell::OnceCell<(Environment, Option<String>)> = const { std::cell::OnceCell::new() };
    }
    let pack = || {
        let state = RuntimeState::current();
        let variables = &state.program.environment;
        let passed_on = variables.iter().filter(|(name, _)| !IPC_VARIABLES.contains(&name.as_str()));
        (Environment::pack(passed_on), variables.get("PATH").cloned())
    };
    PACKED.with(|packed| packed.get_or_init(pack).clone())
}

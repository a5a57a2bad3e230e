//! What a child is to be: the arguments that `spawn` and `spawnSync` have in common. In: values of
//! JavaScript. Out: a command, and our ends of its connections; or an errno. Absent: starting it.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::OnceLock;

use rusk_base::sys::{self, Errno, credentials, fd, signal_relay};
use rusk_jsc::{Bytes, Call, Exception, Kind, Scope};
use rusk_spawn::{Command, Credentials, Disposition, Environment, Pty, Stdio};

use super::program::{self, Found};
use rusk_runtime::RuntimeState;
use rusk_runtime::values::{int, text, text_if_any};

/// What becomes of a descriptor of the child; numbers from 0 are descriptors of ours.
const IGNORE: i32 = -1;
const PIPE: i32 = -2;
/// A connection of both ways, wherever it stands.
const CHANNEL: i32 = -3;
/// A file in memory with the input.
const BYTES: i32 = -4;
const TERMINAL: i32 = -5;
/// A connection whose end here goes to the program by its number.
const NUMBER: i32 = -6;

/// Bits of how it is started.
const DETACHED: i32 = 1;
/// A script without a first line that says who reads it is a shell's, as `execvp(3)` has it.
const SHELL_FALLBACK: i32 = 2;

/// How many arguments are read here; what else a call has stands behind them.
pub(super) const ARGUMENTS: usize = 11;

/// The same where nothing is said but words and streams.
pub(super) const PLAIN_ARGUMENTS: usize = 5;

/// More words and variables than this may be more than the kernel takes: a word may have 128 KiB.
const SURE_BYTES_MAX: usize = 64 * 1024;

pub(super) struct Request {
    pub command: Command,
    /// Our ends of those descriptors that are connections; those of the three pipes the child has.
    pub ends: Vec<Option<End>>,
    /// The program runs, as far as can be known.
    pub is_sure: bool,
}

/// Our end of a connection.
pub(super) enum End {
    InLoop(OwnedFd),
    ByNumber(OwnedFd),
}

/// How long the call takes that is to start the program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    Start,
    End,
}

/// What JavaScript says.
#[derive(Default)]
struct Said {
    file: String,
    words: String,
    /// `None`: those that this program was started with.
    variables: Option<String>,
    folder: Option<String>,
    descriptors: Vec<i32>,
    manner: i32,
    user: Option<u32>,
    group: Option<u32>,
    /// Where the program is looked for, if not in the child's PATH.
    search: Option<String>,
    input: Option<Vec<u8>>,
    cgroup: Option<i32>,
    /// Its end is waited for by this call: that a path leads nowhere the child itself tells in
    /// time.
    is_awaited: bool,
}

/// file, words and variables (each a text with a NUL between two), folder, descriptors (a text with
/// a space between two), manner, user, group, PATH, input, cgroup. A list would be read value by
/// value.
pub(super) fn read<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    terminal: Option<&Pty>,
) -> Result<sys::Result<Request>, Exception<'s>> {
    let id = |index| -> Result<Option<f64>, Exception<'s>> {
        let value = call.argument(scope, index);
        match value.kind(scope) {
            Kind::Number => value.to_number(scope).map(Some),
            _ => Ok(None),
        }
    };
    let said = Said {
        file: text(scope, call, 0)?,
        words: text(scope, call, 1)?,
        variables: text_if_any(scope, call, 2)?,
        folder: text_if_any(scope, call, 3)?,
        descriptors: text(scope, call, 4)?
            .split(' ')
            .map(|number| number.parse().unwrap_or(IGNORE))
            .collect(),
        manner: int(scope, call, 5)?,
        user: id(6)?.map(|number| number as i64 as u32),
        group: id(7)?.map(|number| number as i64 as u32),
        search: text_if_any(scope, call, 8)?,
        input: Bytes::of(scope, call.argument(scope, 9)).map(|bytes| bytes.copy(scope)),
        cgroup: id(10)?.map(|number| number as i32),
        is_awaited: false,
    };
    Ok(said.request(terminal))
}

/// The words as a text with a NUL between two, how many they are, three descriptors. What else is
/// as it is for most programs. `EILSEQ`: a word has a NUL itself.
pub(super) fn read_plain<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    until: Until,
) -> Result<sys::Result<Request>, Exception<'s>> {
    let words = text(scope, call, 0)?;
    let count = int(scope, call, 1)? as usize;
    if words.matches('\0').count() + 1 != count {
        return Ok(Err(Errno::ILSEQ));
    }
    let said = Said {
        file: words.split('\0').next().unwrap_or_default().to_owned(),
        words,
        descriptors: vec![int(scope, call, 2)?, int(scope, call, 3)?, int(scope, call, 4)?],
        is_awaited: until == Until::End,
        ..Said::default()
    };
    Ok(said.request(None))
}

impl Said {
    fn request(&self, terminal: Option<&Pty>) -> sys::Result<Request> {
        if let Some(folder) = &self.folder {
            program::check_folder(folder)?;
        }
        let (environment, own_path) = self.environment();
        let search = self.search.as_deref().or(own_path.as_deref());
        let found = match self.is_awaited && self.file.contains('/') {
            true => Found { path: self.file.clone(), is_sure: false },
            false => program::find(&self.file, search, self.folder.as_deref())?,
        };
        let mut command = Command::new(&found.path);
        let mut words = self.words.split('\0');
        command.arg0(words.next().unwrap_or_default()).args(words);
        command.environment(environment);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if self.manner & DETACHED != 0 {
            command.new_session();
        }
        // What whoever started us ignores, `nohup` for example, is no choice of the program's: its
        // children begin as others do.
        for signal in ignored() {
            command.disposition(*signal, Disposition::Default);
        }
        command.shell_fallback(self.manner & SHELL_FALLBACK != 0);
        self.set_user(&mut command);
        if let Some(cgroup) = self.cgroup {
            command.cgroup(fd::duplicate(cgroup)?);
        }
        if let Some(terminal) = terminal {
            command.terminal(terminal);
        }
        let ends = self.open(&mut command)?;
        let bytes = self.words.len() + self.variables.as_ref().map_or(0, String::len);
        // A terminal may be hung up the next moment, and a child that begins on it then fails.
        let is_sure = found.is_sure && bytes < SURE_BYTES_MAX && terminal.is_none();
        Ok(Request { command, ends, is_sure })
    }

    /// The variables, and the PATH among them.
    fn environment(&self) -> (Environment, Option<String>) {
        let Some(variables) = &self.variables else { return launched() };
        let pairs = variables.split('\0').filter_map(|variable| variable.split_once('='));
        let pairs = pairs.filter(|(name, _)| !name.is_empty());
        let path = pairs.clone().find(|(name, _)| *name == "PATH");
        (Environment::pack(pairs), path.map(|(_, path)| path.to_owned()))
    }

    fn set_user(&self, command: &mut Command) {
        let (user, group) = (self.user, self.group);
        if user.is_some() || group.is_some() {
            // Groups of ours are none of another user's; only root may leave them.
            let groups = (credentials::ids()[1] == 0).then(Vec::new);
            command.credentials(Credentials { user, group, groups });
        }
    }

    /// Gives the command its descriptors.
    fn open(&self, command: &mut Command) -> sys::Result<Vec<Option<End>>> {
        let mut ends = Vec::with_capacity(self.descriptors.len());
        for (index, wanted) in self.descriptors.iter().enumerate() {
            ends.push(match index {
                0..3 => self.open_stream(command, index, *wanted)?,
                _ => open_other(command, index, *wanted)?,
            });
        }
        Ok(ends)
    }

    fn open_stream(&self, command: &mut Command, index: usize, wanted: i32) -> sys::Result<Option<End>> {
        let mut end = None;
        let stream = match wanted {
            TERMINAL => return Ok(None),
            IGNORE => Stdio::Null,
            PIPE => Stdio::Pipe,
            CHANNEL => {
                let (ours, theirs) = fd::socket_pair()?;
                end = Some(End::InLoop(ours));
                Stdio::from(theirs)
            }
            BYTES => {
                let input = Stdio::bytes(self.input.as_deref().unwrap_or_default());
                input.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?
            }
            number if number as usize == index => Stdio::Inherit,
            number => {
                let copy = fd::duplicate(number)?;
                // Programs do not expect their streams to be impatient, as ends of ours are.
                fd::set_blocking(copy.as_fd())?;
                Stdio::from(copy)
            }
        };
        match index {
            0 => command.stdin(stream),
            1 => command.stdout(stream),
            _ => command.stderr(stream),
        };
        Ok(end)
    }
}

fn open_other(command: &mut Command, index: usize, wanted: i32) -> sys::Result<Option<End>> {
    let target = i32::try_from(index).map_err(|_| Errno::BADF)?;
    Ok(match wanted {
        PIPE | CHANNEL | NUMBER => {
            let (ours, theirs) = fd::socket_pair()?;
            command.fd(theirs, target);
            Some(if wanted == NUMBER { End::ByNumber(ours) } else { End::InLoop(ours) })
        }
        number if number >= 0 => {
            command.fd(fd::duplicate(number)?, target);
            None
        }
        _ => None,
    })
}

/// What this process ignores. Asked for once: no program of ours ignores another one.
fn ignored() -> &'static [i32] {
    static IGNORED: OnceLock<Vec<i32>> = OnceLock::new();
    IGNORED.get_or_init(signal_relay::ignored_signals)
}

/// The variables that this program was started with, packed once, and their PATH. A channel to
/// whoever started it is its own.
fn launched() -> (Environment, Option<String>) {
    const OWN: [&str; 2] = ["NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    thread_local! {
        static PACKED: std::cell::OnceCell<(Environment, Option<String>)> = const { std::cell::OnceCell::new() };
    }
    let pack = || {
        let state = RuntimeState::current();
        let variables = &state.program.environment;
        let passed_on = variables.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
        (Environment::pack(passed_on), variables.get("PATH").cloned())
    };
    PACKED.with(|packed| packed.get_or_init(pack).clone())
}

//! The kernel's calls by number: what each is called, which of its arguments is a path, when it
//! waits. In: numbers as a collector sees them. Out: names and [`Traits`]. The tables stand in
//! `calls/*.txt`, a number and a name a line, as the kernel's headers have them.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Whose numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arch {
    X86_64,
    I386,
    Aarch64,
}

/// A call, whatever it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    pub arch: Arch,
    pub number: u32,
}

/// What there is to know of a call before it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    pub path: Option<PathArgument>,
    pub wait: Wait,
    pub effect: Effect,
}

/// Where a call's path stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathArgument {
    pub aim: Aim,
    /// Which argument it is; the folder that it starts from stands before it, if it is not the
    /// first.
    pub index: usize,
}

/// What a path is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aim {
    Open,
    Stat,
    Readlink,
    Exec,
    /// A process's current folder.
    Enter,
}

/// When a call waits for others, rather than works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Never,
    Always,
    /// Unless this argument is 0.
    UnlessZero(usize),
    /// Unless this argument has this bit.
    UnlessBit(usize, u64),
    /// `futex(2)`: some of its operations.
    Futex,
    /// A lock that others may hold: `fcntl(2)`.
    Lock,
    /// Where its first argument is a pipe, a socket, a terminal, and it took its time.
    Reads,
}

/// What of a process's standing a call changes, for paths that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// What it returns stands for its path.
    Opens,
    Closes,
    /// What it returns stands for what its first argument stands for.
    Copies,
    /// As `Copies`, by some commands.
    Controls,
    /// The current folder becomes an open one.
    EntersOpen,
    Listens,
}

/// `AUDIT_ARCH_*`, as the kernel names them to tracers.
const AUDIT: [(u32, Arch); 3] =
    [(0xc000_003e, Arch::X86_64), (0x4000_0003, Arch::I386), (0xc000_00b7, Arch::Aarch64)];

/// More numbers than any table has.
const NUMBERS: usize = 512;

const NO_TRAITS: Traits = Traits { path: None, wait: Wait::Never, effect: Effect::None };

impl Arch {
    /// `None`: one whose numbers are not known here.
    pub fn of_audit(audit: u32) -> Option<Arch> {
        AUDIT.iter().find(|(known, _)| *known == audit).map(|(_, arch)| *arch)
    }

    /// That of this program.
    pub const OWN: Arch = if cfg!(target_arch = "aarch64") { Arch::Aarch64 } else { Arch::X86_64 };

    fn text(self) -> &'static str {
        match self {
            Arch::X86_64 => include_str!("calls/x86_64.txt"),
            Arch::I386 => include_str!("calls/i386.txt"),
            Arch::Aarch64 => include_str!("calls/aarch64.txt"),
        }
    }

    fn table(self) -> &'static Table {
        static TABLES: [OnceLock<Table>; 3] = [const { OnceLock::new() }; 3];
        TABLES[self as usize].get_or_init(|| Table::new(self.text()))
    }
}

impl Call {
    /// As its man page is called; a number where it is not known.
    pub fn name(self) -> String {
        let names = &self.arch.table().names;
        match names.get(self.number as usize) {
            Some(name) if !name.is_empty() => (*name).to_owned(),
            _ => format!("call {}", self.number),
        }
    }

    pub fn traits(self) -> Traits {
        self.arch.table().traits.get(self.number as usize).copied().unwrap_or(NO_TRAITS)
    }

    /// The call of this name.
    pub fn find(arch: Arch, name: &str) -> Option<Call> {
        let number = arch.table().names.iter().position(|known| *known == name)?;
        Some(Call { arch, number: number as u32 })
    }
}

impl Wait {
    /// Whether a call with these arguments waits. `Reads` cannot be told from arguments, and is
    /// taken for work.
    pub fn holds(self, arguments: [u64; 4]) -> bool {
        match self {
            Wait::Never | Wait::Reads => false,
            Wait::Always => true,
            Wait::UnlessZero(index) => arguments[index] as u32 != 0,
            Wait::UnlessBit(index, bit) => arguments[index] & bit == 0,
            // FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2; the bits above say how.
            Wait::Futex => matches!(arguments[1] & 0x7f, 0 | 6 | 9 | 11 | 13),
            // F_SETLKW, F_SETLKW64, F_OFD_SETLKW.
            Wait::Lock => matches!(arguments[1], 7 | 14 | 38),
        }
    }
}

struct Table {
    names: Vec<&'static str>,
    traits: Vec<Traits>,
}

impl Table {
    fn new(text: &'static str) -> Table {
        let known = known();
        let mut table = Table { names: vec![""; NUMBERS], traits: vec![NO_TRAITS; NUMBERS] };
        for line in text.lines() {
            let (number, name) = line.split_once(' ').expect("a number and a name");
            let number: usize = number.parse().expect("a number");
            table.names[number] = name;
            table.traits[number] = known.get(name).copied().unwrap_or(NO_TRAITS);
        }
        table
    }
}

/// What is known of calls by name, on any processor.
fn known() -> HashMap<&'static str, Traits> {
    let paths = [
        (Aim::Open, 0, "open creat"),
        (Aim::Open, 1, "openat openat2"),
        (Aim::Stat, 0, "stat lstat stat64 lstat64 oldstat oldlstat access"),
        (Aim::Stat, 1, "newfstatat fstatat64 statx faccessat faccessat2"),
        (Aim::Readlink, 0, "readlink"),
        (Aim::Readlink, 1, "readlinkat"),
        (Aim::Exec, 0, "execve"),
        (Aim::Exec, 1, "execveat"),
        (Aim::Enter, 0, "chdir"),
    ];
    let waits = [
        (
            Wait::Always,
            "pause restart_syscall nanosleep clock_nanosleep clock_nanosleep_time64 rt_sigsuspend sigsuspend rt_sigtimedwait \
             rt_sigtimedwait_time64 select _newselect pselect6 pselect6_time64 ppoll ppoll_time64 epoll_pwait2 futex_wait \
             futex_waitv io_getevents io_pgetevents msgrcv semop semtimedop mq_timedreceive accept accept4 connect recv \
             recvfrom recvmsg recvmmsg",
        ),
        (Wait::UnlessZero(2), "poll io_uring_enter"),
        (Wait::UnlessZero(3), "epoll_wait epoll_pwait"),
        // WNOHANG; LOCK_NB.
        (Wait::UnlessBit(2, 1), "wait4 waitpid"),
        (Wait::UnlessBit(3, 1), "waitid"),
        (Wait::UnlessBit(1, 4), "flock"),
        (Wait::Futex, "futex futex_time64"),
        (Wait::Lock, "fcntl fcntl64"),
        (Wait::Reads, "read readv"),
    ];
    let effects = [
        (Effect::Opens, "open openat openat2"),
        (Effect::Closes, "close"),
        (Effect::Copies, "dup dup2 dup3"),
        (Effect::Controls, "fcntl fcntl64"),
        (Effect::EntersOpen, "fchdir"),
        (Effect::Listens, "listen"),
    ];
    let mut known: HashMap<&'static str, Traits> = HashMap::new();
    for (aim, index, names) in paths {
        for name in names.split_whitespace() {
            known.entry(name).or_insert(NO_TRAITS).path = Some(PathArgument { aim, index });
        }
    }
    for (wait, names) in waits {
        names.split_whitespace().for_each(|name| known.entry(name).or_insert(NO_TRAITS).wait = wait);
    }
    for (effect, names) in effects {
        names.split_whitespace().for_each(|name| known.entry(name).or_insert(NO_TRAITS).effect = effect);
    }
    known
}

/// What the kernel calls an error, `errno` positive.
pub fn error_name(errno: u16) -> String {
    let known = include_str!("calls/errors.txt").lines().filter_map(|line| line.split_once(' '));
    let name =
        known.into_iter().find(|(number, _)| number.parse() == Ok(errno)).map(|(_, name)| name.to_owned());
    name.unwrap_or_else(|| format!("error {errno}"))
}

#[cfg(test)]
mod tests;

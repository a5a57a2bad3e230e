//! System call tables: names by number, which argument is a path, when a call waits, its effect on
//! descriptors. In: call numbers. Out: names and [`SyscallTraits`]. The tables are in
//! `syscalls/*.txt`, one number and name on each line, as in the kernel's headers.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A processor architecture with its call numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arch {
    X86_64,
    I386,
    Aarch64,
}

/// A system call by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Syscall {
    pub arch: Arch,
    pub number: u32,
}

/// What is traits of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyscallTraits {
    pub path: Option<PathArgument>,
    pub wait: WaitRule,
    pub effect: FdEffect,
}

/// The path among a call's arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathArgument {
    pub operation: PathOperation,
    /// The argument's index. If it is not the first one, the preceding argument is the directory
    /// descriptor.
    pub index: usize,
}

/// What a system call does with its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathOperation {
    Open,
    Stat,
    Readlink,
    Exec,
    /// Changes the current directory.
    Chdir,
}

/// When a system call waits for an event, instead of working.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitRule {
    Never,
    Always,
    /// Unless this argument is 0.
    UnlessZero(usize),
    /// Unless this bit of the argument is set.
    UnlessBit(usize, u64),
    /// Some operations of `futex(2)`.
    Futex,
    /// Waiting for a lock: `fcntl(2)`.
    Lock,
    /// If the first argument is a pipe, socket or terminal, and the call was slow.
    SlowRead,
}

/// The effect on a process's descriptors and current directory, by which later paths are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdEffect {
    None,
    /// The returned descriptor refers to the path.
    Open,
    Close,
    /// The returned descriptor refers to the same file as the first argument.
    Duplicate,
    /// As `Duplicate`, for some commands.
    Fcntl,
    /// The current directory becomes that of a descriptor.
    Fchdir,
    Listen,
}

/// `AUDIT_ARCH_*` constants, as the kernel reports them to tracers.
const AUDIT: [(u32, Arch); 3] =
    [(0xc000_003e, Arch::X86_64), (0x4000_0003, Arch::I386), (0xc000_00b7, Arch::Aarch64)];

/// More than any table has.
const NUMBERS: usize = 512;

const NO_TRAITS: SyscallTraits = SyscallTraits { path: None, wait: WaitRule::Never, effect: FdEffect::None };

impl Arch {
    /// `None` for an unknown architecture.
    pub fn from_audit(audit: u32) -> Option<Arch> {
        AUDIT.iter().find(|(traits, _)| *traits == audit).map(|(_, arch)| *arch)
    }

    /// The architecture of this program.
    pub const OWN: Arch = if cfg!(target_arch = "aarch64") { Arch::Aarch64 } else { Arch::X86_64 };

    fn text(self) -> &'static str {
        match self {
            Arch::X86_64 => include_str!("syscalls/x86_64.txt"),
            Arch::I386 => include_str!("syscalls/i386.txt"),
            Arch::Aarch64 => include_str!("syscalls/aarch64.txt"),
        }
    }

    fn table(self) -> &'static SyscallTable {
        static TABLES: [OnceLock<SyscallTable>; 3] = [const { OnceLock::new() }; 3];
        TABLES[self as usize].get_or_init(|| SyscallTable::new(self.text()))
    }
}

impl Syscall {
    /// The name of its man page, or the number if it is unknown.
    pub fn name(self) -> String {
        let names = &self.arch.table().names;
        match names.get(self.number as usize) {
            Some(name) if !name.is_empty() => (*name).to_owned(),
            _ => format!("call {}", self.number),
        }
    }

    pub fn traits(self) -> SyscallTraits {
        self.arch.table().traits.get(self.number as usize).copied().unwrap_or(NO_TRAITS)
    }

    /// The system call of this name.
    pub fn find(arch: Arch, name: &str) -> Option<Syscall> {
        let number = arch.table().names.iter().position(|traits| *traits == name)?;
        Some(Syscall { arch, number: number as u32 })
    }
}

impl WaitRule {
    /// Whether a call with these arguments waits. `SlowRead` does not depend on arguments, so it
    /// counts as work here.
    pub fn waits(self, arguments: [u64; 4]) -> bool {
        match self {
            WaitRule::Never | WaitRule::SlowRead => false,
            WaitRule::Always => true,
            WaitRule::UnlessZero(index) => arguments[index] as u32 != 0,
            WaitRule::UnlessBit(index, bit) => arguments[index] & bit == 0,
            // FUTEX_WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2; higher bits are flags.
            WaitRule::Futex => matches!(arguments[1] & 0x7f, 0 | 6 | 9 | 11 | 13),
            // F_SETLKW, F_SETLKW64, F_OFD_SETLKW.
            WaitRule::Lock => matches!(arguments[1], 7 | 14 | 38),
        }
    }
}

struct SyscallTable {
    names: Vec<&'static str>,
    traits: Vec<SyscallTraits>,
}

impl SyscallTable {
    fn new(text: &'static str) -> SyscallTable {
        let traits = traits_by_name();
        let mut table = SyscallTable { names: vec![""; NUMBERS], traits: vec![NO_TRAITS; NUMBERS] };
        for line in text.lines() {
            let (number, name) = line.split_once(' ').expect("a number and a name");
            let number: usize = number.parse().expect("a number");
            table.names[number] = name;
            table.traits[number] = traits.get(name).copied().unwrap_or(NO_TRAITS);
        }
        table
    }
}

/// Traits by name, on all architectures.
fn traits_by_name() -> HashMap<&'static str, SyscallTraits> {
    let paths = [
        (PathOperation::Open, 0, "open creat"),
        (PathOperation::Open, 1, "openat openat2"),
        (PathOperation::Stat, 0, "stat lstat stat64 lstat64 oldstat oldlstat access"),
        (PathOperation::Stat, 1, "newfstatat fstatat64 statx faccessat faccessat2"),
        (PathOperation::Readlink, 0, "readlink"),
        (PathOperation::Readlink, 1, "readlinkat"),
        (PathOperation::Exec, 0, "execve"),
        (PathOperation::Exec, 1, "execveat"),
        (PathOperation::Chdir, 0, "chdir"),
    ];
    let waits = [
        (
            WaitRule::Always,
            "pause restart_syscall nanosleep clock_nanosleep clock_nanosleep_time64 rt_sigsuspend sigsuspend rt_sigtimedwait \
             rt_sigtimedwait_time64 select _newselect pselect6 pselect6_time64 ppoll ppoll_time64 epoll_pwait2 futex_wait \
             futex_waitv io_getevents io_pgetevents msgrcv semop semtimedop mq_timedreceive accept accept4 connect recv \
             recvfrom recvmsg recvmmsg",
        ),
        (WaitRule::UnlessZero(2), "poll io_uring_enter"),
        (WaitRule::UnlessZero(3), "epoll_wait epoll_pwait"),
        // WNOHANG; LOCK_NB.
        (WaitRule::UnlessBit(2, 1), "wait4 waitpid"),
        (WaitRule::UnlessBit(3, 1), "waitid"),
        (WaitRule::UnlessBit(1, 4), "flock"),
        (WaitRule::Futex, "futex futex_time64"),
        (WaitRule::Lock, "fcntl fcntl64"),
        (WaitRule::SlowRead, "read readv"),
    ];
    let effects = [
        (FdEffect::Open, "open openat openat2"),
        (FdEffect::Close, "close"),
        (FdEffect::Duplicate, "dup dup2 dup3"),
        (FdEffect::Fcntl, "fcntl fcntl64"),
        (FdEffect::Fchdir, "fchdir"),
        (FdEffect::Listen, "listen"),
    ];
    let mut traits: HashMap<&'static str, SyscallTraits> = HashMap::new();
    for (operation, index, names) in paths {
        for name in names.split_whitespace() {
            traits.entry(name).or_insert(NO_TRAITS).path = Some(PathArgument { operation, index });
        }
    }
    for (wait, names) in waits {
        names.split_whitespace().for_each(|name| traits.entry(name).or_insert(NO_TRAITS).wait = wait);
    }
    for (effect, names) in effects {
        names.split_whitespace().for_each(|name| traits.entry(name).or_insert(NO_TRAITS).effect = effect);
    }
    traits
}

/// The symbolic name of a positive errno.
pub fn error_name(errno: u16) -> String {
    let traits = include_str!("syscalls/errors.txt").lines().filter_map(|line| line.split_once(' '));
    let name =
        traits.into_iter().find(|(number, _)| number.parse() == Ok(errno)).map(|(_, name)| name.to_owned());
    name.unwrap_or_else(|| format!("error {errno}"))
}

#[cfg(test)]
mod tests;

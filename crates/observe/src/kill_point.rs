//! Kill points: runs a program and kills it just before one of the system calls by which it changes
//! files, counted over all its threads. In: a command, the number of the call. Out: how many such
//! calls there were, which one was reached, how the program ended. For tests of what a killed
//! program leaves behind. Absent: calls of its descendants.

use std::path::Path;

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::ptrace::{self, Stop, SyscallStop};
use rusk_base::sys::stopped_child::{SpawnOptions, StoppedChild};

use crate::problem;
use crate::syscalls::{Arch, Syscall};

/// Calls that always change a file or directory.
const CHANGING: &[&str] = &[
    "creat",
    "fallocate",
    "fchmod",
    "fchmodat",
    "link",
    "linkat",
    "mkdir",
    "mkdirat",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "symlink",
    "symlinkat",
    "truncate",
    "unlink",
    "unlinkat",
    "utimensat",
];

/// Calls that write to a descriptor, their first argument.
const WRITING: &[&str] = &["ftruncate", "pwrite64", "pwritev", "pwritev2", "sendfile", "write", "writev"];

const SIGKILL: i32 = 9;

/// `openat(2)` with these flags creates or empties a file.
const O_CREAT: u64 = 0o100;
const O_TRUNC: u64 = 0o1000;

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KillOutcome {
    /// Calls that change files, up to the end.
    pub calls: u64,
    /// The name of the call before which the program was killed; `None`: it has fewer calls.
    pub killed_before: Option<String>,
    /// The exit code of a program that was not killed.
    pub code: Option<i32>,
}

/// Runs the program; `at`: the number of the call that is not made any more, from 1.
pub fn run(options: SpawnOptions<'_>, at: u64) -> Result<KillOutcome> {
    let stopped =
        StoppedChild::spawn(options).map_err(|_| problem::not_started(options.file, Errno::CHILD))?;
    let root = stopped.process;
    let lost = |error| problem::lost("ptrace was refused", error);
    ptrace::seize(root, ptrace::Orphan::Killed).map_err(lost)?;
    ptrace::interrupt(root).map_err(lost)?;
    let running = stopped.resume().map_err(lost)?;
    let mut counter = CallCounter { root, at, outcome: KillOutcome::default() };
    counter.follow().map_err(lost)?;
    drop(running);
    Ok(counter.outcome)
}

struct CallCounter {
    root: i32,
    at: u64,
    outcome: KillOutcome,
}

impl CallCounter {
    /// Until the whole tree has ended.
    fn follow(&mut self) -> std::result::Result<(), Errno> {
        loop {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) | Err(Errno::CHILD) => return Ok(()),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error),
            };
            let signal = match stop {
                Stop::Exited(code) if thread == self.root => {
                    self.outcome.code = Some(code);
                    continue;
                }
                Stop::Exited(_) | Stop::Killed(_) => continue,
                Stop::Group => {
                    let _ = ptrace::listen(thread);
                    continue;
                }
                Stop::Syscall if self.is_reached(thread) => SIGKILL,
                Stop::Syscall => 0,
                Stop::Signal(signal) => signal,
                Stop::Clone(_) | Stop::Exec(_) | Stop::Attached => 0,
            };
            // Fails for a thread that was killed meanwhile.
            let _ = ptrace::resume_to_syscall(thread, signal);
        }
    }

    /// Counts a call that begins. True for the one before which the program is killed: a signal
    /// that is delivered here prevents the call.
    fn is_reached(&mut self, thread: i32) -> bool {
        let Ok(SyscallStop::Entry { arch, number, arguments }) = ptrace::syscall_info(thread) else {
            return false;
        };
        let Some(arch) = Arch::from_audit(arch) else { return false };
        let name = Syscall { arch, number: number as u32 }.name();
        let is_own = || Path::new(&format!("/proc/{}/task/{thread}", self.root)).exists();
        let counts = self.outcome.killed_before.is_none() && changes_files(thread, &name, &arguments);
        if !counts || !is_own() {
            return false;
        }
        self.outcome.calls += 1;
        let is_reached = self.outcome.calls == self.at;
        if is_reached {
            self.outcome.killed_before = Some(name);
        }
        is_reached
    }
}

fn changes_files(thread: i32, name: &str, arguments: &[u64; 6]) -> bool {
    match name {
        "open" => arguments[1] & (O_CREAT | O_TRUNC) != 0,
        "openat" => arguments[2] & (O_CREAT | O_TRUNC) != 0,
        "copy_file_range" => is_file(thread, arguments[2]),
        name if WRITING.contains(&name) => is_file(thread, arguments[0]),
        name => CHANGING.contains(&name),
    }
}

/// Whether a descriptor is one of a file: not of a pipe, socket, device or event.
fn is_file(thread: i32, descriptor: u64) -> bool {
    let link = format!("/proc/{thread}/fd/{descriptor}");
    let Ok(target) = std::fs::read_link(link) else { return false };
    target.starts_with("/") && !target.starts_with(Path::new("/dev/pts")) && target != Path::new("/dev/null")
}

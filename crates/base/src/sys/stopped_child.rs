//! Stopped child: a child process that waits before its execve(2), so that a tracer can attach to
//! it first. In: a file, arguments, an environment. Out: the process; after its start, what system
//! calls cost it while traced. Absent: the tracer. For single-threaded programs: the child is a
//! fork, and only makes system calls after its pre-exec hook.
#![allow(unsafe_code)]

use std::ffi::{CString, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::exec::c_string_pointers;
use super::{Errno, Result};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{self, Pid};

/// Size of a message from the child: a tag and a number.
const MESSAGE_BYTES: usize = 16;
const TIMES_TAG: u64 = 1;
const EXEC_FAILED_TAG: u64 = 2;
/// The pre-exec hook succeeded.
const HOOK_DONE_TAG: u64 = 4;

/// Rounds of probe calls; the fastest one counts.
const ROUNDS: u32 = 8;

/// Longest error of a pre-exec hook; less than `PIPE_BUF`.
const HOOK_ERROR_BYTES_MAX: usize = 4000;
const HOOK_FAILED_TAG: u64 = 3;

/// What to start, and how.
#[derive(Clone, Copy)]
pub struct SpawnOptions<'a> {
    pub file: &'a Path,
    pub arguments: &'a [OsString],
    pub environment: &'a [(OsString, OsString)],
    /// The current directory of the program.
    pub directory: &'a Path,
    /// A hook that runs first in the child, instead of `file` and `directory`: it enters the place
    /// where the program runs and returns the program's path there, or an error.
    pub pre_exec: Option<PreExec<'a>>,
    /// Probe calls, `getppid(2)`, a multiple of 8: we make them while the child waits, and the
    /// child makes them while traced. The difference is what tracing costs.
    pub probe_calls: u32,
}

pub type PreExec<'a> = &'a dyn Fn() -> std::result::Result<PathBuf, Vec<u8>>;

/// Why no child was started.
#[derive(Debug, PartialEq, Eq)]
pub enum SpawnError {
    System(Errno),
    /// The error of the pre-exec hook.
    PreExec(Vec<u8>),
}

impl From<Errno> for SpawnError {
    fn from(errno: Errno) -> SpawnError {
        SpawnError::System(errno)
    }
}

/// A child that waits.
pub struct StoppedChild {
    pub process: i32,
    gate: OwnedFd,
    messages: OwnedFd,
    untraced_ns: u64,
}

/// A child after it was resumed.
pub struct RunningChild {
    pub process: i32,
    pidfd: OwnedFd,
    messages: OwnedFd,
    untraced_ns: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    Code(i32),
    Signal(i32),
}

/// Durations of the probe calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeTimes {
    /// Nanoseconds of all probe calls, not traced and traced.
    pub untraced_ns: u64,
    pub traced_ns: u64,
}

impl StoppedChild {
    pub fn spawn(options: SpawnOptions<'_>) -> std::result::Result<StoppedChild, SpawnError> {
        let file = c_string(options.file.as_os_str().as_bytes())?;
        let directory = c_string(options.directory.as_os_str().as_bytes())?;
        let arguments: Vec<CString> =
            options.arguments.iter().map(|argument| c_string(argument.as_bytes())).collect::<Result<_>>()?;
        let environment: Vec<CString> = options
            .environment
            .iter()
            .map(|(name, value)| c_string(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
            .collect::<Result<_>>()?;
        let (arguments, environment) = (c_string_pointers(&arguments), c_string_pointers(&environment));
        let (gate_end, gate) = pipe_with(PipeFlags::CLOEXEC)?;
        let (messages, messages_end) = pipe_with(PipeFlags::CLOEXEC)?;
        let mut plan = ChildPlan {
            file: file.as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            directory: directory.as_ptr(),
            gate: gate_end.as_raw_fd(),
            // The child must close its copy of our end of the pipe, or it would not notice our end.
            other_gate: gate.as_raw_fd(),
            messages: messages_end.as_raw_fd(),
            probe_calls: options.probe_calls,
        };
        // SAFETY: this process has one thread, so the child's copy of memory is consistent. After
        // the pre-exec hook it only makes system calls.
        match unsafe { libc::fork() } {
            -1 => Err(last_error().into()),
            // SAFETY: everything that the plan points to exists in the child's copy of memory.
            0 => unsafe {
                let program = options.pre_exec.map(|pre_exec| plan.run_pre_exec(pre_exec));
                if let Some(file) = &program {
                    (plan.file, plan.directory) = (file.as_ptr(), c".".as_ptr());
                    plan.send(HOOK_DONE_TAG, 0);
                }
                plan.exec()
            },
            process => {
                // Otherwise reading from a child that has died would never end.
                drop(messages_end);
                if options.pre_exec.is_some() {
                    wait_for_hook(messages.as_fd())?;
                }
                let untraced_ns = probe_time(options.probe_calls);
                Ok(StoppedChild { process, gate, messages, untraced_ns })
            }
        }
    }

    /// Lets the child continue.
    pub fn resume(self) -> Result<RunningChild> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let pidfd = process::pidfd_open(pid, process::PidfdFlags::empty())?;
        super::write_all(self.gate.as_fd(), &[1])?;
        Ok(RunningChild {
            process: self.process,
            pidfd,
            messages: self.messages,
            untraced_ns: self.untraced_ns,
        })
    }
}

impl RunningChild {
    /// The times, once the program runs or has ended. If the execve(2) failed, its errno.
    pub fn probe_times(&self) -> Result<ProbeTimes> {
        let mut times = ProbeTimes { untraced_ns: self.untraced_ns, traced_ns: 0 };
        while let Some(message) = Message::read(self.messages.as_fd())? {
            match message.tag {
                EXEC_FAILED_TAG => return Err(Errno::from_raw_os_error(message.value as i32)),
                _ => times.traced_ns = message.value,
            }
        }
        Ok(times)
    }

    /// Waits until the child has ended.
    pub fn wait(&self) -> Result<ExitStatus> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let ended = super::retry_on_eintr(|| process::waitpid(Some(pid), process::WaitOptions::empty()))?;
        let (_, status) = ended.ok_or(Errno::CHILD)?;
        Ok(match status.terminating_signal() {
            Some(signal) => ExitStatus::Signal(signal),
            None => ExitStatus::Code(status.exit_status().unwrap_or_default()),
        })
    }
}

/// A pidfd: ready once the child has ended, before it is reaped.
impl AsFd for RunningChild {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

/// Waits for the result of the pre-exec hook.
fn wait_for_hook(messages: BorrowedFd<'_>) -> std::result::Result<(), SpawnError> {
    match Message::read(messages)? {
        Some(message) if message.tag == HOOK_FAILED_TAG => {
            let mut error = vec![0; HOOK_ERROR_BYTES_MAX];
            let count = super::read(messages, &mut error)?;
            error.truncate(count);
            Err(SpawnError::PreExec(error))
        }
        _ => Ok(()),
    }
}

/// A message from the child.
struct Message {
    tag: u64,
    value: u64,
}

impl Message {
    /// `None` at end of file.
    fn read(messages: BorrowedFd<'_>) -> Result<Option<Message>> {
        let mut message = [0; MESSAGE_BYTES];
        // At most `PIPE_BUF` bytes, so it arrives as a whole: pipe(7).
        let read = super::read(messages, &mut message)?;
        let integer = |at: usize| u64::from_ne_bytes(message[at..at + 8].try_into().expect("eight bytes"));
        Ok((read == MESSAGE_BYTES).then(|| Message { tag: integer(0), value: integer(8) }))
    }
}

/// What the child does, as pointers and integers.
struct ChildPlan {
    file: *const libc::c_char,
    arguments: *const *const libc::c_char,
    environment: *const *const libc::c_char,
    directory: *const libc::c_char,
    gate: RawFd,
    other_gate: RawFd,
    messages: RawFd,
    probe_calls: u32,
}

impl ChildPlan {
    /// # Safety
    /// Runs in a fork, and all pointers are valid.
    unsafe fn exec(&self) -> ! {
        // SAFETY: system calls on integers and valid memory; nothing allocates, locks or panics.
        unsafe {
            libc::close(self.other_gate);
            let mut byte = 0_u8;
            while libc::read(self.gate, (&raw mut byte).cast(), 1) == -1 && errno() == libc::EINTR {}
            if byte != 1 {
                libc::_exit(127);
            }
            self.send(TIMES_TAG, probe_time(self.probe_calls));
            // Programs expect the default disposition.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            if libc::chdir(self.directory) == 0 {
                libc::execve(self.file, self.arguments, self.environment);
            }
            self.send(EXEC_FAILED_TAG, errno() as u64);
            libc::_exit(127)
        }
    }

    /// The path of the program. If the hook fails, the child reports that and ends.
    ///
    /// # Safety
    ///
    /// Runs in a fork.
    unsafe fn run_pre_exec(&self, pre_exec: PreExec<'_>) -> CString {
        let file = pre_exec().and_then(|file| c_string(file.as_os_str().as_bytes()).map_err(|_| Vec::new()));
        file.unwrap_or_else(|error| {
            let error = &error[..error.len().min(HOOK_ERROR_BYTES_MAX)];
            self.send(HOOK_FAILED_TAG, error.len() as u64);
            // SAFETY: the kernel reads that many bytes of `error`; a fork must not run exit
            // handlers.
            unsafe {
                libc::write(self.messages, error.as_ptr().cast(), error.len());
                libc::_exit(127)
            }
        })
    }

    fn send(&self, tag: u64, value: u64) {
        let message = [tag, value];
        // SAFETY: the kernel reads the 16 bytes of `message`.
        unsafe { libc::write(self.messages, message.as_ptr().cast(), MESSAGE_BYTES) };
    }
}

/// The time of the fastest round: other processes on the CPU slow some of them down.
fn probe_time(calls: u32) -> u64 {
    let mut best = u64::MAX;
    for _ in 0..ROUNDS {
        let before = now_ns();
        for _ in 0..calls / ROUNDS {
            // SAFETY: takes no arguments and cannot fail.
            unsafe { libc::syscall(libc::SYS_getppid) };
        }
        best = best.min(now_ns().wrapping_sub(before));
    }
    best.wrapping_mul(ROUNDS.into())
}

/// `CLOCK_MONOTONIC`, which `Instant` and BPF programs also read.
pub fn now_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` has room for the result.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

fn errno() -> i32 {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(errno())
}

/// `EINVAL` if there is a NUL within.
fn c_string(bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests;

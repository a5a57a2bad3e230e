//! A program that waits to be let go, so that whoever observes it is there before its first
//! instruction. In: a file, its words, its variables. Out: its process, held; then what it cost to
//! make a few calls before and after. Absent: who observes. For programs with one thread: the child
//! is a fork, which makes nothing but system calls once it has found its way in.
#![allow(unsafe_code)]

use std::ffi::{CString, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::exec::c_string_pointers;
use super::{Errno, Result};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{self, Pid};

/// Bytes of what the child says: which call failed, two times.
const NOTE_BYTES: usize = 16;
const TIMES_TAG: u64 = 1;
const REFUSED_TAG: u64 = 2;
/// Its way in led there.
const ARRIVED_TAG: u64 = 4;

/// Rounds that the test calls are made in.
const ROUNDS: u32 = 8;

/// Bytes of what a way in may say of its failure; shorter than a pipe's smallest piece.
const FAILURE_BYTES_MAX: usize = 4000;
const FAILED_TAG: u64 = 3;

/// What is to be started.
#[derive(Clone, Copy)]
pub struct SpawnOptions<'a> {
    pub file: &'a Path,
    pub arguments: &'a [OsString],
    pub environment: &'a [(OsString, OsString)],
    /// Where it starts.
    pub directory: &'a Path,
    /// What the child does before all else, in place of `file` and `folder`: it goes where the
    /// program is to run, and says which file that is there. Or it fails, and says why.
    pub pre_exec: Option<PreExec<'a>>,
    /// How many `getppid(2)`, a multiple of 8, we make while it waits, and it makes before its
    /// program, to tell what observing costs.
    pub calls: u32,
}

pub type PreExec<'a> = &'a dyn Fn() -> std::result::Result<PathBuf, Vec<u8>>;

/// Why there is no child.
#[derive(Debug, PartialEq, Eq)]
pub enum SpawnError {
    System(Errno),
    /// What the way in said.
    PreExec(Vec<u8>),
}

impl From<Errno> for SpawnError {
    fn from(errno: Errno) -> SpawnError {
        SpawnError::System(errno)
    }
}

/// The child, which waits.
pub struct StoppedChild {
    pub process: i32,
    gate: OwnedFd,
    notes: OwnedFd,
    untraced_ns: u64,
}

/// A child that runs, or has tried to.
pub struct RunningChild {
    pub process: i32,
    pidfd: OwnedFd,
    notes: OwnedFd,
    untraced_ns: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    Code(i32),
    Signal(i32),
}

/// What the child said by the time its program ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeTimes {
    /// Nanoseconds that the test calls took, free and observed.
    pub untraced_ns: u64,
    pub traced_ns: u64,
}

impl StoppedChild {
    pub fn spawn(options: SpawnOptions<'_>) -> std::result::Result<StoppedChild, SpawnError> {
        let file = text(options.file.as_os_str().as_bytes())?;
        let folder = text(options.directory.as_os_str().as_bytes())?;
        let words: Vec<CString> =
            options.arguments.iter().map(|word| text(word.as_bytes())).collect::<Result<_>>()?;
        let variables: Vec<CString> = options
            .environment
            .iter()
            .map(|(name, value)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
            .collect::<Result<_>>()?;
        let (words, variables) = (c_string_pointers(&words), c_string_pointers(&variables));
        let (gate_end, gate) = pipe_with(PipeFlags::CLOEXEC)?;
        let (notes, notes_end) = pipe_with(PipeFlags::CLOEXEC)?;
        let mut plan = Plan {
            file: file.as_ptr(),
            words: words.as_ptr(),
            variables: variables.as_ptr(),
            folder: folder.as_ptr(),
            gate: gate_end.as_raw_fd(),
            // The child's own copy of our end would keep its wait from ending with us.
            other_gate: gate.as_raw_fd(),
            notes: notes_end.as_raw_fd(),
            calls: options.calls,
        };
        // SAFETY: this process has one thread, so the child's copy of memory is whole. But for the
        // way in, it makes system calls alone.
        match unsafe { libc::fork() } {
            -1 => Err(last_error().into()),
            // SAFETY: everything that the plan points to lives on in the child's copy.
            0 => unsafe {
                let inside = options.pre_exec.map(|way_in| plan.run_pre_exec(way_in));
                if let Some(file) = &inside {
                    (plan.file, plan.folder) = (file.as_ptr(), c".".as_ptr());
                    plan.note(ARRIVED_TAG, 0);
                }
                plan.exec()
            },
            process => {
                // With it open here, the notes of a child that dies would never end.
                drop(notes_end);
                if options.pre_exec.is_some() {
                    arrived(notes.as_fd())?;
                }
                let untraced_ns = time_of_calls(options.calls);
                Ok(StoppedChild { process, gate, notes, untraced_ns })
            }
        }
    }

    /// Lets it run.
    pub fn resume(self) -> Result<RunningChild> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let pidfd = process::pidfd_open(pid, process::PidfdFlags::empty())?;
        super::write_all(self.gate.as_fd(), &[1])?;
        Ok(RunningChild { process: self.process, pidfd, notes: self.notes, untraced_ns: self.untraced_ns })
    }
}

impl RunningChild {
    /// What was said, once its program runs or has ended. The error is the kernel's, of a program
    /// it would not run.
    pub fn probe_times(&self) -> Result<ProbeTimes> {
        let mut times = ProbeTimes { untraced_ns: self.untraced_ns, traced_ns: 0 };
        while let Some(note) = Note::read(self.notes.as_fd())? {
            match note.tag {
                REFUSED_TAG => return Err(Errno::from_raw_os_error(note.value as i32)),
                _ => times.traced_ns = note.value,
            }
        }
        Ok(times)
    }

    /// How it ended, once it has.
    pub fn wait(&self) -> Result<ExitStatus> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let ended = super::again(|| process::waitpid(Some(pid), process::WaitOptions::empty()))?;
        let (_, status) = ended.ok_or(Errno::CHILD)?;
        Ok(match status.terminating_signal() {
            Some(signal) => ExitStatus::Signal(signal),
            None => ExitStatus::Code(status.exit_status().unwrap_or_default()),
        })
    }
}

/// Ready once it has ended; it is still to be waited for.
impl AsFd for RunningChild {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

/// Once the child is where its way in leads.
fn arrived(notes: BorrowedFd<'_>) -> std::result::Result<(), SpawnError> {
    match Note::read(notes)? {
        Some(note) if note.tag == FAILED_TAG => {
            let mut said = vec![0; FAILURE_BYTES_MAX];
            let count = super::read(notes, &mut said)?;
            said.truncate(count);
            Err(SpawnError::PreExec(said))
        }
        _ => Ok(()),
    }
}

/// What the child says: a kind, and a number.
struct Note {
    tag: u64,
    value: u64,
}

impl Note {
    /// `None`: it has said all.
    fn read(notes: BorrowedFd<'_>) -> Result<Option<Note>> {
        let mut note = [0; NOTE_BYTES];
        // Shorter than a pipe's smallest piece, so it comes whole.
        let read = super::read(notes, &mut note)?;
        let word = |at: usize| u64::from_ne_bytes(note[at..at + 8].try_into().expect("eight bytes"));
        Ok((read == NOTE_BYTES).then(|| Note { tag: word(0), value: word(8) }))
    }
}

/// What the child is to do, as addresses and numbers.
struct Plan {
    file: *const libc::c_char,
    words: *const *const libc::c_char,
    variables: *const *const libc::c_char,
    folder: *const libc::c_char,
    gate: RawFd,
    other_gate: RawFd,
    notes: RawFd,
    calls: u32,
}

impl Plan {
    /// # Safety
    /// Runs in a fork, and every pointer holds.
    unsafe fn exec(&self) -> ! {
        // SAFETY: system calls on numbers and on memory that holds; nothing allocates, locks or
        // panics.
        unsafe {
            libc::close(self.other_gate);
            let mut byte = 0_u8;
            while libc::read(self.gate, (&raw mut byte).cast(), 1) == -1 && errno() == libc::EINTR {}
            if byte != 1 {
                libc::_exit(127);
            }
            self.note(TIMES_TAG, time_of_calls(self.calls));
            // Programs expect it as the system sets it.
            libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            if libc::chdir(self.folder) == 0 {
                libc::execve(self.file, self.words, self.variables);
            }
            self.note(REFUSED_TAG, errno() as u64);
            libc::_exit(127)
        }
    }

    /// The file that is to be run. The child of a way that leads nowhere ends here.
    ///
    /// # Safety
    /// Runs in a fork.
    unsafe fn run_pre_exec(&self, way_in: PreExec<'_>) -> CString {
        let gone = way_in().and_then(|file| text(file.as_os_str().as_bytes()).map_err(|_| Vec::new()));
        gone.unwrap_or_else(|said| {
            let said = &said[..said.len().min(FAILURE_BYTES_MAX)];
            self.note(FAILED_TAG, said.len() as u64);
            // SAFETY: the kernel reads that many bytes of `said`; nothing is to run at the end of a
            // fork.
            unsafe {
                libc::write(self.notes, said.as_ptr().cast(), said.len());
                libc::_exit(127)
            }
        })
    }

    fn note(&self, tag: u64, value: u64) {
        let note = [tag, value];
        // SAFETY: the kernel reads the 16 bytes of `note`.
        unsafe { libc::write(self.notes, note.as_ptr().cast(), NOTE_BYTES) };
    }
}

/// As the best of the rounds has it: others that want the processor make some of them longer.
fn time_of_calls(calls: u32) -> u64 {
    let mut best = u64::MAX;
    for _ in 0..ROUNDS {
        let before = now_ns();
        for _ in 0..calls / ROUNDS {
            // SAFETY: takes nothing, cannot fail.
            unsafe { libc::syscall(libc::SYS_getppid) };
        }
        best = best.min(now_ns().wrapping_sub(before));
    }
    best.wrapping_mul(ROUNDS.into())
}

/// `CLOCK_MONOTONIC`, which `Instant` and BPF programs read as well.
pub fn now_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` has room for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

fn errno() -> i32 {
    // SAFETY: the thread's own variable.
    unsafe { *libc::__errno_location() }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(errno())
}

/// A NUL within it cannot be said to the kernel.
fn text(bytes: &[u8]) -> Result<CString> {
    CString::new(bytes).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests;

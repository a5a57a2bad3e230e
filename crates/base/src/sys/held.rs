//! A program that waits to be let go, so that whoever observes it is there before its first
//! instruction. In: a file, its words, its variables. Out: its process, held; then what it cost to
//! make a few calls before and after. Absent: who observes. For programs with one thread: the child
//! is a fork, which makes nothing but system calls once it has found its way in.
#![allow(unsafe_code)]

use std::ffi::{CString, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::program::pointers;
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
pub struct Start<'a> {
    pub file: &'a Path,
    pub words: &'a [OsString],
    pub variables: &'a [(OsString, OsString)],
    /// Where it starts.
    pub folder: &'a Path,
    /// What the child does before all else, in place of `file` and `folder`: it goes where the
    /// program is to run, and says which file that is there. Or it fails, and says why.
    pub way_in: Option<WayIn<'a>>,
    /// How many `getppid(2)`, a multiple of 8, we make while it waits, and it makes before its
    /// program, to tell what observing costs.
    pub calls: u32,
}

pub type WayIn<'a> = &'a dyn Fn() -> std::result::Result<PathBuf, Vec<u8>>;

/// Why there is no child.
#[derive(Debug, PartialEq, Eq)]
pub enum NotHeld {
    Refused(Errno),
    /// What the way in said.
    Outside(Vec<u8>),
}

impl From<Errno> for NotHeld {
    fn from(errno: Errno) -> NotHeld {
        NotHeld::Refused(errno)
    }
}

/// The child, which waits.
pub struct Held {
    pub process: i32,
    gate: OwnedFd,
    notes: OwnedFd,
    free_ns: u64,
}

/// A child that runs, or has tried to.
pub struct Released {
    pub process: i32,
    pidfd: OwnedFd,
    notes: OwnedFd,
    free_ns: u64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
}

/// What the child said by the time its program ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// Nanoseconds that the test calls took, free and observed.
    pub free_ns: u64,
    pub observed_ns: u64,
}

impl Held {
    pub fn start(start: Start<'_>) -> std::result::Result<Held, NotHeld> {
        let file = text(start.file.as_os_str().as_bytes())?;
        let folder = text(start.folder.as_os_str().as_bytes())?;
        let words: Vec<CString> =
            start.words.iter().map(|word| text(word.as_bytes())).collect::<Result<_>>()?;
        let variables: Vec<CString> = start
            .variables
            .iter()
            .map(|(name, value)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat()))
            .collect::<Result<_>>()?;
        let (words, variables) = (pointers(&words), pointers(&variables));
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
            calls: start.calls,
        };
        // SAFETY: this process has one thread, so the child's copy of memory is whole. But for the
        // way in, it makes system calls alone.
        match unsafe { libc::fork() } {
            -1 => Err(last_error().into()),
            // SAFETY: everything that the plan points to lives on in the child's copy.
            0 => unsafe {
                let inside = start.way_in.map(|way_in| plan.go(way_in));
                if let Some(file) = &inside {
                    (plan.file, plan.folder) = (file.as_ptr(), c".".as_ptr());
                    plan.note(ARRIVED_TAG, 0);
                }
                plan.carry_out()
            },
            process => {
                // With it open here, the notes of a child that dies would never end.
                drop(notes_end);
                if start.way_in.is_some() {
                    arrived(notes.as_fd())?;
                }
                let free_ns = time_of_calls(start.calls);
                Ok(Held { process, gate, notes, free_ns })
            }
        }
    }

    /// Lets it run.
    pub fn release(self) -> Result<Released> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let pidfd = process::pidfd_open(pid, process::PidfdFlags::empty())?;
        super::write_all(self.gate.as_fd(), &[1])?;
        Ok(Released { process: self.process, pidfd, notes: self.notes, free_ns: self.free_ns })
    }
}

impl Released {
    /// What was said, once its program runs or has ended. The error is the kernel's, of a program
    /// it would not run.
    pub fn started(&self) -> Result<Started> {
        let mut times = Started { free_ns: self.free_ns, observed_ns: 0 };
        while let Some(note) = Note::read(self.notes.as_fd())? {
            match note.tag {
                REFUSED_TAG => return Err(Errno::from_raw_os_error(note.value as i32)),
                _ => times.observed_ns = note.value,
            }
        }
        Ok(times)
    }

    /// How it ended, once it has.
    pub fn wait(&self) -> Result<End> {
        let pid = Pid::from_raw(self.process).ok_or(Errno::CHILD)?;
        let ended = super::again(|| process::waitpid(Some(pid), process::WaitOptions::empty()))?;
        let (_, status) = ended.ok_or(Errno::CHILD)?;
        Ok(match status.terminating_signal() {
            Some(signal) => End::Signal(signal),
            None => End::Code(status.exit_status().unwrap_or_default()),
        })
    }
}

/// Ready once it has ended; it is still to be waited for.
impl AsFd for Released {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }
}

/// Once the child is where its way in leads.
fn arrived(notes: BorrowedFd<'_>) -> std::result::Result<(), NotHeld> {
    match Note::read(notes)? {
        Some(note) if note.tag == FAILED_TAG => {
            let mut said = vec![0; FAILURE_BYTES_MAX];
            let count = super::read(notes, &mut said)?;
            said.truncate(count);
            Err(NotHeld::Outside(said))
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
    unsafe fn carry_out(&self) -> ! {
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
    unsafe fn go(&self, way_in: WayIn<'_>) -> CString {
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

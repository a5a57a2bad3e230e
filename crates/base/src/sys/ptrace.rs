//! `ptrace(2)` and what goes with it. In: a process or thread by its number. Out: what it stopped
//! for, the call that it makes or has made, text from its memory. Absent: which stops there are to
//! be, and what is made of them.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::{Errno, Result};

/// What the kernel is to tell of: threads, children, programs, and calls apart from signals.
const EVENTS: i32 = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC;

/// Memory is mapped in pages of at least this many bytes.
const PAGE_BYTES: usize = 4096;

/// What `waitpid(2)` says of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At the beginning or the end of a call.
    Syscall,
    /// It has made this thread or process.
    Clone(i32),
    /// Another program runs in it; this was its number before.
    Exec(i32),
    /// It is stopped, as by Ctrl-Z, and is to stay so.
    Group,
    /// The kernel says that it is there.
    Attached,
    /// This signal is about to reach it.
    Signal(i32),
    Exited(i32),
    Killed(i32),
}

/// A call, as a stopped thread stands before or behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyscallStop {
    /// `arch`: `AUDIT_ARCH_*`.
    Entry {
        arch: u32,
        number: u64,
        arguments: [u64; 6],
    },
    Exit {
        result: i64,
    },
    None,
}

/// Begins to trace a process without stopping it.
pub fn seize(process: i32) -> Result<()> {
    request(libc::PTRACE_SEIZE, process, 0, EVENTS as usize)
}

/// Stops a traced thread wherever it is.
pub fn interrupt(thread: i32) -> Result<()> {
    request(libc::PTRACE_INTERRUPT, thread, 0, 0)
}

/// Lets a thread run to its next call; `signal`: the one to deliver, 0 for none.
pub fn resume_to_syscall(thread: i32, signal: i32) -> Result<()> {
    request(libc::PTRACE_SYSCALL, thread, 0, signal as usize)
}

/// Leaves a thread stopped, and hears when it goes on.
pub fn listen(thread: i32) -> Result<()> {
    request(libc::PTRACE_LISTEN, thread, 0, 0)
}

/// Lets go of a stopped thread.
pub fn detach(thread: i32, signal: i32) -> Result<()> {
    request(libc::PTRACE_DETACH, thread, 0, signal as usize)
}

/// The call that a stopped thread is at, in one request.
pub fn syscall_info(thread: i32) -> Result<SyscallStop> {
    let mut found = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let bytes = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: `found` has room for as many bytes as the kernel is told.
    let filled = unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, bytes, found.as_mut_ptr()) };
    if filled < 0 {
        return Err(last_error());
    }
    // SAFETY: zeroes are valid, and so is what the kernel wrote over them; `op` says which member
    // of the union it is.
    unsafe {
        let found = found.assume_init();
        Ok(match found.op {
            libc::PTRACE_SYSCALL_INFO_ENTRY => SyscallStop::Entry {
                arch: found.arch,
                number: found.u.entry.nr,
                arguments: found.u.entry.args,
            },
            libc::PTRACE_SYSCALL_INFO_EXIT => SyscallStop::Exit { result: found.u.exit.sval },
            _ => SyscallStop::None,
        })
    }
}

/// Waits until any traced thread or child has something to tell. `None`: there is none left. An
/// interruption by a signal is an error here, for callers that are woken by one.
pub fn wait_any() -> Result<Option<(i32, Stop)>> {
    let mut status = 0;
    // SAFETY: `status` has room for the answer.
    match unsafe { libc::waitpid(-1, &mut status, libc::__WALL) } {
        -1 => match last_error() {
            Errno::CHILD => Ok(None),
            error => Err(error),
        },
        thread => Ok(Some((thread, stop(thread, status)))),
    }
}

fn stop(thread: i32, status: i32) -> Stop {
    if libc::WIFEXITED(status) {
        return Stop::Exited(libc::WEXITSTATUS(status));
    }
    if libc::WIFSIGNALED(status) {
        return Stop::Killed(libc::WTERMSIG(status));
    }
    let signal = libc::WSTOPSIG(status);
    match status >> 16 {
        0 if signal == libc::SIGTRAP | 0x80 => Stop::Syscall,
        0 => Stop::Signal(signal),
        libc::PTRACE_EVENT_CLONE | libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => {
            Stop::Clone(message(thread))
        }
        libc::PTRACE_EVENT_EXEC => Stop::Exec(message(thread)),
        libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => Stop::Group,
        _ => Stop::Attached,
    }
}

/// What belongs to the event; 0 of a thread that was killed meanwhile.
fn message(thread: i32) -> i32 {
    let mut message: libc::c_ulong = 0;
    // SAFETY: `message` has room for the answer.
    unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0, &raw mut message) };
    message as i32
}

/// Bytes of a process's memory from an address on, up to the end of the buffer or of what can be
/// read: how many. Asked for in two pieces, since the kernel gives a piece wholly or not at all.
pub fn read_memory(process: i32, address: u64, buffer: &mut [u8]) -> usize {
    let address = address as usize;
    let first = (PAGE_BYTES - address % PAGE_BYTES).min(buffer.len());
    let ours = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let theirs = [
        libc::iovec { iov_base: ptr::without_provenance_mut(address), iov_len: first },
        libc::iovec {
            iov_base: ptr::without_provenance_mut(address.wrapping_add(first)),
            iov_len: buffer.len() - first,
        },
    ];
    // SAFETY: the kernel writes into `buffer` alone, no more than its length; the other addresses
    // are not ours.
    let read = unsafe { libc::process_vm_readv(process, &ours, 1, theirs.as_ptr(), 2, 0) };
    usize::try_from(read).unwrap_or(0)
}

/// Threads kept on one processor, and where they were allowed to run before.
pub struct CpuPin {
    before: CpuSet,
    one: CpuSet,
}

impl CpuPin {
    /// Keeps this thread, and a process with all that it will start, on the processor that this
    /// thread is on.
    pub fn with(process: i32) -> Result<CpuPin> {
        let mut one = CpuSet::new();
        one.set(sched_getcpu());
        let before = sched_getaffinity(Pid::from_raw(process))?;
        sched_setaffinity(None, &one)?;
        sched_setaffinity(Pid::from_raw(process), &one)?;
        Ok(CpuPin { before, one })
    }

    /// Lets a thread, 0 for this one, run where it could before, unless it has chosen otherwise.
    pub fn undo(&self, thread: i32) {
        let thread = Pid::from_raw(thread);
        if sched_getaffinity(thread).is_ok_and(|now| now == self.one) {
            // One that has ended meanwhile needs nothing.
            let _ = sched_setaffinity(thread, &self.before);
        }
    }
}

fn request(request: libc::c_uint, thread: i32, address: usize, data: usize) -> Result<()> {
    // SAFETY: none of the requests made here reads or writes memory of ours.
    match unsafe { libc::ptrace(request, thread, address, data) } {
        -1 => Err(last_error()),
        _ => Ok(()),
    }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

#[cfg(test)]
mod tests;

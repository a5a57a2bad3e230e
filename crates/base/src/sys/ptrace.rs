//! `ptrace(2)`: stops of traced threads, system call information and memory of a tracee. In:
//! process and thread ids. Out: what a thread stopped for, the system call, bytes of memory.
//! Absent: the tracer's loop.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::{Errno, Result};

/// Events that the kernel reports: threads, children, exec, and system calls distinguishable from
/// signals.
const EVENTS: i32 = libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC;

/// The smallest page size.
const PAGE_BYTES: usize = 4096;

/// Why a traced thread stopped or ended, from the status of `waitpid(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Entry to or exit from a system call.
    Syscall,
    /// It created this thread or process.
    Clone(i32),
    /// It has called execve(2); this was its thread id before.
    Exec(i32),
    /// A group-stop, as by Ctrl-Z, in which it should stay.
    Group,
    /// The tracer is now attached.
    Attached,
    /// This signal is about to be delivered.
    Signal(i32),
    Exited(i32),
    Killed(i32),
}

/// The system call that a thread is stopped at.
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

/// What becomes of a traced program when its tracer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orphan {
    Continues,
    /// `PTRACE_O_EXITKILL`
    Killed,
}

/// `PTRACE_SEIZE`: attaches to a process without stopping it.
pub fn seize(process: i32, orphan: Orphan) -> Result<()> {
    let options = match orphan {
        Orphan::Continues => EVENTS,
        Orphan::Killed => EVENTS | libc::PTRACE_O_EXITKILL,
    };
    request(libc::PTRACE_SEIZE, process, 0, options as usize)
}

/// `PTRACE_INTERRUPT`: stops a traced thread.
pub fn interrupt(thread: i32) -> Result<()> {
    request(libc::PTRACE_INTERRUPT, thread, 0, 0)
}

/// `PTRACE_SYSCALL`: resumes a thread until its next system call stop. `signal` is delivered; 0 for
/// none.
pub fn resume_to_syscall(thread: i32, signal: i32) -> Result<()> {
    request(libc::PTRACE_SYSCALL, thread, 0, signal as usize)
}

/// `PTRACE_LISTEN`: leaves a thread in its group-stop and reports when it continues.
pub fn listen(thread: i32) -> Result<()> {
    request(libc::PTRACE_LISTEN, thread, 0, 0)
}

/// `PTRACE_DETACH`: stops tracing a stopped thread.
pub fn detach(thread: i32, signal: i32) -> Result<()> {
    request(libc::PTRACE_DETACH, thread, 0, signal as usize)
}

/// `PTRACE_GET_SYSCALL_INFO` of a stopped thread.
pub fn syscall_info(thread: i32) -> Result<SyscallStop> {
    let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let bytes = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: `info` has room for as many bytes as are passed.
    let filled = unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, thread, bytes, info.as_mut_ptr()) };
    if filled < 0 {
        return Err(last_error());
    }
    // SAFETY: zeroes are valid, and so is what the kernel wrote; `op` selects the union's member.
    unsafe {
        let info = info.assume_init();
        Ok(match info.op {
            libc::PTRACE_SYSCALL_INFO_ENTRY => {
                SyscallStop::Entry { arch: info.arch, number: info.u.entry.nr, arguments: info.u.entry.args }
            }
            libc::PTRACE_SYSCALL_INFO_EXIT => SyscallStop::Exit { result: info.u.exit.sval },
            _ => SyscallStop::None,
        })
    }
}

/// Waits for an event of any traced thread or child. `None` if there is none left. `EINTR` is
/// returned to the caller, which may be woken by a signal.
pub fn wait_any() -> Result<Option<(i32, Stop)>> {
    let mut status = 0;
    // SAFETY: `status` has room for the result.
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

/// `PTRACE_GETEVENTMSG`; 0 if the thread was killed meanwhile.
fn message(thread: i32) -> i32 {
    let mut message: libc::c_ulong = 0;
    // SAFETY: `message` has room for the result.
    unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0, &raw mut message) };
    message as i32
}

/// Reads a process's memory up to the end of the buffer or of readable memory; returns the number
/// of bytes. Uses two pieces, since the kernel transfers each piece completely or not at all.
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
    // SAFETY: the kernel writes at most the length of `buffer`; the other addresses belong to the
    // tracee.
    let read = unsafe { libc::process_vm_readv(process, &ours, 1, theirs.as_ptr(), 2, 0) };
    usize::try_from(read).unwrap_or(0)
}

/// CPU affinity: threads pinned to one CPU, and their affinity before.
pub struct CpuPin {
    before: CpuSet,
    one: CpuSet,
}

impl CpuPin {
    /// Pins this thread, and a process with its future threads and children, to this thread's
    /// current CPU.
    pub fn new(process: i32) -> Result<CpuPin> {
        let mut one = CpuSet::new();
        one.set(sched_getcpu());
        let before = sched_getaffinity(Pid::from_raw(process))?;
        sched_setaffinity(None, &one)?;
        sched_setaffinity(Pid::from_raw(process), &one)?;
        Ok(CpuPin { before, one })
    }

    /// Restores the affinity of a thread, 0 for this one, unless it has set another one itself.
    pub fn undo(&self, thread: i32) {
        let thread = Pid::from_raw(thread);
        if sched_getaffinity(thread).is_ok_and(|now| now == self.one) {
            // Fails if the thread has ended, which needs no action.
            let _ = sched_setaffinity(thread, &self.before);
        }
    }
}

fn request(request: libc::c_uint, thread: i32, address: usize, data: usize) -> Result<()> {
    // SAFETY: none of these requests reads or writes our memory.
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

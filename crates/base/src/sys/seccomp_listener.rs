//! Seccomp listeners, seccomp_unotify(2): system calls of confined processes that wait for a
//! supervisor. In: the listener of a filter. Out: calls with their arguments; memory and file
//! descriptors of the caller. Absent: the filter, and what is decided.
//!
//! Memory of the caller may change while it is read, and afterwards: a supervisor must act on what
//! it read, never let the kernel read it again.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::syscall_stats::traced;
use super::{Errno, Result, ptrace, unix_socket};

/// A system call that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingCall {
    /// For [`answer`].
    pub id: u64,
    pub thread: i32,
    pub number: i32,
    pub arguments: [u64; 6],
}

/// Waits for the listener that a child sends over this socket. `None`: the child did not start.
pub fn receive_listener(socket: BorrowedFd<'_>) -> Result<Option<OwnedFd>> {
    let mut descriptors = Vec::new();
    super::retry_on_eintr(|| poll(&mut [PollFd::from_borrowed_fd(socket, PollFlags::IN)], None))?;
    unix_socket::receive(socket, &mut [0], &mut descriptors)?;
    Ok(descriptors.pop())
}

/// Waits until a call waits. `false`: no process has the filter any more.
pub fn wait(listener: BorrowedFd<'_>) -> Result<bool> {
    let mut polled = [PollFd::from_borrowed_fd(listener, PollFlags::IN)];
    super::retry_on_eintr(|| poll(&mut polled, None))?;
    Ok(polled[0].revents().contains(PollFlags::IN))
}

/// The next call. `ENOENT`: its thread was killed meanwhile.
pub fn receive(listener: BorrowedFd<'_>) -> Result<WaitingCall> {
    let mut received = MaybeUninit::<libc::seccomp_notif>::zeroed();
    traced(libc::SYS_ioctl, || {
        // SAFETY: the kernel writes one struct, which must be zero before.
        let done = unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, received.as_mut_ptr())
        };
        checked(done)
    })?;
    // SAFETY: zeroes are a valid value, and the kernel has filled it.
    let received = unsafe { received.assume_init() };
    let thread = i32::try_from(received.pid).map_err(|_| Errno::SRCH)?;
    let (id, number) = (received.id, received.data.nr);
    Ok(WaitingCall { id, thread, number, arguments: received.data.args })
}

/// Whether the call still waits: then its thread is the one that made it.
pub fn is_waiting(listener: BorrowedFd<'_>, call: &WaitingCall) -> bool {
    // SAFETY: the kernel reads one number.
    let done =
        unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const call.id) };
    done == 0
}

/// Ends the call with 0 or an error. `ENOENT`: it does not wait any more.
pub fn answer(listener: BorrowedFd<'_>, call: &WaitingCall, outcome: Result<()>) -> Result<()> {
    let error = outcome.err().map_or(0, |errno| -errno.raw_os_error());
    let response = libc::seccomp_notif_resp { id: call.id, val: 0, error, flags: 0 };
    traced(libc::SYS_ioctl, || {
        // SAFETY: the kernel reads one struct.
        let done =
            unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const response) };
        checked(done)
    })
}

/// Reads the caller's memory; returns the number of bytes.
pub fn read_memory(call: &WaitingCall, address: u64, buffer: &mut [u8]) -> usize {
    ptrace::read_memory(call.thread, address, buffer)
}

/// A duplicate of a descriptor of the caller's process: the same open file.
pub fn duplicate_descriptor(call: &WaitingCall, descriptor: i32) -> Result<OwnedFd> {
    let process = process_of(call.thread).and_then(Pid::from_raw).ok_or(Errno::SRCH)?;
    let process = traced(libc::SYS_pidfd_open, || pidfd_open(process, PidfdFlags::empty()))?;
    traced(libc::SYS_pidfd_getfd, || pidfd_getfd(&process, descriptor, PidfdGetfdFlags::empty()))
}

/// `connect(2)` with every error, `EINPROGRESS` too. It blocks unless the socket does not.
pub fn connect(socket: BorrowedFd<'_>, address: SocketAddr) -> Result<()> {
    traced(libc::SYS_connect, || rustix::net::connect(socket, &address))
}

/// Whether calls on this open file block.
pub fn blocks(descriptor: BorrowedFd<'_>) -> bool {
    let flags = rustix::fs::fcntl_getfl(descriptor);
    !flags.is_ok_and(|flags| flags.contains(rustix::fs::OFlags::NONBLOCK))
}

/// The process of a thread: pidfds are of processes.
fn process_of(thread: i32) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
    line.trim().parse().ok()
}

fn checked(done: libc::c_int) -> Result<()> {
    match done {
        -1 => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::NOSYS)),
        _ => Ok(()),
    }
}

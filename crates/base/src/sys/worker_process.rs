//! What a process that works for another one sets for itself: its end with its parent, its process
//! group, descriptors under fixed numbers. Out: also which children it has. Absent: starting it.
#![allow(unsafe_code)]

use std::os::fd::{OwnedFd, RawFd};
use std::time::Duration;

use super::{Errno, Result};

/// Lets the kernel kill this process when its parent ends.
pub fn end_with_parent() -> Result<()> {
    // SAFETY: only integers are passed.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

/// Makes this process the leader of a new process group.
pub fn lead_group() -> Result<()> {
    rustix::process::setpgid(None, None)
}

/// Makes descendants whose parents have ended children of this process.
pub fn adopt_orphans() -> Result<()> {
    // SAFETY: only integers are passed.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

/// Whether this process has children, also those that have ended and were not waited for: one
/// system call, where [`children`] reads a file for each thread.
pub fn has_children() -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT | libc::__WALL;
    // SAFETY: `siginfo_t` is plain data, for which zeros are valid.
    let mut information: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: the call writes into `information`, which outlives it.
    unsafe { libc::waitid(libc::P_ALL, 0, &raw mut information, options) == 0 }
}

/// Children of all threads of this process; empty where the kernel does not list them.
pub fn children() -> Vec<i32> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers = |list: String| list.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    lists.flat_map(|list| -> Vec<i32> { numbers(list) }).collect()
}

/// Kills all descendants of this process; those whose parents end meanwhile become its children
/// ([`adopt_orphans`]).
pub fn kill_descendants() {
    for _ in 0..KILL_ROUNDS_MAX {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children {
            let _ = super::process::kill(child, libc::SIGKILL);
        }
        // SAFETY: only integers and null are passed.
        while unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } > 0 {}
        std::thread::sleep(KILL_INTERVAL);
    }
}

/// A process that is stuck in the kernel is not waited for longer than a second.
const KILL_ROUNDS_MAX: u32 = 1000;
const KILL_INTERVAL: Duration = Duration::from_millis(1);

/// A descriptor that is readable once a process has ended.
pub fn open_pidfd(process: i32) -> Result<OwnedFd> {
    let process = rustix::process::Pid::from_raw(process).ok_or(Errno::SRCH)?;
    rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty())
}

/// Puts a descriptor under another number, which is inherited by programs that this one starts.
pub fn put_at(fd: RawFd, number: RawFd) -> Result<()> {
    // SAFETY: only integers are passed; whatever has the number is closed by the kernel.
    if unsafe { libc::dup2(fd, number) } == -1 { Err(last_error()) } else { Ok(()) }
}

/// Closes a descriptor in programs that this one starts; `EBADF`: it is not open.
pub fn set_close_on_exec(fd: RawFd) -> Result<()> {
    // SAFETY: only integers are passed.
    if unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } == -1 { Err(last_error()) } else { Ok(()) }
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

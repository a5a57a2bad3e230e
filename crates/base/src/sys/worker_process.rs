//! What a process that works for another one sets for itself: its end with its parent, its process
//! group, descriptors under fixed numbers. Out: also which children it has. Absent: starting it.
#![allow(unsafe_code)]

use std::os::fd::RawFd;

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

/// Children of all threads of this process; empty where the kernel does not list them.
pub fn children() -> Vec<i32> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers = |list: String| list.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    lists.flat_map(|list| -> Vec<i32> { numbers(list) }).collect()
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

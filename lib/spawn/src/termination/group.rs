//! Process group of a child that leads one. In: the child. Out: signals to the group, and a wait
//! until it is empty. The group's id is not reused as long as the child is not reaped, or any
//! process is in the group.

use std::os::fd::AsRawFd;
use std::time::Instant;

use super::proc_table;
use super::process_set::ProcessSet;
use crate::kernel::{Errno, checked};
use crate::process::Child;

pub struct Group {
    number: i32,
}

/// `PIDFD_SIGNAL_PROCESS_GROUP` (Linux 6.9): to the group that a process leads, or has led.
const TO_GROUP: u32 = 1 << 2;

impl Group {
    /// None if the child is in another group, or was reaped and its group is empty; on kernels
    /// before 6.9 also after it was reaped.
    pub fn led_by(child: &Child) -> Option<Group> {
        let group = Group { number: child.id() };
        let leads = match child.ended {
            // SAFETY: no pointers.
            None => unsafe { libc::getpgid(child.id()) == child.id() },
            Some(_) => group.signal_by_pidfd(child, 0).is_ok(),
        };
        leads.then_some(group)
    }

    /// An empty group is no error.
    pub fn signal(&self, child: &Child, number: i32) -> Result<(), Errno> {
        let done = match self.signal_by_pidfd(child, number) {
            Err(libc::EINVAL | libc::ENOSYS | libc::EBADF | libc::EPERM) if child.ended.is_none() => {
                // SAFETY: no pointers; the child is not reaped, so the group is its own.
                checked(unsafe { libc::kill(-self.number, number) }).map(drop)
            }
            done => done,
        };
        if done == Err(libc::ESRCH) { Ok(()) } else { done }
    }

    fn signal_by_pidfd(&self, child: &Child, number: i32) -> Result<(), Errno> {
        let pidfd = child.pidfd().ok_or(libc::EBADF)?.as_raw_fd();
        // SAFETY: no pointers but a null siginfo.
        let result = unsafe { libc::syscall(libc::SYS_pidfd_send_signal, pidfd, number, 0_usize, TO_GROUP) };
        checked(result as libc::c_int).map(drop)
    }

    /// Adds the running processes of the group. Returns whether there are any.
    pub fn find(&self, child: &Child, processes: &mut ProcessSet) -> Result<bool, Errno> {
        if child.ended.is_some() && self.signal_by_pidfd(child, 0).is_err() {
            return Ok(false);
        }
        let entries = proc_table::list()?;
        let inside = entries.iter().filter(|entry| entry.group == self.number && !entry.has_ended());
        Ok(inside.fold(false, |_, entry| {
            processes.add(entry);
            true
        }))
    }

    pub fn wait_empty(
        &self,
        child: &Child,
        processes: &mut ProcessSet,
        deadline: Option<Instant>,
    ) -> Result<bool, Errno> {
        while self.find(child, processes)? {
            if !processes.wait(deadline)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

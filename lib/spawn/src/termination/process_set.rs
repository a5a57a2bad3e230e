//! Set of processes, held by pidfd so that no signal reaches another process with a reused pid. In:
//! entries of the process table. Out: signals to them, and waits for their exit.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use super::proc_table::{self, ProcEntry};
use crate::kernel::{self, Errno, checked, owned};

pub struct Process {
    started: u64,
    pidfd: Option<OwnedFd>,
}

/// By pid.
#[derive(Default)]
pub struct ProcessSet {
    known: BTreeMap<i32, Process>,
}

/// Pidfds per termination; further processes are identified by pid and start time.
const PIDFDS_MAX: usize = 256;

/// Interval at which processes without a pidfd are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

impl ProcessSet {
    /// Adds a process unless it is known. Returns whether it is new and exists.
    pub fn add(&mut self, entry: &ProcEntry) -> bool {
        if self.contains(entry) {
            return false;
        }
        let pidfd = if self.known.len() < PIDFDS_MAX { open(entry.pid) } else { None };
        // The pidfd is the entry's process only if that still exists now.
        let is_there = proc_table::find(entry.pid).is_some_and(|now| now.started == entry.started);
        if is_there {
            self.known.insert(entry.pid, Process { started: entry.started, pidfd });
        }
        is_there
    }

    pub fn merge(&mut self, others: ProcessSet, is_wanted: impl Fn(i32) -> bool) {
        for (pid, process) in others.known.into_iter().filter(|(pid, _)| is_wanted(*pid)) {
            self.known.entry(pid).or_insert(process);
        }
    }

    pub fn contains(&self, entry: &ProcEntry) -> bool {
        self.known.get(&entry.pid).is_some_and(|known| known.started == entry.started)
    }

    /// A process that is gone is no error, nor is one that may not be signalled: it is among the
    /// survivors.
    pub fn signal(&self, pid: i32, number: i32) -> Result<(), Errno> {
        let Some(process) = self.known.get(&pid) else { return Ok(()) };
        if process.pidfd.is_none() && find(pid, process).is_none() {
            return Ok(());
        }
        match kernel::signal(pid, process.pidfd.as_ref().map(AsFd::as_fd), number) {
            Err(libc::ESRCH | libc::EPERM) => Ok(()),
            done => done,
        }
    }

    /// Signals all; returns the first error.
    pub fn signal_all(&self, number: i32) -> Result<(), Errno> {
        self.known.keys().map(|pid| self.signal(*pid, number)).fold(Ok(()), Result::and)
    }

    /// Those that have not exited.
    pub fn running(&self) -> Vec<i32> {
        let is_alive =
            |(pid, process): &(&i32, &Process)| find(**pid, process).is_some_and(|entry| !entry.has_ended());
        self.known.iter().filter(is_alive).map(|(pid, _)| *pid).collect()
    }

    /// Waits until all have exited, or until the deadline.
    pub fn wait(&self, deadline: Option<Instant>) -> Result<bool, Errno> {
        loop {
            let running = self.running();
            let remaining = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if running.is_empty() || remaining == Some(Duration::ZERO) {
                return Ok(running.is_empty());
            }
            let first = self.known[&running[0]].pidfd.as_ref();
            let limit = match first {
                Some(_) => remaining,
                None => Some(remaining.map_or(POLL_INTERVAL, |remaining| remaining.min(POLL_INTERVAL))),
            };
            let fds: Vec<_> = first.iter().map(|pidfd| pidfd.as_fd()).collect();
            kernel::poll_readable(&fds, limit)?;
        }
    }

    /// Reaps those that have become children of this process, except the one that the caller owns.
    pub fn reap(&self, except: i32) {
        for (pid, process) in self.known.iter().filter(|(pid, _)| **pid != except) {
            if let Some(pidfd) = &process.pidfd {
                // A child of another process cannot be reaped here.
                let _ = kernel::wait_by_pidfd(pidfd.as_fd(), libc::WNOHANG);
            } else if find(*pid, process).is_some_and(|entry| entry.parent == std::process::id() as i32) {
                let _ = kernel::wait(*pid, None, libc::WNOHANG);
            }
        }
    }
}

fn find(pid: i32, process: &Process) -> Option<ProcEntry> {
    proc_table::find(pid).filter(|entry| entry.started == process.started)
}

fn open(pid: i32) -> Option<OwnedFd> {
    // SAFETY: no pointers.
    let fd = checked(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) } as libc::c_int).ok()?;
    // SAFETY: it was just created.
    Some(unsafe { owned(fd) })
}

//! `fork(2)` of a process that has an event loop, without `execve(2)`: the child continues with a
//! copy of the memory. In: a process with one thread. Out: the child, in both processes.
//!
//! The kernel objects behind eventfds, timers and epoll instances stay shared by both, so
//! [`ForkPlan::renew`] gives the child its own ones under the same numbers. Absent: locks of other
//! threads; a process with more than one thread is refused.
#![allow(unsafe_code)]

use std::os::fd::RawFd;
use std::path::Path;

use rustix::event::epoll::EventFlags;
use rustix::process::{Pid, PidfdFlags, WaitOptions};

use super::{Errno, Result};

/// The process after a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForkSide {
    Child,
    /// With the child's number.
    Parent(i32),
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildEnd {
    Code(i32),
    Signal(i32),
}

/// Descriptors whose kernel objects a child must not share.
#[derive(Debug, Default)]
pub struct ForkPlan {
    events: Vec<RawFd>,
    timers: Vec<RawFd>,
    epolls: Vec<(RawFd, Vec<Registration>)>,
}

/// A descriptor in an epoll instance.
#[derive(Debug, PartialEq, Eq)]
struct Registration {
    fd: RawFd,
    events: u32,
    token: u64,
}

/// Forks. `EBUSY`: there are other threads, whose locks a child would wait for for ever.
pub fn fork() -> Result<ForkSide> {
    if thread_count() != 1 {
        return Err(Errno::BUSY);
    }
    // SAFETY: this process has one thread, so no lock is held by a thread that the child lacks.
    match unsafe { libc::fork() } {
        -1 => Err(last_error()),
        0 => Ok(ForkSide::Child),
        child => Ok(ForkSide::Parent(child)),
    }
}

/// Number of threads of this process; 0 if the kernel does not say.
pub fn thread_count() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Makes a process the leader of a new process group; `None`: this process.
pub fn lead_group(child: Option<i32>) -> Result<()> {
    let child = child.and_then(Pid::from_raw);
    rustix::process::setpgid(child, child)
}

/// Lets the kernel kill this process when its parent ends.
pub fn end_with_parent() -> Result<()> {
    // SAFETY: only integers are passed.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
        0 => Ok(()),
        _ => Err(last_error()),
    }
}

/// A descriptor that is readable once the child has ended.
pub fn open_pidfd(child: i32) -> Result<std::os::fd::OwnedFd> {
    let child = Pid::from_raw(child).ok_or(Errno::CHILD)?;
    rustix::process::pidfd_open(child, PidfdFlags::empty())
}

/// Takes the status of a child that has ended; `None`: it runs.
pub fn try_wait(child: i32) -> Result<Option<ChildEnd>> {
    let child = Pid::from_raw(child).ok_or(Errno::CHILD)?;
    let ended = super::retry_on_eintr(|| rustix::process::waitpid(Some(child), WaitOptions::NOHANG))?;
    Ok(ended.map(|(_, status)| match status.terminating_signal() {
        Some(signal) => ChildEnd::Signal(signal),
        None => ChildEnd::Code(status.exit_status().unwrap_or_default()),
    }))
}

impl ForkPlan {
    /// Reads which descriptors of this process are eventfds, timers and epoll instances.
    pub fn read() -> ForkPlan {
        let mut plan = ForkPlan::default();
        let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return plan };
        for entry in entries.flatten() {
            let Some(fd) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let Ok(target) = std::fs::read_link(entry.path()) else { continue };
            match target.to_str().unwrap_or_default() {
                "anon_inode:[eventfd]" => plan.events.push(fd),
                "anon_inode:[timerfd]" => plan.timers.push(fd),
                "anon_inode:[eventpoll]" => plan.epolls.push((fd, registrations(fd))),
                _ => {}
            }
        }
        plan
    }

    /// In the child: replaces each kernel object by a new one with the same number and settings.
    pub fn renew(&self) -> Result<()> {
        for &fd in &self.events {
            let flags = status_flags(fd)?;
            // SAFETY: only integers are passed.
            replace(fd, unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | (flags & libc::O_NONBLOCK)) })?;
        }
        for &fd in &self.timers {
            let flags = libc::TFD_CLOEXEC | (status_flags(fd)? & libc::O_NONBLOCK);
            let mut setting = std::mem::MaybeUninit::<libc::itimerspec>::zeroed();
            // SAFETY: the kernel writes to and reads from a timer's setting; zeroes are one.
            unsafe {
                libc::timerfd_gettime(fd, setting.as_mut_ptr());
                let timer = libc::timerfd_create(libc::CLOCK_MONOTONIC, flags);
                libc::timerfd_settime(timer, 0, setting.as_ptr(), std::ptr::null_mut());
                replace(fd, timer)?;
            }
        }
        for (fd, registrations) in &self.epolls {
            // SAFETY: only an integer is passed.
            replace(*fd, unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
            for registration in registrations {
                let mut event = libc::epoll_event { events: registration.events, u64: registration.token };
                // SAFETY: the kernel reads one event.
                let added =
                    unsafe { libc::epoll_ctl(*fd, libc::EPOLL_CTL_ADD, registration.fd, &raw mut event) };
                if added == -1 {
                    return Err(last_error());
                }
            }
        }
        Ok(())
    }
}

/// What an epoll instance watches, from `/proc/self/fdinfo`: proc_pid_fdinfo(5).
fn registrations(fd: RawFd) -> Vec<Registration> {
    let text = std::fs::read_to_string(Path::new("/proc/self/fdinfo").join(fd.to_string()));
    text.unwrap_or_default().lines().filter_map(registration).collect()
}

/// `tfd:        5 events:       19 data: ffffffffffffffff  pos:0 ino:...`
fn registration(line: &str) -> Option<Registration> {
    let mut words = line.split_ascii_whitespace();
    let mut after = |name: &str| words.next().filter(|word| *word == name).and_then(|_| words.next());
    let fd = after("tfd:")?.parse().ok()?;
    let events = u32::from_str_radix(after("events:")?, 16).ok()?;
    let token = u64::from_str_radix(after("data:")?, 16).ok()?;
    // The kernel adds these two itself.
    let added = EventFlags::ERR.bits() | EventFlags::HUP.bits();
    Some(Registration { fd, events: events & !added, token })
}

/// Puts a new descriptor under the number of an old one.
fn replace(old: RawFd, new: RawFd) -> Result<()> {
    if new == -1 {
        return Err(last_error());
    }
    // SAFETY: both are open; `new` is owned here and closed under its first number.
    let duplicated = unsafe {
        let duplicated = libc::dup3(new, old, libc::O_CLOEXEC);
        libc::close(new);
        duplicated
    };
    if duplicated == -1 { Err(last_error()) } else { Ok(()) }
}

fn status_flags(fd: RawFd) -> Result<i32> {
    // SAFETY: only integers are passed.
    match unsafe { libc::fcntl(fd, libc::F_GETFL) } {
        -1 => Err(last_error()),
        flags => Ok(flags),
    }
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

#[cfg(test)]
mod tests;

//! User and mount namespaces, user_namespaces(7). In: the ids inside. Out: this process is in new
//! namespaces, with all capabilities there and none own. Absent: mounts. For single-threaded
//! programs, as the kernel requires.
#![allow(unsafe_code)]

use std::os::fd::AsFd;
use std::ptr;

use rustix::process::{self, Gid, Pid, Uid};
use rustix::thread::{self, LinkNameSpaceType, UnshareFlags};

use super::syscall_stats::traced;
use super::{CWD, Errno, Mode, OFlags, Result};

/// An id map has at most 340 lines of at most 33 bytes: user_namespaces(7).
const MAP_BYTES_MAX: usize = 16 << 10;

/// User and group of a process inside the namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserIds {
    pub user: u32,
    pub group: u32,
}

/// How ids inside map to ids own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdMap {
    /// One user and one group, mapped to our own ids: all that the kernel allows without
    /// privileges.
    Single,
    /// The identity map of all ids that exist own. Requires root privileges.
    All,
}

/// Effective ids of this process.
pub fn effective_ids() -> UserIds {
    UserIds { user: process::geteuid().as_raw(), group: process::getegid().as_raw() }
}

/// Enters new namespaces. After [`IdMap::All`] the caller must call [`set_ids`]. Returns the map
/// that was possible: root in a container may lack the privilege to map all ids, or lack these ids.
pub fn unshare_user(ids: UserIds, map: IdMap) -> Result<IdMap> {
    if map == IdMap::All
        && let (Some(users), Some(groups)) =
            (identity_map("uid_map", ids.user)?, identity_map("gid_map", ids.group)?)
    {
        match enter_mapped([("uid_map", users), ("gid_map", groups)]) {
            Err(Errno::PERM) => {}
            outcome => return outcome.and_then(|()| unshare(UnshareFlags::NEWNS)).map(|()| IdMap::All),
        }
    }
    let own = effective_ids();
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
    write("/proc/self/uid_map", &format!("{} {} 1\n", ids.user, own.user))?;
    // Required before the kernel allows an unprivileged gid_map.
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/gid_map", &format!("{} {} 1\n", ids.group, own.group))?;
    Ok(IdMap::Single)
}

/// Sets user and group ids, with no supplementary groups but `group`.
pub fn set_ids(ids: UserIds) -> Result<()> {
    let (user, group) = (Uid::from_raw(ids.user), Gid::from_raw(ids.group));
    match traced(libc::SYS_setgroups, || thread::set_thread_groups(&[group])) {
        // The outer namespace may deny setgroups(2).
        Ok(()) | Err(Errno::PERM) => {}
        Err(errno) => return Err(errno),
    }
    traced(libc::SYS_setresgid, || thread::set_thread_res_gid(group, group, group))?;
    traced(libc::SYS_setresuid, || thread::set_thread_res_uid(user, user, user))
}

fn unshare(namespaces: UnshareFlags) -> Result<()> {
    // SAFETY: the file descriptor table is not unshared.
    traced(libc::SYS_unshare, || unsafe { thread::unshare_unsafe(namespaces) })
}

fn write(path: &str, text: &str) -> Result<()> {
    let file = super::openat(CWD, path, OFlags::WRONLY, Mode::empty())?;
    super::write_all(file.as_fd(), text.as_bytes())
}

/// Enters a user namespace with all ids. Only a process with privileges outside may map more than
/// one id, so the namespace is created for a child, mapped from here, and then entered.
fn enter_mapped(maps: [(&str, String); 2]) -> Result<()> {
    let sleeper = Sleeper::start()?;
    let process = sleeper.process.as_raw_nonzero();
    for (name, text) in &maps {
        write(&format!("/proc/{process}/{name}"), text)?;
    }
    let namespace = super::openat(CWD, format!("/proc/{process}/ns/user"), OFlags::RDONLY, Mode::empty())?;
    drop(sleeper);
    let kind = Some(LinkNameSpaceType::User);
    traced(libc::SYS_setns, || thread::move_into_link_name_space(namespace.as_fd(), kind))
}

/// A stack for a few system calls.
const STACK_BYTES: usize = 16 << 10;

/// A child in a new user namespace that does nothing. It shares our memory, which saves copying
/// page tables.
struct Sleeper {
    process: Pid,
    _stack: Box<[u128]>,
}

impl Sleeper {
    fn start() -> Result<Sleeper> {
        let mut stack = vec![0_u128; STACK_BYTES / size_of::<u128>()].into_boxed_slice();
        let flags = libc::CLONE_VM | libc::CLONE_NEWUSER | libc::SIGCHLD;
        let own = ptr::without_provenance_mut::<u8>(process::getpid().as_raw_nonzero().get() as usize);
        let start = || {
            let top = stack.as_mut_ptr_range().end.cast();
            // SAFETY: the stack lives until the child has been reaped, and the child only runs
            // `sleep`.
            let process = unsafe { libc::clone(sleep, top, flags, own.cast()) };
            Pid::from_raw(process.max(0)).ok_or_else(last_error)
        };
        let process = traced(libc::SYS_clone, start)?;
        Ok(Sleeper { process, _stack: stack })
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = traced(libc::SYS_kill, || process::kill_process(self.process, process::Signal::KILL));
        let wait = || process::waitpid(Some(self.process), process::WaitOptions::empty());
        let _ = super::retry_on_eintr(|| traced(libc::SYS_wait4, wait));
    }
}

/// Shares all memory, including errno, so it waits in a single call until it is killed, by its
/// parent or with it.
extern "C" fn sleep(parent: *mut libc::c_void) -> libc::c_int {
    // SAFETY: integers, and null pointers that mean no descriptors and no timeout.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // If the parent died before the `prctl`, no signal would come.
        if libc::syscall(libc::SYS_getppid) as usize == parent.addr() {
            libc::syscall(libc::SYS_ppoll, 0, 0, 0, 0, 0);
        }
    }
    0
}

/// An identity map of all ids; `None` if `id` does not exist here.
fn identity_map(name: &str, id: u32) -> Result<Option<String>> {
    let mut bytes = vec![0; MAP_BYTES_MAX];
    let file = super::openat(CWD, format!("/proc/self/{name}"), OFlags::RDONLY, Mode::empty())?;
    let count = super::read(file.as_fd(), &mut bytes)?;
    let text = String::from_utf8_lossy(&bytes[..count]);
    let rows: Vec<(u64, u64)> = text
        .lines()
        .filter_map(|line| {
            let mut numbers = line.split_ascii_whitespace().map(|number| number.parse().ok());
            let (first, _, count) = (numbers.next()??, numbers.next()??, numbers.next()??);
            Some((first, count))
        })
        .collect();
    let exists = rows.iter().any(|(first, count)| (*first..first + count).contains(&u64::from(id)));
    Ok(exists.then(|| rows.iter().map(|(first, count)| format!("{first} {first} {count}\n")).collect()))
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

//! A user namespace of one's own, with one for mounts. In: who one is to be inside. Out: this
//! process is there, with all rights over what it mounts, and none beyond. Absent: what is mounted.
//! For programs with one thread: the kernel refuses others.
#![allow(unsafe_code)]

use std::os::fd::AsFd;
use std::ptr;

use rustix::process::{self, Gid, Pid, Uid};
use rustix::thread::{self, LinkNameSpaceType, UnshareFlags};

use super::syscall_stats::traced;
use super::{CWD, Errno, Mode, OFlags, Result};

/// A namespace has at most 340 rows of a map, `user_namespaces(7)`, of at most 33 bytes.
const MAP_BYTES_MAX: usize = 16 << 10;

/// Who a process is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserIds {
    pub user: u32,
    pub group: u32,
}

/// Which ids there are inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdMap {
    /// One user and one group, which are the ones outside by other names: all that the kernel
    /// allows to everybody.
    Single,
    /// All that there are outside, by the same names. Takes the rights of root.
    All,
}

/// The user that this process acts as.
pub fn effective_ids() -> UserIds {
    UserIds { user: process::geteuid().as_raw(), group: process::getegid().as_raw() }
}

/// Enters new namespaces. After [`IdMap::All`], [`set_ids`] is still to be called. Gives
/// what could be done: a container's root may lack the right to map all, or the ids that are
/// wanted.
pub fn unshare_user(ids: UserIds, mapped: IdMap) -> Result<IdMap> {
    if mapped == IdMap::All
        && let (Some(users), Some(groups)) = (same("uid_map", ids.user)?, same("gid_map", ids.group)?)
    {
        match enter_mapped([("uid_map", users), ("gid_map", groups)]) {
            Err(Errno::PERM) => {}
            done => return done.and_then(|()| unshare(UnshareFlags::NEWNS)).map(|()| IdMap::All),
        }
    }
    let outside = effective_ids();
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
    write("/proc/self/uid_map", &format!("{} {} 1\n", ids.user, outside.user))?;
    // Without this the kernel lets nobody map a group.
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/gid_map", &format!("{} {} 1\n", ids.group, outside.group))?;
    Ok(IdMap::Single)
}

/// Takes on the ids, with one group alone.
pub fn set_ids(ids: UserIds) -> Result<()> {
    let (user, group) = (Uid::from_raw(ids.user), Gid::from_raw(ids.group));
    match traced(libc::SYS_setgroups, || thread::set_thread_groups(&[group])) {
        // Who made the namespace around this one wanted nobody to leave a group.
        Ok(()) | Err(Errno::PERM) => {}
        Err(errno) => return Err(errno),
    }
    traced(libc::SYS_setresgid, || thread::set_thread_res_gid(group, group, group))?;
    traced(libc::SYS_setresuid, || thread::set_thread_res_uid(user, user, user))
}

fn unshare(namespaces: UnshareFlags) -> Result<()> {
    // SAFETY: the table of descriptors is not unshared.
    traced(libc::SYS_unshare, || unsafe { thread::unshare_unsafe(namespaces) })
}

fn write(path: &str, text: &str) -> Result<()> {
    let file = super::openat(CWD, path, OFlags::WRONLY, Mode::empty())?;
    super::write_all(file.as_fd(), text.as_bytes())
}

/// A user namespace that has all ids. More than one may be mapped only by a process that has the
/// right to outside, so the namespace is made for a child, mapped from here, and then entered.
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

/// Bytes of a stack on which a few calls are made.
const STACK_BYTES: usize = 16 << 10;

/// A child in a user namespace of its own, which does nothing. It shares our memory, so that none
/// has to be copied.
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
            // SAFETY: the stack lives until the child has been waited for, and the child runs
            // nothing but `sleep`.
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
        let _ = super::again(|| traced(libc::SYS_wait4, wait));
    }
}

/// Shares all memory, errno too: it waits in one call until it is killed, by its maker or with it.
extern "C" fn sleep(maker: *mut libc::c_void) -> libc::c_int {
    // SAFETY: numbers alone, and null pointers that say there is nothing to wait for.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Of one that was gone before this was asked for nobody would hear.
        if libc::syscall(libc::SYS_getppid) as usize == maker.addr() {
            libc::syscall(libc::SYS_ppoll, 0, 0, 0, 0, 0);
        }
    }
    0
}

/// A map under which everybody keeps the name that they have here; `None`: this one is nobody's.
fn same(name: &str, wanted: u32) -> Result<Option<String>> {
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
    let is_there = rows.iter().any(|(first, count)| (*first..first + count).contains(&u64::from(wanted)));
    Ok(is_there.then(|| rows.iter().map(|(first, count)| format!("{first} {first} {count}\n")).collect()))
}

fn last_error() -> Errno {
    Errno::from_raw_os_error(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

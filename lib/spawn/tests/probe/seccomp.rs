//! Seccomp filters that make system calls fail in this process and its children. In: calls and
//! errnos. Out: a seccomp program. A filter cannot be removed: only roles use it.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// All calls, or those with an argument of a certain value or bit.
#[derive(Clone, Copy, Debug)]
pub struct SyscallFilter {
    pub call: libc::c_long,
    pub when: When,
    pub errno: i32,
}

#[derive(Clone, Copy, Debug)]
pub enum When {
    Always,
    /// The argument (0 is the first) has this value.
    Is(u32, u32),
    /// The argument has any of these bits.
    Has(u32, u32),
}

/// Offsets of the call's number and its arguments, of 8 bytes each, in `struct seccomp_data`.
const NUMBER_AT: u32 = 0;
const ARGUMENTS_AT: u32 = 16;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_IF_SET: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// A program that makes these calls fail and allows all others.
pub fn program(filters: &[SyscallFilter]) -> Vec<libc::sock_filter> {
    let one = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut program = Vec::new();
    for filter in filters {
        let argument = |index: u32| one(LOAD, 0, 0, ARGUMENTS_AT + 8 * index);
        let tail = match filter.when {
            When::Always => vec![],
            When::Is(index, value) => vec![argument(index), one(JUMP_IF_EQUAL, 0, 1, value)],
            When::Has(index, bits) => vec![argument(index), one(JUMP_IF_SET, 0, 1, bits)],
        };
        program.push(one(LOAD, 0, 0, NUMBER_AT));
        program.push(one(JUMP_IF_EQUAL, 0, tail.len() as u8 + 1, filter.call as u32));
        program.extend(tail);
        program.push(one(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | filter.errno as u32));
    }
    program.push(one(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    program
}

/// For this process, its future threads, and its children.
pub fn install(filters: &[SyscallFilter]) {
    let mut program = program(filters);
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program outlives the call, which copies it.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        let mode = libc::SECCOMP_MODE_FILTER;
        assert_eq!(libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const filter), 0, "errno {}", super::errno());
    }
}

/// The same as the library takes it.
pub fn instructions(filters: &[SyscallFilter]) -> Vec<[u8; 8]> {
    let bytes = |one: libc::sock_filter| {
        let mut bytes = [0; 8];
        bytes[..2].copy_from_slice(&one.code.to_ne_bytes());
        (bytes[2], bytes[3]) = (one.jt, one.jf);
        bytes[4..].copy_from_slice(&one.k.to_ne_bytes());
        bytes
    };
    program(filters).into_iter().map(bytes).collect()
}

/// From now on this thread and its children block in that call until a response is sent through the
/// listener.
pub fn notify_on(call: libc::c_long) -> OwnedFd {
    let mut program = program(&[SyscallFilter { call, when: When::Always, errno: 0 }]);
    for one in program.iter_mut().filter(|one| one.code == RETURN && one.k == libc::SECCOMP_RET_ERRNO) {
        one.k = libc::SECCOMP_RET_USER_NOTIF;
    }
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program outlives the call, which copies it; the fd is just created.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        let (mode, flags) = (libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER);
        let listener = libc::syscall(libc::SYS_seccomp, mode, flags, &raw const filter);
        assert!(listener >= 0, "errno {}", super::errno());
        OwnedFd::from_raw_fd(listener as i32)
    }
}

/// `_IOWR('!', 0, struct seccomp_notif)` and `_IOWR('!', 1, struct seccomp_notif_resp)`.
const RECEIVE: libc::c_ulong = 0xc050_2100;
const RESPOND: libc::c_ulong = 0xc018_2101;

/// Waits for a notification. Returns its id.
pub fn receive(listener: &OwnedFd) -> u64 {
    // SAFETY: the kernel fills a zeroed notification, as it requires.
    unsafe {
        let mut notification = std::mem::zeroed::<libc::seccomp_notif>();
        assert_eq!(
            libc::ioctl(listener.as_raw_fd(), RECEIVE, &raw mut notification),
            0,
            "errno {}",
            super::errno()
        );
        notification.id
    }
}

pub fn respond(listener: &OwnedFd, notification: u64, errno: i32) {
    let mut respond = libc::seccomp_notif_resp { id: notification, val: 0, error: -errno, flags: 0 };
    // SAFETY: the kernel reads one response.
    assert_eq!(unsafe { libc::ioctl(listener.as_raw_fd(), RESPOND, &raw mut respond) }, 0);
}

/// Whether a notification arrives within a moment.
pub fn has_notification(listener: &OwnedFd) -> bool {
    let mut watched = libc::pollfd { fd: listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry.
    unsafe { libc::poll(&mut watched, 1, 1) == 1 && watched.revents & libc::POLLIN != 0 }
}

//! The setup actions of a child. In: an action. Out: its result; an errno comes with the step.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;

use super::sys::{
    Errno, call, call3, close, close_range, copy_above, copy_to, open, set_close_on_exec, write,
};
use super::{
    Action, BoundPlan, ChildContext, FIRST_OTHER, NO_TARGET, OtherFds, SetupError, Step, StepResult,
    number_of,
};

/// The highest signal number of the kernel.
pub const SIGNAL_MAX: i32 = 64;
/// Bytes of the kernel's signal set.
const SIGNAL_SET_BYTES: usize = 8;

/// A function of the caller that runs in the child, between clone and exec. In: its context, and
/// the write end of a pipe to the parent, or -1. Out: 0, or an errno that fails the start.
pub type Callback = unsafe extern "C" fn(context: *mut c_void, to_parent: i32) -> i32;

/// # Safety
/// As [`super::child_main`].
pub unsafe fn run_action(action: &Action, context: &ChildContext) -> StepResult {
    let bound = &context.bound;
    let number = action.number as usize;
    let (first, second) = (action.first as usize, action.second as usize);
    // SAFETY: addresses in actions were bound by the parent; everything else is a number.
    let done = unsafe {
        match action.step {
            Step::IdMap => write_file(first, second),
            Step::Session => call3(libc::SYS_setsid, 0, 0, 0).map(drop),
            Step::ProcessGroup => call3(libc::SYS_setpgid, 0, number, 0).map(drop),
            Step::WorkingDirectory if action.number < 0 => call3(libc::SYS_chdir, first, 0, 0).map(drop),
            Step::WorkingDirectory => {
                call3(libc::SYS_fchdir, number_of(bound, action.number) as usize, 0, 0).map(drop)
            }
            Step::Umask => call3(libc::SYS_umask, number, 0, 0).map(drop),
            Step::Nice => call3(libc::SYS_setpriority, libc::PRIO_PROCESS as usize, 0, number).map(drop),
            Step::Affinity => call3(libc::SYS_sched_setaffinity, 0, second, first).map(drop),
            Step::ParentDeath => set_parent_death_signal(number, second),
            Step::ControllingTerminal => {
                let fd = number_of(bound, action.number) as usize;
                call3(libc::SYS_ioctl, fd, libc::TIOCSCTTY as usize, 0).map(drop)
            }
            Step::Foreground => become_foreground(number_of(bound, action.number)),
            Step::Place => place_fds(context),
            Step::CloseOthers if action.number >= 0 => close(action.number).or_else(unless_closed),
            Step::CloseOthers => close_range(action.first as u32, action.second as u32, 0),
            Step::Groups => call3(libc::SYS_setgroups, number, first, 0).map(drop),
            Step::Group => call3(libc::SYS_setresgid, number, number, number).map(drop),
            Step::User => call3(libc::SYS_setresuid, number, number, number).map(drop),
            Step::Limit => limit(number, action.first, action.second),
            Step::NoNewPrivileges => {
                call(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0]).map(drop)
            }
            Step::Capabilities => keep_capabilities(action.first),
            Step::Landlock => {
                let ruleset = number_of(bound, action.number) as usize;
                call3(libc::SYS_landlock_restrict_self, ruleset, 0, 0).map(drop)
            }
            Step::Callback => run_callback(action, bound),
            Step::SignalDisposition => set_disposition(number, first),
            Step::SignalMask => set_mask(first),
            Step::Seccomp => {
                let socket = (action.second as i32).checked_sub(1).filter(|index| *index >= 0);
                install_filter(action.number, first, socket.map(|index| number_of(bound, index)))
            }
            _ => Err(Errno(libc::EINVAL)),
        }
    };
    done.map_err(|errno| SetupError { step: action.step, errno: errno.0 })
}

/// Closing an fd that is not open is no error.
fn unless_closed(errno: Errno) -> Result<(), Errno> {
    if errno.0 == libc::EBADF { Ok(()) } else { Err(errno) }
}

/// `first` is a path; `second` holds the offset of the content after it, and its length.
///
/// # Safety
/// The plan wrote both.
unsafe fn write_file(first: usize, second: usize) -> Result<(), Errno> {
    let (text_at, text_bytes) = (second >> 32, second & u32::MAX as usize);
    // SAFETY: the plan put the content there, and the path before it ends in a NUL.
    unsafe {
        let file = open(first as *const u8, libc::O_WRONLY | libc::O_CLOEXEC)?;
        let text = std::slice::from_raw_parts((first as *const u8).wrapping_add(text_at), text_bytes);
        write(file, text)?;
        close(file)
    }
}

/// The signal is sent when the spawning thread exits. If the parent exited before this call, it
/// would never come: then the start fails.
fn set_parent_death_signal(signal: usize, parent: usize) -> Result<(), Errno> {
    // SAFETY: no pointers.
    unsafe {
        call(libc::SYS_prctl, [libc::PR_SET_PDEATHSIG as usize, signal, 0, 0, 0, 0])?;
        let now = call3(libc::SYS_getppid, 0, 0, 0)?;
        if parent != 0 && now != parent { Err(Errno(libc::ESRCH)) } else { Ok(()) }
    }
}

/// The terminal sends SIGTTOU to a background process that does this, unless the signal is blocked.
fn become_foreground(terminal: i32) -> Result<(), Errno> {
    let blocked: u64 = 1 << (libc::SIGTTOU - 1);
    let mut before = 0_u64;
    // SAFETY: all pointers are to locals, of the sizes that the kernel reads and writes.
    unsafe {
        let (how, before_at) = (libc::SIG_BLOCK as usize, &raw mut before as usize);
        call(
            libc::SYS_rt_sigprocmask,
            [how, &raw const blocked as usize, before_at, SIGNAL_SET_BYTES, 0, 0],
        )?;
        let group = call3(libc::SYS_getpgid, 0, 0, 0)? as i32;
        call3(libc::SYS_ioctl, terminal as usize, libc::TIOCSPGRP as usize, &raw const group as usize)?;
        set_mask(before_at)
    }
}

/// Gives each source its target fd. First moves fds away that are another's target, so that any
/// permutation works, and fds among the standard streams, some of which will be closed. A standard
/// stream that is closed in this process stays closed.
///
/// # Safety
/// As [`super::child_main`].
unsafe fn place_fds(context: &ChildContext) -> Result<(), Errno> {
    let bound = &context.bound;
    let end = bound.sources.wrapping_add(bound.sources_len);
    let mut source = bound.sources;
    // SAFETY: within the array, which is used by this process only.
    unsafe {
        while source != end {
            let (number, target) = ((*source).number, (*source).target);
            if number != target && (number < FIRST_OTHER || is_target(bound, number)) {
                (*source).number = move_away(bound, number)?;
            }
            source = source.wrapping_add(1);
        }
        source = bound.sources;
        while source != end {
            let (number, target) = ((*source).number, (*source).target);
            if number == target {
                match set_close_on_exec(number, false) {
                    Err(Errno(libc::EBADF)) if number < FIRST_OTHER => {}
                    done => done?,
                }
            } else if target != NO_TARGET {
                copy_to(number, target)?;
            } else if matches!(context.other_fds, OtherFds::ClosedAround | OtherFds::Inherited) {
                set_close_on_exec(number, true)?;
            }
            source = source.wrapping_add(1);
        }
    }
    Ok(())
}

/// A copy at an fd that is no target: above all targets, or among them if the fd limit is there.
///
/// # Safety
/// As [`super::child_main`].
unsafe fn move_away(bound: &BoundPlan, number: RawFd) -> Result<RawFd, Errno> {
    match copy_above(number, bound.target_max.wrapping_add(1)) {
        Err(Errno(libc::EINVAL | libc::EMFILE)) => {}
        done => return done,
    }
    let mut lowest = FIRST_OTHER;
    loop {
        let copy = copy_above(number, lowest)?;
        // SAFETY: guaranteed by the caller.
        if !unsafe { is_target(bound, copy) } {
            return Ok(copy);
        }
        close(copy)?;
        lowest = copy.wrapping_add(1);
    }
}

/// # Safety
/// As [`super::child_main`].
unsafe fn is_target(bound: &BoundPlan, number: RawFd) -> bool {
    let end = bound.sources.wrapping_add(bound.sources_len);
    let mut source = bound.sources;
    while number <= bound.target_max && source != end {
        // SAFETY: within the array.
        if unsafe { (*source).target } == number {
            return true;
        }
        source = source.wrapping_add(1);
    }
    false
}

fn limit(resource: usize, soft: u64, hard: u64) -> Result<(), Errno> {
    let limits = [soft, hard];
    // SAFETY: the kernel reads two numbers.
    unsafe { call(libc::SYS_prlimit64, [0, resource, limits.as_ptr() as usize, 0, 0, 0]) }.map(drop)
}

/// `_LINUX_CAPABILITY_VERSION_3`: sets of 64 bits, in two halves.
const CAPABILITY_VERSION: u32 = 0x2008_0522;

/// The kernel's `struct __user_cap_header_struct`.
#[repr(C)]
struct CapabilityHeader {
    version: u32,
    process: i32,
}

/// The kernel's `struct __user_cap_data_struct`.
#[repr(C)]
#[derive(Clone, Copy)]
struct CapabilitySets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

/// No capability is inheritable afterwards, so none is ambient either. Fewer capabilities do not
/// change whether the memory, which is the parent's, can be dumped.
fn keep_capabilities(kept: u64) -> Result<(), Errno> {
    let header = CapabilityHeader { version: CAPABILITY_VERSION, process: 0 };
    let mut halves = [CapabilitySets { effective: 0, permitted: 0, inheritable: 0 }; 2];
    let (header, address) = (&raw const header as usize, halves.as_mut_ptr() as usize);
    // SAFETY: the kernel reads one header and writes two halves.
    unsafe { call3(libc::SYS_capget, header, address, 0) }?;
    let [low, high] = &mut halves;
    for (half, kept) in [(low, kept as u32), (high, (kept >> 32) as u32)] {
        half.permitted &= kept;
        half.effective = half.permitted;
        half.inheritable = 0;
    }
    // SAFETY: the kernel reads one header and two halves.
    unsafe { call3(libc::SYS_capset, header, halves.as_ptr() as usize, 0) }.map(drop)
}

/// # Safety
/// The caller of [`crate::Command::callback`] guarantees that it may run here.
unsafe fn run_callback(action: &Action, bound: &BoundPlan) -> Result<(), Errno> {
    // SAFETY: the plan stored a `Callback` there.
    let callback = unsafe { std::mem::transmute::<usize, Callback>(action.first as usize) };
    // SAFETY: the index came from the plan; the rest is guaranteed by the caller.
    let errno = unsafe {
        let to_parent = if action.number < 0 { -1 } else { number_of(bound, action.number) };
        callback(action.second as *mut c_void, to_parent)
    };
    if errno == 0 { Ok(()) } else { Err(Errno(errno)) }
}

/// The kernel's `struct sigaction`, the same on both architectures.
#[repr(C)]
struct SignalAction {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

/// `handler` is `SIG_DFL` or `SIG_IGN`.
fn set_disposition(signal: usize, handler: usize) -> Result<(), Errno> {
    let action = SignalAction { handler, flags: 0, restorer: 0, mask: 0 };
    let new = &raw const action as usize;
    // SAFETY: the kernel reads one action.
    unsafe { call(libc::SYS_rt_sigaction, [signal, new, 0, SIGNAL_SET_BYTES, 0, 0]) }.map(drop)
}

/// If the clone could not do it: resets every signal handler to the default. A handler of the
/// parent must not run on this stack; all signals are blocked until then.
pub fn clear_handlers() {
    let mut signal = 1;
    while signal <= SIGNAL_MAX {
        let mut action = MaybeUninit::<SignalAction>::uninit();
        let old = action.as_mut_ptr();
        // SAFETY: the kernel writes one action, which is read only if it did.
        let has_handler = unsafe {
            let args = [signal as usize, 0, old as usize, SIGNAL_SET_BYTES, 0, 0];
            call(libc::SYS_rt_sigaction, args).is_ok() && (*old).handler > libc::SIG_IGN
        };
        if has_handler {
            let _ = set_disposition(signal as usize, libc::SIG_DFL);
        }
        signal = signal.wrapping_add(1);
    }
}

/// # Safety
/// `mask` is the address of a signal set.
unsafe fn set_mask(mask: usize) -> Result<(), Errno> {
    let how = libc::SIG_SETMASK as usize;
    // SAFETY: guaranteed by the caller.
    unsafe { call(libc::SYS_rt_sigprocmask, [how, mask, 0, SIGNAL_SET_BYTES, 0, 0]) }.map(drop)
}

/// `socket`: where the listener of the program is sent, if it has one.
///
/// # Safety
/// `filter` is the address of this many instructions.
unsafe fn install_filter(instructions: i32, filter: usize, socket: Option<RawFd>) -> Result<(), Errno> {
    if instructions > libc::BPF_MAXINSNS {
        return Err(Errno(libc::EINVAL));
    }
    let instructions = instructions as u16;
    let program = libc::sock_fprog { len: instructions, filter: filter as *mut libc::sock_filter };
    let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
    let flags = if socket.is_some() { libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as usize } else { 0 };
    // SAFETY: guaranteed by the caller; the kernel copies the program.
    let listener = unsafe { call3(libc::SYS_seccomp, mode, flags, &raw const program as usize) }?;
    match socket {
        None => Ok(()),
        Some(socket) => send_descriptor(socket, listener as i32).and_then(|()| close(listener as i32)),
    }
}

/// A control message with one descriptor: `cmsg(3)`.
#[repr(C)]
struct DescriptorMessage {
    header: libc::cmsghdr,
    descriptor: i32,
    /// The kernel aligns messages to words.
    _padding: i32,
}

/// Sends a duplicate of a descriptor over a Unix socket, with one byte.
fn send_descriptor(socket: RawFd, descriptor: RawFd) -> Result<(), Errno> {
    let control = DescriptorMessage {
        header: libc::cmsghdr {
            cmsg_len: std::mem::offset_of!(DescriptorMessage, _padding) as _,
            cmsg_level: libc::SOL_SOCKET,
            cmsg_type: libc::SCM_RIGHTS,
        },
        descriptor,
        _padding: 0,
    };
    let byte = 0_u8;
    let text = libc::iovec { iov_base: (&raw const byte).cast_mut().cast(), iov_len: 1 };
    // SAFETY: a struct of integers and pointers, for which zeroes mean that there is none.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = (&raw const text).cast_mut();
    message.msg_iovlen = 1;
    message.msg_control = (&raw const control).cast_mut().cast();
    message.msg_controllen = size_of::<DescriptorMessage>() as _;
    // SAFETY: the message and what it points to are locals that live until the call returns.
    let sent = unsafe {
        call3(libc::SYS_sendmsg, socket as usize, &raw const message as usize, libc::MSG_NOSIGNAL as usize)
    };
    sent.map(drop)
}

//! Starting commands, and children, for C. In: a command, or a child and result pointers. Out: 0,
//! or the errno that is also written to the error struct.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::time::Duration;

use spawn::{Child, Error, Exit, Step};

use crate::command::CommandHandle;
use crate::error::{ErrorSlot, fail, write_error};

/// `rusk_exit`.
#[repr(C)]
pub struct RawExit {
    end: u32,
    number: c_int,
    dumped_core: bool,
}

const RUNNING: u32 = 0;
const EXITED: u32 = 1;
const SIGNALED: u32 = 2;

impl From<Option<Exit>> for RawExit {
    fn from(exit: Option<Exit>) -> RawExit {
        match exit {
            None => RawExit { end: RUNNING, number: 0, dumped_core: false },
            Some(Exit::Status(number)) => RawExit { end: EXITED, number, dumped_core: false },
            Some(Exit::Signal { number, dumped_core }) => RawExit { end: SIGNALED, number, dumped_core },
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_spawn(
    command: Option<&CommandHandle>,
    child: Option<&mut MaybeUninit<Option<Box<Child>>>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let Some(slot) = child else { return fail(error, Step::Command, libc::EINVAL) };
    let slot = slot.write(None);
    let handle = match command.ok_or(libc::EINVAL).and_then(CommandHandle::checked) {
        Ok(handle) => handle,
        Err(errno) => return fail(error, Step::Command, errno),
    };
    match handle.command.spawn() {
        Ok(child) => {
            *slot = Some(Box::new(child));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_reserve(count: usize, count_out: Option<&mut MaybeUninit<usize>>) -> c_int {
    match spawn::reserve(count) {
        Ok(found) => {
            count_out.map(|count_out| count_out.write(found));
            0
        }
        Err(problem) => problem.errno(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_start_zygote() -> c_int {
    spawn::start_zygote().map_or_else(|problem| problem.errno(), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_free(child: Option<Box<Child>>) {
    drop(child);
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_pid(child: Option<&Child>) -> libc::pid_t {
    child.map_or(-1, Child::id)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_pidfd(child: Option<&Child>) -> c_int {
    number(child.and_then(Child::pidfd))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_stdin(child: Option<&Child>) -> c_int {
    number(child.and_then(|child| child.stdin.as_ref()).map(AsFd::as_fd))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_stdout(child: Option<&Child>) -> c_int {
    number(child.and_then(|child| child.stdout.as_ref()).map(AsFd::as_fd))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_stderr(child: Option<&Child>) -> c_int {
    number(child.and_then(|child| child.stderr.as_ref()).map(AsFd::as_fd))
}

fn number(fd: Option<BorrowedFd<'_>>) -> c_int {
    fd.map_or(-1, |fd| fd.as_raw_fd())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_take_stdin(child: Option<&mut Child>) -> c_int {
    into_fd(child.and_then(|child| child.stdin.take()))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_take_stdout(child: Option<&mut Child>) -> c_int {
    into_fd(child.and_then(|child| child.stdout.take()))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_take_stderr(child: Option<&mut Child>) -> c_int {
    into_fd(child.and_then(|child| child.stderr.take()))
}

fn into_fd(stream: Option<impl Into<OwnedFd>>) -> c_int {
    stream.map_or(-1, |stream| stream.into().into_raw_fd())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_wait_started(child: Option<&mut Child>, error: ErrorSlot<'_>) -> c_int {
    let Some(child) = child else { return fail(error, Step::Wait, libc::EINVAL) };
    child.wait_started().map_or_else(|problem| write_error(error, &problem), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_try_started(
    child: Option<&mut Child>,
    started: Option<&mut MaybeUninit<bool>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let Some(child) = child else { return fail(error, Step::Wait, libc::EINVAL) };
    match child.try_started() {
        Ok(found) => {
            started.map(|started| started.write(found));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_wait(
    child: Option<&mut Child>,
    exit: Option<&mut MaybeUninit<RawExit>>,
    error: ErrorSlot<'_>,
) -> c_int {
    wait(child, exit, error, |child| child.wait().map(Some))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_try_wait(
    child: Option<&mut Child>,
    exit: Option<&mut MaybeUninit<RawExit>>,
    error: ErrorSlot<'_>,
) -> c_int {
    wait(child, exit, error, Child::try_wait)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_wait_for(
    child: Option<&mut Child>,
    timeout_ms: u32,
    exit: Option<&mut MaybeUninit<RawExit>>,
    error: ErrorSlot<'_>,
) -> c_int {
    wait(child, exit, error, |child| child.wait_for(Duration::from_millis(timeout_ms.into())))
}

fn wait(
    child: Option<&mut Child>,
    slot: Option<&mut MaybeUninit<RawExit>>,
    error: ErrorSlot<'_>,
    wait: impl FnOnce(&mut Child) -> Result<Option<Exit>, Error>,
) -> c_int {
    let Some(child) = child else { return fail(error, Step::Wait, libc::EINVAL) };
    match wait(child) {
        Ok(exit) => {
            slot.map(|slot| slot.write(RawExit::from(exit)));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_signal(child: Option<&Child>, number: c_int) -> c_int {
    let Some(child) = child else { return libc::EINVAL };
    child.signal(number).map_or_else(|problem| problem.errno(), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_kill(child: Option<&Child>) -> c_int {
    rusk_child_signal(child, libc::SIGKILL)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_exit_shell_status(exit: Option<&RawExit>) -> c_int {
    match exit {
        Some(RawExit { end: EXITED, number, .. }) => *number,
        Some(RawExit { end: SIGNALED, number, .. }) => 128 + number,
        _ => -1,
    }
}

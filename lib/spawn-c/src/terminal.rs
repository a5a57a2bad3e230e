//! Pseudo-terminals for C. In: a size. Out: a handle, and an fd to read and write.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd};

use spawn::{Pty, Size, Step};

use crate::command::{CommandHandle, change};
use crate::error::{ErrorSlot, fail, write_error};

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_open(
    rows: u16,
    columns: u16,
    pty: Option<&mut MaybeUninit<Option<Box<Pty>>>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let Some(slot) = pty else { return fail(error, Step::Terminal, libc::EINVAL) };
    let slot = slot.write(None);
    match Pty::open(Size { rows, columns }) {
        Ok(pty) => {
            *slot = Some(Box::new(pty));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_free(pty: Option<Box<Pty>>) {
    drop(pty);
}

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_fd(pty: Option<&Pty>) -> c_int {
    pty.map_or(-1, |pty| pty.as_fd().as_raw_fd())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_resize(pty: Option<&Pty>, rows: u16, columns: u16) -> c_int {
    let Some(pty) = pty else { return libc::EINVAL };
    pty.resize(Size { rows, columns }).map_or_else(|problem| problem.errno(), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_size(
    pty: Option<&Pty>,
    rows: Option<&mut MaybeUninit<u16>>,
    columns: Option<&mut MaybeUninit<u16>>,
) -> c_int {
    let Some(pty) = pty else { return libc::EINVAL };
    match pty.size() {
        Ok(size) => {
            rows.map(|rows| rows.write(size.rows));
            columns.map(|columns| columns.write(size.columns));
            0
        }
        Err(problem) => problem.errno(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_pty_foreground_group(pty: Option<&Pty>) -> libc::pid_t {
    pty.and_then(Pty::foreground_group).unwrap_or(-1)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_terminal(command: Option<&mut CommandHandle>, pty: Option<&Pty>) -> c_int {
    change(command, |handle| {
        handle.command.terminal(pty.ok_or(libc::EINVAL)?);
        Ok(())
    })
}

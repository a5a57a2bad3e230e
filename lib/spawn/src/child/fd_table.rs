//! The child's own file descriptor table. In: a copy of its parent's, or the parent's own. Out: a
//! table of its own in which each source has an fd, and all others are close-on-exec if requested.
//! Absent: moving fds to their targets, which is an action.

use std::mem::MaybeUninit;
use std::sync::atomic::Ordering::Release;

use super::fd_passing::{self, Numbers};
use super::sys::{Errno, call, close, close_range, copy_above, open, set_close_on_exec};
use super::{
    BoundPlan, ChildContext, FIRST_OTHER, FdSource, FdTable, NULL_DEVICE, OtherFds, Step, StepResult, at,
};

/// # Safety
/// As [`super::child_main`].
pub unsafe fn unshare(context: &ChildContext) -> StepResult {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match context.table {
            FdTable::Copied => exclude_other_fds(context.other_fds)?,
            FdTable::Shared { unshare_from, socket } => unshare_and_receive(unshare_from, socket, context)?,
            FdTable::Borrowed { unshare_from, socket, inlet } => {
                match fd_passing::send(inlet, &context.bound) {
                    Ok(()) => {
                        close_borrowed(context).map_err(at(Step::Receive))?;
                        unshare_and_receive(unshare_from, socket, context)?;
                    }
                    // The kernel's limit of fds in flight: unsharing the whole table works as well,
                    // but costs more.
                    Err(_) => {
                        close_range(u32::MAX, u32::MAX, libc::CLOSE_RANGE_UNSHARE)
                            .map_err(at(Step::Table))?;
                        exclude_other_fds(context.other_fds)?;
                    }
                }
            }
        }
        open_null(&context.bound).map_err(at(Step::Null))
    }
}

/// # Safety
/// As [`super::child_main`].
unsafe fn unshare_and_receive(unshare_from: u32, socket: i32, context: &ChildContext) -> StepResult {
    unshare_low_fds(unshare_from, socket).map_err(at(Step::Table))?;
    if socket >= 0 {
        // SAFETY: guaranteed by the caller; the report outlives this process's use of the memory.
        unsafe {
            receive(socket, &context.bound).map_err(at(Step::Receive))?;
            (*context.report).received.store(1, Release);
        }
    }
    Ok(())
}

/// Closes the borrowed fds in the parent's table, now that they are in flight. The count is stored
/// before each close: if the child is killed in between, one fd leaks, but an fd that another
/// thread has opened since is never closed.
///
/// # Safety
/// As [`super::child_main`].
unsafe fn close_borrowed(context: &ChildContext) -> Result<(), Errno> {
    let bound = &context.bound;
    let mut source = bound.sources;
    let mut closed = 0_u32;
    while source != bound.sources.wrapping_add(bound.sources_len) {
        // SAFETY: within the array; the report outlives this process's use of the memory.
        unsafe {
            if (*source).number != NULL_DEVICE {
                closed = closed.wrapping_add(1);
                (*context.report).closed.store(closed, Release);
                close((*source).number)?;
            }
        }
        source = source.wrapping_add(1);
    }
    Ok(())
}

/// Unshares the table, copying only the fds below `unshare_from`: the cost does not depend on how
/// many fds the parent has. Of these, the standard streams and the socket stay.
fn unshare_low_fds(unshare_from: u32, socket: i32) -> Result<(), Errno> {
    close_range(unshare_from, u32::MAX, libc::CLOSE_RANGE_UNSHARE)?;
    let end = if socket >= 0 { socket as u32 } else { unshare_from };
    if end > FIRST_OTHER as u32 { close_range(FIRST_OTHER as u32, end.wrapping_sub(1), 0) } else { Ok(()) }
}

/// Receives the fds that are queued in the socket.
///
/// # Safety
/// As [`super::child_main`].
unsafe fn receive(socket: i32, bound: &BoundPlan) -> Result<(), Errno> {
    let mut body = MaybeUninit::<u8>::uninit();
    let mut numbers = Numbers::uninit();
    // SAFETY: the buffer has room for the one byte.
    let received =
        unsafe { fd_passing::receive(socket, body.as_mut_ptr(), 1, libc::MSG_DONTWAIT, &mut numbers)? };
    // SAFETY: guaranteed by the caller; as many fds were written as the message says.
    unsafe { assign_fds(bound, numbers.as_ptr().cast(), received.fds) }
}

/// Assigns the fds of a message to the sources, in order, without /dev/null.
///
/// # Safety
/// As [`super::child_main`]; `numbers` has `count` of them.
pub unsafe fn assign_fds(bound: &BoundPlan, numbers: *const i32, count: usize) -> Result<(), Errno> {
    let (mut number, end) = (numbers, numbers.wrapping_add(count));
    let mut source = bound.sources;
    let sources_end = bound.sources.wrapping_add(bound.sources_len);
    while source != sources_end {
        // SAFETY: within both arrays.
        unsafe {
            if (*source).number != NULL_DEVICE {
                if number == end {
                    return Err(Errno(libc::EBADF));
                }
                (*source).number = *number;
                number = number.wrapping_add(1);
            }
        }
        source = source.wrapping_add(1);
    }
    Ok(())
}

/// Opens `/dev/null` once for all sources that are [`NULL_DEVICE`], above the standard streams,
/// which may be closed here.
///
/// # Safety
/// As [`super::child_main`].
unsafe fn open_null(bound: &BoundPlan) -> Result<(), Errno> {
    let mut opened = NULL_DEVICE;
    let mut source: *mut FdSource = bound.sources;
    let end = bound.sources.wrapping_add(bound.sources_len);
    while source != end {
        // SAFETY: within the array.
        let source_now = unsafe { &mut *source };
        if source_now.number == NULL_DEVICE {
            if opened == NULL_DEVICE {
                // SAFETY: the literal ends in a NUL.
                opened = unsafe { open(c"/dev/null".as_ptr().cast(), libc::O_RDWR | libc::O_CLOEXEC)? };
                if opened < FIRST_OTHER {
                    let low = opened;
                    opened = copy_above(low, FIRST_OTHER)?;
                    close(low)?;
                }
            }
            source_now.number = opened;
        }
        source = source.wrapping_add(1);
    }
    Ok(())
}

fn exclude_other_fds(other_fds: OtherFds) -> StepResult {
    match other_fds {
        OtherFds::Inherited | OtherFds::ClosedAround => Ok(()),
        OtherFds::CloseOnExec => close_range(FIRST_OTHER as u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC),
        OtherFds::CloseOnExecByProc => for_each_open_fd(|fd| set_close_on_exec(fd, true)),
    }
    .map_err(at(Step::CloseOthers))
}

/// Visits each fd from 3 on that `/proc/self/fd` lists, except the directory's own.
pub fn for_each_open_fd(visit: impl Fn(i32) -> Result<(), Errno>) -> Result<(), Errno> {
    const LISTING_BYTES: usize = 4096;
    /// Offsets in `struct linux_dirent64`: inode, offset, record length, type, name.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let flags = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the literal ends in a NUL.
    let dir = match unsafe { open(c"/proc/self/fd".as_ptr().cast(), flags) } {
        Ok(dir) => dir,
        Err(errno) => return for_each_possible_fd(visit, errno),
    };
    let mut listing = MaybeUninit::<[u64; LISTING_BYTES / 8]>::uninit();
    let start = listing.as_mut_ptr().cast::<u8>();
    loop {
        // SAFETY: the kernel writes at most the buffer's bytes.
        let bytes =
            unsafe { call(libc::SYS_getdents64, [dir as usize, start as usize, LISTING_BYTES, 0, 0, 0])? };
        if bytes == 0 {
            return close(dir);
        }
        let mut at = 0_usize;
        while at < bytes {
            let record = start.wrapping_add(at);
            // SAFETY: the kernel wrote whole records, each with its length and a name that ends in
            // a NUL.
            let (length, fd) = unsafe {
                (*record.wrapping_add(LENGTH_AT).cast::<u16>(), number(record.wrapping_add(NAME_AT)))
            };
            if fd >= FIRST_OTHER && fd != dir {
                visit(fd)?;
            }
            at = at.wrapping_add(length as usize);
        }
    }
}

/// Without `/proc`: visits each fd below the limit. A limit of a billion would take minutes: then
/// returns the errno of the listing.
fn for_each_possible_fd(visit: impl Fn(i32) -> Result<(), Errno>, listing: Errno) -> Result<(), Errno> {
    const ALLOWED_MAX: u64 = 1 << 20;
    let mut limits = [0_u64; 2];
    // SAFETY: the kernel writes two numbers.
    unsafe {
        let limits_at = limits.as_mut_ptr() as usize;
        call(libc::SYS_prlimit64, [0, libc::RLIMIT_NOFILE as usize, 0, limits_at, 0, 0])?;
    }
    if limits[0] > ALLOWED_MAX {
        return Err(listing);
    }
    let mut number = FIRST_OTHER;
    while (number as u64) < limits[0] {
        match visit(number) {
            Err(Errno(libc::EBADF)) | Ok(()) => {}
            failed => return failed,
        }
        number = number.wrapping_add(1);
    }
    Ok(())
}

/// The number in a name; -1 for `.` and `..`.
///
/// # Safety
/// `name` ends in a NUL.
unsafe fn number(name: *const u8) -> i32 {
    let mut value = -1_i32;
    let mut next = name;
    // SAFETY: up to the NUL.
    while let digit @ b'0'..=b'9' = unsafe { *next } {
        value = value.max(0).wrapping_mul(10).wrapping_add(i32::from(digit.wrapping_sub(b'0')));
        next = next.wrapping_add(1);
    }
    value
}

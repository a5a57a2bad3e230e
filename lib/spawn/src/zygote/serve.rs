//! The zygote's main loop: a forked copy of a process with only this thread. Raw calls, no
//! allocation, no lock, no panic. In: requests on a socket. Out: replies, until the other end is
//! closed.

use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, RawFd};
use std::sync::atomic::Ordering::Acquire;

use super::request::{Reply, ZygoteRequest};
use crate::child::fd_passing::{self, Numbers};
use crate::child::sys::{Errno, call, call3, close, close_range};
use crate::child::{ChildContext, FdTable, fd_table};
use crate::kernel::{self, CloseRange, KernelFeatures};
use crate::launch;
use crate::plan;
use crate::report::Report;
use crate::slot::Stack;

/// The fd of the socket; nothing else is open between requests.
const SOCKET: RawFd = 0;

/// # Safety
/// This process was just forked and does nothing else.
pub unsafe fn serve(socket: RawFd, stack: &Stack) -> ! {
    let kernel = KernelFeatures::detect();
    let _ = close_all_but(socket, kernel);
    loop {
        let mut request = MaybeUninit::<ZygoteRequest>::uninit();
        let mut numbers = Numbers::uninit();
        // SAFETY: the buffer has room for a request.
        let received = unsafe {
            fd_passing::receive(
                SOCKET,
                request.as_mut_ptr().cast(),
                size_of::<ZygoteRequest>(),
                0,
                &mut numbers,
            )
        };
        let Ok(received) = received else { end() };
        if received.body_bytes != size_of::<ZygoteRequest>() || received.fds == 0 {
            end();
        }
        let first = numbers.as_ptr().cast::<RawFd>();
        // SAFETY: a whole request was written, by the same program at the other end, and a number
        // for each fd.
        let replied = unsafe {
            let replied = reply(spawn_child(request.assume_init_ref(), first, received.fds, stack));
            close_all(first, received.fds);
            replied
        };
        if replied.is_err() {
            end();
        }
    }
}

/// Closes everything else: an inherited pipe end would keep that pipe open.
fn close_all_but(socket: RawFd, kernel: KernelFeatures) -> Result<(), Errno> {
    if socket != SOCKET {
        // SAFETY: no pointers.
        unsafe { call3(libc::SYS_dup3, socket as usize, SOCKET as usize, libc::O_CLOEXEC as usize)? };
    }
    match kernel.close_range {
        CloseRange::Whole | CloseRange::Plain => close_range(SOCKET as u32 + 1, u32::MAX, 0),
        CloseRange::Missing => {
            let _ = (close(1), close(2));
            fd_table::for_each_open_fd(close)
        }
    }
}

/// Starts a child as a sibling of this process. It shares this process's memory until its exec, and
/// this process waits for that: the request's memory can be unmapped then.
///
/// # Safety
/// `numbers` has `count` of them, and the request is whole.
unsafe fn spawn_child(
    request: &ZygoteRequest,
    numbers: *const RawFd,
    count: usize,
    stack: &Stack,
) -> Result<(Reply, RawFd), Errno> {
    let kernel = KernelFeatures::detect();
    // SAFETY: the first fd is the memfd, as long as the request says; the mapping is private.
    unsafe {
        let memory = map(*numbers, request.memory_bytes())?;
        let arrays = request.arrays(memory);
        let bound = plan::bind(&arrays, &arrays);
        let sources_at = if request.has_cgroup { 2 } else { 1 };
        let cgroup = if request.has_cgroup { Some(*numbers.wrapping_add(1)) } else { None };
        fd_table::assign_fds(&bound, numbers.wrapping_add(sources_at), count.wrapping_sub(sources_at))?;
        let report = Report::new();
        let context = ChildContext {
            bound,
            table: FdTable::Copied,
            other_fds: launch::other_fds(kernel, false),
            clears_handlers: !kernel.clone3,
            report: &raw const report,
        };
        let kind = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT;
        let flags = (kind | libc::CLONE_PIDFD | libc::CLONE_CHILD_CLEARTID) as u64 | request.namespaces;
        let cloned = launch::clone_onto(stack, &context, flags, cgroup);
        call3(libc::SYS_munmap, memory as usize, request.memory_bytes(), 0)?;
        let cloned = cloned.map_err(Errno)?;
        let (step, errno) = (report.step.load(Acquire), report.errno.load(Acquire));
        Ok((Reply { pid: cloned.pid, clone_errno: 0, step, errno }, cloned.pidfd))
    }
}

fn reply(result: Result<(Reply, RawFd), Errno>) -> Result<(), Errno> {
    let (reply, pidfd) = match result {
        Ok(reply) => reply,
        Err(errno) => (Reply { clone_errno: errno.0, ..Reply::default() }, -1),
    };
    let fds = [pidfd];
    let carried = if pidfd >= 0 { &fds[..] } else { &[] };
    // SAFETY: the socket is open as long as this process runs.
    let socket = unsafe { BorrowedFd::borrow_raw(SOCKET) };
    let sent = kernel::send(socket, reply.as_bytes(), carried).map_err(Errno);
    if pidfd >= 0 {
        let _ = close(pidfd);
    }
    sent
}

/// # Safety
/// `file` is a file of this many bytes.
unsafe fn map(file: RawFd, bytes: usize) -> Result<*mut u8, Errno> {
    let access = (libc::PROT_READ | libc::PROT_WRITE) as usize;
    // SAFETY: a new private mapping, at any address.
    unsafe { call(libc::SYS_mmap, [0, bytes, access, libc::MAP_PRIVATE as usize, file as usize, 0]) }
        .map(|address| address as *mut u8)
}

/// # Safety
/// `numbers` has `count` of them, owned by this process.
unsafe fn close_all(numbers: *const RawFd, count: usize) {
    let mut number = numbers;
    while number != numbers.wrapping_add(count) {
        // SAFETY: within the array.
        let _ = close(unsafe { *number });
        number = number.wrapping_add(1);
    }
}

fn end() -> ! {
    loop {
        // SAFETY: exits this process.
        let _ = unsafe { call(libc::SYS_exit_group, [0; 6]) };
    }
}

//! The child between clone and exec, while it shares its parent's memory. In: a [`ChildContext`].
//! Out: a new program, or an errno in the report and exit status 127. Raw system calls only: no
//! libc, no allocation, no lock, no panic. So arithmetic wraps, and arrays are walked by pointer.

use std::ffi::c_void;
use std::os::fd::RawFd;
use std::sync::atomic::Ordering::Release;

use crate::plan::{Action, BoundPlan, FdSource, NO_TARGET, NULL_DEVICE};
use crate::report::Report;
use crate::step::Step;
pub use actions::Callback;
pub use fd_passing::FDS_MAX;

use actions::run_action;
use sys::{Errno, call};

mod actions;
mod exec;
pub mod fd_passing;
pub mod fd_table;
pub mod sys;

/// Everything that the child reads. It is in the child's slot and does not move.
#[repr(C)]
pub struct ChildContext {
    pub bound: BoundPlan,
    pub table: FdTable,
    pub other_fds: OtherFds,
    /// The clone could not reset signal handlers: the child does it.
    pub clears_handlers: bool,
    pub report: *const Report,
}

/// The file descriptor table that the child begins with.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdTable {
    /// A copy of its parent's, made by the clone.
    Copied,
    /// Its parent's, until it unshares a copy of the fds below `unshare_from`. Its own fds wait in
    /// the socket, if any.
    Shared { unshare_from: u32, socket: RawFd },
    /// The same, but all its fds are borrowed: it sends them to itself through `inlet`, and closes
    /// them for its parent.
    Borrowed { unshare_from: u32, socket: RawFd, inlet: RawFd },
}

/// How the program is prevented from inheriting all other fds.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFds {
    Inherited,
    /// One `close_range` with `CLOSE_RANGE_CLOEXEC`.
    CloseOnExec,
    /// `close_range` calls between the fds that were placed.
    ClosedAround,
    /// Close-on-exec, set on each fd in `/proc/self/fd`.
    CloseOnExecByProc,
}

/// The first fd that is no standard stream.
pub const FIRST_OTHER: RawFd = 3;

/// The exit status of a child that failed before exec. This library returns the error instead.
pub const STATUS_FAILED: i32 = 127;

/// An error in the child.
pub struct SetupError {
    pub step: Step,
    pub errno: i32,
}

pub type StepResult = Result<(), SetupError>;

/// Adds the step to an errno.
pub fn at(step: Step) -> impl Fn(Errno) -> SetupError {
    move |errno| SetupError { step, errno: errno.0 }
}

/// The entry point of the child.
///
/// # Safety
/// `argument` is a [`ChildContext`] that no other thread touches until this process has called exec
/// or exit.
pub unsafe extern "C" fn child_main(argument: *const c_void) -> ! {
    // SAFETY: guaranteed by the caller.
    let context = unsafe { &*argument.cast::<ChildContext>() };
    // SAFETY: as above.
    let Err(failure) = unsafe { run_actions_and_exec(context) };
    // SAFETY: the parent keeps the report until the kernel has cleared its word, which happens
    // later.
    let report = unsafe { &*context.report };
    report.step.store(failure.step as u32, Release);
    report.errno.store(failure.errno, Release);
    loop {
        // SAFETY: exits this process only: it is the only one in its thread group.
        let _ = unsafe { call(libc::SYS_exit_group, [STATUS_FAILED as usize, 0, 0, 0, 0, 0]) };
    }
}

/// # Safety
/// As [`child_main`].
unsafe fn run_actions_and_exec(context: &ChildContext) -> Result<std::convert::Infallible, SetupError> {
    let bound = &context.bound;
    // SAFETY: all arrays were bound by the parent and are used by this process only.
    unsafe {
        if context.clears_handlers {
            actions::clear_handlers();
        }
        fd_table::unshare(context)?;
        let mut next = bound.actions;
        let end = bound.actions.wrapping_add(bound.actions_len);
        while next != end {
            run_action(&*next, context)?;
            next = next.wrapping_add(1);
        }
        Err(exec::exec(bound))
    }
}

/// The current fd of a source, in this process.
///
/// # Safety
/// As [`child_main`]; `index` came from the plan.
unsafe fn number_of(bound: &BoundPlan, index: i32) -> RawFd {
    // SAFETY: the plan returned the index when it added the source.
    unsafe { (*bound.sources.wrapping_add(index as usize)).number }
}

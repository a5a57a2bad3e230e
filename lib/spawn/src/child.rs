//! What a child does between its clone and its exec, while it shares its parent's memory. In: a
//! [`ChildContext`]. Out: a new program, or an errno in the report and an end with status 127. Raw system
//! calls only: no libc, no allocation, no lock, no panic. Arithmetic wraps, arrays are walked by
//! pointer.

use std::ffi::c_void;
use std::os::fd::RawFd;
use std::sync::atomic::Ordering::Release;

use crate::plan::{Action, BoundPlan, NO_TARGET, NULL_DEVICE, Source};
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

/// All that a child may look at. It lies in the child's slot and does not move.
#[repr(C)]
pub struct ChildContext {
    pub bound: BoundPlan,
    pub table: FdTable,
    pub other_fds: OtherFds,
    /// Signal handlers were not cleared by the clone: the child does it.
    pub clears_handlers: bool,
    pub report: *const Report,
}

/// Whose descriptor table the child begins with.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdTable {
    /// A copy of its parent's, made by the clone.
    Copied,
    /// Its parent's own, until it cuts a copy off below `unshare_from`. What it is to have waits in the
    /// socket, if any.
    Shared { unshare_from: u32, socket: RawFd },
    /// The same, but its sources are all lent: it sends them to itself through `inlet`, and closes
    /// them for its parent.
    Lent { unshare_from: u32, socket: RawFd, inlet: RawFd },
}

/// How all other descriptors are kept from the program.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherFds {
    Inherited,
    /// One `close_range` that marks them close-on-exec.
    CloseOnExec,
    /// `close_range` around what was placed.
    ClosedAround,
    /// Each number in `/proc/self/fd`, marked.
    CloseOnExecByProc,
}

/// The first number that is not standard input, output or error.
pub const FIRST_OTHER: RawFd = 3;

/// The status of a child that could not become its program. Nobody sees it who asks through this
/// library.
pub const STATUS_FAILED: i32 = 127;

/// What went wrong in the child.
pub struct Failure {
    pub step: Step,
    pub errno: i32,
}

pub type StepResult = Result<(), Failure>;

/// Names the step of an errno.
pub fn at(step: Step) -> impl Fn(Errno) -> Failure {
    move |errno| Failure { step, errno: errno.0 }
}

/// The child's first function.
///
/// # Safety
/// `argument` is a [`ChildContext`] that nobody else touches until this process has called exec or exit.
pub unsafe extern "C" fn child_main(argument: *const c_void) -> ! {
    // SAFETY: the caller's promise.
    let context = unsafe { &*argument.cast::<ChildContext>() };
    // SAFETY: as above.
    let Err(failure) = unsafe { run_actions_and_exec(context) };
    // SAFETY: the parent keeps the report until the kernel has cleared its word, which happens
    // after this.
    let report = unsafe { &*context.report };
    report.step.store(failure.step as u32, Release);
    report.errno.store(failure.errno, Release);
    loop {
        // SAFETY: ends this process alone: it is in no thread group but its own.
        let _ = unsafe { call(libc::SYS_exit_group, [STATUS_FAILED as usize, 0, 0, 0, 0, 0]) };
    }
}

/// # Safety
/// As [`child_main`].
unsafe fn run_actions_and_exec(context: &ChildContext) -> Result<std::convert::Infallible, Failure> {
    let bound = &context.bound;
    // SAFETY: all arrays were bound by the parent and are this process's alone.
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

/// The number of a source now, in this process.
///
/// # Safety
/// As [`child_main`]; `index` came from the plan.
unsafe fn number_of(bound: &BoundPlan, index: i32) -> RawFd {
    // SAFETY: the plan gave the index when it took the source.
    unsafe { (*bound.sources.wrapping_add(index as usize)).number }
}

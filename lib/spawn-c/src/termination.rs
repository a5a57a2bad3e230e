//! Termination of children and their descendants, for C. In: a child, or the whole process. Out: a
//! plain struct.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

use spawn::{Child, KillMethod, KillScope, Step, Termination};

use crate::child::RawExit;
use crate::command::{CommandHandle, set};
use crate::error::{ErrorSlot, fail, write_error};

/// Limit of listed survivors.
const LEFT_MAX: usize = 16;

/// `rusk_ended`.
#[repr(C)]
struct RawTerminationReport {
    exit: RawExit,
    method: u32,
    was_forced: bool,
    left_count: usize,
    left: [libc::pid_t; LEFT_MAX],
}

impl From<spawn::TerminationReport> for RawTerminationReport {
    fn from(end: spawn::TerminationReport) -> RawTerminationReport {
        let method = match end.method {
            KillMethod::Process => 0,
            KillMethod::Group => 1,
            KillMethod::Cgroup => 2,
            KillMethod::ProcTree => 3,
        };
        let mut left = [0; LEFT_MAX];
        for (slot, pid) in left.iter_mut().zip(&end.survivors) {
            *slot = *pid;
        }
        let exit = RawExit::from(end.exit);
        RawTerminationReport {
            exit,
            method,
            was_forced: end.was_forced,
            left_count: end.survivors.len(),
            left,
        }
    }
}

pub fn scope(number: u32) -> Option<KillScope> {
    match number {
        0 => Some(KillScope::Process),
        1 => Some(KillScope::Group),
        2 => Some(KillScope::Tree),
        _ => None,
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_end(
    child: Option<&mut Child>,
    signal: c_int,
    timeout_ms: u32,
    number: u32,
    ended: Option<&mut MaybeUninit<RawTerminationReport>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let (Some(child), Some(scope)) = (child, scope(number)) else {
        return fail(error, Step::Kill, libc::EINVAL);
    };
    let limit = Duration::from_millis(timeout_ms.into());
    match child.terminate(Termination { signal, limit, scope }) {
        Ok(end) => {
            ended.map(|ended| ended.write(RawTerminationReport::from(end)));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_own_cgroup(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.own_cgroup())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_mark(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.mark())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_adopt_orphans() -> c_int {
    spawn::adopt_orphans().map_or_else(|problem| problem.errno(), |()| 0)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_reap_orphans(count: Option<&mut MaybeUninit<usize>>) -> c_int {
    match spawn::reap_orphans() {
        Ok(found) => {
            count.map(|count| count.write(found));
            0
        }
        Err(problem) => problem.errno(),
    }
}

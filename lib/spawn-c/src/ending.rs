//! Ends of whole families of processes, as C asks for them. In: a child, or nobody in particular.
//! Out: a plain struct.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

use spawn::{Child, Ending, Means, Step, Whom};

use crate::child::End;
use crate::command::{Draft, set};
use crate::error::{Place, refuse, tell};

/// Of those who are left, so many are named.
const LEFT_MAX: usize = 16;

/// `rusk_ended`.
#[repr(C)]
struct Ended {
    exit: End,
    means: u32,
    was_forced: bool,
    left_count: usize,
    left: [libc::pid_t; LEFT_MAX],
}

impl From<spawn::End> for Ended {
    fn from(end: spawn::End) -> Ended {
        let means = match end.means {
            Means::Process => 0,
            Means::Group => 1,
            Means::Cgroup => 2,
            Means::Walk => 3,
        };
        let mut left = [0; LEFT_MAX];
        for (place, pid) in left.iter_mut().zip(&end.left) {
            *place = *pid;
        }
        let exit = End::from(end.exit);
        Ended { exit, means, was_forced: end.was_forced, left_count: end.left.len(), left }
    }
}

pub fn whom(number: u32) -> Option<Whom> {
    match number {
        0 => Some(Whom::Process),
        1 => Some(Whom::Group),
        2 => Some(Whom::Everything),
        _ => None,
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_child_end(
    child: Option<&mut Child>,
    signal: c_int,
    milliseconds: u32,
    number: u32,
    ended: Option<&mut MaybeUninit<Ended>>,
    error: Place<'_>,
) -> c_int {
    let (Some(child), Some(whom)) = (child, whom(number)) else {
        return refuse(error, Step::Kill, libc::EINVAL);
    };
    let limit = Duration::from_millis(milliseconds.into());
    match child.end(Ending { signal, limit, whom }) {
        Ok(end) => {
            ended.map(|ended| ended.write(Ended::from(end)));
            0
        }
        Err(problem) => tell(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_own_cgroup(command: Option<&mut Draft>) -> c_int {
    set(command, |command| command.own_cgroup())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_mark(command: Option<&mut Draft>) -> c_int {
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

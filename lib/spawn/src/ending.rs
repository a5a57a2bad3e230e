//! Ending what was started. In: a child, a polite signal, how long it may take, and whom it
//! concerns. Out: an [`End`]: how the child ended, by what means the others were reached, and who
//! is left. Who is left after the limit gets `SIGKILL`.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::kernel::Errno;
use crate::process::{Child, Exit};
use crate::step::Step;
use reach::Reach;

mod adopt;
mod cgroup;
mod group;
mod hold;
mod kin;
mod members;
mod reach;
mod table;

pub(crate) use adopt::forget;
pub use adopt::{adopt_orphans, reap_orphans};
pub(crate) use cgroup::Cgroup;
pub(crate) use hold::{Mark, start};

/// Whom an ending concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whom {
    /// The program alone; what it started goes on.
    #[default]
    Process,
    /// The process group that the child leads, with whoever has stayed in it: see
    /// [`crate::Command::join_process_group`] and [`crate::Command::new_session`]. A child that
    /// leads none is ended alone.
    Group,
    /// The program, and what it started, and what those started, as well as they can be reached:
    /// see [`Means`].
    Everything,
}

/// How a child is to be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What it is told first, mostly `SIGTERM`.
    pub signal: i32,
    /// How long it may take.
    pub limit: Duration,
    pub whom: Whom,
}

impl Ending {
    /// `SIGKILL` at once.
    pub fn at_once(whom: Whom) -> Ending {
        Ending { signal: libc::SIGKILL, limit: Duration::ZERO, whom }
    }
}

/// By what the members of a tree were found. What was found was signalled by pidfd, so that nobody
/// else was hit, where the kernel has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The child alone was signalled.
    Process,
    Group,
    /// A cgroup of the child's own: nobody gets out of it, and nobody else is in it.
    Cgroup,
    /// A walk over `/proc`: descendants of the child, its session, its group if it leads one, and
    /// orphans that bear its mark, if it has one ([`crate::Command::mark`]). Not found is who was
    /// orphaned before, left session and group, and bears no mark; and after the child was reaped,
    /// all who bear none.
    Walk,
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// How the child ended. Absent where even `SIGKILL` did not end it in [`KILLED_WITHIN`]; it is
    /// among those left then.
    pub exit: Option<Exit>,
    pub means: Means,
    /// Somebody was left after the limit and got `SIGKILL`.
    pub was_forced: bool,
    /// Who was found and is still there: they may not be signalled, as other users' may not, or
    /// hang in the kernel.
    pub left: Vec<i32>,
}

/// How long killed processes may take to be gone. They take milliseconds, unless the kernel itself
/// is stuck.
pub const KILLED_WITHIN: Duration = Duration::from_secs(5);

impl Child {
    /// Ends the child, and whoever else it concerns; see [`Ending`]. Its input is closed.
    ///
    /// # Errors
    /// The start's; or that the processes cannot be listed.
    pub fn end(&mut self, ending: Ending) -> Result<End> {
        let polite_until = Instant::now().checked_add(ending.limit);
        // Until the program runs, it may not have the group or session that its command says.
        self.start.report.wait(Some(STARTED_WITHIN));
        let mut reach = Reach::of(self, ending.whom);
        let mut are_gone = false;
        if ending.signal != libc::SIGKILL {
            reach.signal(self, ending.signal).map_err(at_kill)?;
            self.stdin = None;
            are_gone = reach.wait_gone(self, polite_until).map_err(at_kill)?;
        }
        let was_forced = !are_gone;
        let killed_until = Instant::now() + KILLED_WITHIN;
        if was_forced {
            reach.kill(self, killed_until).map_err(at_kill)?;
        }
        let left = reach.left(killed_until).map_err(at_kill)?;
        let exit = self.wait_for(if left.contains(&self.id()) { Duration::ZERO } else { KILLED_WITHIN })?;
        reach.members.reap(self.id());
        if left.is_empty() {
            self.cgroup = None;
        }
        Ok(End { exit, means: reach.means(), was_forced, left })
    }
}

/// How long a child may take from its clone to its exec. One that takes longer was stopped in
/// between.
const STARTED_WITHIN: Duration = Duration::from_millis(100);

fn at_kill(errno: Errno) -> Error {
    Error::new(Step::Kill, errno)
}
